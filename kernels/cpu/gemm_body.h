// SPDX-License-Identifier: Apache-2.0
// The inner parts of a matrix product after Goto and van de Geijn: both operands are packed, panels of them
// stream from the level 2 cache, and a tile of the result stays in registers. Operands get the form in which
// they are multiplied while they are packed, and the element-wise work of a layer is done on a tile before it
// leaves the cache; neither costs a pass over memory.
//
// What is common to the kernels of gemm_v4.cpp and gemm_v4_bf16.cpp, which are compiled for AVX-512 alone;
// what is said in kernels_body.h about symbols holds here too. Packed operands are words of 32 bits: an fp32
// number, or a pair of bf16 that follow each other in depth.

#pragma once

#include "kernels/cpu/gemm.h"

#include <immintrin.h>

namespace plumb::cpu {
namespace {

using Index = std::int64_t;

#define PLUMB_INLINE inline __attribute__((always_inline))

constexpr int kLanes = 16;
/// 14 x 2 vectors of sums, two of b and one of a: 31 of 32 registers.
constexpr int kRows = 14;
constexpr int kColumns = 2 * kLanes;
/// Depth of a panel in words: one of b takes 64 kB, one of a 32 kB.
constexpr int kDepth = 512;

// A packed panel of a is a sequence of chunks, each 16 in depth and of 256 elements: row after row of 16, or
// for a transposed a column after column with room for 16 rows. So it is packed by copying vectors.
constexpr int kChunkDepth = 16;
constexpr int kChunk = 256;

typedef float Vector __attribute__((vector_size(64)));
typedef std::int32_t Indices __attribute__((vector_size(64)));

PLUMB_INLINE Index smaller(Index a, Index b) { return a < b ? a : b; }

PLUMB_INLINE Vector load(const float* from) { return _mm512_loadu_ps(from); }
PLUMB_INLINE Vector load(const Bf16* from) {
    const __m256i narrow = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(narrow), 16));
}
// The lanes in `mask`, zeros elsewhere; memory is touched in those lanes only.
PLUMB_INLINE Vector load(const float* from, __mmask16 mask) { return _mm512_maskz_loadu_ps(mask, from); }
PLUMB_INLINE Vector load(const Bf16* from, __mmask16 mask) {
    const __m256i narrow = _mm256_maskz_loadu_epi16(mask, from);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(narrow), 16));
}
PLUMB_INLINE void store(float* to, Vector value) { _mm512_storeu_ps(to, value); }
PLUMB_INLINE void store(float* to, Vector value, __mmask16 mask) { _mm512_mask_storeu_ps(to, mask, value); }
// As toBf16() of kernels_body.h: to the nearest, ties to even; what is not a number stays so.
PLUMB_INLINE void store(Bf16* to, Vector value, __mmask16 mask) {
#if defined(__AVX512BF16__)
    _mm256_mask_storeu_epi16(to, mask, reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(value)));
#else
    const __m512i bits = _mm512_castps_si512(value);
    const __m512i high = _mm512_srli_epi32(bits, 16);
    const __m512i odd = _mm512_and_si512(high, _mm512_set1_epi32(1));
    const __m512i nearest =
        _mm512_srli_epi32(_mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd), 16);
    const __mmask16 isNaN = _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q);
    const __m512i rounded = _mm512_mask_or_epi32(nearest, isNaN, high, _mm512_set1_epi32(0x40));
    _mm256_mask_storeu_epi16(to, mask, _mm512_cvtepi32_epi16(rounded));
#endif
}

/// The first `count` lanes: none below 1, all from 16 on.
PLUMB_INLINE __mmask16 lanesBelow(Index count) {
    return count >= kLanes ? __mmask16{0xFFFF}
                           : static_cast<__mmask16>((1U << static_cast<unsigned>(count > 0 ? count : 0)) - 1);
}

/// Rows of a block as equal panels of at most kRows: none is left so thin that it runs slowly. The first
/// `longer` of them have one row more than the others.
struct Panels {
    Index count, rows, longer;
    PLUMB_INLINE explicit Panels(Index all)
        : count((all + kRows - 1) / kRows), rows(all / count), longer(all - rows * count) {}
    [[nodiscard]] PLUMB_INLINE Index rowsOf(Index panel) const { return panel < longer ? rows + 1 : rows; }
};

