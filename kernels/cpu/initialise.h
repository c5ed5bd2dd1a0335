// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "kernels/cpu/kernels.h"

#include <cstdint>
#include <span>

namespace plumb::cpu {

/// First values of all persistent tensors of a plan, by TensorId. Weights (and their masters, before
/// rounding) are element i of Philox' stream Weights or Head with the layer as its sub-stream, as
/// normalFromPhilox(), truncatedNormalAt() or uniformFromPhilox(), times the factor of initialWeights(), both
/// rounded to fp32.
///
/// fp8 weights get the scale of their own amax. The optimizer's states are 0, but for AdaGrad's
/// initial accumulator; the loss scale is the configuration's. Errors: Internal for a tensor that is not
/// resident or too small.
[[nodiscard]] Result<void> initialiseTensors(const StepPlan& plan, std::span<const Buffer> tensors,
                                             const Kernels& kernels, int threads, std::uint64_t seed);

}  // namespace plumb::cpu
