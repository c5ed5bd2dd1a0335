// SPDX-License-Identifier: Apache-2.0
// The inner parts of a matrix product after Goto and van de Geijn: both operands are packed, panels of them
// stream from the level 2 cache, and a tile of the result stays in registers. Operands become fp32 while they
// are packed, and the element-wise work of a layer is done on a tile before it leaves the cache; neither
// costs a pass over memory.
//
// Compiled for AVX-512 alone; what is said in kernels_body.h about symbols holds here too.
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
/// A panel of b of this depth takes 64 kB, one of a 32 kB.
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
    const __m512i bits = _mm512_castps_si512(value);
    const __m512i high = _mm512_srli_epi32(bits, 16);
    const __m512i odd = _mm512_and_si512(high, _mm512_set1_epi32(1));
    const __m512i nearest =
        _mm512_srli_epi32(_mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd), 16);
    const __mmask16 isNaN = _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q);
    const __m512i rounded = _mm512_mask_or_epi32(nearest, isNaN, high, _mm512_set1_epi32(0x40));
    _mm256_mask_storeu_epi16(to, mask, _mm512_cvtepi32_epi16(rounded));
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

// ---- packing

template <class T>
void packRows(const T* from, Index stride, Index rows, Index depth, float* to) {
    for (Index row = 0; row < rows; ++row) {
        const T* in = from + row * stride;
        float* out = to + row * kChunkDepth;
        Index k = 0;
        for (; k + kChunkDepth <= depth; k += kChunkDepth, out += kChunk) {
            __builtin_prefetch(in + stride + k);
            store(out, load(in + k));
        }
        if (k < depth) store(out, load(in + k, lanesBelow(depth - k)));
    }
}

// Memory is read line after line, across the panels: a line of one panel is too short to be fetched ahead.
template <class T>
void packAOf(const GemmMatrix& a, Index row, Index rows, Index at, Index depth, float* packed) {
    const T* data = static_cast<const T*>(a.data);
    const Panels panels(rows);
    const Index panelSize = packedPanelOfA(depth);
    if (!a.transposed) {
        const T* in = data + row * a.stride + at;
        for (Index panel = 0; panel < panels.count; ++panel) {
            packRows(in, a.stride, panels.rowsOf(panel), depth, packed + panel * panelSize);
            in += panels.rowsOf(panel) * a.stride;
        }
        return;
    }
    const __mmask16 shorter = lanesBelow(panels.rows);
    const __mmask16 longer = lanesBelow(panels.rows + 1);
    for (Index k = 0; k < depth; ++k) {
        const T* in = data + (at + k) * a.stride + row;
        float* out = packed + k * 16;
        for (Index panel = 0; panel < panels.longer; ++panel, out += panelSize, in += panels.rows + 1) {
            __builtin_prefetch(in + a.stride);
            store(out, load(in, longer));
        }
        for (Index panel = panels.longer; panel < panels.count;
             ++panel, out += panelSize, in += panels.rows) {
            __builtin_prefetch(in + a.stride);
            store(out, load(in, shorter));
        }
    }
}

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

// Rows of `from` become the columns of a panel of b.
template <class T>
void packColumns(const T* from, Index stride, Index columns, Index depth, float* to) {
    for (Index part = 0; part < kColumns; part += kLanes) {
        const Index present = columns - part;
        for (Index k = 0; k < depth; k += kLanes) {
            const Index lines = smaller(kLanes, depth - k);
            const __mmask16 mask = lanesBelow(lines);
            Vector square[kLanes];
#pragma GCC unroll 16
            for (int i = 0; i < kLanes; ++i)
                square[i] = i < present ? load(from + (part + i) * stride + k, mask) : Vector{};
            transpose(square);
            float* out = to + k * kColumns + part;
            if (lines == kLanes)
#pragma GCC unroll 16
                for (int i = 0; i < kLanes; ++i) store(out + i * kColumns, square[i]);
            else
                for (Index i = 0; i < lines; ++i) store(out + i * kColumns, square[i]);
        }
    }
}

