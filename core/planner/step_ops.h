// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/layer_parts.h"
#include "core/planner/op_work.h"
#include "core/planner/product_time.h"
#include "core/planner/stage.h"
#include "core/planner/step_time.h"
#include "core/planner/trained.h"

#include <vector>

namespace plumb::planner {

/// The ceilings of one device at the shares of them that are assumed to be reached.
struct Roofs {
    double productFlops = 0;    ///< per second, of the best matrix products
    double halfFlops = 0;       ///< the same in 16 bits, of what fp8 leaves: head and router
    double halfPeak = 0;        ///< that no operation in 16 bits is faster than
    double attentionFlops = 0;  ///< per second, of fused attention with heads of 128
    std::optional<ProductTiles> tiles;
    double passFactor = 1;  ///< bytes of element-wise passes against the least
    double passFlops = 0;   ///< FLOPs of element-wise work in fp32; 0: not known, memory limits it
    double bandwidth = 0;
    double overhead = 0;  ///< per operation
};
/// Errors: BadInput for a device without the peak or the bandwidth.
[[nodiscard]] Result<Roofs> roofsOf(const Scenario& scenario);

/// `count` operations of the same work each.
[[nodiscard]] TimedOp timedOp(std::string label, const OpWork& work, double count, bool product,
                              const Roofs& roofs);

/// FLOPs per second of attention with heads of this width, forward and backward together: narrow ones leave a
/// part of the units unused.
[[nodiscard]] double attentionRate(const Recipe& recipe, const Roofs& roofs, double headWidth);

/// Products of the same shape in a stack of layers.
struct LayerProduct {
    const char* label = "";
    ProductShape shape;
    double count = 0;
    ModelPart part{};     ///< that its weights belong to
    LayerParts makes{};   ///< results that recomputation by parts knows
    double together = 1;  ///< as many of them are one kernel
};

/// Takes the products and passes of a stack of layers, one kind after another.
class LayerOps {
public:
    virtual ~LayerOps() = default;
    virtual void product(const LayerProduct& product) = 0;
    /// A product that stays in 16 bits: the router of a layer, the embedding of patches, the head.
    virtual void halfProduct(const char* label, const ProductShape& shape, double count, ModelPart part) = 0;
    /// Element-wise; `backward`: its work in a backward pass, of that of the forward one.
    virtual void pass(const char* label, OpWork work, double count, bool inLayer, double backward) = 0;
    /// `fullTiles`: how fast a fused kernel is by the length of the sequences.
    virtual void attention(const OpWork& work, double headWidth, double fullTiles, double count) = 0;
};

/// Sizes of what goes through the layers of a device at once.
struct LayerSizes {
    double tokens = 0;
    double e = 2;  ///< bytes per element
    double t = 1;  ///< tensor parallelism
    double h = 0;
    double wide = 0;         ///< elements of hidden width that norms and additions pass over
    double experts = 0;      ///< that these tokens go to, of the device's own
    bool areGrouped = true;  ///< one kernel has the products, or the activations, of all of these experts
    OpWork attention;        ///< scores and sums of a mean layer
    double fullTiles = 1;    ///< shareOfFullTiles() of the sequences
};
/// Scores and sums of a mean layer over whole sequences, as in training and in reading a prompt.
[[nodiscard]] OpWork attentionWork(const Transformer& model, const Recipe& recipe, std::int64_t sequence,
                                   const LayerSizes& sizes);
/// Everything between embedding and head.
void addLayers(LayerOps& ops, const Transformer& model, const LayerSizes& sizes, const Stage& stage,
               double imbalance);
/// Logits of as many tokens.
void addHead(LayerOps& ops, const Transformer& model, const LayerSizes& sizes, double answers);

/// Operations of the same work each, whose FLOPs go at `rate` (0: memory limits them).
[[nodiscard]] TimedOp timedAt(double rate, std::string label, const OpWork& work, double count, bool product,
                              const Roofs& roofs);

/// What a device of a stage does in one step.
struct StageOps {
    std::vector<TimedOp> ops;
    double forward = 0;  ///< seconds, all micro-batches
    double backward = 0;
    double recomputed = 0;
};
[[nodiscard]] Result<StageOps> opsOf(const Scenario& scenario, const Transformer& model,
                                     const ResolvedLayout& layout, const Stage& stage, const Roofs& roofs);

/// The optimizer's pass over the `parameters` that are this device's to update.
[[nodiscard]] TimedOp updateOp(const Recipe& recipe, double parameters, const Roofs& roofs);

}  // namespace plumb::planner
