// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/element_function.h"

#include "kernels/cpu/element_storage.h"
#include "kernels/cpu/parallel.h"

#include <algorithm>
#include <cmath>

namespace plumb::cpu {

namespace {

constexpr float kNormEpsilon = 1e-5F;  // torch's default

float relu(float x) { return x > 0 ? x : 0; }
float gelu(float x) {
    constexpr float kRootOfTwoOverPi = 0.7978845608F, kCubic = 0.044715F;
    return 0.5F * x * (1 + std::tanh(kRootOfTwoOverPi * (x + kCubic * x * x * x)));
}
float silu(float x) { return x / (1 + std::exp(-x)); }
float copied(float x) { return x; }
float masked(float gradient, float x) { return x > 0 ? gradient : 0; }
float sum(float x, float y) { return x + y; }
float product(float x, float y) { return x * y; }

template <class Storage, float (*kFunction)(float)>
void each(const Storage* a, const Storage*, Storage* result, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) store(result[i], kFunction(load(a[i])));
}
template <class Storage, float (*kFunction)(float, float)>
void eachPair(const Storage* a, const Storage* b, Storage* result, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) store(result[i], kFunction(load(a[i]), load(b[i])));
}

template <class Storage>
void softmax(const Storage* a, const Storage*, Storage* result, std::int64_t count) {
    float largest = load(a[0]);
    for (std::int64_t i = 1; i < count; ++i) largest = std::max(largest, load(a[i]));
    float total = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const float power = std::exp(load(a[i]) - largest);
        total += power;
        store(result[i], power);
    }
    for (std::int64_t i = 0; i < count; ++i) store(result[i], load(result[i]) / total);
}
template <class Storage>
void layerNorm(const Storage* a, const Storage*, Storage* result, std::int64_t count) {
    const auto size = static_cast<float>(count);
    float mean = 0, spread = 0;
    for (std::int64_t i = 0; i < count; ++i) mean += load(a[i]);
    mean /= size;
    for (std::int64_t i = 0; i < count; ++i) spread += (load(a[i]) - mean) * (load(a[i]) - mean);
    const float scale = 1 / std::sqrt(spread / size + kNormEpsilon);
    for (std::int64_t i = 0; i < count; ++i) store(result[i], (load(a[i]) - mean) * scale);
}
template <class Storage>
void rmsNorm(const Storage* a, const Storage*, Storage* result, std::int64_t count) {
    float squares = 0;
    for (std::int64_t i = 0; i < count; ++i) squares += load(a[i]) * load(a[i]);
    const float scale = 1 / std::sqrt(squares / static_cast<float>(count) + kNormEpsilon);
    for (std::int64_t i = 0; i < count; ++i) store(result[i], load(a[i]) * scale);
}

template <class Storage>
struct Function {
    std::string_view name;
    void (*apply)(const Storage* a, const Storage* b, Storage* result, std::int64_t count);
    bool rows = false;  ///< a row at a time
};

template <class Storage>
const Function<Storage>* findFunction(std::string_view name) {
    static constexpr Function<Storage> kFunctions[] = {
        {"relu", each<Storage, relu>},
        {"relu_backward", eachPair<Storage, masked>},
        {"gelu", each<Storage, gelu>},
        {"silu", each<Storage, silu>},
        {"softmax", softmax<Storage>, true},
        {"layer_norm", layerNorm<Storage>, true},
        {"rms_norm", rmsNorm<Storage>, true},
        {"add", eachPair<Storage, sum>},
        {"multiply", eachPair<Storage, product>},
        {"copy", each<Storage, copied>},
    };
    const auto* const found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                           [&](const auto& function) { return function.name == name; });
    return found == std::end(kFunctions) ? nullptr : found;
}

/// Elements that stay together: a row, or one.
std::int64_t unitOf(std::string_view name, std::int64_t row) {
    return findFunction<float>(name)->rows ? std::max<std::int64_t>(row, 1) : 1;
}

template <class Storage>
void applyAs(std::string_view name, const Storage* a, const Storage* b, Storage* result,
             std::int64_t elements, std::int64_t row, int threads) {
    const Function<Storage>& function = *findFunction<Storage>(name);
    const std::int64_t unit = unitOf(name, row);
    parallelRanges(threads, elements, unit, std::max(unit, kElementsPerThread),
                   [&](std::int64_t begin, std::int64_t end) {
                       const std::int64_t step = function.rows ? unit : end - begin;
                       for (std::int64_t at = begin; at < end; at += step)
                           function.apply(a + at, b == nullptr ? b : b + at, result + at, step);
                   });
}

}  // namespace

bool hasFunction(std::string_view name) { return findFunction<float>(name) != nullptr; }

void applyFunction(std::string_view name, Dtype dtype, const void* a, const void* b, void* result,
                   std::int64_t elements, std::int64_t row, int threads) {
    if (dtype == Dtype::Bf16)
        applyAs(name, static_cast<const Bf16*>(a), static_cast<const Bf16*>(b), static_cast<Bf16*>(result),
                elements, row, threads);
    else
        applyAs(name, static_cast<const float*>(a), static_cast<const float*>(b), static_cast<float*>(result),
                elements, row, threads);
}

int functionThreads(std::string_view name, std::int64_t elements, std::int64_t row, int threads) {
    const std::int64_t unit = unitOf(name, row);
    return static_cast<int>(std::clamp<std::int64_t>(elements / std::max(unit, kElementsPerThread), 1,
                                                     std::min<std::int64_t>(threads, elements / unit)));
}

}  // namespace plumb::cpu
