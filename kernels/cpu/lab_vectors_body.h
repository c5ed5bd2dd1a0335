// SPDX-License-Identifier: Apache-2.0
// fp32 numbers, two registers of the instruction set full of them, and powers of e: what compilers make of
// the same text for one number has more instructions, and waits for one chain of them after the other. A part
// of lab_body.h, under its rules.

#pragma once

#include "kernels/cpu/storage_body.h"

namespace plumb::cpu {
namespace {

#if defined(__AVX512F__)
typedef __m512 Register;
PLUMB_INLINE Register registerOf(float value) { return _mm512_set1_ps(value); }
PLUMB_INLINE void storeRegister(float* to, Register value) { _mm512_storeu_ps(to, value); }
PLUMB_INLINE Register loadRegister(const float* from) { return _mm512_loadu_ps(from); }
PLUMB_INLINE Register loadRegister(const Bf16* from) {
    const __m256i codes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(codes), 16));
}
/// common::toBf16() in the upper halves.
PLUMB_INLINE __m512i toBf16(Register value) {
    const __m512i bits = _mm512_castps_si512(value);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i rounded = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    return _mm512_mask_or_epi32(rounded, _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q), bits,
                                _mm512_set1_epi32(0x400000));
}
PLUMB_INLINE void storeBoth(Bf16* to, Register first, Register second) {
    typedef std::uint16_t Codes __attribute__((vector_size(64)));
    Codes upper;
    for (int i = 0; i < 32; ++i) upper[i] = static_cast<std::uint16_t>(2 * i + 1);
    _mm512_storeu_si512(
        to, _mm512_permutex2var_epi16(toBf16(first), reinterpret_cast<__m512i>(upper), toBf16(second)));
}
// The larger number; the second where one is none.
PLUMB_INLINE Register larger(Register a, Register b) { return _mm512_max_ps(a, b); }
PLUMB_INLINE Register lesser(Register a, Register b) { return _mm512_min_ps(a, b); }
PLUMB_INLINE Register powerOfTwo(Register lowest) {
    return _mm512_castsi512_ps(
        _mm512_slli_epi32(_mm512_add_epi32(_mm512_castps_si512(lowest), _mm512_set1_epi32(127)), 23));
}
PLUMB_INLINE float sumOf(Register x) { return _mm512_reduce_add_ps(x); }
PLUMB_INLINE float largestOf(Register x) { return _mm512_reduce_max_ps(x); }
#else
#if defined(__AVX2__)
typedef __m256 Register;
PLUMB_INLINE Register registerOf(float value) { return _mm256_set1_ps(value); }
PLUMB_INLINE void storeRegister(float* to, Register value) { _mm256_storeu_ps(to, value); }
PLUMB_INLINE Register loadRegister(const float* from) { return _mm256_loadu_ps(from); }
PLUMB_INLINE Register loadRegister(const Bf16* from) {
    const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(codes), 16));
}
PLUMB_INLINE __m256i toBf16(Register value) {
    const __m256i bits = _mm256_castps_si256(value), upper = _mm256_srli_epi32(bits, 16);
    const __m256i odd = _mm256_and_si256(upper, _mm256_set1_epi32(1));
    const __m256i rounded =
        _mm256_srli_epi32(_mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff))), 16);
    const __m256i quiet = _mm256_or_si256(upper, _mm256_set1_epi32(0x40));
    const __m256i isNaN = _mm256_castps_si256(_mm256_cmp_ps(value, value, _CMP_UNORD_Q));
    return _mm256_blendv_epi8(rounded, quiet, isNaN);
}
PLUMB_INLINE void storeBoth(Bf16* to, Register first, Register second) {
    const __m256i mixed = _mm256_packus_epi32(toBf16(first), toBf16(second));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permute4x64_epi64(mixed, 0b11011000));
}
PLUMB_INLINE Register larger(Register a, Register b) { return _mm256_max_ps(a, b); }
PLUMB_INLINE Register lesser(Register a, Register b) { return _mm256_min_ps(a, b); }
PLUMB_INLINE Register powerOfTwo(Register lowest) {
    return _mm256_castsi256_ps(
        _mm256_slli_epi32(_mm256_add_epi32(_mm256_castps_si256(lowest), _mm256_set1_epi32(127)), 23));
}
#else
typedef __m128 Register;
PLUMB_INLINE Register registerOf(float value) { return _mm_set1_ps(value); }
PLUMB_INLINE void storeRegister(float* to, Register value) { _mm_storeu_ps(to, value); }
PLUMB_INLINE Register loadRegister(const float* from) { return _mm_loadu_ps(from); }
PLUMB_INLINE Register loadRegister(const Bf16* from) {
    const __m128i codes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
    return _mm_castsi128_ps(_mm_slli_epi32(_mm_cvtepu16_epi32(codes), 16));
}
PLUMB_INLINE __m128i toBf16(Register value) {
    const __m128i bits = _mm_castps_si128(value), upper = _mm_srli_epi32(bits, 16);
    const __m128i odd = _mm_and_si128(upper, _mm_set1_epi32(1));
    const __m128i rounded =
        _mm_srli_epi32(_mm_add_epi32(bits, _mm_add_epi32(odd, _mm_set1_epi32(0x7fff))), 16);
    const __m128i quiet = _mm_or_si128(upper, _mm_set1_epi32(0x40));
    return _mm_blendv_epi8(rounded, quiet, _mm_castps_si128(_mm_cmpunord_ps(value, value)));
}
PLUMB_INLINE void storeBoth(Bf16* to, Register first, Register second) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_packus_epi32(toBf16(first), toBf16(second)));
}
PLUMB_INLINE Register larger(Register a, Register b) { return _mm_max_ps(a, b); }
PLUMB_INLINE Register lesser(Register a, Register b) { return _mm_min_ps(a, b); }
PLUMB_INLINE Register powerOfTwo(Register lowest) {
    return _mm_castsi128_ps(_mm_slli_epi32(_mm_add_epi32(_mm_castps_si128(lowest), _mm_set1_epi32(127)), 23));
}
#endif
PLUMB_INLINE float sumOf(Register x) {
    float sum = x[0];
    for (unsigned lane = 1; lane < sizeof x / sizeof sum; ++lane) sum += x[lane];
    return sum;
}
PLUMB_INLINE float largestOf(Register x) {
    float largest = x[0];
    for (unsigned lane = 1; lane < sizeof x / sizeof largest; ++lane)
        largest = largest > x[lane] ? largest : x[lane];
    return largest;
}
#endif

