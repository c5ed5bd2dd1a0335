// SPDX-License-Identifier: Apache-2.0
// What stands where in the tensors in which a step says what it found, and which tensors outlive a step.
#pragma once

#include "core/plan/step_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace plumb {

/// TensorRole::Loss, one row. The squares are sums over all parameters; gradients without the loss scale,
/// weights as they were before the update.
inline constexpr std::size_t kLossValue = 0;
inline constexpr std::size_t kLossGradientSquares = 1;
inline constexpr std::size_t kLossUpdateSquares = 2;
inline constexpr std::size_t kLossWeightSquares = 3;
inline constexpr std::size_t kLossColumns = 4;

/// TensorRole::LossScale, one row.
inline constexpr std::size_t kLossScaleValue = 0;
inline constexpr std::size_t kLossScaleTracker = 1;  ///< good steps in a row since it last changed
inline constexpr std::size_t kLossScaleSkipped = 2;
inline constexpr std::size_t kLossScaleGoodSteps = 3;
inline constexpr std::size_t kLossScaleNotFinite = 4;  ///< 1: something in this step was not finite
inline constexpr std::size_t kLossScaleReserved = 5;
inline constexpr std::size_t kLossScaleColumns = 6;

/// TensorRole::Scales, by statisticsSlot(): the scale, 0 before the first, and the amaxes by
/// step modulo kAmaxHistory.
inline constexpr std::int64_t kScalesColumns = 1 + kAmaxHistory;

/// TensorRole::StepControl, one row: what a device that replays steps by itself knows of them.
/// Counted in columns of 8 bytes; kernels/cuda says what stands there and holds that it fits.
struct StepControlColumns {
    std::int64_t state = 0;      ///< which step it is, and the constants of its update
    std::int64_t schedule = 32;  ///< schedule of the learning rate
    std::int64_t tickets = 48;   ///< tickets of sums that the block which finishes last completes
    std::int64_t matrices = 0;   ///< addresses of everything that belongs to a parameter matrix
    std::int64_t inverses = 0;   ///< fp8: 1 / scale, by statisticsSlot(), as fp32
    std::int64_t amaxes = 0;     ///< fp8: what products saw of their results, by statisticsSlot(), as fp32
    std::int64_t headTickets = 0;
    std::int64_t count = 0;

    static constexpr std::int64_t kPerMatrix = 7;
};
[[nodiscard]] inline StepControlColumns stepControlColumns(const RunConfig& config) {
    StepControlColumns columns;
    columns.matrices = 64;
    columns.inverses = columns.matrices + StepControlColumns::kPerMatrix * config.matrices();
    columns.amaxes = columns.inverses + 2 * (config.matrices() + 1);
    columns.headTickets = columns.amaxes + 2 * (config.matrices() + 1);
    columns.count = columns.headTickets + std::max<std::int64_t>(config.dim / 64 + 1, 9);
    return columns;
}

/// Whether the update of a step changes a tensor of this role, from which later steps begin.
[[nodiscard]] constexpr bool isUpdated(TensorRole role) {
    switch (role) {
    case TensorRole::Weight:
    case TensorRole::TransposedWeight:
    case TensorRole::Master:
    case TensorRole::Moment1:
    case TensorRole::Moment2:
    case TensorRole::Moment3:
        return true;
    default:
        return false;
    }
}

/// Whether a tensor keeps its numbers from step to step, by what it is. The executor decides by this and not
/// by the plan's lifetimes, so that its memory is measured independently of them.
[[nodiscard]] inline bool livesAcrossSteps(const RunConfig& config, TensorRole role) {
    if (isUpdated(role)) return true;
    switch (role) {
    case TensorRole::Features:
    case TensorRole::Targets:
        return config.keepsBatch();
    case TensorRole::Statistics:
    case TensorRole::LossScale:
    case TensorRole::Scales:
    case TensorRole::Staging:
    case TensorRole::StepControl:
    case TensorRole::SharedScratch:
        return true;
    default:
        return false;
    }
}

}  // namespace plumb
