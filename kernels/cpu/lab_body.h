// SPDX-License-Identifier: Apache-2.0
// What the lab runs besides products of matrices, under the rules of kernels_body.h.
// The including file defines PLUMB_LAB_TABLE.

#pragma once

#include "kernels/cpu/lab_kernels.h"
#include "kernels/cpu/lab_vectors_body.h"

namespace plumb::cpu {
namespace {

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
    static PLUMB_INLINE Floats of(const Floats& folded, const Floats& x) { return folded + x; }
    template <class Lanes>
    static PLUMB_INLINE Lanes of(Lanes folded, Lanes x) {
        return folded + x;
    }
};
struct Multiplying {
    static constexpr float kStart = 1;
    static PLUMB_INLINE Floats of(const Floats& folded, const Floats& x) { return folded * x; }
    template <class Lanes>
    static PLUMB_INLINE Lanes of(Lanes folded, Lanes x) {
        return folded * x;
    }
};
struct Largest {
    static constexpr float kStart = -__builtin_inff();
    static PLUMB_INLINE Floats of(const Floats& folded, const Floats& x) { return larger(folded, x); }
    template <class Lanes>
    static PLUMB_INLINE Lanes of(Lanes folded, Lanes x) {
        return folded > x ? folded : x;
    }
};
struct Smallest {
    static constexpr float kStart = __builtin_inff();
    static PLUMB_INLINE Floats of(const Floats& folded, const Floats& x) { return lesser(folded, x); }
    template <class Lanes>
    static PLUMB_INLINE Lanes of(Lanes folded, Lanes x) {
        return folded < x ? folded : x;
    }
};

/// Two chains of sums, so that none waits for the one before it.
template <class Fold>
struct Folded {
    Floats chain[2];
    PLUMB_INLINE Folded() {
        for (Floats& it : chain) it = everywhere(Fold::kStart);
    }
    /// `whole(i)`: kLanes values from number `i` on; `some(i, n)`: the first `n` of them, kStart behind them.
    template <class Whole, class Some>
    PLUMB_INLINE void addLine(Index count, const Whole& whole, const Some& some) {
        Index i = 0;
        for (; i + 2 * kLanes <= count; i += 2 * kLanes)
            for (int j = 0; j < 2; ++j) chain[j] = Fold::of(chain[j], whole(i + j * kLanes));
        if (i + kLanes <= count) {
            chain[0] = Fold::of(chain[0], whole(i));
            i += kLanes;
        }
        if (i < count) chain[1] = Fold::of(chain[1], some(i, count - i));
    }
    [[nodiscard]] PLUMB_INLINE float value() const {
        const Floats both = Fold::of(chain[0], chain[1]);
        const Register x = Fold::of(both.a, both.b);
#if defined(__AVX512F__)
        const __m256 half = Fold::of(_mm512_castps512_ps256(x), _mm512_extractf32x8_ps(x, 1));
        __m128 four = Fold::of(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
#elif defined(__AVX2__)
        __m128 four = Fold::of(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
#else
        __m128 four = x;
#endif
        four = Fold::of(four, _mm_movehl_ps(four, four));
        return Fold::of(four[0], four[1]);
    }
};

/// kLanes numbers at even distances as fp32, or the first `count` and `filler` behind them.
template <Storage kStorage>
PLUMB_INLINE Floats loadApart(const typename Format<kStorage>::Type* from, Index step, Index count = kLanes,
                              float filler = 0) {
    alignas(64) float room[kLanes];
    store(room, everywhere(filler));
    for (Index i = 0; i < count; ++i) room[i] = Format<kStorage>::load(from + i * step);
    return load(room);
}

template <Storage kStorage, class Fold>
void fold(const void* a, const void*, float* results, LabRun outputs, LabRun lines, LabRun line) {
    using Type = typename Format<kStorage>::Type;
    for (Index output = 0; output < outputs.count; ++output) {
        const Type* x = static_cast<const Type*>(a) + output * outputs.inA;
        Folded<Fold> folded;
        for (Index i = 0; i < lines.count; ++i, x += lines.inA)
            if (line.inA == 1)
                folded.addLine(
                    line.count, [&](Index at) PLUMB_INLINE_LAMBDA { return load(x + at); },
                    [&](Index at, Index n) PLUMB_INLINE_LAMBDA { return loadSome(x + at, n, Fold::kStart); });
            else
                folded.addLine(
                    line.count,
                    [&](Index at)
                        PLUMB_INLINE_LAMBDA { return loadApart<kStorage>(x + at * line.inA, line.inA); },
                    [&](Index at, Index n) PLUMB_INLINE_LAMBDA {
                        return loadApart<kStorage>(x + at * line.inA, line.inA, n, Fold::kStart);
                    });
        results[output] = Fold::of(results[output], folded.value());
    }
}

/// The sum of `x` over a line, times one number.
template <Storage kStorage>
PLUMB_INLINE void addTimes(Folded<Adding>& folded, typename Format<kStorage>::Type factor,
                           const typename Format<kStorage>::Type* x, Index count) {
    const Floats all = everywhere(Format<kStorage>::load(&factor));
    alignas(64) float room[kLanes];
    folded.addLine(
        count, [&](Index at) PLUMB_INLINE_LAMBDA { return load(x + at) * all; },
        [&](Index at, Index n) PLUMB_INLINE_LAMBDA {
            // Multiplied before what is behind them becomes 0: infinity times 0 is none.
            store(room, loadSome(x + at, n, 0) * all);
            return loadSome(room, n, 0);
        });
}
template <Storage kStorage>
void dot(const void* a, const void* b, float* results, LabRun outputs, LabRun lines, LabRun line) {
    using Type = typename Format<kStorage>::Type;
    for (Index output = 0; output < outputs.count; ++output) {
        const Type* x = static_cast<const Type*>(a) + output * outputs.inA;
        const Type* y = static_cast<const Type*>(b) + output * outputs.inB;
        Folded<Adding> folded;
        for (Index i = 0; i < lines.count; ++i, x += lines.inA, y += lines.inB)
            if (line.inA == 1 && line.inB == 1)
                folded.addLine(
                    line.count, [&](Index at) PLUMB_INLINE_LAMBDA { return load(x + at) * load(y + at); },
                    [&](Index at, Index n)
                        PLUMB_INLINE_LAMBDA { return loadSome(x + at, n, 0) * loadSome(y + at, n, 0); });
            else if (line.inA == 0 && line.inB == 1)
                addTimes<kStorage>(folded, *x, y, line.count);
            else if (line.inA == 1 && line.inB == 0)
                addTimes<kStorage>(folded, *y, x, line.count);
            else
                folded.addLine(
                    line.count,
                    [&](Index at) PLUMB_INLINE_LAMBDA {
                        return loadApart<kStorage>(x + at * line.inA, line.inA) *
                               loadApart<kStorage>(y + at * line.inB, line.inB);
                    },
                    [&](Index at, Index n) PLUMB_INLINE_LAMBDA {
                        return loadApart<kStorage>(x + at * line.inA, line.inA, n) *
                               loadApart<kStorage>(y + at * line.inB, line.inB, n);
                    });
        results[output] += folded.value();
    }
}

/// results[i] = Fold::of(results[i], of(values of number i)) for every line. Of a short row the results stay
/// in registers from line to line; of a long one memory is read in runs.
template <class Fold, class Whole, class Some>
PLUMB_INLINE void foldRows(float* results, Index count, Index lines, const Whole& whole, const Some& some) {
    constexpr Index kShortRow = 4 * kLanes, kStreams = 8;
    const Index most = count <= kShortRow ? lines : kStreams;
    for (Index first = 0; first < lines; first += most) {
        const Index end = smaller(lines, first + most);
        Index i = 0;
        for (; i + kLanes <= count; i += kLanes) {
            Floats folded = load(results + i);
            for (Index line = first; line < end; ++line) folded = Fold::of(folded, whole(line, i));
            store(results + i, folded);
        }
        if (i == count) continue;
        Floats folded = loadSome(results + i, count - i, 0);
        for (Index line = first; line < end; ++line) folded = Fold::of(folded, some(line, i, count - i));
        storeSome(results + i, count - i, folded);
    }
}
template <Storage kStorage, class Fold>
void foldRow(const void* a, const void*, float* results, LabRun outputs, LabRun lines) {
    const auto* x = static_cast<const typename Format<kStorage>::Type*>(a);
    foldRows<Fold>(
        results, outputs.count, lines.count,
        [&](Index line, Index i) PLUMB_INLINE_LAMBDA { return load(x + line * lines.inA + i); },
        [&](Index line, Index i, Index n)
            PLUMB_INLINE_LAMBDA { return loadSome(x + line * lines.inA + i, n, 0); });
}
template <Storage kStorage>
void dotRow(const void* a, const void* b, float* results, LabRun outputs, LabRun lines) {
    using F = Format<kStorage>;
    const auto* x = static_cast<const typename F::Type*>(a);
    const auto* y = static_cast<const typename F::Type*>(b);
    if (outputs.inA == 0 || outputs.inB == 0) {
        const bool isFirst = outputs.inA == 0;
        const auto* factors = isFirst ? x : y;
        const auto* values = isFirst ? y : x;
        const Index stepOfFactor = isFirst ? lines.inA : lines.inB, step = isFirst ? lines.inB : lines.inA;
        const auto factor = [&](Index line) PLUMB_INLINE_LAMBDA {
            return everywhere(F::load(factors + line * stepOfFactor));
        };
        foldRows<Adding>(
            results, outputs.count, lines.count,
            [&](Index line, Index i)
                PLUMB_INLINE_LAMBDA { return factor(line) * load(values + line * step + i); },
            [&](Index line, Index i, Index n)
                PLUMB_INLINE_LAMBDA { return factor(line) * loadSome(values + line * step + i, n, 0); });
        return;
    }
    foldRows<Adding>(
        results, outputs.count, lines.count,
        [&](Index line, Index i)
            PLUMB_INLINE_LAMBDA { return load(x + line * lines.inA + i) * load(y + line * lines.inB + i); },
        [&](Index line, Index i, Index n) PLUMB_INLINE_LAMBDA {
            return loadSome(x + line * lines.inA + i, n, 0) * loadSome(y + line * lines.inB + i, n, 0);
        });
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

template <Storage kStorage>
void productLine(const void* a, const void* b, void* result, Index count, Index stepA, Index stepB) {
    using Type = typename Format<kStorage>::Type;
    const auto* x = static_cast<const Type*>(a);
    const auto* y = static_cast<const Type*>(b);
    auto* out = static_cast<Type*>(result);
    if (stepA == 1 && stepB == 1) {
        Index i = 0;
        for (; i + kLanes <= count; i += kLanes) store(out + i, load(x + i) * load(y + i));
        if (i < count)
            storeSome(out + i, count - i, loadSome(x + i, count - i, 0) * loadSome(y + i, count - i, 0));
    } else if (stepA + stepB == 1) {
        const Floats factor = everywhere(Format<kStorage>::load(stepA == 0 ? x : y));
        mapVectors(stepA == 0 ? y : x, out, count,
                   [&](Floats it) PLUMB_INLINE_LAMBDA { return it * factor; });
    } else {
        Index i = 0;
        for (; i + kLanes <= count; i += kLanes)
            store(out + i,
                  loadApart<kStorage>(x + i * stepA, stepA) * loadApart<kStorage>(y + i * stepB, stepB));
        if (i < count)
            storeSome(out + i, count - i,
                      loadApart<kStorage>(x + i * stepA, stepA, count - i) *
                          loadApart<kStorage>(y + i * stepB, stepB, count - i));
    }
}

// 16 rows of 16 become its columns.
template <class Bits>
PLUMB_INLINE void turnSmall(const Bits* in, Index stride, Bits* out, Index outStride) {
#if defined(__AVX512BW__)
    // Transposes by exchanging ever larger blocks beside the diagonal.
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
