// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/adaptation.h"

#include <cstdint>
#include <vector>

namespace plumb::planner {

/// Layers that have a matrix.
enum class LayerKind : std::uint8_t { Any, Plain, WithExperts };

/// The adapter of one matrix of a layer: a product of in x rank and rank x out beside it.
struct Adapter {
    AdapterTarget target{};
    const char* label = "";  ///< "queries", "experts up"
    ModelPart part{};        ///< what it stands in: Attention, FeedForward or Experts
    double in = 0;
    double out = 0;
    LayerKind kind{};
    double layers = 0;         ///< that have it, frozen ones included
    double copies = 1;         ///< in a layer: one for each expert
    double active = 1;         ///< of these, that a token meets
    bool splitsInput = false;  ///< tensor parallelism divides `in`, otherwise `out`
    double mostParts = 1e18;   ///< into which it is divided: heads of keys; 1 for narrow products
    [[nodiscard]] double entries(double rank) const { return copies * rank * (in + out); }
    /// The same of one device; the matrix that is not divided is there on each.
    [[nodiscard]] double entries(double rank, double tensor) const;
    [[nodiscard]] double inOf(double tensor) const;
    [[nodiscard]] double outOf(double tensor) const;
};
/// Adapters of a layer in the order of its products. Queries, keys and values have one each, also where a
/// framework keeps them as one matrix; a router has none.
[[nodiscard]] std::vector<Adapter> adaptersOf(const Transformer& model, const Adaptation& adaptation);

/// Shares of some layers.
struct TrainedLayers {
    double backward = 1;   ///< that the backward pass reaches: those from the first on that has something to
                           ///< train
    double trainable = 1;  ///< that are not frozen as layers
};
/// Of the layers from `begin` to before `end`.
[[nodiscard]] TrainedLayers trainedLayers(const Transformer& model, const Adaptation& adaptation,
                                          double begin, double end);
[[nodiscard]] TrainedLayers trainedLayers(const Transformer& model, const Adaptation& adaptation);
/// Whether a part's own parameters are trained, in layers that are not frozen.
[[nodiscard]] bool trains(const Adaptation& adaptation, ModelPart part);
/// Whether anything before the head is trained, for which the head has to say how its input should change.
[[nodiscard]] bool trainsBeforeHead(const Transformer& model, const Adaptation& adaptation);

/// Trained parameters by what they are for.
struct TrainedCounts {
    ParameterCounts own;  ///< of the model itself; `total` is their sum, `active` those that a token meets
    std::int64_t adapters = 0;
    double multipliedAdapters = 0;  ///< entries of adapters that a token is multiplied with
    [[nodiscard]] std::int64_t total() const { return own.total + adapters; }
};
/// Exact; where only some layers have experts, frozen layers are thought to have their share of them.
/// Pre: checkAdaptation() accepts all but the sum.
[[nodiscard]] TrainedCounts countTrained(const Transformer& model, const Adaptation& adaptation);

}  // namespace plumb::planner
