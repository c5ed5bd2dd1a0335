// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/content_hash.h"
#include "core/io/safetensors.h"
#include "core/plan/step_plan.h"

#include <cstdint>

namespace plumb {

/// Whether a training of `plan` can go on from the numbers in `file` after `step` steps: weights, masters and
/// states are finite, squares are not negative, and the scalings of fp16 and fp8 are such as a training
/// leaves behind.
///
/// Reads all of the data once, in its order, and adds it to `hash`. Pre: `file` holds checkpointTensors() of
/// `plan` in their dtypes and shapes.
/// Errors: BadInput naming the file, the tensor and the first number that cannot be; Io.
[[nodiscard]] Result<void> checkCheckpointValues(const SafetensorsFile& file, const StepPlan& plan,
                                                 std::int64_t step, ContentHash& hash);

}  // namespace plumb
