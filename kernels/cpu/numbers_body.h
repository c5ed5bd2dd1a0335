// SPDX-License-Identifier: Apache-2.0
// Numbers, their storage, and the passes that cast and mask them, compiled once per instruction set.
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

PLUMB_INLINE float load(const float* p) { return *p; }
PLUMB_INLINE float load(const Bf16* p) { return fromBf16(*p); }
PLUMB_INLINE void store(float* p, float value) { *p = value; }
PLUMB_INLINE void store(Bf16* p, float value) { *p = toBf16(value); }

PLUMB_INLINE Index smaller(Index a, Index b) { return a < b ? a : b; }

// ---- casts and masks

void bf16ToFp32(const Bf16* __restrict in, float* __restrict out, Index count) {
    for (Index i = 0; i < count; ++i) out[i] = fromBf16(in[i]);
}
void fp32ToBf16(const float* __restrict in, Bf16* __restrict out, Index count) {
    for (Index i = 0; i < count; ++i) out[i] = toBf16(in[i]);
}
void fp32ToBf16Relu(const float* __restrict in, Bf16* __restrict out, Index count) {
    for (Index i = 0; i < count; ++i) out[i] = toBf16(in[i] < 0 ? 0.0F : in[i]);
}
void fp32ToBf16Masked(const float* __restrict in, const Bf16* __restrict h, Bf16* __restrict out,
                      Index count) {
    for (Index i = 0; i < count; ++i) out[i] = fromBf16(h[i]) > 0 ? toBf16(in[i]) : Bf16{0};
}
void fp32AddToBf16(const float* __restrict in, Bf16* __restrict inOut, Index count) {
    for (Index i = 0; i < count; ++i) inOut[i] = toBf16(in[i] + fromBf16(inOut[i]));
}
void reluFp32(float* __restrict inOut, Index count) {
    for (Index i = 0; i < count; ++i) inOut[i] = inOut[i] < 0 ? 0.0F : inOut[i];
}
void maskFp32(float* __restrict gradient, const float* __restrict h, Index count) {
    for (Index i = 0; i < count; ++i) gradient[i] = h[i] > 0 ? gradient[i] : 0.0F;
}

}  // namespace
}  // namespace plumb::cpu