// A square of kLanes x kLanes, by exchanging ever larger blocks beside the diagonal.
PLUMB_INLINE void transpose(Vector (&rows)[kLanes]) {
    const Indices lane{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
#pragma GCC unroll 4
    for (int block = 1; block < kLanes; block *= 2) {
        const Indices isUpper = (lane & block) != 0;
        // The lower row keeps its lower lanes and takes those of the upper one; the upper row the other way.
        const Indices low = isUpper ? lane - block + kLanes : lane;
        const Indices high = isUpper ? lane + kLanes : lane + block;
#pragma GCC unroll 16
        for (int i = 0; i < kLanes; ++i)
            if ((i & block) == 0) {
                const Vector a = rows[i];
                const Vector b = rows[i + block];
                rows[i] = __builtin_shuffle(a, b, low);
                rows[i + block] = __builtin_shuffle(a, b, high);
            }
    }
}

// ---- packing
//
// `Words` says what a word of 32 bits holds (a number or a pair of them) and reads a vector of words: along a
// row, or across the rows that follow each other in depth.

// Rows that lie along the depth.
template <class Words>
void packRows(const typename Words::Number* from, Index stride, Index rows, Index depth, float* to) {
    constexpr Index kStep = Words::kNumbers * kChunkDepth;
    for (Index row = 0; row < rows; ++row) {
        const auto* in = from + row * stride;
        float* out = to + row * kChunkDepth;
        Index k = 0;
        for (; k + kStep <= depth; k += kStep, out += kChunk) {
            __builtin_prefetch(in + stride + k);
            store(out, Words::along(in + k));
        }
        if (k < depth) store(out, Words::along(in + k, depth - k));
    }
}

// Memory is read line after line, across the panels: a line of one panel is too short to be fetched ahead.
template <class Words>
void packRowsOfA(const GemmMatrix& a, Index row, Index rows, Index at, Index depth, float* packed) {
    constexpr Index kNumbers = Words::kNumbers;
    const auto* data = static_cast<const typename Words::Number*>(a.data);
    const Panels panels(rows);
    const Index panelSize = packedPanelOfA((depth + kNumbers - 1) / kNumbers);
    if (!a.transposed) {
        const auto* in = data + row * a.stride + at;
        for (Index panel = 0; panel < panels.count; ++panel) {
            packRows<Words>(in, a.stride, panels.rowsOf(panel), depth, packed + panel * panelSize);
            in += panels.rowsOf(panel) * a.stride;
        }
        return;
    }
    const __mmask16 shorter = lanesBelow(panels.rows);
    const __mmask16 longer = lanesBelow(panels.rows + 1);
    for (Index k = 0; k < depth; k += kNumbers) {
        const auto* in = data + (at + k) * a.stride + row;
        float* out = packed + k / kNumbers * 16;
        for (Index panel = 0; panel < panels.count; ++panel, out += panelSize) {
            for (Index below = kNumbers; below < 2 * kNumbers; ++below)
                __builtin_prefetch(in + below * a.stride);
            store(out, Words::across(in, a.stride, k + kNumbers <= depth,
                                     panel < panels.longer ? longer : shorter));
            in += panels.rowsOf(panel);
        }
    }
}

// Rows of `from` become the columns of a panel of b.
template <class Words>
void packColumns(const typename Words::Number* from, Index stride, Index columns, Index depth, float* to) {
    constexpr Index kNumbers = Words::kNumbers;
    for (Index part = 0; part < kColumns; part += kLanes) {
        const Index present = columns - part;
        for (Index k = 0; k < depth; k += kNumbers * kLanes) {
            Vector square[kLanes];
#pragma GCC unroll 16
            for (int i = 0; i < kLanes; ++i)
                square[i] = i < present ? Words::along(from + (part + i) * stride + k, depth - k) : Vector{};
            transpose(square);
            float* out = to + k / kNumbers * kColumns + part;
            const Index lines = smaller(kLanes, (depth - k + kNumbers - 1) / kNumbers);
            if (lines == kLanes)
#pragma GCC unroll 16
                for (int i = 0; i < kLanes; ++i) store(out + i * kColumns, square[i]);
            else
                for (Index i = 0; i < lines; ++i) store(out + i * kColumns, square[i]);
        }
    }
}

// ---- tiles

/// Where one tile goes.
struct Place {
    Index at = 0;  ///< element of its first value
    Index rows = 0;
    Index columns = 0;
};

/// Sums of kCount rows on their way out: lanes[0] and lanes[1] are the columns that there are.
template <class T, int kCount>
PLUMB_INLINE void finishTile(Vector (&sums)[kCount][2], Index at, const __mmask16 (&lanes)[2],
                             const GemmResult& result) {
    T* const out = static_cast<T*>(result.data) + at;
#pragma GCC unroll 16
    for (int row = 0; row < kCount; ++row)
#pragma GCC unroll 2
        for (int part = 0; part < 2; ++part) {
            const Index beside = row * result.stride + part * kLanes;
            Vector value = sums[row][part];
            if (result.factor != 1) value *= result.factor;
            if (result.accumulate) value += load(out + beside, lanes[part]);
            if (result.relu) value = value < 0 ? Vector{} : value;
            if (result.mask != nullptr)
                value = load(static_cast<const T*>(result.mask) + at + beside, lanes[part]) > 0 ? value
                                                                                                : Vector{};
            store(out + beside, value, lanes[part]);
        }
}

/// Sums of kCount rows. `depth` counts words: a number each, or a pair for kernels that multiply pairs. Sums
/// go on from those of the block before, so that their bits do not depend on where the depth was cut.
template <class Arithmetic, int kCount, int kStepOfRow, int kStepOfDepth>
void multiplyTile(const float* __restrict a, const float* __restrict b, Index depth, const Place& place,
                  const GemmResult& result) {
    const __mmask16 lanes[2] = {lanesBelow(place.columns), lanesBelow(place.columns - kLanes)};
    float* const partial = result.partial != nullptr ? result.partial + place.at : nullptr;
    Vector sums[kCount][2];
    if (result.isFirst)
#pragma GCC unroll 16
        for (int row = 0; row < kCount; ++row) {
            sums[row][0] = Vector{};
            sums[row][1] = Vector{};
        }
    else
#pragma GCC unroll 16
        for (int row = 0; row < kCount; ++row) {
            sums[row][0] = load(partial + row * result.stride, lanes[0]);
            sums[row][1] = load(partial + row * result.stride + kLanes, lanes[1]);
        }
    // The tile's lines of the result are on their way while the sums are made.
    if (!result.bf16 || !result.isLast) {
        const float* const out = result.isLast ? static_cast<float*>(result.data) + place.at : partial;
#pragma GCC unroll 16
        for (int row = 0; row < kCount; ++row) {
            __builtin_prefetch(out + row * result.stride, 1);
            __builtin_prefetch(out + row * result.stride + kLanes, 1);
        }
    } else {
        const Bf16* const out = static_cast<Bf16*>(result.data) + place.at;
#pragma GCC unroll 16
        for (int row = 0; row < kCount; ++row) __builtin_prefetch(out + row * result.stride, 1);
    }
    for (; depth > 0; depth -= kChunkDepth) {
        const float* const end = a + smaller(kChunkDepth, depth) * kStepOfDepth;
        const float* const next = a + kChunk;
        for (; a != end; a += kStepOfDepth, b += kColumns) {
            const Vector left = load(b);
            const Vector right = load(b + kLanes);
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) {
                const Vector factor = _mm512_set1_ps(a[row * kStepOfRow]);
                sums[row][0] = Arithmetic::multiplyAdd(factor, left, sums[row][0]);
                sums[row][1] = Arithmetic::multiplyAdd(factor, right, sums[row][1]);
            }
        }
        a = next;
    }
    if (result.isLast) {
        if (result.bf16)
            finishTile<Bf16>(sums, place.at, lanes, result);
        else
            finishTile<float>(sums, place.at, lanes, result);
        return;
    }
#pragma GCC unroll 16
    for (int row = 0; row < kCount; ++row) {
        store(partial + row * result.stride, sums[row][0], lanes[0]);
        store(partial + row * result.stride + kLanes, sums[row][1], lanes[1]);
    }
}

