// SPDX-License-Identifier: Apache-2.0
// The optimizers, compiled once per instruction set.
// A part of kernels_body.h, under its rules.

#pragma once

#include "kernels/cpu/numbers_body.h"

#include <immintrin.h>

namespace plumb::cpu {
namespace {

// ---- optimizers: torch.optim's order of operations

template <ParameterStorage kStorage>
struct StoredParameter {
    using Type = Bf16;
};
template <>
struct StoredParameter<ParameterStorage::Fp32> {
    using Type = float;
};

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

// Reads the parameter that the optimizer updates, lets `step` change it, and writes every copy of it.
template <ParameterStorage kStorage, class Step>
PLUMB_INLINE void updateAll(const UpdateArguments& update, Step step) {
    using T = typename StoredParameter<kStorage>::Type;
    T* __restrict weight = static_cast<T*>(update.weight);
    float* __restrict master = update.master;
    const T* __restrict gradient = static_cast<const T*>(update.gradient);
    float* __restrict moment1 = update.moment1;
    float* __restrict moment2 = update.moment2;
    const Index count = update.count;
    const FlushDenormals flush;
    for (Index i = 0; i < count; ++i) {
        const float old = kStorage == ParameterStorage::Bf16WithMaster ? master[i] : load(weight + i);
        const float updated = step(old, load(gradient + i), moment1, moment2, i);
        if constexpr (kStorage == ParameterStorage::Bf16WithMaster) master[i] = updated;
        store(weight + i, updated);
    }
}

template <ParameterStorage kStorage>
void sgd(const UpdateArguments& update) {
    const float rate = update.learningRate;
    const float decay = update.weightDecay;
    updateAll<kStorage>(update,
                        [=](float p, float g, float*, float*, Index) { return p - rate * (g + decay * p); });
}

template <ParameterStorage kStorage>
void adagrad(const UpdateArguments& update) {
    const float rate = update.learningRate;
    const float decay = update.weightDecay;
    updateAll<kStorage>(update, [=](float p, float g, float* __restrict sum, float*, Index i) {
        const float gradient = g + decay * p;
        const float squares = sum[i] + gradient * gradient;
        sum[i] = squares;
        return p - rate * (gradient / (__builtin_sqrtf(squares) + 1e-10F));
    });
}

template <ParameterStorage kStorage>
void adamw(const UpdateArguments& update) {
    const float rate = update.learningRate;
    const float keep = update.keep;
    const float correction = update.secondCorrection;  // torch divides by its inverse; a product is cheaper
    constexpr auto kBeta1Rest = static_cast<float>(1.0 - 0.9);
    constexpr auto kBeta2 = static_cast<float>(0.999);
    constexpr auto kBeta2Rest = static_cast<float>(1.0 - 0.999);
    updateAll<kStorage>(update, [=](float p, float g, float* __restrict m, float* __restrict v, Index i) {
        const float kept = p * keep;
        const float first = m[i] + kBeta1Rest * (g - m[i]);
        const float second = v[i] * kBeta2 + kBeta2Rest * (g * g);
        m[i] = first;
        v[i] = second;
        return kept - rate * (first / (__builtin_sqrtf(second) * correction + 1e-8F));
    });
}

}  // namespace
}  // namespace plumb::cpu
