// SPDX-License-Identifier: Apache-2.0
#include "core/planner/config_fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::planner {

std::string_view ConfigFields::named(std::initializer_list<std::string_view> keys) const {
    const auto* found =
        std::find_if(keys.begin(), keys.end(), [&](std::string_view key) { return !m_root[key].isNull(); });
    if (found == keys.end())
        found = std::find_if(keys.begin(), keys.end(), [&](std::string_view key) { return has(key); });
    return found == keys.end() ? *keys.begin() : *found;
}

std::optional<std::int64_t> ConfigFields::defaultOf(std::string_view key, std::int64_t least,
                                                    std::int64_t most) const {
    if (m_defaults == nullptr || mentions(key)) return std::nullopt;
    const JsonField field = (*m_defaults)[key];
    if (field.isNull()) return std::nullopt;
    const std::int64_t value = field.count(least, most);
    std::string said = fmt::format("{} {}", key, value);
    if (std::find(m_taken.begin(), m_taken.end(), said) == m_taken.end()) m_taken.push_back(std::move(said));
    return value;
}

void ConfigFields::failAt(std::string_view path, const std::string& what) const {
    const std::size_t point = path.find('.');
    const JsonField field = m_root[path.substr(0, point)];
    if (point == std::string_view::npos) return field.fail(what);
    const JsonField inner = field[path.substr(point + 1)];
    inner.fail(what);
}

SizeKeys ConfigFields::sizeKeys() const {
    return {.heads = named({"num_attention_heads", "n_head", "num_heads", "n_heads"}),
            .keyValueHeads = named({"num_key_value_heads", "num_kv_heads", "n_head_kv"}),
            .inner = "intermediate_size",
            .window = named({"sliding_window", "window_size", "attention_chunk_size", "local_attention"}),
            .windowedLayers = "layer_types",
            .activeExperts = named({"num_experts_per_tok", "moe_k"}),
            .expertLayers = named({"moe_layers", "mlp_only_layers"})};
}

std::vector<std::int64_t> ConfigFields::layerList(std::string_view key, std::int64_t layers) const {
    const JsonField field = m_root[key];
    std::vector<std::int64_t> result;
    if (field.isNull()) return result;
    const std::size_t size = field.arraySize();
    for (std::size_t i = 0; i < size; ++i) {
        const JsonField entry = field.at(i);
        result.push_back(entry.count(0, layers - 1));
    }
    return result;
}

std::int64_t ConfigFields::windowedTypes(std::int64_t layers) const {
    const JsonField field = m_root["layer_types"];
    if (field.isNull()) return -1;
    const std::size_t size = field.arraySize();
    if (field.ok() && static_cast<std::int64_t>(size) != layers)
        field.fail(fmt::format("has {} entries, and there are {} layers", size, layers));
    std::int64_t windowed = 0;
    for (std::size_t i = 0; i < size && field.ok(); ++i) {
        const JsonField entry = field.at(i);
        const std::string type = entry.text();
        if (type == "sliding_attention" || type == "chunked_attention")
            ++windowed;
        else if (field.ok() && type != "full_attention")
            entry.fail(fmt::format("is '{}': the planner knows full, sliding and chunked attention", type));
    }
    return windowed;
}

void readSizes(const ConfigFields& config, Transformer& m, bool tied, const SizeNames& names) {
    m.layers = config.size(names.layers, kMostLayers);
    m.hidden = config.size(names.hidden, kMostWidth);
    m.heads = config.size(names.heads, kMostWidth);
    m.inner = names.innerOfHidden == 0
                  ? config.size(names.inner, kMostWidth)
                  : config.sizeOr(names.inner, kMostWidth, names.innerOfHidden * m.hidden);
    m.vocabulary = config.size(names.vocabulary, kMostVocabulary);
    m.positions = names.defaultPositions == 0
                      ? config.size(names.positions, kMostPositions)
                      : config.sizeOr(names.positions, kMostPositions, names.defaultPositions);
    m.tiedEmbeddings = config.flagOr("tie_word_embeddings", tied);
}

void readHeads(const ConfigFields& config, Transformer& m, std::int64_t defaultWidth) {
    m.keyValueHeads = config.sizeOr("num_key_value_heads", m.heads, m.heads);
    if (!config.has("head_dim") && defaultWidth == 0 && m.heads > 0 && m.hidden % m.heads != 0)
        config.fail("num_attention_heads",
                    fmt::format("is {}, which does not divide hidden_size {}, and there is no head_dim",
                                m.heads, m.hidden));
    const std::int64_t even =
        defaultWidth != 0 ? defaultWidth : m.hidden / std::max<std::int64_t>(m.heads, 1);
    m.headWidth = config.sizeOr("head_dim", kMostWidth, std::max<std::int64_t>(even, 1));
}

void readEvenHeads(const ConfigFields& config, Transformer& m, std::string_view heads,
                   std::string_view hidden) {
    if (m.hidden % std::max<std::int64_t>(m.heads, 1) != 0)
        config.fail(heads, fmt::format("is {}, which does not divide {} {}", m.heads, hidden, m.hidden));
    m.keyValueHeads = m.heads;
    m.headWidth = m.hidden / std::max<std::int64_t>(m.heads, 1);
}

void readWindow(const ConfigFields& config, Transformer& m, std::int64_t windowedLayers,
                std::int64_t ofTheFamily) {
    m.slidingWindow =
        config.sizeOr("sliding_window", kMostPositions, config.mentions("sliding_window") ? 0 : ofTheFamily);
    const std::int64_t listed = config.windowedTypes(m.layers);
    m.windowedLayers = m.slidingWindow > 0 ? (listed >= 0 ? listed : windowedLayers) : 0;
    if (m.windowedLayers == 0) m.slidingWindow = 0;
}

}  // namespace plumb::planner
