// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/capabilities.h"
#include "core/measure/step_metrics.h"
#include "core/train/step_tensors.h"

#include <cstdint>

namespace plumb {

/// What stands in LossScale before a step, which changes it.
struct LossScaleState {
    double scale = 1;
    double skippedSteps = 0;
};

/// 1 and 0 where the loss is not scaled. Errors: those of the backend.
[[nodiscard]] Result<LossScaleState> readLossScale(const StepPlan& plan, const StepTensors& tensors);

/// What a step was like, from the numbers that a device wrote down.
[[nodiscard]] StepMetrics metricsOf(const StepPlan& plan, const FinishedStep& done);

/// The same of the step that has just run and still has its Loss. Errors: those of the backend.
[[nodiscard]] Result<StepMetrics> readMetrics(const StepPlan& plan, const StepTensors& tensors,
                                              std::int64_t step, const LossScaleState& before);

}  // namespace plumb
