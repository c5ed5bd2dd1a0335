// SPDX-License-Identifier: Apache-2.0
#include "core/planner/config_fields.h"

#include <algorithm>

namespace plumb::planner {

namespace {

/// Mixtral, PhiMoE, Granite, MiniMax-M2, OLMoE: experts in all layers, as wide as intermediate_size.
Experts everywhere(const ConfigFields& config, const Transformer& m,
                   std::string_view count = "num_local_experts") {
    return Experts{.count = config.size(count, kMostExperts),
                   .active = config.size("num_experts_per_tok", kMostExperts),
                   .hidden = m.inner,
                   .layers = m.layers};
}

void readMixtral(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    readWindow(config, m, m.layers);
    m.experts = everywhere(config, m);
}

void readPhiMoe(const ConfigFields& config, Transformer& m) {
    readMixtral(config, m);
    m.normBias = true;
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
    m.headBias = config.flagOr("lm_head_bias", false);
}

void readGraniteMoe(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
    Experts experts = everywhere(config, m);
    experts.sharedHidden = config.sizeOr("shared_intermediate_size", kMostWidth, 0, 0);
    experts.shared = experts.sharedHidden > 0 ? 1 : 0;
    m.experts = experts;
}

void readMiniMaxM2(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    m.headNorms = HeadNorms::Whole;
    Experts experts = everywhere(config, m);
    experts.routerBias = true;
    m.experts = experts;
}

void readGptOss(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m, 64);
    m.queryBias = m.outputBias = config.flagOr("attention_bias", true);
    m.innerBias = m.sinks = true;
    readWindow(config, m, (m.layers + 1) / 2, 128);  // the first of each two
    Experts experts = everywhere(config, m);
    experts.routerBias = true;
    m.experts = experts;
}

/// Layers that have experts: each interleave_moe_layer_step-th, or those that moe_layers lists.
std::int64_t llama4ExpertLayers(const ConfigFields& config, const Transformer& m) {
    if (config.has("moe_layers"))
        return static_cast<std::int64_t>(config.layerList("moe_layers", m.layers).size());
    return m.layers / config.sizeOr("interleave_moe_layer_step", kMostLayers, 1);
}

void readLlama4(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m, 128);
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
    Experts experts = everywhere(config, m);
    experts.shared = 1;
    experts.sharedHidden = m.inner;
    experts.layers = llama4ExpertLayers(config, m);
    m.experts = experts;
    m.inner = config.size("intermediate_size_mlp", kMostWidth);
    m.slidingWindow = config.sizeOr("attention_chunk_size", kMostPositions,
                                    config.mentions("attention_chunk_size") ? 0 : 8192);
    const std::int64_t interval = config.sizeOr("no_rope_layer_interval", kMostLayers, 4);
    const std::int64_t listed = config.windowedTypes(m.layers);
    m.windowedLayers = m.slidingWindow == 0 ? 0 : listed >= 0 ? listed : allButEvery(m.layers, interval);
    if (m.windowedLayers == 0) m.slidingWindow = 0;
    m.chunkedWindow = m.slidingWindow > 0;
}

/// Every decoder_sparse_step-th layer has experts, but for those that mlp_only_layers lists.
std::int64_t qwenExpertLayers(const ConfigFields& config, const Transformer& m) {
    const std::int64_t step = config.sizeOr("decoder_sparse_step", kMostLayers, 1);
    const std::vector<std::int64_t> plain = config.layerList("mlp_only_layers", m.layers);
    std::int64_t layers = 0;
    for (std::int64_t layer = 0; layer < m.layers; ++layer)
        if ((layer + 1) % step == 0 && std::find(plain.begin(), plain.end(), layer) == plain.end()) ++layers;
    return layers;
}

Experts readQwenExperts(const ConfigFields& config, const Transformer& m) {
    return Experts{.count = config.size("num_experts", kMostExperts),
                   .active = config.size("num_experts_per_tok", kMostExperts),
                   .hidden = config.size("moe_intermediate_size", kMostWidth),
                   .layers = qwenExpertLayers(config, m)};
}

void readQwen2Moe(const ConfigFields& config, Transformer& m) {
    readQwen2(config, m);
    Experts experts = readQwenExperts(config, m);
    experts.shared = 1;
    experts.sharedHidden = config.size("shared_expert_intermediate_size", kMostWidth);
    experts.sharedGate = true;
    m.experts = experts;
}

