// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/snapshot.h"
#include "core/train/loss_history.h"

#include <vector>

namespace plumb {

/// The points as the columns of a series; everything else of it is the caller's.
[[nodiscard]] TrainingSeries seriesOf(const std::vector<LossPoint>& points);
/// The way back; what a file does not hold is not a number.
[[nodiscard]] std::vector<LossPoint> pointsOf(const TrainingSeries& series);

}  // namespace plumb
