// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_fields.h"
#include "core/measure/step_metrics.h"

#include <span>
#include <vector>

namespace plumb {

/// Adds the steps to `object` as columns of equal length: "step" and those of kStepMetrics, without columns
/// in which nothing is known (null).
void putSteps(nlohmann::json& object, std::span<const StepMetrics> steps);
/// The way back. A problem: columns of different lengths, seconds that are not known, steps that do not
/// increase.
[[nodiscard]] std::vector<StepMetrics> readSteps(const JsonField& object);

}  // namespace plumb
