// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/common/formats.h"

#include <cstdint>

namespace plumb::common {

/// What a pass saw of the numbers that it wrote, after the epilogue and before scaling and rounding. Passes
/// add to it.
struct Tally {
    double squares = 0;            ///< sum of squares
    float amax = 0;                ///< absolute maximum; not a number as soon as one number is none
    std::int64_t overflowed = 0;   ///< fp16: stored as infinite or not a number; fp8: saturated, or none
    std::int64_t underflowed = 0;  ///< fp16, fp8: not 0, but stored as 0

    /// Not a number stays so, and counts as larger than all.
    PLUMB_COMMON void add(const Tally& other) {
        squares += other.squares;
        if (bitsOf(other.amax) > bitsOf(amax)) amax = other.amax;
        overflowed += other.overflowed;
        underflowed += other.underflowed;
    }
};

/// Whether a number that was seen is infinite or none as it is stored: what makes a step of fp16 void, as
/// torch.amp.GradScaler looks for it, in the gradients of the parameters.
[[nodiscard]] PLUMB_COMMON bool holdsNotFinite(const Tally& tally) {
    return tally.overflowed > 0 || (bitsOf(tally.amax) & kMagnitude) >= kInfinity;
}

}  // namespace plumb::common