template <class T>
void packBOf(const GemmMatrix& b, Index at, Index depth, Index column, Index columns, float* packed) {
    const T* data = static_cast<const T*>(b.data);
    if (b.transposed) {
        for (Index begin = 0; begin < columns; begin += kColumns)
            packColumns(data + (column + begin) * b.stride + at, b.stride, smaller(kColumns, columns - begin),
                        depth, packed + begin * depth);
        return;
    }
    for (Index k = 0; k < depth; ++k) {
        const T* in = data + (at + k) * b.stride + column;
        float* out = packed + k * kColumns;
        Index left = columns;
        for (; left >= kColumns; left -= kColumns, in += kColumns, out += kColumns * depth) {
            __builtin_prefetch(in + b.stride);
            __builtin_prefetch(in + b.stride + kLanes);
            store(out, load(in));
            store(out + kLanes, load(in + kLanes));
        }
        if (left > 0) {
            store(out, load(in, lanesBelow(left)));
            store(out + kLanes, load(in + kLanes, lanesBelow(left - kLanes)));
        }
    }
}

void packA(const GemmMatrix& a, Index row, Index rows, Index at, Index depth, float* packed) {
    (a.bf16 ? packAOf<Bf16> : packAOf<float>)(a, row, rows, at, depth, packed);
}
void packB(const GemmMatrix& b, Index at, Index depth, Index column, Index columns, float* packed) {
    (b.bf16 ? packBOf<Bf16> : packBOf<float>)(b, at, depth, column, columns, packed);
}

// ---- tiles

/// Where one tile goes.
struct Place {
    Index at = 0;  ///< element of its first value
    Index rows = 0;
    Index columns = 0;
};

// The general way out of a tile: parts of it, sums from elsewhere, masks, conversions.
template <class T>
void finishTile(const float (*tile)[kColumns], const Place& place, const GemmResult& result) {
    for (Index row = 0; row < place.rows; ++row)
        for (int part = 0; part < place.columns; part += kLanes) {
            const __mmask16 lanes = lanesBelow(place.columns - part);
            const Index at = place.at + row * result.stride + part;
            Vector value = load(tile[row] + part);
            if (!result.isFirst) value += load(result.partial + at, lanes);
            if (!result.isLast) {
                store(result.partial + at, value, lanes);
                continue;
            }
            T* out = static_cast<T*>(result.data) + at;
            if (result.accumulate) value += load(out, lanes);
            if (result.relu) value = value < 0 ? Vector{} : value;
            if (result.mask != nullptr)
                value = load(static_cast<const T*>(result.mask) + at, lanes) > 0 ? value : Vector{};
            store(out, value, lanes);
        }
}

