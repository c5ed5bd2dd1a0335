// SPDX-License-Identifier: Apache-2.0
// How backends account for the memory of a tensor: their own book-keeping, not the plan's word, so that what
// is measured stays independent of what was planned.
#pragma once

#include "core/plan/step_plan.h"

#include <optional>

namespace plumb::common {

/// What the memory of a tensor is for, by its role.
[[nodiscard]] Category categoryOf(TensorRole role);

/// Bytes of `tensor` from its role and the shapes in `config`, never from the plan's own count. Nothing for
/// what each backend lays out in its own way: step control, masks and scratch.
[[nodiscard]] std::optional<Bytes> storedBytes(const RunConfig& config, const Tensor& tensor);

/// How tensors that training keeps track of (weights, activations and the gradients of both) are stored.
[[nodiscard]] Dtype storedAs(const RunConfig& config, TensorRole role);

}  // namespace plumb::common
