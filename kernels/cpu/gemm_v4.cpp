// SPDX-License-Identifier: Apache-2.0
// Products in fp32 multiply-adds: bf16 operands become fp32 while they are packed.
#include "kernels/cpu/gemm_body.h"

namespace plumb::cpu {
namespace {

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

struct Fp32 {
    static PLUMB_INLINE Vector multiplyAdd(Vector a, Vector b, Vector sum) { return a * b + sum; }
};

}  // namespace

extern const GemmKernels kGemmAvx512;
constinit const GemmKernels kGemmAvx512{
    {kRows, kColumns, kDepth}, "own:avx512", 1, packA, packB, multiply<Fp32>};

}  // namespace plumb::cpu