/// Two chains of instructions side by side: one alone would leave the processor waiting for its results.
struct Floats {
    Register a, b;
};
PLUMB_INLINE Floats everywhere(float value) { return {registerOf(value), registerOf(value)}; }
constexpr Index kLanes = sizeof(Floats) / sizeof(float);

template <class Type>
PLUMB_INLINE Floats load(const Type* from) {
    return {loadRegister(from), loadRegister(from + kLanes / 2)};
}
PLUMB_INLINE void store(float* to, const Floats& x) {
    storeRegister(to, x.a);
    storeRegister(to + kLanes / 2, x.b);
}
PLUMB_INLINE void store(Bf16* to, const Floats& x) { storeBoth(to, x.a, x.b); }
PLUMB_INLINE Floats operator+(const Floats& x, const Floats& y) { return {x.a + y.a, x.b + y.b}; }
PLUMB_INLINE Floats operator-(const Floats& x, const Floats& y) { return {x.a - y.a, x.b - y.b}; }
PLUMB_INLINE Floats operator*(const Floats& x, const Floats& y) { return {x.a * y.a, x.b * y.b}; }
PLUMB_INLINE Floats operator/(const Floats& x, const Floats& y) { return {x.a / y.a, x.b / y.b}; }
PLUMB_INLINE Floats operator-(const Floats& x) { return {-x.a, -x.b}; }
PLUMB_INLINE Floats operator+(const Floats& x, float y) { return x + everywhere(y); }
PLUMB_INLINE Floats operator*(const Floats& x, float y) { return x * everywhere(y); }
PLUMB_INLINE Floats larger(const Floats& x, const Floats& y) { return {larger(x.a, y.a), larger(x.b, y.b)}; }
PLUMB_INLINE Floats lesser(const Floats& x, const Floats& y) { return {lesser(x.a, y.a), lesser(x.b, y.b)}; }
PLUMB_INLINE float sumOf(const Floats& x) { return sumOf(x.a + x.b); }
PLUMB_INLINE float largestOf(const Floats& x) { return largestOf(larger(x.a, x.b)); }