using TileFunction = void (*)(const float*, const float*, Index, const Place&, const GemmResult&);

template <class Arithmetic, int kStepOfRow, int kStepOfDepth>
struct Tiles {
    static constexpr TileFunction kByRows[kRows + 1] = {
        nullptr,
        multiplyTile<Arithmetic, 1, kStepOfRow, kStepOfDepth>,
        multiplyTile<Arithmetic, 2, kStepOfRow, kStepOfDepth>,
        multiplyTile<Arithmetic, 3, kStepOfRow, kStepOfDepth>,
        multiplyTile<Arithmetic, 4, kStepOfRow, kStepOfDepth>,
        multiplyTile<Arithmetic, 5, kStepOfRow, kStepOfDepth>,
        multiplyTile<Arithmetic, 6, kStepOfRow, kStepOfDepth>,
        multiplyTile<Arithmetic, 7, kStepOfRow, kStepOfDepth>,
        multiplyTile<Arithmetic, 8, kStepOfRow, kStepOfDepth>,
        multiplyTile<Arithmetic, 9, kStepOfRow, kStepOfDepth>,
        multiplyTile<Arithmetic, 10, kStepOfRow, kStepOfDepth>,
        multiplyTile<Arithmetic, 11, kStepOfRow, kStepOfDepth>,
        multiplyTile<Arithmetic, 12, kStepOfRow, kStepOfDepth>,
        multiplyTile<Arithmetic, 13, kStepOfRow, kStepOfDepth>,
        multiplyTile<Arithmetic, 14, kStepOfRow, kStepOfDepth>,
    };
};

template <class Arithmetic>
void multiply(const float* packedA, const float* packedB, Index rows, Index columns, Index depth, Index row,
              Index column, bool transposedA, const GemmResult& result) {
    const Panels panels(rows);
    const Index panelSize = packedPanelOfA(depth);
    const TileFunction* const tiles =
        transposedA ? Tiles<Arithmetic, 1, 16>::kByRows : Tiles<Arithmetic, kChunkDepth, 1>::kByRows;
    for (Index begin = 0; begin < columns; begin += kColumns, packedB += kColumns * depth) {
        Place place;
        place.columns = smaller(kColumns, columns - begin);
        place.at = row * result.stride + column + begin;
        for (Index panel = 0; panel < panels.count; ++panel) {
            place.rows = panels.rowsOf(panel);
            tiles[place.rows](packedA + panel * panelSize, packedB, depth, place, result);
            place.at += place.rows * result.stride;
        }
    }
}

}  // namespace
}  // namespace plumb::cpu
