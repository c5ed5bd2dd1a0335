// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step_plan.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace plumb {

/// Ops [begin, end) of a plan, run with one micro-batch.
struct StepPass {
    std::int32_t begin = 0;
    std::int32_t end = 0;
    std::int64_t microBatch = 0;  ///< 0-based within the step; 0 for what comes after all of them
};

/// Whether a pass with this micro-batch runs the op: what travels once in a step, in the later passes, does
/// so in the last of them.
[[nodiscard]] inline bool runsIn(const StepPlan& plan, const Op& op, std::int64_t microBatch) {
    return op.lane == Lane::Compute || op.pass == 0 ||
           microBatch + op.executions >= plan.config.microBatches();
}

/// The order in which a step runs its ops: one entry for each micro-batch, then what all of them share (the
/// optimizer).
[[nodiscard]] inline std::vector<StepPass> passesOf(const StepPlan& plan) {
    std::vector<StepPass> passes{{plan.passBegin[0], plan.passEnd[0], 0}};
    if (plan.passEnd[1] > plan.passBegin[1])
        for (std::int64_t microBatch = 1; microBatch < plan.config.microBatches(); ++microBatch)
            passes.push_back({plan.passBegin[1], plan.passEnd[1], microBatch});
    passes.push_back(
        {std::max(plan.passEnd[0], plan.passEnd[1]), static_cast<std::int32_t>(plan.ops.size()), 0});
    return passes;
}

}  // namespace plumb
