// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/scenario.h"

#include <cstdint>
#include <vector>

namespace plumb::planner {

/// Parameters by what they are for, on one device.
using PartSizes = EnumArray<ModelPart, double>;

/// One pipeline stage of a transformer, as one of its devices sees it: parameters after tensor and expert
/// parallelism have divided them.
struct Stage {
    std::int64_t index = 0;
    bool first = false;  ///< has the embedding
    bool last = false;   ///< has the final norm and the head
    double denseLayers = 0;
    double expertLayers = 0;
    double denseParameters = 0;   ///< shared by all data-parallel devices
    double expertParameters = 0;  ///< shared by those with the same experts
    double largestLayer = 0;      ///< parameters of the largest layer
    // The same by parts: norms are those of the layers, experts the parameters of those.
    PartSizes sizes{};
    PartSizes layerSizes{};
    double outerNorms = 0;   ///< norms of the embedding and before the head
    double outside = 0;      ///< those of denseParameters that are in no layer: embedding, head
    double chunkLayers = 0;  ///< layers of a chunk; one that has embedding or head can have one less
    [[nodiscard]] double layers() const { return denseLayers + expertLayers; }
};

/// The stages that differ: the first, one of the middle, the last. With L layers that p does not divide, the
/// stages that have one layer more are shown. Where chunks are equal only with embedding and head counted as
/// a layer each (Megatron-Core's account_for_embedding_in_pipeline_split), first and last have one layer
/// less. Expert layers are spread evenly. Where layers are frozen, every stage differs. Pre: resolve()
/// accepts it.
[[nodiscard]] std::vector<Stage> stagesOf(const Transformer& model, const ParallelLayout& layout,
                                          const Adaptation& adaptation = {});

/// Micro-batches whose activations a stage holds at once: 1F1B min(p - i, m); interleaved with v chunks, as
/// counted from its warm-up, which gives the first stage p + (p - 1) / v.
[[nodiscard]] double microBatchesInFlight(const ParallelLayout& layout, std::int64_t microBatches,
                                          std::int64_t stage);
/// The same, each layer counted once for each micro-batch that it holds.
[[nodiscard]] double layersInFlight(const ParallelLayout& layout, std::int64_t microBatches,
                                    const Stage& stage);

}  // namespace plumb::planner