/// The first `count` numbers, fewer than kLanes, and `filler` behind them.
#if defined(__AVX512F__)
PLUMB_INLINE std::uint32_t firstLanes(Index count) { return (std::uint32_t{1} << count) - 1; }
PLUMB_INLINE Floats loadSome(const float* from, Index count, float filler) {
    const std::uint32_t lanes = firstLanes(count);
    const Register behind = registerOf(filler);
    return {_mm512_mask_loadu_ps(behind, static_cast<__mmask16>(lanes), from),
            _mm512_mask_loadu_ps(behind, static_cast<__mmask16>(lanes >> 16U), from + kLanes / 2)};
}
PLUMB_INLINE Floats loadSome(const Bf16* from, Index count, float filler) {
    const std::uint32_t lanes = firstLanes(count);
    const __m512i codes = _mm512_maskz_loadu_epi16(lanes, from);
    const auto decoded = [&](__m256i half, std::uint32_t some) PLUMB_INLINE_LAMBDA -> Register {
        const Register x = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
        return _mm512_mask_mov_ps(registerOf(filler), static_cast<__mmask16>(some), x);
    };
    return {decoded(_mm512_castsi512_si256(codes), lanes),
            decoded(_mm512_extracti64x4_epi64(codes, 1), lanes >> 16U)};
}
PLUMB_INLINE void storeSome(float* to, Index count, const Floats& value) {
    const std::uint32_t lanes = firstLanes(count);
    _mm512_mask_storeu_ps(to, static_cast<__mmask16>(lanes), value.a);
    _mm512_mask_storeu_ps(to + kLanes / 2, static_cast<__mmask16>(lanes >> 16U), value.b);
}
PLUMB_INLINE void storeSome(Bf16* to, Index count, const Floats& value) {
    Bf16 room[kLanes];
    store(room, value);
    _mm512_mask_storeu_epi16(to, firstLanes(count), _mm512_loadu_si512(room));
}
#else
template <class Type>
PLUMB_INLINE Floats loadSome(const Type* from, Index count, float filler) {
    Type room[kLanes];
    store(room, everywhere(filler));
    __builtin_memcpy(room, from, static_cast<std::size_t>(count) * sizeof(Type));
    return load(room);
}
template <class Type>
PLUMB_INLINE void storeSome(Type* to, Index count, const Floats& value) {
    Type room[kLanes];
    store(room, value);
    __builtin_memcpy(to, room, static_cast<std::size_t>(count) * sizeof(Type));
}
#endif

/// to[i] = of(from[i]).
template <class In, class Out, class Of>
PLUMB_INLINE void mapVectors(const In* from, Out* to, Index count, const Of& of) {
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes) store(to + i, of(load(from + i)));
    if (i < count) storeSome(to + i, count - i, of(loadSome(from + i, count - i, 0)));
}
/// The sum of of(x); of(filler) is 0 or next to it.
template <class Of>
PLUMB_INLINE float sumVectors(const float* x, Index count, float filler, const Of& of) {
    Floats sums[2] = {};
    Index i = 0;
    for (; i + 2 * kLanes <= count; i += 2 * kLanes)
        for (int j = 0; j < 2; ++j) sums[j] = sums[j] + of(load(x + i + j * kLanes));
    for (; i + kLanes <= count; i += kLanes) sums[0] = sums[0] + of(load(x + i));
    if (i < count) sums[1] = sums[1] + of(loadSome(x + i, count - i, filler));
    return sumOf(sums[0] + sums[1]);
}

