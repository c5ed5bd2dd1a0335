// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"

#include <functional>

namespace plumb::common {

/// Whether `tensor` of the op of `call` is there with at least `bytes`. Errors: Internal naming op and
/// tensor.
[[nodiscard]] Result<void> checkResident(const StepPlan& plan, const OpCall& call, TensorId tensor,
                                         Bytes bytes);

/// The same of all that the op names and of the control tensors, which are open to every op. `bytesOf`: what
/// the backend's kernels address there.
[[nodiscard]] Result<void> checkResident(const StepPlan& plan, const OpCall& call,
                                         const std::function<Bytes(TensorId)>& bytesOf);

}  // namespace plumb::common
