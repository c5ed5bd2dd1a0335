// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step_plan.h"

namespace plumb {

/// Errors: BadInput for scratch that is negative, beyond 2^60 bytes, or not finite per byte, for an fp8
/// multiple below 1 or above 4096, and for traits that contradict each other.
[[nodiscard]] Result<void> checkTraits(const BackendTraits& traits);

/// Errors: BadInput for an fp8 step where there is no fp8, or whose sizes are no multiples of
/// BackendTraits::fp8Multiple.
[[nodiscard]] Result<void> checkFp8Shape(const RunConfig& config, const BackendTraits& traits);

/// fp32 elements of library scratch at each D x D product of a step: what `traits` declare, rounded up to
/// whole elements. One number for all of them, since each has one D x D operand or result and two of [b, D];
/// of what ranks divide, one of D x D / t, one of [b, D] and one of [b, D / t].
/// Pre: both checked.
[[nodiscard]] std::int64_t libraryScratchFloats(const RunConfig& config, const BackendTraits& traits);

/// Bytes of TensorRole::SharedScratch: what the matrix library and most kernels use comes first, then the
/// same for the side branch, Adafactor's own behind that. Pre: both checked. Errors: BadInput when 63 bits do
/// not hold it.
struct SharedScratch {
    Bytes first = 0;
    Bytes side = 0;
    Bytes adafactor = 0;
    [[nodiscard]] Bytes all() const { return first + side + adafactor; }
};
[[nodiscard]] Result<SharedScratch> sharedScratch(const RunConfig& config, const BackendTraits& traits);

}  // namespace plumb
