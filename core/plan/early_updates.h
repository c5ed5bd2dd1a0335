// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step_plan.h"

#include <cstdint>
#include <vector>

namespace plumb {

/// Which matrices a replayed step updates in its side branch, each as soon as its gradient is whole and
/// nobody reads its weights any more, transposed or not: by op of the last micro-batch, the layer
/// (Tensor::layer) whose update follows; 0: none. Empty where all are updated at the end: without a side
/// branch, where an update needs to know all gradients (clipping, the loss scale of fp16, Adafactor), and
/// where matrices are so small that starting an update each takes longer than what runs beside it. The first
/// layer is left to the end of the step, which is when its gradient is done.
[[nodiscard]] std::vector<std::int32_t> earlyUpdates(const StepPlan& plan);

/// The smallest matrix that is updated by itself, in elements.
inline constexpr std::int64_t kLeastEarlyUpdate = std::int64_t{1} << 18;

}  // namespace plumb