/// e^x within 2 units in the last place for -87 <= x <= 88: Cody and Waite's reduction, and the polynomial of
/// Moshier's Cephes.
PLUMB_INLINE Floats powerOfE(Floats x) {
    const Floats magic = everywhere(12582912.0F);  // 1.5 * 2^23: what is added to it becomes a whole number
    const Floats shifted = x * 1.44269504F + magic;
    const Floats whole = shifted - magic;
    const Floats r = (x - whole * 0.693359375F) - whole * -2.12194440e-4F;
    Floats p = everywhere(1.9875691500e-4F);
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * r + 1.0F;
    p = p * r + 1.0F;
    // The whole number stands in the lowest bits of `shifted`; those above are shifted out.
    return p * Floats{powerOfTwo(shifted.a), powerOfTwo(shifted.b)};
}
/// The same for x <= 0, 1e-38 for all that is smaller than -87.
PLUMB_INLINE Floats fallingPowerOfE(Floats x) { return powerOfE(larger(everywhere(-87), x)); }

struct Gelu {
    // 0.5 x (1 + tanh(u)) is x / (1 + e^(-2u)), and nearer to 0 than -1e-36 below -10.
    static PLUMB_INLINE Floats of(Floats x) {
        constexpr float kScale = -2 * 0.7978845608F;
        const Floats limited = larger(everywhere(-10), x);
        const Floats power = limited * (limited * limited * (kScale * 0.044715F) + kScale);
        return limited / (fallingPowerOfE(power) + 1);
    }
};
struct Silu {
    static PLUMB_INLINE Floats of(Floats x) {
        const Floats limited = larger(everywhere(-87), x);  // nearer to 0 than -1e-35 below it
        return limited / (fallingPowerOfE(-limited) + 1);
    }
};

template <Storage kStorage, class Function>
void eachVector(const void* a, const void*, void* result, Index count) {
    using Type = typename Format<kStorage>::Type;
    mapVectors(static_cast<const Type*>(a), static_cast<Type*>(result), count,
               [](Floats x) PLUMB_INLINE_LAMBDA { return Function::of(x); });
}

// ---- rows

constexpr Index kPart = 4096;          ///< elements of a row, as fp32 in the level 1 cache
constexpr float kNormEpsilon = 1e-5F;  // torch's default

/// Calls work(x, begin, count) on the parts of a row as fp32, and again(x, begin, count) on all of them once
/// more. A row of one part is read from memory and decoded once.
template <Storage kStorage, class Work, class Again>
PLUMB_INLINE void inParts(const void* row, Index count, const Work& work, const Again& again) {
    using Type = typename Format<kStorage>::Type;
    const auto* in = static_cast<const Type*>(row);
    alignas(64) float room[kPart];
    const auto part = [&](Index begin, Index some) PLUMB_INLINE_LAMBDA -> const float* {
        if constexpr (kStorage == Storage::Fp32) {
            return in + begin;
        } else {
            mapVectors(in + begin, room, some, [](Floats x) PLUMB_INLINE_LAMBDA { return x; });
            return room;
        }
    };
    const float* x = nullptr;
    for (Index begin = 0; begin < count; begin += kPart) {
        const Index some = common::smaller(kPart, count - begin);
        work(x = part(begin, some), begin, some);
    }
    for (Index begin = 0; begin < count; begin += kPart) {
        const Index some = common::smaller(kPart, count - begin);
        again(count <= kPart ? x : part(begin, some), begin, some);
    }
}

