// SPDX-License-Identifier: Apache-2.0
#include "core/planner/model.h"

#include "core/base/enum_array.h"
#include "core/planner/formula.h"

#include <fmt/format.h>

namespace plumb::planner {

std::string_view name(HeadNorms norms) {
    constexpr EnumArray<HeadNorms, std::string_view> kNames{{"none", "shared", "whole"}};
    return kNames[norms];
}

namespace {

/// Entries of the matrices of one layer's attention, and of its vectors (biases, norms of heads and ranks).
struct Entries {
    std::int64_t matrices = 0;
    std::int64_t vectors = 0;
};

Entries attentionOf(const Transformer& m) {
    if (m.latent) {
        const LatentAttention& l = *m.latent;
        const std::int64_t queryOut = m.queryWidth();
        Entries e;
        e.matrices = l.queryRank > 0 ? m.hidden * l.queryRank + l.queryRank * queryOut : m.hidden * queryOut;
        e.matrices += m.hidden * (l.keyValueRank + l.rotaryWidth);
        e.matrices += l.keyValueRank * m.heads * (l.plainWidth + l.valueWidth);
        e.matrices += m.valueWidth() * m.hidden;
        e.vectors = l.queryRank + l.keyValueRank;  // norms of the narrow products
        if (m.queryBias) e.vectors += l.queryRank + l.keyValueRank + l.rotaryWidth;
        if (m.outputBias) e.vectors += m.hidden;
        return e;
    }
    const std::int64_t keys = m.keyWidth();
    Entries e{2 * m.hidden * m.queryWidth() + 2 * m.hidden * keys, 0};
    if (m.queryBias) e.vectors += m.queryWidth() + (m.encoder && !m.encoder->keyBias ? 1 : 2) * keys;
    if (m.outputBias) e.vectors += m.hidden;
    if (m.headNorms == HeadNorms::Shared) e.vectors += (m.normBias ? 4 : 2) * m.headWidth;
    if (m.headNorms == HeadNorms::Whole) e.vectors += m.queryWidth() + keys;
    if (m.sinks) e.vectors += m.heads;
    return e;
}

Entries feedForwardOf(const Transformer& m, std::int64_t inner) {
    if (inner == 0) return {};  // no shared experts
    Entries e{(m.gated ? 3 : 2) * m.hidden * inner, 0};
    if (m.innerBias) e.vectors = (m.gated ? 2 : 1) * inner + m.hidden;
    return e;
}

/// Of two convolutions over three frames each: the first on every frame, the second on every other one.
Entries convolutionsOf(const Transformer& m) {
    if (!m.encoder || m.encoder->frame == 0) return {};
    return {3 * m.hidden * (m.encoder->frame + m.hidden), 2 * m.hidden};
}

/// Attention of both stacks beside the decoder's own: the encoder's, and that of its tokens.
Entries furtherAttention(const Transformer& m) {
    if (!m.encoder) return {};
    const Encoder& x = *m.encoder;
    Transformer encoder = encoderStack(m);
    encoder.encoder = x;  // for the bias of its keys
    const Entries own = attentionOf(encoder), across = attentionOf(m);
    const std::int64_t tables =
        x.distances * (x.distancesEverywhere ? x.layers * x.heads + m.layers * m.heads : x.heads + m.heads);
    return {x.layers * own.matrices + m.layers * across.matrices,
            x.layers * own.vectors + m.layers * across.vectors + tables};
}

}  // namespace

Transformer decoderStack(const Transformer& m) {
    Transformer decoder = m;
    decoder.encoder.reset();
    return decoder;
}

Transformer encoderStack(const Transformer& m) {
    const Encoder& x = *m.encoder;
    Transformer encoder = decoderStack(m);
    encoder.layers = x.layers;
    encoder.heads = encoder.keyValueHeads = x.heads;
    encoder.headWidth = x.headWidth;
    encoder.inner = x.inner;
    encoder.causal = encoder.headBias = encoder.headLayer = encoder.learnedPositions = false;
    encoder.tiedEmbeddings = true;
    encoder.vocabulary = encoder.segments = encoder.slidingWindow = encoder.windowedLayers = 0;
    return encoder;
}

std::int64_t encoderTokens(const Transformer& m, std::int64_t sequence) {
    if (!m.encoder) return 0;
    return m.encoder->tokens > 0 ? m.encoder->tokens : sequence;
}

double convolutionsPerToken(const Transformer& m) {
    if (!m.encoder || m.encoder->frame == 0) return 0;
    return 3 * static_cast<double>(m.hidden) * static_cast<double>(2 * m.encoder->frame + m.hidden);
}

std::int64_t Transformer::queryWidth() const {
    return heads * (latent ? latent->plainWidth + latent->rotaryWidth : headWidth);
}

std::int64_t Transformer::keyWidth() const {
    return latent ? heads * (latent->plainWidth + latent->rotaryWidth) : keyValueHeads * headWidth;
}

std::int64_t Transformer::valueWidth() const { return heads * (latent ? latent->valueWidth : headWidth); }

std::int64_t Transformer::normSize() const { return hidden * ((normScale ? 1 : 0) + (normBias ? 1 : 0)); }

std::int64_t Transformer::headExtras() const {
    std::int64_t extras = headBias ? vocabulary : 0;
    if (headLayer) extras += hidden * hidden + normSize() + (normBias ? hidden : 0);
    return extras;
}

std::optional<Contradiction> contradictionOf(const Transformer& m, const SizeKeys& keys) {
    const auto found = [](std::string_view key, std::string what) {
        return Contradiction{key, std::move(what)};
    };
    if (m.keyValueHeads > 0 && m.heads % m.keyValueHeads != 0)
        return found(keys.keyValueHeads,
                     fmt::format("is {}, which does not divide {} {}: give a divisor of it", m.keyValueHeads,
                                 keys.heads, m.heads));
    if (m.windowedLayers > m.layers)
        return found(keys.windowedLayers, fmt::format("is {}, and there are {} layers: give at most these",
                                                      m.windowedLayers, m.layers));
    if (m.windowedLayers > 0 && m.slidingWindow == 0)
        return found(keys.window,
                     fmt::format("is missing, and {} layers look back on a window: give its tokens",
                                 m.windowedLayers));
    if (m.experts && m.experts->active > m.experts->count)
        return found(keys.activeExperts, fmt::format("is {}, and there are {} experts: give at most these",
                                                     m.experts->active, m.experts->count));
    if (m.experts && m.experts->layers > m.layers)
        return found(keys.expertLayers, fmt::format("is {}, and there are {} layers: give at most these",
                                                    m.experts->layers, m.layers));
    if (m.inner == 0 && m.expertLayers() < m.layers)
        return found(keys.inner,
                     fmt::format("is 0, and {} layers have no experts: give the width of their block",
                                 m.layers - m.expertLayers()));
    return std::nullopt;
}

ParameterCounts countParameters(const Transformer& m) {
    const Entries attention = attentionOf(m);
    const Entries plain = feedForwardOf(m, m.inner);
    const std::int64_t expertLayers = m.expertLayers();
    const std::int64_t plainLayers = m.layers - expertLayers;
    const std::int64_t norms = m.layers * m.normsPerLayer + (m.embeddingNorm ? 1 : 0) + (m.finalNorm ? 1 : 0);
    const std::int64_t rows = (m.learnedPositions ? m.positions + m.spareRows : 0) + m.segments;

    const std::int64_t words = m.vocabulary * m.hidden;
    ParameterCounts n{.embedding =
                          m.patch > 0 ? (m.patch + 2) * m.hidden : words,  // bias, token of the class
                      .positions = rows * m.hidden,
                      .attention = m.layers * (attention.matrices + attention.vectors),
                      .feedForward = plainLayers * (plain.matrices + plain.vectors),
                      .norms = norms * m.normSize()};
    if (m.encoder) {
        const Encoder& x = *m.encoder;
        const Entries further = furtherAttention(m), block = feedForwardOf(m, x.inner);
        const Entries convolutions = convolutionsOf(m);
        n.embedding += convolutions.matrices + convolutions.vectors;
        n.positions += x.positions * m.hidden;
        n.attention += further.matrices + further.vectors;
        n.feedForward += x.layers * (block.matrices + block.vectors);
        // One more of each decoder layer, and those around the encoder.
        n.norms +=
            (x.layers * m.normsPerLayer + m.layers + (m.embeddingNorm ? 1 : 0) + (m.finalNorm ? 1 : 0)) *
            m.normSize();
    }
    n.head = (m.tiedEmbeddings ? 0 : words) + m.headExtras();
    const MatrixCounts matrices = countMatrices(m);
    n.multiplied = matrices.inLayers() + (m.patch > 0 ? matrices.patches : matrices.head);
    std::int64_t asleep = 0;
    if (m.experts) {
        const Experts& x = *m.experts;
        const Entries one = feedForwardOf(m, x.hidden), shared = feedForwardOf(m, x.sharedHidden);
        n.experts = expertLayers * x.count * (one.matrices + one.vectors);
        n.shared = expertLayers * (shared.matrices + shared.vectors + (x.sharedGate ? m.hidden : 0));
        n.router = expertLayers * (x.count * m.hidden + (x.routerBias ? x.count : 0));
        asleep = expertLayers * (x.count - x.active) * (one.matrices + one.vectors);
    }
    n.total = n.embedding + n.positions + n.attention + n.feedForward + n.experts + n.shared + n.router +
              n.norms + n.head;
    n.active = n.total - asleep;
    return n;
}

MatrixCounts countMatrices(const Transformer& m) {
    MatrixCounts n{.patches = m.patch * m.hidden,
                   .attention = m.layers * attentionOf(m).matrices,
                   .feedForward = (m.layers - m.expertLayers()) * feedForwardOf(m, m.inner).matrices,
                   .head = m.vocabulary * m.hidden};
    if (m.headLayer) n.head += m.hidden * m.hidden;
    if (m.encoder) {
        n.attention += furtherAttention(m).matrices;
        n.feedForward += m.encoder->layers * feedForwardOf(m, m.encoder->inner).matrices;
    }
    if (m.experts) {
        const Experts& x = *m.experts;
        const std::int64_t one = feedForwardOf(m, x.hidden).matrices;
        n.experts = x.layers * x.count * one;
        n.activeExperts = x.layers * x.active * one;
        n.shared = x.layers * (feedForwardOf(m, x.sharedHidden).matrices + (x.sharedGate ? m.hidden : 0));
        n.router = x.layers * x.count * m.hidden;
    }
    return n;
}

double ModelSpec::parameters() const {
    if (const Transformer* model = transformer()) return static_cast<double>(countParameters(*model).total);
    if (const RunConfig* config = linear()) return static_cast<double>(config->parameters());
    return count()->parameters;
}

ModelSpec modelOfCount(double parameters) {
    return {formatCount(parameters) + " parameters", "given", ParameterCount{parameters}};
}

ModelSpec modelOf(const RunConfig& config) {
    RunConfig alone = config;
    alone.parallel = {};  // a scenario has a layout
    return {fmt::format("deep linear, {} layers of {}", config.layers, config.dim), "given", alone};
}

}  // namespace plumb::planner
