// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"
#include "core/io/json_fields.h"
#include "core/planner/model.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace plumb::planner {

namespace {

constexpr std::int64_t kMostLayers = 1 << 14;
constexpr std::int64_t kMostWidth = 1 << 22;
constexpr std::int64_t kMostVocabulary = 1 << 26;
constexpr std::int64_t kMostExperts = 1 << 14;
constexpr double kMostParameters = 1e17;  // far from what 63 bits overflow at, and from any model

/// config.json while it is read. A default stands only where the family's configuration class has it and its
/// published files leave the field out.
class Config {
public:
    explicit Config(const JsonField& root) : m_root(root) {}

    [[nodiscard]] std::int64_t size(std::string_view key, std::int64_t most, std::int64_t least = 1) const {
        return m_root[key].count(least, most);
    }
    [[nodiscard]] std::int64_t sizeOr(std::string_view key, std::int64_t most, std::int64_t otherwise,
                                      std::int64_t least = 1) const {
        const JsonField field = m_root[key];
        return field.isNull() ? otherwise : field.count(least, most);
    }
    [[nodiscard]] bool flagOr(std::string_view key, bool otherwise) const {
        const JsonField field = m_root[key];
        return field.isNull() ? otherwise : field.boolean();
    }
    [[nodiscard]] bool has(std::string_view key) const { return !m_root[key].isNull(); }
    /// Also when it is null, which says "none" and not "as usual".
    [[nodiscard]] bool mentions(std::string_view key) const { return m_root[key].json() != nullptr; }
    /// Lists of layer numbers, such as mlp_only_layers.
    [[nodiscard]] std::vector<std::int64_t> layerList(std::string_view key, std::int64_t layers) const {
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
    void fail(std::string_view key, const std::string& what) const {
        const JsonField field = m_root[key];
        field.fail(what);
    }

private:
    const JsonField& m_root;
};

void readSizes(const Config& config, Transformer& m) {
    m.layers = config.size("num_hidden_layers", kMostLayers);
    m.hidden = config.size("hidden_size", kMostWidth);
    m.heads = config.size("num_attention_heads", kMostWidth);
    m.inner = config.size("intermediate_size", kMostWidth);
    m.vocabulary = config.size("vocab_size", kMostVocabulary);
    m.positions = config.size("max_position_embeddings", INT64_C(1) << 32);
    m.tiedEmbeddings = config.flagOr("tie_word_embeddings", false);
}

void readHeads(const Config& config, Transformer& m, std::int64_t defaultWidth = 0) {
    m.keyValueHeads = config.sizeOr("num_key_value_heads", m.heads, m.heads);
    if (m.keyValueHeads > 0 && m.heads % m.keyValueHeads != 0)
        config.fail("num_key_value_heads", fmt::format("is {}, which does not divide num_attention_heads {}",
                                                       m.keyValueHeads, m.heads));
    if (!config.has("head_dim") && defaultWidth == 0 && m.heads > 0 && m.hidden % m.heads != 0)
        config.fail("num_attention_heads",
                    fmt::format("is {}, which does not divide hidden_size {}, and there is no head_dim",
                                m.heads, m.hidden));
    const std::int64_t even =
        defaultWidth != 0 ? defaultWidth : m.hidden / std::max<std::int64_t>(m.heads, 1);
    m.headWidth = config.sizeOr("head_dim", kMostWidth, std::max<std::int64_t>(even, 1));
}

/// Layers that look back on sliding_window tokens only.
void readWindow(const Config& config, Transformer& m, std::int64_t windowedLayers,
                std::int64_t ofTheFamily = 0) {
    m.slidingWindow = config.sizeOr("sliding_window", INT64_C(1) << 32,
                                    config.mentions("sliding_window") ? 0 : ofTheFamily);
    m.windowedLayers = m.slidingWindow > 0 ? windowedLayers : 0;
    if (m.windowedLayers == 0) m.slidingWindow = 0;
}

void readGpt2(const Config& config, Transformer& m) {
    m.layers = config.size("n_layer", kMostLayers);
    m.hidden = config.size("n_embd", kMostWidth);
    m.heads = config.size("n_head", kMostWidth);
    m.inner = config.sizeOr("n_inner", kMostWidth, 4 * m.hidden);
    m.vocabulary = config.size("vocab_size", kMostVocabulary);
    m.positions = config.size("n_positions", INT64_C(1) << 32);
    if (m.hidden % std::max<std::int64_t>(m.heads, 1) != 0)
        config.fail("n_head", fmt::format("is {}, which does not divide n_embd {}", m.heads, m.hidden));
    m.keyValueHeads = m.heads;
    m.headWidth = m.hidden / std::max<std::int64_t>(m.heads, 1);
    m.tiedEmbeddings = config.flagOr("tie_word_embeddings", true);
    m.gated = false;
    m.learnedPositions = m.queryBias = m.outputBias = m.innerBias = m.normBias = true;
}

void readLlama(const Config& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
    m.innerBias = config.flagOr("mlp_bias", false);
}

void readMistral(const Config& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    readWindow(config, m, m.layers, 4096);
}

void readMixtral(const Config& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    readWindow(config, m, m.layers);
    Experts experts{.count = config.size("num_local_experts", kMostExperts),
                    .active = config.size("num_experts_per_tok", kMostExperts),
                    .hidden = m.inner,
                    .layers = m.layers};
    m.experts = experts;
}

/// In Qwen, layers from max_window_layers on look back on the window, when use_sliding_window says so.
void readQwenWindow(const Config& config, Transformer& m) {
    if (!config.flagOr("use_sliding_window", false)) return;
    const std::int64_t full = config.size("max_window_layers", kMostLayers, 0);
    readWindow(config, m, std::max<std::int64_t>(m.layers - full, 0));
}

void readQwen2(const Config& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    m.queryBias = true;
    readQwenWindow(config, m);
}

void readQwen3(const Config& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m, 128);
    m.headNorms = true;
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
    readQwenWindow(config, m);
}

/// Every decoder_sparse_step-th layer has experts, but for those that mlp_only_layers lists.
std::int64_t qwenExpertLayers(const Config& config, const Transformer& m) {
    const std::int64_t step = config.sizeOr("decoder_sparse_step", kMostLayers, 1);
    const std::vector<std::int64_t> plain = config.layerList("mlp_only_layers", m.layers);
    std::int64_t layers = 0;
    for (std::int64_t layer = 0; layer < m.layers; ++layer)
        if ((layer + 1) % step == 0 && std::find(plain.begin(), plain.end(), layer) == plain.end()) ++layers;
    return layers;
}

Experts readQwenExperts(const Config& config, const Transformer& m) {
    return Experts{.count = config.size("num_experts", kMostExperts),
                   .active = config.size("num_experts_per_tok", kMostExperts),
                   .hidden = config.size("moe_intermediate_size", kMostWidth),
                   .layers = qwenExpertLayers(config, m)};
}

void readQwen2Moe(const Config& config, Transformer& m) {
    readQwen2(config, m);
    Experts experts = readQwenExperts(config, m);
    experts.shared = 1;
    experts.sharedHidden = config.size("shared_expert_intermediate_size", kMostWidth);
    experts.sharedGate = true;
    m.experts = experts;
}

void readQwen3Moe(const Config& config, Transformer& m) {
    readQwen3(config, m);
    m.experts = readQwenExperts(config, m);
}

void readDeepSeek(const Config& config, Transformer& m, bool routerBias) {
    readSizes(config, m);
    m.keyValueHeads = m.heads;
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
    LatentAttention latent{.queryRank = config.sizeOr("q_lora_rank", kMostWidth, 0),
                           .keyValueRank = config.size("kv_lora_rank", kMostWidth),
                           .plainWidth = config.size("qk_nope_head_dim", kMostWidth),
                           .rotaryWidth = config.size("qk_rope_head_dim", kMostWidth),
                           .valueWidth = config.size("v_head_dim", kMostWidth)};
    m.latent = latent;
    m.headWidth = latent.plainWidth + latent.rotaryWidth;
    m.predictionLayers = config.sizeOr("num_nextn_predict_layers", kMostLayers, 0, 0);

    Experts experts{.count = config.size("n_routed_experts", kMostExperts),
                    .active = config.size("num_experts_per_tok", kMostExperts),
                    .hidden = config.size("moe_intermediate_size", kMostWidth),
                    .shared = config.sizeOr("n_shared_experts", kMostExperts, 0, 0)};
    experts.sharedHidden = experts.shared * experts.hidden;
    experts.routerBias = routerBias;
    const std::int64_t first = config.size("first_k_dense_replace", m.layers, 0);
    const std::int64_t every = config.sizeOr("moe_layer_freq", kMostLayers, 1);
    for (std::int64_t layer = first; layer < m.layers; ++layer)
        if (layer % every == 0) ++experts.layers;
    m.experts = experts;
}

struct Family {
    std::string_view type;
    void (*read)(const Config&, Transformer&);
};
constexpr std::array kFamilies{
    Family{"gpt2", readGpt2},
    Family{"llama", readLlama},
    Family{"mistral", readMistral},
    Family{"mixtral", readMixtral},
    Family{"qwen2", readQwen2},
    Family{"qwen3", readQwen3},
    Family{"qwen2_moe", readQwen2Moe},
    Family{"qwen3_moe", readQwen3Moe},
    Family{"deepseek_v2", [](const Config& c, Transformer& m) { readDeepSeek(c, m, false); }},
    Family{"deepseek_v3", [](const Config& c, Transformer& m) { readDeepSeek(c, m, true); }},
};

Error unknownType(const std::string& type, const std::string& source) {
    std::vector<std::string> known;
    known.reserve(kFamilies.size());
    for (const Family& family : kFamilies) known.emplace_back(family.type);
    const std::string nearest = nearestWord(type, known);
    return {ErrorCode::BadInput, fmt::format("{} has a model_type that is not known ({})", source, type),
            nearest.empty() ? fmt::format("give one of {}", fmt::join(known, ", "))
                            : fmt::format("did you mean {}? Known are {}", nearest, fmt::join(known, ", "))};
}

/// The count in floating point, which does not overflow: sizes may be anything up to their limits.
double roughParameters(const Transformer& m) {
    const auto h = static_cast<double>(m.hidden), layers = static_cast<double>(m.layers);
    double perLayer = 4 * h * static_cast<double>(m.heads) * static_cast<double>(m.headWidth) +
                      3 * h * static_cast<double>(m.inner);
    if (m.experts)
        perLayer += 3 * h *
                    (static_cast<double>(m.experts->count) * static_cast<double>(m.experts->hidden) +
                     static_cast<double>(m.experts->sharedHidden));
    return layers * perLayer + 2 * h * static_cast<double>(m.vocabulary) +
           h * static_cast<double>(m.learnedPositions ? m.positions : 0);
}

}  // namespace