template <Storage kStorage>
void softmax(const void* a, const void*, void* result, Index count) {
    auto* out = static_cast<typename Format<kStorage>::Type*>(result);
    alignas(64) float powers[kPart];
    float largest = -__builtin_inff(), sum = 0, share = 1;
    inParts<kStorage>(
        a, count,
        [&](const float* x, Index, Index some) PLUMB_INLINE_LAMBDA {
            Floats largests[2];
            for (Floats& it : largests) it = everywhere(largest);
            Index i = 0;
            for (; i + 2 * kLanes <= some; i += 2 * kLanes)
                for (int j = 0; j < 2; ++j) largests[j] = larger(largests[j], load(x + i + j * kLanes));
            for (; i + kLanes <= some; i += kLanes) largests[0] = larger(largests[0], load(x + i));
            if (i < some) largests[1] = larger(largests[1], loadSome(x + i, some - i, largest));
            const float before = largest;
            largest = largestOf(larger(largests[0], largests[1]));
            if (largest == -__builtin_inff()) return;
            const Floats subtracted = everywhere(largest);
            if (count <= kPart) {
                mapVectors(x, powers, some,
                           [&](Floats y) PLUMB_INLINE_LAMBDA { return fallingPowerOfE(y - subtracted); });
                sum = sumVectors(powers, some, 0, [](Floats y) PLUMB_INLINE_LAMBDA { return y; });
            } else {
                sum *= fallingPowerOfE(everywhere(before) - subtracted).a[0];
                sum += sumVectors(x, some, -__builtin_inff(), [&](Floats y) PLUMB_INLINE_LAMBDA {
                    return fallingPowerOfE(y - subtracted);
                });
            }
        },
        [&](const float* x, Index begin, Index some) PLUMB_INLINE_LAMBDA {
            if (begin == 0) share = 1 / sum;
            const Floats subtracted = everywhere(largest), factor = everywhere(share);
            if (count <= kPart)
                mapVectors(powers, out, some, [&](Floats y) PLUMB_INLINE_LAMBDA { return y * factor; });
            else
                mapVectors(x, out + begin, some, [&](Floats y) PLUMB_INLINE_LAMBDA {
                    return fallingPowerOfE(y - subtracted) * factor;
                });
        });
}

template <Storage kStorage>
void layerNorm(const void* a, const void*, void* result, Index count) {
    auto* out = static_cast<typename Format<kStorage>::Type*>(result);
    float mean = 0, spread = 0;
    inParts<kStorage>(
        a, count,
        // The squares around the mean of a part, then around that of all so far: Chan's pairwise sums.
        [&](const float* x, Index begin, Index some) PLUMB_INLINE_LAMBDA {
            const auto size = static_cast<float>(some), before = static_cast<float>(begin);
            const float own = sumVectors(x, some, 0, [](Floats y) PLUMB_INLINE_LAMBDA { return y; }) / size;
            const Floats shift = everywhere(own);
            const float squares = sumVectors(
                x, some, own, [&](Floats y) PLUMB_INLINE_LAMBDA { return (y - shift) * (y - shift); });
            const float apart = own - mean, part = size / (before + size);
            mean += apart * part;
            spread += squares + apart * apart * before * part;
        },
        [&](const float* x, Index begin, Index some) PLUMB_INLINE_LAMBDA {
            const Floats shift = everywhere(mean);
            const Floats scale =
                everywhere(1 / __builtin_sqrtf(spread / static_cast<float>(count) + kNormEpsilon));
            mapVectors(x, out + begin, some,
                       [&](Floats y) PLUMB_INLINE_LAMBDA { return (y - shift) * scale; });
        });
}
template <Storage kStorage>
void rmsNorm(const void* a, const void*, void* result, Index count) {
    auto* out = static_cast<typename Format<kStorage>::Type*>(result);
    float squares = 0;
    inParts<kStorage>(
        a, count,
        [&](const float* x, Index, Index some) PLUMB_INLINE_LAMBDA {
            squares += sumVectors(x, some, 0, [](Floats y) PLUMB_INLINE_LAMBDA { return y * y; });
        },
        [&](const float* x, Index begin, Index some) PLUMB_INLINE_LAMBDA {
            const Floats scale =
                everywhere(1 / __builtin_sqrtf(squares / static_cast<float>(count) + kNormEpsilon));
            mapVectors(x, out + begin, some, [&](Floats y) PLUMB_INLINE_LAMBDA { return y * scale; });
        });
}

}  // namespace
}  // namespace plumb::cpu
