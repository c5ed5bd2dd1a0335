// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/training_series.h"

#include <string>

namespace plumb {

/// The curves of a training as scalars of a TensorBoard event file: loss, the other metrics that are known of
/// a step, and the loss of what is held out, each under its step. `created` (ISO 8601, UTC) is when the
/// newest step is said to have been; steps before it lie as far back as their seconds of training say. Values
/// are fp32, as the format has them.
[[nodiscard]] std::string toTensorBoard(const TrainingSeries& series, const std::string& created);

}  // namespace plumb
