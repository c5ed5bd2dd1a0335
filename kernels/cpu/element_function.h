// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"

#include <cstdint>
#include <string_view>

namespace plumb::cpu {

/// Whether applyFunction() knows it: all of lab::elementFunctions().
[[nodiscard]] bool hasFunction(std::string_view name);

/// One of lab::elementFunctions() over a tensor of fp32 or bf16, reckoned in fp32: element by element, or
/// for softmax, layer_norm and rms_norm row by row, with `row` elements in each. layer_norm and rms_norm
/// scale by 1 and shift by 0, as untrained ones do. `b` is the second operand of relu_backward (the gradient
/// is the first), add and multiply; nullptr for the others. Pre: hasFunction(name).
void applyFunction(std::string_view name, Dtype dtype, const void* a, const void* b, void* result,
                   std::int64_t elements, std::int64_t row, int threads);

/// Threads that applyFunction() spreads such a tensor over, at most.
[[nodiscard]] int functionThreads(std::string_view name, std::int64_t elements, std::int64_t row,
                                  int threads);

}  // namespace plumb::cpu
