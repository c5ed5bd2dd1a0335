// SPDX-License-Identifier: Apache-2.0
// fp32 and bf16 numbers, compiled once per instruction set.
// A part of kernels_body.h, under its rules.

#pragma once

#include "kernels/cpu/kernels.h"

#include <immintrin.h>

namespace plumb::cpu {
namespace {

using Index = std::int64_t;

#define PLUMB_INLINE inline __attribute__((always_inline))
#define PLUMB_INLINE_LAMBDA __attribute__((always_inline))

// ---- numbers

PLUMB_INLINE float fromBf16(Bf16 bits) {
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16U;
    float value;
    __builtin_memcpy(&value, &wide, sizeof value);
    return value;
}

// Round to nearest even, NaN stays NaN: bf16FromFloat() of core/base/dtype.h without its branch.
PLUMB_INLINE Bf16 toBf16(float value) {
    std::uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U;
    const std::uint32_t quiet = (bits >> 16U) | 0x40U;
    return static_cast<Bf16>((bits & 0x7fffffffU) > 0x7f800000U ? quiet : rounded);
}

PLUMB_INLINE Index smaller(Index a, Index b) { return a < b ? a : b; }

}  // namespace
}  // namespace plumb::cpu
