// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_fields.h"
#include "core/planner/model.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::planner {

// What a size may be: beyond any model, and far from what 63 bits overflow at.
inline constexpr std::int64_t kMostLayers = 1 << 14;
inline constexpr std::int64_t kMostWidth = 1 << 22;
inline constexpr std::int64_t kMostVocabulary = 1 << 26;
inline constexpr std::int64_t kMostExperts = 1 << 14;
inline constexpr std::int64_t kMostPositions = INT64_C(1) << 32;

/// What transformers' configuration classes take for what a file leaves out (resources/config_defaults.json).
struct ClassDefaults {
    std::string_view name;  ///< of the class: "Gemma3TextConfig"; empty: transformers has none
    const nlohmann::json* sizes = nullptr;  ///< whole numbers by field
};
[[nodiscard]] ClassDefaults classDefaultsOf(std::string_view family);
/// "transformers 5.24.0", whose classes these are.
[[nodiscard]] std::string_view classDefaultsFrom();
/// The family of the part for text of a model of several parts ("gemma3": "gemma3_text"); empty for others.
[[nodiscard]] std::string_view textFamilyOf(std::string_view type);
/// Such a model that was published with that part's fields at the top of the file (Qwen2-VL).
[[nodiscard]] bool hasFlatTextPart(std::string_view type);

/// config.json while it is read. A default stands only where the family's configuration class has it and its
/// published files leave the field out: for parts of a model, which transformers writes as their difference
/// from the class, all sizes that `defaults` has.
class ConfigFields {
public:
    explicit ConfigFields(const JsonField& root, const JsonField* defaults = nullptr)
        : m_root(root), m_defaults(defaults) {}

    [[nodiscard]] std::int64_t size(std::string_view key, std::int64_t most, std::int64_t least = 1) const {
        if (const auto byDefault = defaultOf(key, least, most)) return *byDefault;
        return m_root[key].count(least, most);
    }
    [[nodiscard]] std::int64_t sizeOr(std::string_view key, std::int64_t most, std::int64_t otherwise,
                                      std::int64_t least = 1) const {
        if (const auto byDefault = defaultOf(key, least, most)) return *byDefault;
        const JsonField field = m_root[key];
        return field.isNull() ? otherwise : field.count(least, most);
    }
    [[nodiscard]] bool flagOr(std::string_view key, bool otherwise) const {
        const JsonField field = m_root[key];
        return field.isNull() ? otherwise : field.boolean();
    }
    [[nodiscard]] bool has(std::string_view key) const {
        return mentions(key) ? !m_root[key].isNull() : m_defaults != nullptr && !(*m_defaults)[key].isNull();
    }
    /// Also when it is null, which says "none" and not "as usual".
    [[nodiscard]] bool mentions(std::string_view key) const { return m_root[key].json() != nullptr; }
    /// The first of these names that the file (or else the class) has, else the first of them: some families
    /// were renamed.
    [[nodiscard]] std::string_view named(std::initializer_list<std::string_view> keys) const;
    /// Lists of layer numbers, such as mlp_only_layers.
    [[nodiscard]] std::vector<std::int64_t> layerList(std::string_view key, std::int64_t layers) const;
    /// How many of layer_types look back on a window or chunk; -1 without that list. Fails for a list of
    /// another length, and for layers that are no attention.
    [[nodiscard]] std::int64_t windowedTypes(std::int64_t layers) const;
    void fail(std::string_view key, const std::string& what) const {
        const JsonField field = m_root[key];
        field.fail(what);
    }
    /// The same of a field that may be within another: "experts.active".
    void failAt(std::string_view path, const std::string& what) const;
    /// What this file calls the sizes that can contradict each other.
    [[nodiscard]] SizeKeys sizeKeys() const;
    [[nodiscard]] const JsonField& root() const { return m_root; }
    /// What was read of the class's defaults so far, with its value: "vocab_size 262208".
    [[nodiscard]] const std::vector<std::string>& taken() const { return m_taken; }

private:
    /// Nothing where the file has the field, also as null, or the class has no default.
    [[nodiscard]] std::optional<std::int64_t> defaultOf(std::string_view key, std::int64_t least,
                                                        std::int64_t most) const;
    const JsonField& m_root;
    const JsonField* m_defaults;
    mutable std::vector<std::string> m_taken;
};

/// What a family calls its sizes; the usual names.
struct SizeNames {
    std::string_view layers = "num_hidden_layers";
    std::string_view hidden = "hidden_size";
    std::string_view heads = "num_attention_heads";
    std::string_view inner = "intermediate_size";  ///< empty: the family has no such field
    std::string_view vocabulary = "vocab_size";
    std::string_view positions = "max_position_embeddings";
    /// So many times the hidden width without that field; 0: it has to be there.
    std::int64_t innerOfHidden = 0;
    std::int64_t defaultPositions = 0;  ///< without that field; 0: it has to be there
};
/// layers, hidden, heads, inner, vocabulary, positions and the tie.
void readSizes(const ConfigFields& config, Transformer& m, bool tied = false, const SizeNames& names = {});
/// Key and value heads and the width of a head, `defaultWidth` (0: hidden over heads) without head_dim.
void readHeads(const ConfigFields& config, Transformer& m, std::int64_t defaultWidth = 0);
/// Heads that divide the hidden width, as many for keys and values.
void readEvenHeads(const ConfigFields& config, Transformer& m, std::string_view heads,
                   std::string_view hidden);
/// Layers that look back on sliding_window tokens only. Those of layer_types, where the file has it.
void readWindow(const ConfigFields& config, Transformer& m, std::int64_t windowedLayers,
                std::int64_t ofTheFamily = 0);
/// Of `layers` all but every `interval`-th.
[[nodiscard]] constexpr std::int64_t allButEvery(std::int64_t layers, std::int64_t interval) {
    return layers - layers / interval;
}

/// A model_type and what reads it.
struct ModelFamily {
    std::string_view type;
    void (*read)(const ConfigFields&, Transformer&);
};
[[nodiscard]] const std::vector<ModelFamily>& decoderFamilies();
[[nodiscard]] const std::vector<ModelFamily>& expertFamilies();
[[nodiscard]] const std::vector<ModelFamily>& encoderFamilies();
[[nodiscard]] const std::vector<ModelFamily>& twoStackFamilies();  ///< an encoder and a decoder
// Those that families with experts build on.
void readQwen2(const ConfigFields& config, Transformer& m);
void readQwen3(const ConfigFields& config, Transformer& m);
/// Its names of the sizes that can contradict each other.
inline constexpr SizeKeys kGenericSizeKeys{
    .keyValueHeads = "kv_heads", .window = "window.tokens", .windowedLayers = "window.layers"};
/// Our own description, model_type "plumbline-generic".
void readGeneric(const ConfigFields& config, Transformer& m);

/// Why the planner has no arithmetic for a family that is known; empty for all others.
[[nodiscard]] std::string_view whyRefused(std::string_view type);

}  // namespace plumb::planner
