// SPDX-License-Identifier: Apache-2.0
// Products of bf16 by the processor's dot product of pairs. It adds the product of the upper halves first,
// then that of the lower ones, each rounded to fp32: with the first number of a pair in the upper half these
// are the multiply-adds of gemm_v4.cpp in the same order, and the bits are the same. Only numbers below the
// least normal one (1.2e-38) count as 0 here, as they do in every library that uses the instruction.
#include "kernels/cpu/gemm_body.h"

namespace plumb::cpu {
namespace {

constexpr Index kPair = 2;

// 16 words of 2 numbers each that lie one after the other, the first one moved into the upper half.
PLUMB_INLINE Vector swapped(__m512i words) { return _mm512_castsi512_ps(_mm512_rol_epi32(words, 16)); }
PLUMB_INLINE Vector loadPairs(const Bf16* from) { return swapped(_mm512_loadu_si512(from)); }
/// The first `count` numbers, zeros after them; memory is touched in those only.
PLUMB_INLINE Vector loadPairs(const Bf16* from, Index count) {
    const auto mask = count >= 32 ? ~__mmask32{0} : (__mmask32{1} << static_cast<unsigned>(count)) - 1;
    return swapped(_mm512_maskz_loadu_epi16(mask, from));
}
// 16 numbers of each of two rows that follow each other in depth; null: zeros.
PLUMB_INLINE Vector pairOf(__m256i first, __m256i second) {
    return _mm512_castsi512_ps(
        _mm512_or_si512(_mm512_slli_epi32(_mm512_cvtepu16_epi32(first), 16), _mm512_cvtepu16_epi32(second)));
}
PLUMB_INLINE Vector loadPair(const Bf16* first, const Bf16* second, __mmask16 lanes) {
    return pairOf(_mm256_maskz_loadu_epi16(lanes, first),
                  _mm256_maskz_loadu_epi16(second != nullptr ? lanes : __mmask16{0}, second));
}
PLUMB_INLINE Vector loadPair(const Bf16* first, const Bf16* second) {
    return pairOf(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(first)),
                  _mm256_loadu_si256(reinterpret_cast<const __m256i*>(second)));
}

/// A word is a pair of numbers.
struct Pairs {
    using Number = Bf16;
    static constexpr Index kNumbers = kPair;
    static PLUMB_INLINE Vector along(const Bf16* from) { return loadPairs(from); }
    static PLUMB_INLINE Vector along(const Bf16* from, Index count) { return loadPairs(from, count); }
    static PLUMB_INLINE Vector across(const Bf16* from, Index stride, bool isWhole, __mmask16 lanes) {
        return loadPair(from, isWhole ? from + stride : nullptr, lanes);
    }
    static PLUMB_INLINE Vector multiplyAdd(Vector a, Vector b, Vector sum) {
        return _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
    }
};

void packB(const GemmMatrix& b, Index at, Index depth, Index column, Index columns, float* packed) {
    const auto* data = static_cast<const Bf16*>(b.data);
    const Index words = (depth + 1) / kPair;
    if (b.transposed) {
        for (Index begin = 0; begin < columns; begin += kColumns)
            packColumns<Pairs>(data + (column + begin) * b.stride + at, b.stride,
                               smaller(kColumns, columns - begin), depth, packed + begin * words);
        return;
    }
    for (Index k = 0; k < depth; k += kPair) {
        const Bf16* in = data + (at + k) * b.stride + column;
        float* out = packed + k / kPair * kColumns;
        const bool isPair = k + 1 < depth;
        Index left = columns;
        for (; isPair && left >= kColumns; left -= kColumns, in += kColumns, out += kColumns * words) {
            __builtin_prefetch(in + 2 * b.stride);
            __builtin_prefetch(in + 3 * b.stride);
            store(out, loadPair(in, in + b.stride));
            store(out + kLanes, loadPair(in + kLanes, in + b.stride + kLanes));
        }
        for (; left > 0; left -= kColumns, in += kColumns, out += kColumns * words)
            for (Index part = 0; part < kColumns; part += kLanes)
                store(out + part,
                      loadPair(in + part, isPair ? in + b.stride + part : nullptr, lanesBelow(left - part)));
    }
}

}  // namespace

extern const GemmKernels kGemmAvx512Bf16;
constinit const GemmKernels kGemmAvx512Bf16{
    {kRows, kColumns, kPair* kDepth}, "own:avx512_bf16", kPair, packRowsOfA<Pairs>, packB, multiply<Pairs>};

}  // namespace plumb::cpu
