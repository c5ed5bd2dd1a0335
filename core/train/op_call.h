// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/model/data_share.h"
#include "core/model/rate_schedule.h"
#include "core/train/residency.h"

#include <cstdint>

namespace plumb {

/// Where a micro-batch of the plan's rank begins in the batch of all ranks.
[[nodiscard]] inline std::int64_t firstSampleOf(const StepPlan& plan, std::int64_t microBatch) {
    return DataShare(plan.config, plan.place).inStep(microBatch) * plan.config.microBatchSize();
}

/// Op `index` of the plan in the step after `steps` others, with the tensors where they are now.
[[nodiscard]] inline OpCall opCall(const StepPlan& plan, const Residency& residency, std::int32_t index,
                                   std::int64_t steps, std::int64_t microBatch) {
    return OpCall{.opIndex = index,
                  .tensors = residency.buffers(),
                  .optimizer = {learningRateAt(plan.config, steps), steps + 1},
                  .step = steps,
                  .microBatch = microBatch,
                  .firstSample = firstSampleOf(plan, microBatch)};
}

}  // namespace plumb
