// SPDX-License-Identifier: Apache-2.0
// What the lab runs besides products of matrices, under the rules of kernels_body.h.
// The including file defines PLUMB_LAB_TABLE.

#pragma once

#include "kernels/cpu/lab_kernels.h"
#include "kernels/cpu/lab_vectors_body.h"

namespace plumb::cpu {
namespace {

constexpr Index kBlock = 512;  ///< elements that are decoded at a time, into the level 1 cache
constexpr int kSums = 64;      ///< that grow side by side, so that none waits for the one before it

// ---- functions

struct Relu {
    static PLUMB_INLINE float of(float x) { return x < 0 ? 0.0F : x; }
};
struct Same {
    static PLUMB_INLINE float of(float x) { return x; }
};
struct Masked {
    static PLUMB_INLINE float of(float gradient, float x) { return x > 0 ? gradient : 0.0F; }
};
struct Sum {
    static PLUMB_INLINE float of(float x, float y) { return x + y; }
};
struct Times {
    static PLUMB_INLINE float of(float x, float y) { return x * y; }
};
struct Minus {
    static PLUMB_INLINE float of(float x, float y) { return x - y; }
};
struct Over {
    static PLUMB_INLINE float of(float x, float y) { return x / y; }
};
struct SquareRoot {
    static PLUMB_INLINE float of(float x) { return __builtin_sqrtf(x); }
};
struct InverseRoot {
    static PLUMB_INLINE float of(float x) { return 1 / __builtin_sqrtf(x); }
};
struct Reciprocal {
    static PLUMB_INLINE float of(float x) { return 1 / x; }
};
struct Square {
    static PLUMB_INLINE float of(float x) { return x * x; }
};
struct Absolute {
    static PLUMB_INLINE float of(float x) { return __builtin_fabsf(x); }
};
struct Negative {
    static PLUMB_INLINE float of(float x) { return -x; }
};

template <Storage kStorage, class Function>
void each(const void* a, const void*, void* result, Index count) {
    using F = Format<kStorage>;
    const auto* __restrict in = static_cast<const typename F::Type*>(a);
    auto* __restrict out = static_cast<typename F::Type*>(result);
    for (Index i = 0; i < count; ++i) F::store(out + i, Function::of(F::load(in + i)));
}
template <Storage kStorage, class Function>
void eachPair(const void* a, const void* b, void* result, Index count) {
    using F = Format<kStorage>;
    const auto* __restrict x = static_cast<const typename F::Type*>(a);
    const auto* __restrict y = static_cast<const typename F::Type*>(b);
    auto* __restrict out = static_cast<typename F::Type*>(result);
    for (Index i = 0; i < count; ++i) F::store(out + i, Function::of(F::load(x + i), F::load(y + i)));
}

// ---- folds

struct Adding {
    static constexpr float kStart = 0;
    static PLUMB_INLINE float of(float folded, float x) { return folded + x; }
};
struct Multiplying {
    static constexpr float kStart = 1;
    static PLUMB_INLINE float of(float folded, float x) { return folded * x; }
};
struct Largest {
    static constexpr float kStart = -__builtin_inff();
    static PLUMB_INLINE float of(float folded, float x) { return folded > x ? folded : x; }
};
struct Smallest {
    static constexpr float kStart = __builtin_inff();
    static PLUMB_INLINE float of(float folded, float x) { return folded < x ? folded : x; }
};

/// `count` numbers as fp32: themselves, or decoded into `room`.
template <Storage kStorage>
PLUMB_INLINE const float* asFloats(const typename Format<kStorage>::Type* in, Index count, float* room) {
    if constexpr (kStorage == Storage::Fp32) {
        return in;
    } else {
        loadRun<kStorage>(in, room, count);
        return room;
    }
}

template <class Fold, class Value>
PLUMB_INLINE void foldBlock(float* __restrict sums, Index count, const Value& value) {
    Index i = 0;
    for (; i + kSums <= count; i += kSums)
        for (int j = 0; j < kSums; ++j) sums[j] = Fold::of(sums[j], value(i + j));
    for (int j = 0; i + j < count; ++j) sums[j] = Fold::of(sums[j], value(i + j));
}
template <class Fold>
PLUMB_INLINE float folded(float* sums) {
    for (int half = kSums / 2; half > 0; half /= 2)
        for (int j = 0; j < half; ++j) sums[j] = Fold::of(sums[j], sums[j + half]);
    return sums[0];
}

/// Folds of(x) over `count` numbers that lie one after the other.
template <Storage kStorage, class Fold, class Of>
PLUMB_INLINE float foldAll(const typename Format<kStorage>::Type* in, Index count, const Of& of) {
    alignas(64) float sums[kSums];
    alignas(64) float room[kBlock];
    for (float& sum : sums) sum = Fold::kStart;
    for (Index begin = 0; begin < count; begin += kBlock) {
        const Index some = smaller(kBlock, count - begin);
        const float* __restrict x = asFloats<kStorage>(in + begin, some, room);
        foldBlock<Fold>(sums, some, [&](Index i) PLUMB_INLINE_LAMBDA { return of(x[i]); });
    }
    return folded<Fold>(sums);
}

template <Storage kStorage, class Fold>
float fold(const void* a, const void*, Index count, Index step, Index) {
    using F = Format<kStorage>;
    const auto* in = static_cast<const typename F::Type*>(a);
    if (step == 1) return foldAll<kStorage, Fold>(in, count, [](float x) PLUMB_INLINE_LAMBDA { return x; });
    alignas(64) float sums[kSums];
    for (float& sum : sums) sum = Fold::kStart;
    foldBlock<Fold>(sums, count, [&](Index i) PLUMB_INLINE_LAMBDA { return F::load(in + i * step); });
    return folded<Fold>(sums);
}
template <Storage kStorage>
float dot(const void* a, const void* b, Index count, Index stepA, Index stepB) {
    using F = Format<kStorage>;
    const auto* x = static_cast<const typename F::Type*>(a);
    const auto* y = static_cast<const typename F::Type*>(b);
    alignas(64) float sums[kSums] = {};
    if (stepA == 1 && stepB == 1) {
        alignas(64) float roomX[kBlock];
        alignas(64) float roomY[kBlock];
        for (Index begin = 0; begin < count; begin += kBlock) {
            const Index some = smaller(kBlock, count - begin);
            const float* __restrict p = asFloats<kStorage>(x + begin, some, roomX);
            const float* __restrict q = asFloats<kStorage>(y + begin, some, roomY);
            foldBlock<Adding>(sums, some, [&](Index i) PLUMB_INLINE_LAMBDA { return p[i] * q[i]; });
        }
    } else {
        foldBlock<Adding>(sums, count, [&](Index i) PLUMB_INLINE_LAMBDA {
            return F::load(x + i * stepA) * F::load(y + i * stepB);
        });
    }
    return folded<Adding>(sums);
}

template <Storage kStorage, class Fold>
void foldRow(const void* a, const void*, float* __restrict folded, Index count, Index, Index) {
    using F = Format<kStorage>;
    const auto* __restrict x = static_cast<const typename F::Type*>(a);
    for (Index i = 0; i < count; ++i) folded[i] = Fold::of(folded[i], F::load(x + i));
}
template <Storage kStorage>
void dotRow(const void* a, const void* b, float* __restrict folded, Index count, Index stepA, Index stepB) {
    using F = Format<kStorage>;
    const auto* __restrict x = static_cast<const typename F::Type*>(a);
    const auto* __restrict y = static_cast<const typename F::Type*>(b);
    if (stepA == 0) {
        const float factor = F::load(x);
        for (Index i = 0; i < count; ++i) folded[i] += factor * F::load(y + i * stepB);
    } else if (stepB == 0) {
        const float factor = F::load(y);
        for (Index i = 0; i < count; ++i) folded[i] += F::load(x + i) * factor;
    } else {
        for (Index i = 0; i < count; ++i) folded[i] += F::load(x + i) * F::load(y + i);
    }
}

// ---- the order of elements

template <class Bits>
void copyLine(const void* a, const void*, void* result, Index count, Index step, Index) {
    const auto* __restrict in = static_cast<const Bits*>(a);
    auto* __restrict out = static_cast<Bits*>(result);
    if (step == 1) {
        for (Index i = 0; i < count; ++i) out[i] = in[i];
    } else if (step == 0) {
        const Bits value = *in;
        for (Index i = 0; i < count; ++i) out[i] = value;
    } else {
        for (Index i = 0; i < count; ++i) out[i] = in[i * step];
    }
}

// A whole vector for each number: those after it write over what is too much.
template <class Bits>
void stretch(const void* a, Index step, void* result, Index lines, Index count) {
    constexpr Index kWide = 16;
    typedef Bits Wide __attribute__((vector_size(kWide * sizeof(Bits))));
    const auto* in = static_cast<const Bits*>(a);
    auto* out = static_cast<Bits*>(result);
    const Index reach = (count + kWide - 1) / kWide * kWide;  // of the vectors for one number
    Index i = 0;
    for (; i * count + reach <= lines * count; ++i) {
        const Wide value = Wide{} + in[i * step];
        for (Index j = 0; j < count; j += kWide) __builtin_memcpy(out + i * count + j, &value, sizeof value);
    }
    for (; i < lines; ++i)
        for (Index j = 0; j < count; ++j) out[i * count + j] = in[i * step];
}

template <Storage kStorage>
void finish(const float* folded, float factor, void* result, Index count) {
    auto* out = static_cast<typename Format<kStorage>::Type*>(result);
    mapVectors(folded, out, count, [&](Floats x) PLUMB_INLINE_LAMBDA { return x * factor; });
}

/// `count` numbers at even distances as fp32.
template <Storage kStorage>
PLUMB_INLINE void gather(const typename Format<kStorage>::Type* in, float* __restrict out, Index count,
                         Index step) {
    if (step == 1) {
        loadRun<kStorage>(in, out, count);
    } else if (step == 0) {
        const float value = Format<kStorage>::load(in);
        for (Index i = 0; i < count; ++i) out[i] = value;
    } else {
        for (Index i = 0; i < count; ++i) out[i] = Format<kStorage>::load(in + i * step);
    }
}
template <Storage kStorage>
void productLine(const void* a, const void* b, void* result, Index count, Index stepA, Index stepB) {
    using Type = typename Format<kStorage>::Type;
    if constexpr (kStorage == Storage::Fp32) {
        const float* __restrict x = static_cast<const float*>(a);
        const float* __restrict y = static_cast<const float*>(b);
        float* __restrict out = static_cast<float*>(result);
        if (stepA == 1 && stepB == 1) {
            for (Index i = 0; i < count; ++i) out[i] = x[i] * y[i];
        } else if (stepA == 0 && stepB == 1) {
            for (Index i = 0; i < count; ++i) out[i] = x[0] * y[i];
        } else if (stepA == 1 && stepB == 0) {
            for (Index i = 0; i < count; ++i) out[i] = x[i] * y[0];
        } else {
            for (Index i = 0; i < count; ++i) out[i] = x[i * stepA] * y[i * stepB];
        }
        return;
    }
    alignas(64) float x[kBlock];
    alignas(64) float y[kBlock];
    for (Index begin = 0; begin < count; begin += kBlock) {
        const Index some = smaller(kBlock, count - begin);
        gather<kStorage>(static_cast<const Type*>(a) + begin * stepA, x, some, stepA);
        gather<kStorage>(static_cast<const Type*>(b) + begin * stepB, y, some, stepB);
        for (Index i = 0; i < some; ++i) x[i] *= y[i];
        storeRun<kStorage>(x, static_cast<Type*>(result) + begin, some, 1);
    }
}

// 16 rows of 16 become its columns.
template <class Bits>
PLUMB_INLINE void turnSmall(const Bits* in, Index stride, Bits* out, Index outStride) {
#if defined(__AVX512BW__)
    // By exchanging ever larger blocks beside the diagonal.
    typedef Bits Row __attribute__((vector_size(16 * sizeof(Bits))));
    Row lane, rows[16];
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
        lane[i] = static_cast<Bits>(i);
        __builtin_memcpy(&rows[i], in + i * stride, sizeof rows[i]);
    }
#pragma GCC unroll 4
    for (int block = 1; block < 16; block *= 2) {
        const Row isUpper = reinterpret_cast<Row>((lane & static_cast<Bits>(block)) != 0);
        const Row low = (isUpper & (lane - static_cast<Bits>(block) + 16)) | (~isUpper & lane);
        const Row high = (isUpper & (lane + 16)) | (~isUpper & (lane + static_cast<Bits>(block)));
#pragma GCC unroll 16
        for (int i = 0; i < 16; ++i)
            if ((i & block) == 0) {
                const Row a = rows[i], b = rows[i + block];
                rows[i] = __builtin_shuffle(a, b, low);
                rows[i + block] = __builtin_shuffle(a, b, high);
            }
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) __builtin_memcpy(out + i * outStride, &rows[i], sizeof rows[i]);
#else
    for (Index j = 0; j < 16; ++j)
        for (Index i = 0; i < 16; ++i) out[i * outStride + j] = in[j * stride + i];
#endif
}

// A square at a time, by a copy that stays in the level 1 cache: memory is read and written in runs.
template <class Bits>
void turn(const void* a, Index stride, void* result, Index resultStride, Index rows, Index columns) {
    const auto* in = static_cast<const Bits*>(a);
    auto* out = static_cast<Bits*>(result);
    alignas(64) Bits square[kLabSquare][kLabSquare];
    for (Index row = 0; row < rows; row += kLabSquare)
        for (Index column = 0; column < columns; column += kLabSquare) {
            const Index r = smaller(kLabSquare, rows - row);
            const Index c = smaller(kLabSquare, columns - column);
            const Bits* const corner = in + column * stride + row;
            const Index wholeR = r / 16 * 16, wholeC = c / 16 * 16;
            for (Index j = 0; j < wholeC; j += 16)
                for (Index i = 0; i < wholeR; i += 16)
                    turnSmall<Bits>(corner + j * stride + i, stride, &square[i][j], kLabSquare);
            for (Index j = 0; j < c; ++j)
                for (Index i = j < wholeC ? wholeR : 0; i < r; ++i) square[i][j] = corner[j * stride + i];
            for (Index i = 0; i < r; ++i) {
                Bits* to = out + (row + i) * resultStride + column;
                for (Index j = 0; j < c; ++j) to[j] = square[i][j];
            }
        }
}

}  // namespace

