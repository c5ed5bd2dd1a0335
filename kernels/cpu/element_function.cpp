// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/element_function.h"

#include "kernels/cpu/lab_kernels.h"
#include "kernels/cpu/parallel.h"

#include <algorithm>
#include <iterator>

namespace plumb::cpu {

namespace {

struct Function {
    std::string_view name;
    LabFunction kernel;
    bool rows = false;  ///< a row at a time
};

constexpr Function kFunctions[] = {
    {"relu", LabFunction::Relu},
    {"relu_backward", LabFunction::ReluBackward},
    {"gelu", LabFunction::Gelu},
    {"silu", LabFunction::Silu},
    {"softmax", LabFunction::Softmax, true},
    {"layer_norm", LabFunction::LayerNorm, true},
    {"rms_norm", LabFunction::RmsNorm, true},
    {"add", LabFunction::Add},
    {"multiply", LabFunction::Multiply},
    {"subtract", LabFunction::Subtract},
    {"divide", LabFunction::Divide},
    {"sqrt", LabFunction::SquareRoot},
    {"rsqrt", LabFunction::InverseRoot},
    {"reciprocal", LabFunction::Reciprocal},
    {"square", LabFunction::Square},
    {"abs", LabFunction::Absolute},
    {"neg", LabFunction::Negative},
    {"copy", LabFunction::Copy},
};

const Function* findFunction(std::string_view name) {
    const auto* const found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                           [&](const Function& function) { return function.name == name; });
    return found == std::end(kFunctions) ? nullptr : found;
}

/// Elements that stay together: a row, or one.
std::int64_t unitOf(std::string_view name, std::int64_t row) {
    return findFunction(name)->rows ? std::max<std::int64_t>(row, 1) : 1;
}

}  // namespace

bool hasFunction(std::string_view name) { return findFunction(name) != nullptr; }

void applyFunction(std::string_view name, Dtype dtype, const void* a, const void* b, void* result,
                   std::int64_t elements, std::int64_t row, int threads) {
    const Function& function = *findFunction(name);
    const bool bf16 = dtype == Dtype::Bf16;
    const LabKernels::Apply apply = labKernels().apply[bf16 ? 1 : 0][static_cast<int>(function.kernel)];
    const std::int64_t unit = unitOf(name, row), size = bf16 ? 2 : 4;
    const auto* const first = static_cast<const std::byte*>(a);
    const auto* const second = static_cast<const std::byte*>(b);
    auto* const to = static_cast<std::byte*>(result);
    parallelRanges(threads, elements, unit, std::max(unit, kElementsPerThread),
                   [&](std::int64_t begin, std::int64_t end) {
                       const std::int64_t step = function.rows ? unit : end - begin;
                       for (std::int64_t at = begin; at < end; at += step)
                           apply(first + at * size, second == nullptr ? second : second + at * size,
                                 to + at * size, step);
                   });
}

int functionThreads(std::string_view name, std::int64_t elements, std::int64_t row, int threads) {
    const std::int64_t unit = unitOf(name, row);
    return static_cast<int>(std::clamp<std::int64_t>(elements / std::max(unit, kElementsPerThread), 1,
                                                     std::min<std::int64_t>(threads, elements / unit)));
}

}  // namespace plumb::cpu
