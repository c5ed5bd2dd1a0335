// SPDX-License-Identifier: Apache-2.0
// The columns of the tensors in which a step says what it found (TensorRole::Loss, LossScale and Scales).
#pragma once

#include "core/plan/step_plan.h"

#include <cstddef>
#include <cstdint>

namespace plumb {

/// TensorRole::Loss, one row. The squares are sums over all parameters; gradients without the loss scale,
/// weights as they were before the update.
enum LossColumn : std::size_t {
    kLossValue,
    kLossGradientSquares,
    kLossUpdateSquares,
    kLossWeightSquares,
    kLossColumns
};

/// TensorRole::LossScale, one row.
enum LossScaleColumn : std::size_t {
    kLossScaleValue,
    kLossScaleTracker,  ///< good steps in a row since it last changed
    kLossScaleSkipped,
    kLossScaleGoodSteps,
    kLossScaleNotFinite,  ///< 1: something in this step was not finite, or did not fit
    kLossScaleReserved,
    kLossScaleColumns
};

/// TensorRole::Scales, by statisticsSlot(): the scale, 0 before the first, and the largest magnitudes by
/// step modulo kAmaxHistory.
inline constexpr std::int64_t kScalesColumns = 1 + kAmaxHistory;

}  // namespace plumb
