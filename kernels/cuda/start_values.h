// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/plan/step_plan.h"
#include "kernels/cuda/device.h"

#include <cstdint>
#include <span>

namespace plumb::cuda {

/// Enqueues what every persistent tensor of a step holds before the first step: weights and masters drawn
/// from `seed` with the CPU's very bits, the optimizer's states, the loss scale, the schedule, the scales of
/// fp8 weights, and a batch that stays from step to step. `tensors` by TensorId. Errors: Internal naming a
/// tensor that is not resident or too small, and those of the runtime.
[[nodiscard]] Result<void> writeStartValues(const StepPlan& plan, const BackendTraits& traits,
                                            std::span<const Buffer> tensors, std::uint64_t seed,
                                            cudaStream_t stream);

}  // namespace plumb::cuda
