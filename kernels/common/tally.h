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

/// Whether over- and underflow of what is stored so are counted at every step.
[[nodiscard]] PLUMB_COMMON constexpr bool countsAtEveryStep(Storage storage) {
    return storage == Storage::Fp16 || storage == Storage::Fp8E4M3 || storage == Storage::Fp8E5M2;
}

}  // namespace plumb::common