void readQwen3Moe(const ConfigFields& config, Transformer& m) {
    readQwen3(config, m);
    m.experts = readQwenExperts(config, m);
}

void readOlmoe(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
    m.headNorms = HeadNorms::Whole;
    m.experts = everywhere(config, m, "num_experts");
}

/// Experts of moe_intermediate_size beside shared ones of the same width; in which layers is still to be
/// said.
Experts besideShared(const ConfigFields& config, std::string_view count, std::string_view active,
                     std::string_view shared) {
    Experts experts{.count = config.size(count, kMostExperts),
                    .active = config.size(active, kMostExperts),
                    .hidden = config.size("moe_intermediate_size", kMostWidth),
                    .shared = config.sizeOr(shared, kMostExperts, 0, 0)};
    experts.sharedHidden = experts.shared * experts.hidden;
    return experts;
}

void readErnieMoe(const ConfigFields& config, Transformer& m) {
    readSizes(config, m, true);
    readHeads(config, m);
    m.queryBias = m.outputBias = m.innerBias = config.flagOr("use_bias", false);
    Experts experts = besideShared(config, "moe_num_experts", "moe_k", "moe_num_shared_experts");
    experts.routerBias = true;
    const std::int64_t first = config.sizeOr("moe_layer_start_index", m.layers, 1, 0);
    const JsonField end = config.root()["moe_layer_end_index"];
    const std::int64_t last = end.isNull() || end.integer() < 0 ? m.layers - 1 : end.count(0, m.layers - 1);
    const std::int64_t every = config.sizeOr("moe_layer_interval", kMostLayers, 1);
    for (std::int64_t layer = first; layer <= last; ++layer)
        if ((layer + 1) % every == 0) ++experts.layers;
    m.experts = experts;
}

/// Of DeepSeek's kind: from layer first_k_dense_replace on, with shared experts of the same width.
Experts readDeepSeekExperts(const ConfigFields& config, const Transformer& m, bool routerBias) {
    Experts experts = besideShared(config, "n_routed_experts", "num_experts_per_tok", "n_shared_experts");
    experts.routerBias = routerBias;
    const std::int64_t first = config.size("first_k_dense_replace", m.layers, 0);
    const std::int64_t every = config.sizeOr("moe_layer_freq", kMostLayers, 1);
    for (std::int64_t layer = first; layer < m.layers; ++layer)
        if (layer % every == 0) ++experts.layers;
    return experts;
}

void readDeepSeek(const ConfigFields& config, Transformer& m, bool routerBias) {
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
    m.experts = readDeepSeekExperts(config, m, routerBias);
}

void readDeepSeekV3(const ConfigFields& config, Transformer& m) { readDeepSeek(config, m, true); }

void readGlm4Moe(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    m.queryBias = config.flagOr("attention_bias", false);
    if (config.flagOr("use_qk_norm", false)) m.headNorms = HeadNorms::Shared;
    m.predictionLayers = config.sizeOr("num_nextn_predict_layers", kMostLayers, 0, 0);
    m.experts = readDeepSeekExperts(config, m, true);
}

}  // namespace

const std::vector<ModelFamily>& expertFamilies() {
    static const std::vector<ModelFamily> families{
        {"deepseek_v2", [](const ConfigFields& c, Transformer& m) { readDeepSeek(c, m, false); }},
        {"deepseek_v3", readDeepSeekV3},
        {"ernie4_5_moe", readErnieMoe},
        {"glm4_moe", readGlm4Moe},
        {"gpt_oss", readGptOss},
        {"granitemoe", readGraniteMoe},
        {"granitemoeshared", readGraniteMoe},
        {"kimi_k2", readDeepSeekV3},
        {"llama4_text", readLlama4},
        {"minimax_m2", readMiniMaxM2},
        {"mixtral", readMixtral},
        {"olmoe", readOlmoe},
        {"phimoe", readPhiMoe},
        {"qwen2_moe", readQwen2Moe},
        {"qwen3_moe", readQwen3Moe},
        {"qwen3_vl_moe_text", readQwen3Moe},
    };
    return families;
}

}  // namespace plumb::planner