template <int kCount, int kStepOfRow, int kStepOfDepth>
void multiplyTile(const float* __restrict a, const float* __restrict b, Index depth, const Place& place,
                  const GemmResult& result) {
    float* const out = static_cast<float*>(result.isLast ? result.data : result.partial) + place.at;
    const bool isPlain =
        place.columns == kColumns && (!result.isLast || (!result.bf16 && !result.accumulate));
    // The tile's lines of the result are on their way while the sums are made.
    if (isPlain)
#pragma GCC unroll 16
        for (int row = 0; row < kCount; ++row) {
            __builtin_prefetch(out + row * result.stride, 1);
            __builtin_prefetch(out + row * result.stride + kLanes, 1);
        }
    Vector sums[kCount][2];
#pragma GCC unroll 16
    for (int row = 0; row < kCount; ++row) {
        sums[row][0] = Vector{};
        sums[row][1] = Vector{};
    }
    for (; depth > 0; depth -= kChunkDepth) {
        const float* const end = a + smaller(kChunkDepth, depth) * kStepOfDepth;
        const float* const next = a + kChunk;
        for (; a != end; a += kStepOfDepth, b += kColumns) {
            const Vector left = load(b);
            const Vector right = load(b + kLanes);
#pragma GCC unroll 16
            for (int row = 0; row < kCount; ++row) {
                const Vector factor = a[row * kStepOfRow] - Vector{};  // one load that fills all lanes
                sums[row][0] += factor * left;
                sums[row][1] += factor * right;
            }
        }
        a = next;
    }
    if (!isPlain) {
        alignas(64) float tile[kCount][kColumns];
#pragma GCC unroll 16
        for (int row = 0; row < kCount; ++row) {
            store(tile[row], sums[row][0]);
            store(tile[row] + kLanes, sums[row][1]);
        }
        (result.bf16 ? finishTile<Bf16> : finishTile<float>)(tile, place, result);
        return;
    }
    if (!result.isFirst)
#pragma GCC unroll 16
        for (int row = 0; row < kCount; ++row) {
            sums[row][0] += load(out + row * result.stride);
            sums[row][1] += load(out + row * result.stride + kLanes);
        }
    if (result.isLast && result.relu)
#pragma GCC unroll 16
        for (int row = 0; row < kCount; ++row) {
            sums[row][0] = sums[row][0] < 0 ? Vector{} : sums[row][0];
            sums[row][1] = sums[row][1] < 0 ? Vector{} : sums[row][1];
        }
    if (result.isLast && result.mask != nullptr) {
        const float* const mask = static_cast<const float*>(result.mask) + place.at;
#pragma GCC unroll 16
        for (int row = 0; row < kCount; ++row) {
            sums[row][0] = load(mask + row * result.stride) > 0 ? sums[row][0] : Vector{};
            sums[row][1] = load(mask + row * result.stride + kLanes) > 0 ? sums[row][1] : Vector{};
        }
    }
#pragma GCC unroll 16
    for (int row = 0; row < kCount; ++row) {
        store(out + row * result.stride, sums[row][0]);
        store(out + row * result.stride + kLanes, sums[row][1]);
    }
}

using TileFunction = void (*)(const float*, const float*, Index, const Place&, const GemmResult&);

template <int kStepOfRow, int kStepOfDepth>
struct Tiles {
    static constexpr TileFunction kByRows[kRows + 1] = {
        nullptr,
        multiplyTile<1, kStepOfRow, kStepOfDepth>,
        multiplyTile<2, kStepOfRow, kStepOfDepth>,
        multiplyTile<3, kStepOfRow, kStepOfDepth>,
        multiplyTile<4, kStepOfRow, kStepOfDepth>,
        multiplyTile<5, kStepOfRow, kStepOfDepth>,
        multiplyTile<6, kStepOfRow, kStepOfDepth>,
        multiplyTile<7, kStepOfRow, kStepOfDepth>,
        multiplyTile<8, kStepOfRow, kStepOfDepth>,
        multiplyTile<9, kStepOfRow, kStepOfDepth>,
        multiplyTile<10, kStepOfRow, kStepOfDepth>,
        multiplyTile<11, kStepOfRow, kStepOfDepth>,
        multiplyTile<12, kStepOfRow, kStepOfDepth>,
        multiplyTile<13, kStepOfRow, kStepOfDepth>,
        multiplyTile<14, kStepOfRow, kStepOfDepth>,
    };
};

void multiply(const float* packedA, const float* packedB, Index rows, Index columns, Index depth, Index row,
              Index column, bool transposedA, const GemmResult& result) {
    const Panels panels(rows);
    const Index panelSize = packedPanelOfA(depth);
    const TileFunction* const tiles = transposedA ? Tiles<1, 16>::kByRows : Tiles<kChunkDepth, 1>::kByRows;
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

extern const GemmKernels kGemmAvx512;
constinit const GemmKernels kGemmAvx512{{kRows, kColumns, kDepth}, "own:avx512", packA, packB, multiply};

}  // namespace plumb::cpu
