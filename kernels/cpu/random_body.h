// SPDX-License-Identifier: Apache-2.0
// Random numbers of the synthetic task, compiled once per instruction set: a part of kernels_body.h, under
// its rules.

#pragma once

#include "kernels/cpu/numbers_body.h"

#include <immintrin.h>

namespace plumb::cpu {
namespace {

// One 64-bit lane per element; only its low half counts. The 32 x 32 -> 64 bit product ignores the high half
// of its operands, so the "low word" of a product needs no masking: its high half is rubbish that is never
// read.

#if defined(__AVX512F__) && defined(__AVX512DQ__)
using Lanes = __m512i;
constexpr Index kLanes = 8;
PLUMB_INLINE Lanes splat(std::uint64_t v) { return _mm512_set1_epi64(static_cast<long long>(v)); }
PLUMB_INLINE Lanes ramp(std::uint64_t v) {
    return _mm512_add_epi64(splat(v), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
}
PLUMB_INLINE Lanes product(Lanes a, Lanes b) { return _mm512_mul_epu32(a, b); }
// The shuffle takes the port that products and shifts leave free.
PLUMB_INLINE Lanes high(Lanes a) { return _mm512_shuffle_epi32(a, static_cast<_MM_PERM_ENUM>(0xB1)); }
PLUMB_INLINE Lanes shifted(Lanes a, unsigned bits) { return _mm512_srli_epi64(a, bits); }
PLUMB_INLINE Lanes xor3(Lanes a, Lanes b, Lanes c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
#define PLUMB_HAS_LANE_SUM 1
// The eight 16-bit lanes of four words, added and less 262140. Two words share a vector; their lanes are
// added in pairs as signed numbers, each 32768 too small, then the two halves.
PLUMB_INLINE Lanes laneSum(Lanes c0, Lanes c1, Lanes c2, Lanes c3) {
    const __m512i bias = _mm512_set1_epi16(-32768);
    const __m512i ones = _mm512_set1_epi16(1);
    const auto rotate = static_cast<_MM_PERM_ENUM>(0xA0);
    const __m512i words01 = _mm512_xor_si512(_mm512_mask_shuffle_epi32(c0, 0xAAAA, c1, rotate), bias);
    const __m512i words23 = _mm512_xor_si512(_mm512_mask_shuffle_epi32(c2, 0xAAAA, c3, rotate), bias);
    const __m512i pairs =
        _mm512_add_epi32(_mm512_madd_epi16(words01, ones), _mm512_madd_epi16(words23, ones));
    const __m512i top = _mm512_add_epi32(pairs, _mm512_slli_epi64(pairs, 32));
    return _mm512_add_epi64(_mm512_srai_epi64(top, 32), splat(4));
}
PLUMB_INLINE void storeScaled(Lanes a, double scale, float* out) {
    const __m512d value = _mm512_mul_pd(_mm512_cvtepi64_pd(a), _mm512_set1_pd(scale));
    _mm256_storeu_ps(out, _mm512_cvtpd_ps(value));
}
#elif defined(__AVX2__)
using Lanes = __m256i;
constexpr Index kLanes = 4;
PLUMB_INLINE Lanes splat(std::uint64_t v) { return _mm256_set1_epi64x(static_cast<long long>(v)); }
PLUMB_INLINE Lanes ramp(std::uint64_t v) {
    return _mm256_add_epi64(splat(v), _mm256_setr_epi64x(0, 1, 2, 3));
}
PLUMB_INLINE Lanes product(Lanes a, Lanes b) { return _mm256_mul_epu32(a, b); }
PLUMB_INLINE Lanes high(Lanes a) { return _mm256_shuffle_epi32(a, 0xB1); }
PLUMB_INLINE Lanes shifted(Lanes a, int bits) { return _mm256_srli_epi64(a, bits); }
PLUMB_INLINE Lanes xor3(Lanes a, Lanes b, Lanes c) { return _mm256_xor_si256(_mm256_xor_si256(a, b), c); }
PLUMB_INLINE Lanes both(Lanes a, Lanes b) { return _mm256_and_si256(a, b); }
PLUMB_INLINE Lanes sum(Lanes a, Lanes b) { return _mm256_add_epi64(a, b); }
PLUMB_INLINE void storeScaled(Lanes a, double scale, float* out) {
    // The sums fit in 32 bits: gather the low words and convert those.
    const __m256i low = _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    const __m256d value =
        _mm256_mul_pd(_mm256_cvtepi32_pd(_mm256_castsi256_si128(low)), _mm256_set1_pd(scale));
    _mm_storeu_ps(out, _mm256_cvtpd_ps(value));
}
#else
using Lanes = __m128i;
constexpr Index kLanes = 2;
PLUMB_INLINE Lanes splat(std::uint64_t v) { return _mm_set1_epi64x(static_cast<long long>(v)); }
PLUMB_INLINE Lanes ramp(std::uint64_t v) { return _mm_add_epi64(splat(v), _mm_set_epi64x(1, 0)); }
PLUMB_INLINE Lanes product(Lanes a, Lanes b) { return _mm_mul_epu32(a, b); }
PLUMB_INLINE Lanes high(Lanes a) { return _mm_shuffle_epi32(a, 0xB1); }
PLUMB_INLINE Lanes shifted(Lanes a, int bits) { return _mm_srli_epi64(a, bits); }
PLUMB_INLINE Lanes xor3(Lanes a, Lanes b, Lanes c) { return _mm_xor_si128(_mm_xor_si128(a, b), c); }
PLUMB_INLINE Lanes both(Lanes a, Lanes b) { return _mm_and_si128(a, b); }
PLUMB_INLINE Lanes sum(Lanes a, Lanes b) { return _mm_add_epi64(a, b); }
PLUMB_INLINE void storeScaled(Lanes a, double scale, float* out) {
    const __m128d value = _mm_mul_pd(_mm_cvtepi32_pd(_mm_shuffle_epi32(a, 0x08)), _mm_set1_pd(scale));
    _mm_storel_pi(reinterpret_cast<__m64*>(out), _mm_cvtpd_ps(value));
}
#endif

/// The keys of the ten rounds as vectors in memory: broadcasting them in each round would cost as much as the
/// shuffles, on the same port.
struct RoundKeys {
    Lanes key[10][2];
};

PLUMB_INLINE void expandKeys(std::uint64_t seed, RoundKeys& keys) {
    auto key0 = static_cast<std::uint32_t>(seed);
    auto key1 = static_cast<std::uint32_t>(seed >> 32U);
    for (auto& key : keys.key) {
        key[0] = splat(key0);
        key[1] = splat(key1);
        key0 += 0x9E3779B9U;
        key1 += 0xBB67AE85U;
    }
    asm volatile("" : : "r"(&keys) : "memory");  // stay in memory
}

#ifndef PLUMB_HAS_LANE_SUM
PLUMB_INLINE Lanes sixteenBitLanes(Lanes word, Lanes mask) {
    return sum(both(word, mask), both(shifted(word, 16), mask));
}
PLUMB_INLINE Lanes laneSum(Lanes c0, Lanes c1, Lanes c2, Lanes c3) {
    const Lanes mask = splat(0xffffU);
    const Lanes total = sum(sum(sixteenBitLanes(c0, mask), sixteenBitLanes(c1, mask)),
                            sum(sixteenBitLanes(c2, mask), sixteenBitLanes(c3, mask)));
    return sum(total, splat(static_cast<std::uint64_t>(Index{-262140})));
}
#endif

// kCount vectors at a time, round by round: the rounds of one vector wait for each other, and a processor
// looks only about one vector ahead for other work.
template <int kCount>
PLUMB_INLINE void normalVectors(const NormalStream& stream, const RoundKeys& keys, std::uint64_t first,
                                float* out) {
    const Lanes multiplier0 = splat(0xD2511F53U);
    const Lanes multiplier1 = splat(0xCD9E8D57U);
    Lanes c0[kCount], c1[kCount], c2[kCount], c3[kCount];
#pragma GCC unroll 4
    for (int v = 0; v < kCount; ++v) {
        c0[v] = ramp(first + static_cast<std::uint64_t>(v * kLanes));
        c1[v] = shifted(c0[v], 32);
        c2[v] = splat(stream.sub);
        c3[v] = splat(stream.stream);
    }
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
        const Lanes key0 = keys.key[round][0];
        const Lanes key1 = keys.key[round][1];
#pragma GCC unroll 4
        for (int v = 0; v < kCount; ++v) {
            const Lanes product0 = product(multiplier0, c0[v]);
            const Lanes product1 = product(multiplier1, c2[v]);
            c0[v] = xor3(high(product1), c1[v], key0);
            c1[v] = product1;
            c2[v] = xor3(high(product0), c3[v], key1);
            c3[v] = product0;
        }
    }
#pragma GCC unroll 4
    for (int v = 0; v < kCount; ++v)
        storeScaled(laneSum(c0[v], c1[v], c2[v], c3[v]), 1.8688123650118534e-05, out + v * kLanes);
}

void normals(const NormalStream& stream, std::uint64_t first, Index count, float* out) {
    constexpr int kTogether = kLanes == 8 ? 4 : 2;  // as many as there are registers for
    RoundKeys keys;
    expandKeys(stream.seed, keys);
    Index i = 0;
    for (; i + kTogether * kLanes <= count; i += kTogether * kLanes)
        normalVectors<kTogether>(stream, keys, first + static_cast<std::uint64_t>(i), out + i);
    for (; i + kLanes <= count; i += kLanes)
        normalVectors<1>(stream, keys, first + static_cast<std::uint64_t>(i), out + i);
    if (i < count) {
        float last[kLanes];
        normalVectors<1>(stream, keys, first + static_cast<std::uint64_t>(i), last);
        for (Index j = 0; i + j < count; ++j) out[i + j] = last[j];
    }
}

void weightedSums(const float* x, Index first, Index count, double* lanes) {
    double sums[8];
    double moments[8];
    double place[8];  // counted up in double: exact below 2^53, and cheaper than converting each index
    for (int j = 0; j < 8; ++j) {
        sums[j] = lanes[j];
        moments[j] = lanes[8 + j];
        place[j] = static_cast<double>(first + j);
    }
    Index i = 0;
    for (; i + 8 <= count; i += 8)
        for (int j = 0; j < 8; ++j) {
            const auto value = static_cast<double>(x[i + j]);
            sums[j] += value;
            moments[j] += place[j] * value;
            place[j] += 8;
        }
    for (int j = 0; i + j < count; ++j) {
        const auto value = static_cast<double>(x[i + j]);
        sums[j] += value;
        moments[j] += place[j] * value;
    }
    for (int j = 0; j < 8; ++j) {
        lanes[j] = sums[j];
        lanes[8 + j] = moments[j];
    }
}

}  // namespace
}  // namespace plumb::cpu
