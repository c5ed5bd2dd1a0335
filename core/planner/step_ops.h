// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/op_work.h"
#include "core/planner/product_time.h"
#include "core/planner/stage.h"
#include "core/planner/step_time.h"

#include <vector>

namespace plumb::planner {

/// The ceilings of one device at the shares of them that are assumed to be reached.
struct Roofs {
    double productFlops = 0;    ///< per second, of the best matrix products
    double halfFlops = 0;       ///< the same in 16 bits, of what fp8 leaves: head and router
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