#define PLUMB_LAB_FUNCTIONS(storage)                                                                         \
    {                                                                                                        \
        each<storage, Relu>, eachPair<storage, Masked>, eachVector<storage, Gelu>,                           \
            eachVector<storage, Silu>, softmax<storage>, layerNorm<storage>, rmsNorm<storage>,               \
            eachPair<storage, Sum>, eachPair<storage, Times>, eachPair<storage, Minus>,                      \
            eachPair<storage, Over>, each<storage, SquareRoot>, each<storage, InverseRoot>,                  \
            each<storage, Reciprocal>, each<storage, Square>, each<storage, Absolute>,                       \
            each<storage, Negative>, each<storage, Same>                                                     \
    }
#define PLUMB_LAB_FOLDS(storage)                                                                             \
    {                                                                                                        \
        fold<storage, Adding>, fold<storage, Largest>, fold<storage, Smallest>, fold<storage, Multiplying>,  \
            dot<storage>                                                                                     \
    }
#define PLUMB_LAB_ROWS(storage)                                                                              \
    {                                                                                                        \
        foldRow<storage, Adding>, foldRow<storage, Largest>, foldRow<storage, Smallest>,                     \
            foldRow<storage, Multiplying>, dotRow<storage>                                                   \
    }

extern const LabKernels PLUMB_LAB_TABLE;
const LabKernels PLUMB_LAB_TABLE = {
    {PLUMB_LAB_FUNCTIONS(Storage::Fp32), PLUMB_LAB_FUNCTIONS(Storage::Bf16)},
    {PLUMB_LAB_FOLDS(Storage::Fp32), PLUMB_LAB_FOLDS(Storage::Bf16)},
    {PLUMB_LAB_ROWS(Storage::Fp32), PLUMB_LAB_ROWS(Storage::Bf16)},
    {copyLine<std::uint32_t>, copyLine<std::uint16_t>},
    {productLine<Storage::Fp32>, productLine<Storage::Bf16>},
    {stretch<std::uint32_t>, stretch<std::uint16_t>},
    {finish<Storage::Fp32>, finish<Storage::Bf16>},
    {turn<std::uint32_t>, turn<std::uint16_t>},
};

}  // namespace plumb::cpu
