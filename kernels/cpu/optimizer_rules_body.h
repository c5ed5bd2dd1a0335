// SPDX-License-Identifier: Apache-2.0
// The passes of the optimizers over what is in memory, compiled once per instruction set.
// A part of kernels_body.h, under its rules.
//
// All arithmetic is fp32 in 16 lanes, so that every instruction set gives the same bits; the caller decodes
// and encodes what is stored in other types.

#pragma once

#include "kernels/common/optimizer_rules.h"
#include "kernels/cpu/numbers_body.h"
#include "kernels/cpu/optimizer_kernels.h"

namespace plumb::cpu {
namespace {

// The moments of a parameter whose gradient has become 0 (a dead ReLU) decay into denormal numbers and stay
// there, where arithmetic is 8 times slower. Here, and only here, they count as 0; that changes nothing above
// 1e-38.
class FlushDenormals {
public:
    PLUMB_INLINE FlushDenormals() : m_before(_mm_getcsr()) {
        _mm_setcsr(m_before | kFlushToZero | kInputsAreZero);
    }
    PLUMB_INLINE ~FlushDenormals() { _mm_setcsr(m_before); }
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

private:
    static constexpr unsigned kFlushToZero = 0x8000;
    static constexpr unsigned kInputsAreZero = 0x0040;
    unsigned m_before;
};

// 16 lanes are one, two or four vectors of the processor: GCC makes poor code of vectors that are wider than
// those.
#if defined(__AVX512F__)
constexpr Index kWidth = 16;
#elif defined(__AVX__)
constexpr Index kWidth = 8;
#else
constexpr Index kWidth = 4;
#endif
constexpr Index kSumLanes = 16;
constexpr Index kVectors = kSumLanes / kWidth;
typedef float Vector __attribute__((vector_size(4 * kWidth)));
// As vectors lie in arrays. A type of its own: templates drop the attributes of what they are given, and a
// reference to a Vector may count on its alignment.
typedef float StoredVector __attribute__((vector_size(4 * kWidth), aligned(4), may_alias));

PLUMB_INLINE Vector loadVector(const float* from) { return *reinterpret_cast<const StoredVector*>(from); }
PLUMB_INLINE void storeVector(float* to, const Vector& value) {
    *reinterpret_cast<StoredVector*>(to) = value;
}
PLUMB_INLINE Vector vectorOf(float value) { return Vector{} + value; }

// GCC has no square root of its own vectors.
PLUMB_INLINE Vector squareRoot(const Vector& value) {
#if defined(__AVX512F__)
    return reinterpret_cast<Vector>(_mm512_sqrt_ps(reinterpret_cast<__m512>(value)));
#elif defined(__AVX__)
    return reinterpret_cast<Vector>(_mm256_sqrt_ps(reinterpret_cast<__m256>(value)));
#else
    return reinterpret_cast<Vector>(_mm_sqrt_ps(reinterpret_cast<__m128>(value)));
#endif
}

// A sum in 16 lanes.
struct LaneSums {
    Vector part[kVectors] = {};
    PLUMB_INLINE void addSquares(Index vector, const Vector& value) { part[vector] += value * value; }
    PLUMB_INLINE double total() const {
        alignas(64) float room[kSumLanes];
#pragma GCC unroll 4
        for (Index vector = 0; vector < kVectors; ++vector) storeVector(room + vector * kWidth, part[vector]);
        float eight[8];
        for (int i = 0; i < 8; ++i) eight[i] = room[i] + room[i + 8];
        return static_cast<double>(((eight[0] + eight[4]) + (eight[2] + eight[6])) +
                                   ((eight[1] + eight[5]) + (eight[3] + eight[7])));
    }
};

// Up to 16 elements with zeros behind them.
struct Padded {
    alignas(64) float values[kSumLanes] = {};
    PLUMB_INLINE Padded() {}
    PLUMB_INLINE Padded(const float* from, Index count) {
        for (Index i = 0; i < count; ++i) values[i] = from[i];
    }
    PLUMB_INLINE void copyTo(float* to, Index count) const {
        for (Index i = 0; i < count; ++i) to[i] = values[i];
    }
};

struct SquareLanes {
    LaneSums gradient, update, parameter;
    PLUMB_INLINE void addTo(StepSquares& squares) const {
        squares.gradient += gradient.total();
        squares.update += update.total();
        squares.parameter += parameter.total();
    }
};

// Elements by which memory is asked for before its turn: the step's sums leave the processor too little room
// to run ahead by itself, which costs SGD a fifth of the bandwidth. 2 KiB were best among 0.5 to 4. The
// address may lie beyond the arrays: a prefetch never faults.
constexpr Index kAhead = 512;

// Hands the parameters to `step(p, g, states)` vector by vector; it returns their new values.
template <int kStates, class Step>
PLUMB_INLINE void updateRun(const RuleArguments& run, Step step) {
    const FlushDenormals flush;
    const float factor = run.gradientFactor;
    for (Index begin = 0; begin < run.count; begin += kRuleBlock) {
        const Index count = smaller(kRuleBlock, run.count - begin);
        float* const parameter = run.parameter + begin;
        const float* const gradient = run.gradient + begin;
        float* states[3];
        for (int state = 0; state < kStates; ++state) states[state] = run.states[state] + begin;
        SquareLanes lanes;
        Index i = 0;
        for (; i + kSumLanes <= count; i += kSumLanes)
#pragma GCC unroll 4
            for (Index vector = 0; vector < kVectors; ++vector) {
                const Index at = i + vector * kWidth;
                Vector s[3];
                for (int state = 0; state < kStates; ++state) s[state] = loadVector(states[state] + at);
                if (vector == 0) {
                    __builtin_prefetch(parameter + at + kAhead, 1);
                    __builtin_prefetch(gradient + at + kAhead);
                    for (int state = 0; state < kStates; ++state)
                        __builtin_prefetch(states[state] + at + kAhead, 1);
                }
                const Vector p = loadVector(parameter + at);
                const Vector g = loadVector(gradient + at) * factor;
                const Vector updated = step(p, g, s);
                storeVector(parameter + at, updated);
                for (int state = 0; state < kStates; ++state) storeVector(states[state] + at, s[state]);
                lanes.gradient.addSquares(vector, g);
                lanes.update.addSquares(vector, updated - p);
                lanes.parameter.addSquares(vector, p);
            }
        if (const Index rest = count - i; rest > 0) {
            Padded p(parameter + i, rest), g(gradient + i, rest), updated, change, s[3];
            for (int state = 0; state < kStates; ++state) s[state] = Padded(states[state] + i, rest);
            for (Index j = 0; j < rest; ++j) g.values[j] *= factor;
            for (Index at = 0; at < kSumLanes; at += kWidth) {
                Vector vectors[3];
                for (int state = 0; state < kStates; ++state)
                    vectors[state] = loadVector(s[state].values + at);
                storeVector(updated.values + at,
                            step(loadVector(p.values + at), loadVector(g.values + at), vectors));
                for (int state = 0; state < kStates; ++state)
                    storeVector(s[state].values + at, vectors[state]);
            }
            for (Index j = 0; j < rest; ++j) change.values[j] = updated.values[j] - p.values[j];
            updated.copyTo(parameter + i, rest);
            for (int state = 0; state < kStates; ++state) s[state].copyTo(states[state] + i, rest);
#pragma GCC unroll 4
            for (Index vector = 0; vector < kVectors; ++vector) {
                lanes.gradient.addSquares(vector, loadVector(g.values + vector * kWidth));
                lanes.update.addSquares(vector, loadVector(change.values + vector * kWidth));
                lanes.parameter.addSquares(vector, loadVector(p.values + vector * kWidth));
            }
        }
        lanes.addTo(*run.squares);
    }
}

struct VectorMath {
    using Value = Vector;
    PLUMB_INLINE static Vector splat(float value) { return vectorOf(value); }
    PLUMB_INLINE static Vector larger(const Vector& a, const Vector& b) { return a > b ? a : b; }
    PLUMB_INLINE static Vector squareRoot(const Vector& value) { return plumb::cpu::squareRoot(value); }
};

template <Rule kRule>
void updateRule(const RuleArguments& run) {
    using Update = common::UpdateRule<kRule>;
    const RuleConstants c = *run.constants;
    updateRun<Update::kStates>(run, [&](const Vector& p, const Vector& g, Vector* s) PLUMB_INLINE_LAMBDA {
        return Update::template step<VectorMath>(c, p, g, s);
    });
}

double squaresOf(const float* in, Index count) {
    double total = 0;
    for (Index begin = 0; begin < count; begin += kRuleBlock) {
        const Index end = begin + smaller(kRuleBlock, count - begin);
        LaneSums lanes;
        Index i = begin;
        for (; i + kSumLanes <= end; i += kSumLanes)
#pragma GCC unroll 4
            for (Index vector = 0; vector < kVectors; ++vector)
                lanes.addSquares(vector, loadVector(in + i + vector * kWidth));
        if (i < end) {
            const Padded rest(in + i, end - i);
#pragma GCC unroll 4
            for (Index vector = 0; vector < kVectors; ++vector)
                lanes.addSquares(vector, loadVector(rest.values + vector * kWidth));
        }
        total += lanes.total();
    }
    return total;
}

// ---- Adafactor

// Calls visit(vector, a, b, c, count) for the vectors of some columns of up to three arrays (null: not
// there): the pointers lead to whole vectors; of the last 16 elements only `count` are the array's own, the
// others are 0.
template <class Visit>
PLUMB_INLINE void forVectors(Index columns, const float* a, const float* b, const float* c, Visit visit) {
    Index i = 0;
    for (; i + kSumLanes <= columns; i += kSumLanes)
#pragma GCC unroll 4
        for (Index vector = 0; vector < kVectors; ++vector) {
            const Index at = i + vector * kWidth;
            visit(vector, at, a + at, b == nullptr ? b : b + at, c == nullptr ? c : c + at);
        }
    if (const Index rest = columns - i; rest > 0) {
        const Padded lastA(a + i, rest);
        const Padded lastB = b == nullptr ? Padded() : Padded(b + i, rest);
        const Padded lastC = c == nullptr ? Padded() : Padded(c + i, rest);
#pragma GCC unroll 4
        for (Index vector = 0; vector < kVectors; ++vector) {
            const Index at = vector * kWidth;
            visit(vector, i + at, lastA.values + at, lastB.values + at, lastC.values + at);
        }
    }
}

void adafactorRows(const AdafactorArguments& block) {
    const FlushDenormals flush;
    for (Index row = 0; row < block.rows; ++row) {
        LaneSums gradients, parameters;
        forVectors(
            block.columns, block.gradient + row * block.stride, block.parameter + row * block.stride, nullptr,
            [&](Index vector, Index, const float* g, const float* p, const float*) PLUMB_INLINE_LAMBDA {
                gradients.addSquares(vector, loadVector(g) * block.gradientFactor);
                parameters.addSquares(vector, loadVector(p));
            });
        const double sum = gradients.total();
        block.sums[row] += sum;
        block.squares->gradient += sum;
        block.squares->parameter += parameters.total();
    }
}

void adafactorColumns(const AdafactorArguments& block) {
    const FlushDenormals flush;
    alignas(64) float sums[kAdafactorStripe] = {};
    for (Index row = 0; row < block.rows; ++row) {
        const float* __restrict gradient = block.gradient + row * block.stride;
        for (Index column = 0; column < block.columns; ++column) {
            const float g = gradient[column] * block.gradientFactor;
            sums[column] += g * g;
        }
    }
    for (Index column = 0; column < block.columns; ++column)
        block.sums[column] += static_cast<double>(sums[column]);
}

void adafactorNorm(const AdafactorArguments& block) {
    const FlushDenormals flush;
    const Vector largest = vectorOf(block.largestFactor);
    for (Index row = 0; row < block.rows; ++row) {
        LaneSums lanes;
        forVectors(
            block.columns, block.gradient + row * block.stride, block.columnFactor, nullptr,
            [&](Index vector, Index, const float* g, const float* factor, const float*) PLUMB_INLINE_LAMBDA {
                lanes.addSquares(vector,
                                 common::adafactorUpdate(loadVector(g) * block.gradientFactor,
                                                         block.rowFactor[row], loadVector(factor), largest));
            });
        *block.sums += lanes.total();
    }
}

void adafactorUpdate(const AdafactorArguments& block) {
    const FlushDenormals flush;
    const Vector largest = vectorOf(block.largestFactor);
    for (Index row = 0; row < block.rows; ++row) {
        float* const parameter = block.parameter + row * block.stride;
        const Index whole = block.columns / kSumLanes * kSumLanes;
        Padded last;
        LaneSums lanes;
        forVectors(block.columns, block.gradient + row * block.stride, block.columnFactor, parameter,
                   [&](Index vector, Index at, const float* g, const float* factor, const float* p)
                       PLUMB_INLINE_LAMBDA {
                           const Vector old = loadVector(p);
                           const Vector step =
                               common::adafactorUpdate(loadVector(g) * block.gradientFactor,
                                                       block.rowFactor[row], loadVector(factor), largest);
                           const Vector updated = old * block.keep - block.rate * step;
                           // What comes after the row's end is 0 and stays 0.
                           lanes.addSquares(vector, updated - old);
                           storeVector(at < whole ? parameter + at : last.values + (at - whole), updated);
                       });
        last.copyTo(parameter + whole, block.columns - whole);
        block.squares->update += lanes.total();
    }
}

constexpr OptimizerKernels kOptimizerKernels = {
    {updateRule<Rule::Sgd>, updateRule<Rule::Momentum>, updateRule<Rule::Nesterov>, updateRule<Rule::Adagrad>,
     updateRule<Rule::RmsProp>, updateRule<Rule::RmsPropMomentum>, updateRule<Rule::RmsPropCentered>,
     updateRule<Rule::RmsPropCenteredMomentum>, updateRule<Rule::Adam>, updateRule<Rule::AdamAmsgrad>,
     updateRule<Rule::AdamW>, updateRule<Rule::AdamWAmsgrad>, updateRule<Rule::Lion>},
    squaresOf,
    adafactorRows,
    adafactorColumns,
    adafactorNorm,
    adafactorUpdate,
};

}  // namespace
}  // namespace plumb::cpu
