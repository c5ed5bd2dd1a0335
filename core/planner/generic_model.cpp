// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"
#include "core/planner/config_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace plumb::planner {

namespace {

/// Fails for a key that is not one of `known`: a misspelt one would leave its part out.
void expectKeys(const JsonField& object, const std::vector<std::string>& known) {
    if (!object.expectObject()) return;
    const auto unknown = unknownKeyOf(*object.json(), known);
    if (!unknown) return;
    const std::string nearest = nearestWord(*unknown, known);
    object[*unknown].fail(nearest.empty()
                              ? fmt::format("is not known here; known are {}", fmt::join(known, ", "))
                              : fmt::format("is not known here; did you mean {}?", nearest));
}

std::int64_t sizeAt(const JsonField& object, std::string_view key, std::int64_t most, std::int64_t otherwise,
                    std::int64_t least = 1) {
    const JsonField field = object[key];
    return field.isNull() ? otherwise : field.count(least, most);
}

bool flagAt(const JsonField& object, std::string_view key, bool otherwise) {
    const JsonField field = object[key];
    return field.isNull() ? otherwise : field.boolean();
}

void readGenericBiases(const JsonField& biases, Transformer& m) {
    if (biases.isNull()) return;
    expectKeys(biases, {"queries", "output", "inner", "head"});
    m.queryBias = flagAt(biases, "queries", false);
    m.outputBias = flagAt(biases, "output", false);
    m.innerBias = flagAt(biases, "inner", false);
    m.headBias = flagAt(biases, "head", false);
}

void readGenericNorms(const JsonField& norms, Transformer& m) {
    if (norms.isNull()) return;
    expectKeys(norms, {"per_layer", "scale", "bias", "heads", "embedding", "final"});
    m.normsPerLayer = sizeAt(norms, "per_layer", 16, m.normsPerLayer, 0);
    m.normScale = flagAt(norms, "scale", true);
    m.normBias = flagAt(norms, "bias", false);
    m.embeddingNorm = flagAt(norms, "embedding", false);
    m.finalNorm = flagAt(norms, "final", true);
    const JsonField heads = norms["heads"];
    if (heads.isNull()) return;
    const std::string kind = heads.text();
    if (kind == "shared")
        m.headNorms = HeadNorms::Shared;
    else if (kind == "whole")
        m.headNorms = HeadNorms::Whole;
    else if (kind != "none")
        heads.fail(fmt::format("is '{}': give none, shared or whole", kind));
}

void readGenericWindow(const JsonField& window, Transformer& m) {
    if (window.isNull()) return;
    expectKeys(window, {"tokens", "layers", "chunked"});
    const JsonField tokens = window["tokens"];
    m.slidingWindow = tokens.count(1, kMostPositions);
    m.windowedLayers = sizeAt(window, "layers", m.layers, m.layers);
    m.chunkedWindow = flagAt(window, "chunked", false);
}

void readGenericExperts(const JsonField& experts, Transformer& m) {
    if (experts.isNull()) return;
    expectKeys(experts, {"count", "active", "inner", "layers", "shared_inner", "shared_gate", "router_bias"});
    const JsonField count = experts["count"], active = experts["active"], inner = experts["inner"];
    Experts x{.count = count.count(1, kMostExperts),
              .active = active.count(1, kMostExperts),
              .hidden = inner.count(1, kMostWidth),
              .sharedHidden = sizeAt(experts, "shared_inner", kMostWidth, 0, 0),
              .sharedGate = flagAt(experts, "shared_gate", false),
              .routerBias = flagAt(experts, "router_bias", false),
              .layers = sizeAt(experts, "layers", m.layers, m.layers)};
    x.shared = x.sharedHidden > 0 ? 1 : 0;
    m.experts = x;
}

void readGenericLatent(const JsonField& latent, Transformer& m) {
    if (latent.isNull()) return;
    expectKeys(latent, {"query_rank", "key_value_rank", "plain_width", "rotary_width", "value_width"});
    const JsonField rank = latent["key_value_rank"], plain = latent["plain_width"];
    const JsonField rotary = latent["rotary_width"], value = latent["value_width"];
    LatentAttention l{.queryRank = sizeAt(latent, "query_rank", kMostWidth, 0, 0),
                      .keyValueRank = rank.count(1, kMostWidth),
                      .plainWidth = plain.count(1, kMostWidth),
                      .rotaryWidth = rotary.count(0, kMostWidth),
                      .valueWidth = value.count(1, kMostWidth)};
    m.latent = l;
    m.keyValueHeads = m.heads;
    m.headWidth = l.plainWidth + l.rotaryWidth;
}

}  // namespace

void readGeneric(const ConfigFields& config, Transformer& m) {
    const JsonField& root = config.root();
    expectKeys(root, {"model_type",
                      "name",
                      "layers",
                      "hidden",
                      "heads",
                      "kv_heads",
                      "head_width",
                      "inner",
                      "gated",
                      "parallel",
                      "causal",
                      "vocabulary",
                      "positions",
                      "tied",
                      "head_layer",
                      "segments",
                      "learned_positions",
                      "spare_rows",
                      "norms",
                      "biases",
                      "sinks",
                      "window",
                      "experts",
                      "latent"});
    m.layers = config.size("layers", kMostLayers);
    m.hidden = config.size("hidden", kMostWidth);
    m.heads = config.size("heads", kMostWidth);
    m.keyValueHeads = config.sizeOr("kv_heads", m.heads, m.heads);
    const bool narrow = config.has("latent");
    if (!config.has("head_width") && !narrow && m.heads > 0 && m.hidden % m.heads != 0)
        config.fail("heads", fmt::format("is {}, which does not divide hidden {}, and there is no head_width",
                                         m.heads, m.hidden));
    m.headWidth = config.sizeOr("head_width", kMostWidth,
                                std::max<std::int64_t>(m.hidden / std::max<std::int64_t>(m.heads, 1), 1));
    const JsonField experts = root["experts"];
    readGenericExperts(experts, m);
    // With experts in all layers nothing has the inner width of a plain block.
    m.inner = m.experts && m.experts->layers == m.layers
                  ? config.sizeOr("inner", kMostWidth, m.experts->hidden)
                  : config.size("inner", kMostWidth);
    m.vocabulary = config.size("vocabulary", kMostVocabulary);
    m.positions = config.size("positions", kMostPositions);
    m.gated = config.flagOr("gated", true);
    m.parallel = config.flagOr("parallel", false);
    m.causal = config.flagOr("causal", true);
    m.tiedEmbeddings = config.flagOr("tied", false);
    m.headLayer = config.flagOr("head_layer", false);
    m.learnedPositions = config.flagOr("learned_positions", false);
    m.spareRows = config.sizeOr("spare_rows", kMostWidth, 0, 0);
    m.segments = config.sizeOr("segments", kMostWidth, 0, 0);
    m.sinks = config.flagOr("sinks", false);
    const JsonField norms = root["norms"], biases = root["biases"], window = root["window"];
    const JsonField latent = root["latent"];
    readGenericNorms(norms, m);
    readGenericBiases(biases, m);
    readGenericWindow(window, m);
    readGenericLatent(latent, m);
}

}  // namespace plumb::planner
