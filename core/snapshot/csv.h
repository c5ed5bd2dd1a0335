// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/training_series.h"
#include "core/snapshot/snapshot.h"

#include <string>

namespace plumb {

/// One row per op: id, name, phase, kind, flops, bytes, predicted and measured seconds, and a column of bytes
/// per category from both memory curves. RFC 4180. Values that are not known are empty.
[[nodiscard]] std::string toCsv(const Snapshot& snapshot);
/// step,loss,seconds,step_seconds,gradient_norm,update_ratio,learning_rate,loss_scale rows of the series.
[[nodiscard]] std::string trainingToCsv(const TrainingSeries& series);

}  // namespace plumb
