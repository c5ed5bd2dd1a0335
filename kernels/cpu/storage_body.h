// SPDX-License-Identifier: Apache-2.0
// Runs of stored numbers, compiled once per instruction set; fp16 goes through the processor's own conversion
// where there is one.
// A part of kernels_body.h, under its rules.

#pragma once

#include "kernels/common/formats.h"
#include "kernels/cpu/numbers_body.h"

#include <immintrin.h>

namespace plumb::cpu {
namespace {

using common::bitsOf;
using common::floatOf;
using common::Format;
using common::kMagnitude;

#if defined(__AVX512F__)
// E4M3 as fp16 a 256th as large: the same fields in other places. 0x7f alone is not a number.
PLUMB_INLINE __m512 fromE4M3(const std::uint8_t* in) {
    const __m256i wide = _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in)));
    const __m256i magnitude = _mm256_and_si256(wide, _mm256_set1_epi16(0x7f));
    const __m256i sign = _mm256_slli_epi16(_mm256_xor_si256(wide, magnitude), 8);
    const __mmask16 isNaN = _mm256_cmpeq_epi16_mask(magnitude, _mm256_set1_epi16(0x7f));
    const __m256i half =
        _mm256_mask_mov_epi16(_mm256_slli_epi16(magnitude, 7), isNaN, _mm256_set1_epi16(0x7e00));
    return _mm512_mul_ps(_mm512_cvtph_ps(_mm256_or_si256(half, sign)), _mm512_set1_ps(256));
}
#elif defined(__F16C__)
PLUMB_INLINE __m256 fromE4M3(const std::uint8_t* in) {
    const __m128i wide = _mm_cvtepu8_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(in)));
    const __m128i magnitude = _mm_and_si128(wide, _mm_set1_epi16(0x7f));
    const __m128i sign = _mm_slli_epi16(_mm_xor_si128(wide, magnitude), 8);
    const __m128i isNaN = _mm_cmpeq_epi16(magnitude, _mm_set1_epi16(0x7f));
    const __m128i half = _mm_blendv_epi8(_mm_slli_epi16(magnitude, 7), _mm_set1_epi16(0x7e00), isNaN);
    return _mm256_mul_ps(_mm256_cvtph_ps(_mm_or_si128(half, sign)), _mm256_set1_ps(256));
}
#endif

#if defined(__AVX512F__)
constexpr Index kVector = 16;
#elif defined(__F16C__)
constexpr Index kVector = 8;
#else
constexpr Index kVector = 1;  ///< the processor converts nothing by itself
#endif
template <Storage kStorage>
constexpr bool kLoadsVectors = kVector > 1 && (kStorage == Storage::Fp16 || kStorage == Storage::Fp8E5M2 ||
                                               kStorage == Storage::Fp8E4M3);

/// kVector numbers with the processor's own conversion.
template <Storage kStorage>
PLUMB_INLINE void loadVector([[maybe_unused]] const typename Format<kStorage>::Type* in,
                             [[maybe_unused]] float* out) {
#if defined(__AVX512F__)
    if constexpr (kStorage == Storage::Fp16)
        _mm512_storeu_ps(out, _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(in))));
    if constexpr (kStorage == Storage::Fp8E5M2) {
        const __m256i wide = _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in)));
        _mm512_storeu_ps(out, _mm512_cvtph_ps(_mm256_slli_epi16(wide, 8)));
    }
    if constexpr (kStorage == Storage::Fp8E4M3) _mm512_storeu_ps(out, fromE4M3(in));
#elif defined(__F16C__)
    if constexpr (kStorage == Storage::Fp16)
        _mm256_storeu_ps(out, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in))));
    if constexpr (kStorage == Storage::Fp8E5M2) {
        const __m128i wide = _mm_cvtepu8_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(in)));
        _mm256_storeu_ps(out, _mm256_cvtph_ps(_mm_slli_epi16(wide, 8)));
    }
    if constexpr (kStorage == Storage::Fp8E4M3) _mm256_storeu_ps(out, fromE4M3(in));
#endif
}

/// kVector fp16 numbers.
PLUMB_INLINE void storeVector([[maybe_unused]] const float* in, [[maybe_unused]] std::uint16_t* out) {
#if defined(__AVX512F__)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                        _mm512_cvtps_ph(_mm512_loadu_ps(in), _MM_FROUND_TO_NEAREST_INT));
#elif defined(__F16C__)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                     _mm256_cvtps_ph(_mm256_loadu_ps(in), _MM_FROUND_TO_NEAREST_INT));
#endif
}

/// convert(i) for the kVector numbers from each i on that cover [0, count), the last ones where need be for
/// the second time: one by one they take as long as all before them. Returns how many are converted: all, or
/// none when there are fewer than a vector.
template <class Convert>
PLUMB_INLINE Index inVectors(Index count, Convert&& convert) {
    if (count < kVector) return 0;
    for (Index i = 0; i + kVector <= count; i += kVector) convert(i);
    if (count % kVector != 0) convert(count - kVector);
    return count;
}

/// Many at once: the processor's conversions where there are some.
template <Storage kStorage>
PLUMB_INLINE void loadRun(const typename Format<kStorage>::Type* __restrict in, float* __restrict out,
                          Index count) {
    Index i = 0;
    if constexpr (kLoadsVectors<kStorage>)
        i = inVectors(count, [&](Index at) { loadVector<kStorage>(in + at, out + at); });
    for (; i < count; ++i) out[i] = Format<kStorage>::load(in + i);
}
template <Storage kStorage>
PLUMB_INLINE void storeRun(const float* __restrict in, typename Format<kStorage>::Type* __restrict out,
                           Index count, float factor) {
    const auto storeAt = [&](Index i) PLUMB_INLINE_LAMBDA {
        Format<kStorage>::store(out + i, Format<kStorage>::kScaled ? in[i] * factor : in[i]);
    };
    Index i = 0;
    if constexpr (kVector > 1 && kStorage == Storage::Fp16) {
        i = inVectors(count, [&](Index at) { storeVector(in + at, out + at); });
    } else if (kVector > 1 && count >= kVector) {
        for (; i < count / kVector * kVector; ++i) storeAt(i);
        // The compiler's vectors again, the last one over some that are stored already.
        for (i = count - kVector; i < count; ++i) storeAt(i);
    }
    for (; i < count; ++i) storeAt(i);
}

/// The table's decode: out = stored number * factor.
template <Storage kStorage>
void decode(const void* from, float* __restrict out, Index count, float factor) {
    const auto* __restrict in = static_cast<const typename Format<kStorage>::Type*>(from);
    loadRun<kStorage>(in, out, count);
    if (factor != 1)
        for (Index i = 0; i < count; ++i) out[i] *= factor;
}

/// The table's decodeToBf16.
template <Storage kStorage>
void decodeToBf16(const void* from, Bf16* __restrict out, Index count) {
    constexpr Index kBlock = 512;
    const auto* in = static_cast<const typename Format<kStorage>::Type*>(from);
    alignas(64) float room[kBlock];
    for (Index begin = 0; begin < count; begin += kBlock) {
        const Index some = smaller(kBlock, count - begin);
        loadRun<kStorage>(in + begin, room, some);
        for (Index i = 0; i < some; ++i)
            out[begin + i] = static_cast<Bf16>(static_cast<std::uint32_t>(bitsOf(room[i])) >> 16U);
    }
}

}  // namespace
}  // namespace plumb::cpu
