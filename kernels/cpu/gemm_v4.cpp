// SPDX-License-Identifier: Apache-2.0
// Products in fp32 multiply-adds: bf16 operands become fp32 while they are packed.
#include "kernels/cpu/gemm_body.h"

namespace plumb::cpu {
namespace {

// ---- packing

/// A word is a number.
template <class T>
struct Single {
    using Number = T;
    static constexpr Index kNumbers = 1;
    static PLUMB_INLINE Vector along(const T* from) { return load(from); }
    static PLUMB_INLINE Vector along(const T* from, Index count) { return load(from, lanesBelow(count)); }
    static PLUMB_INLINE Vector across(const T* from, Index, bool, __mmask16 lanes) {
        return load(from, lanes);
    }
};

template <class T>
void packBOf(const GemmMatrix& b, Index at, Index depth, Index column, Index columns, float* packed) {
    const T* data = static_cast<const T*>(b.data);
    if (b.transposed) {
        for (Index begin = 0; begin < columns; begin += kColumns)
            packColumns<Single<T>>(data + (column + begin) * b.stride + at, b.stride,
                                   smaller(kColumns, columns - begin), depth, packed + begin * depth);
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
    (a.bf16 ? packRowsOfA<Single<Bf16>> : packRowsOfA<Single<float>>)(a, row, rows, at, depth, packed);
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