Result<ModelSpec> modelFromConfig(std::string_view text, const std::string& source) {
    auto parsed = parseJson(text, source);
    if (!parsed.has_value()) {
        Error error = std::move(parsed).error();
        error.hint = "give the config.json of a model";
        return error;
    }
    JsonField::Problem problem;
    const JsonField root(parsed.value(), "", problem);
    if (!parsed->is_object())
        return Error{ErrorCode::BadInput, source + " is not a JSON object",
                     "give the config.json of a model"};
    const JsonField typeField = root["model_type"];
    if (typeField.isNull())
        return Error{ErrorCode::BadInput, source + " has no model_type",
                     "give the config.json of a model as Hugging Face has it"};
    const std::string type = typeField.text();
    const auto* const family = std::find_if(kFamilies.begin(), kFamilies.end(),
                                            [&](const Family& known) { return known.type == type; });
    if (!problem && family == kFamilies.end()) return unknownType(type, source);

    Transformer model;
    model.family = type;
    const Config config(root);
    if (!problem) family->read(config, model);
    if (!problem && model.experts && model.experts->active > model.experts->count)
        config.fail("num_experts_per_tok", fmt::format("is {}, and there are {} experts",
                                                       model.experts->active, model.experts->count));
    if (problem) {
        Error error = *problem;
        error.message = fmt::format("in {}, {}", source, error.message);
        error.hint = "correct this field; nothing is computed from guesses";
        return error;
    }
    if (roughParameters(model) > kMostParameters)
        return Error{ErrorCode::BadInput,
                     fmt::format("{} has {:.1e} parameters, more than the planner takes ({:.0e})", source,
                                 roughParameters(model), kMostParameters),
                     "check its sizes"};
    return ModelSpec{.name = fmt::format("{} of {} layers, width {}", type, model.layers, model.hidden),
                     .source = source,
                     .kind = model};
}

}  // namespace plumb::planner
