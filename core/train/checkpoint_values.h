// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/safetensors.h"
#include "core/plan/step_plan.h"

#include <cstdint>

namespace plumb {

/// Whether a training of `plan` can go on from the numbers in `file` after `step` steps: weights, masters and
/// states are finite, squares are not negative, and the scalings of fp16 and fp8 are such as a training
/// leaves behind.
///
/// Reads all of the data once. Pre: `file` holds checkpointTensors() of `plan` in their dtypes and shapes.
/// Errors: BadInput naming the file, the tensor and the first number that cannot be.
[[nodiscard]] Result<void> checkCheckpointValues(const SafetensorsFile& file, const StepPlan& plan,
                                                 std::int64_t step);

}  // namespace plumb
