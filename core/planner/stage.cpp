// SPDX-License-Identifier: Apache-2.0
#include "core/planner/stage.h"

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

/// Parameters of one layer of each kind on one device.
struct LayerShares {
    double attention = 0;
    double feedForward = 0;
    double sharedExperts = 0;
    double router = 0;
    double experts = 0;
    double norms = 0;
};

LayerShares sharesOf(const Transformer& m, const ParallelLayout& layout) {
    const ParameterCounts n = countParameters(m);
    const auto t = static_cast<double>(layout.tensor);
    const auto layers = static_cast<double>(m.layers), sparse = static_cast<double>(m.expertLayers());
    LayerShares shares;
    shares.attention = static_cast<double>(n.attention) / layers / t;
    // Fewer key and value heads than devices: each device still has a whole one.
    if (!m.latent && m.keyValueHeads < layout.tensor)
        shares.attention += 2 * static_cast<double>(m.hidden * m.keyWidth()) *
                            (1 / static_cast<double>(m.keyValueHeads) - 1 / t);
    if (layers > sparse) shares.feedForward = static_cast<double>(n.feedForward) / (layers - sparse) / t;
    if (sparse > 0) {
        shares.sharedExperts = static_cast<double>(n.shared) / t / sparse;
        shares.router = static_cast<double>(n.router) / sparse;
        shares.experts = static_cast<double>(n.experts) / sparse / t / static_cast<double>(layout.expert);
    }
    shares.norms = static_cast<double>(m.normsPerLayer * m.normSize());
    // Every decoder layer with its part of the encoder.
    if (m.encoder)
        shares.norms +=
            static_cast<double>((m.encoder->layers * m.normsPerLayer + m.layers) * m.normSize()) / layers;
    return shares;
}

}  // namespace

std::vector<Stage> stagesOf(const Transformer& m, const ParallelLayout& layout,
                            const Adaptation& adaptation) {
    using enum ModelPart;
    const ParameterCounts n = countParameters(m);
    const LayerShares shares = sharesOf(m, layout);
    const auto t = static_cast<double>(layout.tensor);
    const double sparseShare = static_cast<double>(m.expertLayers()) / static_cast<double>(m.layers);
    const std::int64_t chunks = layout.pipeline * layout.chunks;
    const bool endsCount = layout.chunks > 1 && m.layers % chunks != 0 && (m.layers + 2) % chunks == 0;
    const std::int64_t fullest =
        endsCount ? (m.layers + 2) / layout.pipeline : (m.layers + layout.pipeline - 1) / layout.pipeline;

    std::vector<std::int64_t> indices{0};
    if (layout.pipeline > 2) indices.push_back(1);
    if (layout.pipeline > 1) indices.push_back(layout.pipeline - 1);
    if (adaptation.frozenLayers > 0) {
        indices.clear();
        for (std::int64_t i = 0; i < layout.pipeline; ++i) indices.push_back(i);
    }
    std::vector<Stage> stages;
    for (const std::int64_t index : indices) {
        const bool isEnd = index == 0 || index == layout.pipeline - 1;
        const auto layers = static_cast<double>(fullest - (endsCount && isEnd ? 1 : 0));
        Stage stage{.index = index,
                    .first = index == 0,
                    .last = index == layout.pipeline - 1,
                    .expertLayers = layers * sparseShare,
                    .chunkLayers = static_cast<double>(fullest) / static_cast<double>(layout.chunks)};
        stage.denseLayers = layers - stage.expertLayers;
        PartSizes& sizes = stage.sizes;
        sizes[Attention] = layers * shares.attention;
        sizes[Norms] = layers * shares.norms;
        sizes[FeedForward] =
            stage.denseLayers * shares.feedForward + stage.expertLayers * shares.sharedExperts;
        sizes[Router] = stage.expertLayers * shares.router;
        sizes[Experts] = stage.expertLayers * shares.experts;
        if (stage.first)
            sizes[Embeddings] = static_cast<double>(n.embedding) / t + static_cast<double>(n.positions);
        // A tied head is the embedding once more, unless this stage has it anyway.
        if (stage.last && (!m.tiedEmbeddings || !stage.first))
            sizes[Head] = static_cast<double>(m.vocabulary * m.hidden) / t;
        if (stage.last) sizes[Head] += static_cast<double>(m.headExtras());
        const auto norm = static_cast<double>((m.encoder ? 2 : 1) * m.normSize());
        stage.outerNorms =
            (stage.first && m.embeddingNorm ? norm : 0) + (stage.last && m.finalNorm ? norm : 0);
        stage.expertParameters = sizes[Experts];
        stage.denseParameters = stage.outerNorms - sizes[Experts];
        for (const double size : sizes) stage.denseParameters += size;
        stage.outside = stage.outerNorms + sizes[Embeddings] + sizes[Head];
        PartSizes& layer = stage.layerSizes;
        layer[Attention] = shares.attention;
        layer[Norms] = shares.norms;
        const double withExperts = shares.sharedExperts + shares.router + shares.experts;
        if (m.experts && withExperts > shares.feedForward) {
            layer[FeedForward] = shares.sharedExperts;
            layer[Router] = shares.router;
            layer[Experts] = shares.experts;
        } else {
            layer[FeedForward] = shares.feedForward;
        }
        if (m.encoder) {  // one of the decoder's, which attends twice
            const Transformer decoder = decoderStack(m);
            const LayerShares own = sharesOf(decoder, layout);
            layer[Attention] = 2 * own.attention;
            layer[FeedForward] = own.feedForward;
            layer[Norms] = own.norms + static_cast<double>(m.normSize());
        }
        for (const double size : layer) stage.largestLayer += size;
        stages.push_back(stage);
    }
    return stages;
}

double microBatchesInFlight(const ParallelLayout& layout, std::int64_t microBatches, std::int64_t stage) {
    if (layout.chunks == 1) return static_cast<double>(std::min(layout.pipeline - stage, microBatches));
    const std::int64_t warmUp = 2 * (layout.pipeline - stage - 1) + (layout.chunks - 1) * layout.pipeline + 1;
    return static_cast<double>(std::min(warmUp, microBatches * layout.chunks)) /
           static_cast<double>(layout.chunks);
}

double layersInFlight(const ParallelLayout& layout, std::int64_t microBatches, const Stage& stage) {
    const double held =
        microBatchesInFlight(layout, microBatches, stage.index) *
        (layout.chunks == 1 ? stage.layers() : stage.chunkLayers * static_cast<double>(layout.chunks));
    const double missing = stage.chunkLayers * static_cast<double>(layout.chunks) - stage.layers();
    if (layout.chunks == 1 || missing <= 0) return held;
    // Forward passes before the first backward one go round the chunks, p micro-batches of each.
    const std::int64_t passes = std::llround(microBatchesInFlight(layout, microBatches, stage.index) *
                                             static_cast<double>(layout.chunks));
    const std::int64_t itsChunk = stage.first ? 0 : layout.chunks - 1;
    std::int64_t ofChunk = 0;
    for (std::int64_t pass = 0; pass < passes; ++pass)
        if (pass / layout.pipeline % layout.chunks == itsChunk) ++ofChunk;
    return held - static_cast<double>(ofChunk);
}

}  // namespace plumb::planner
