// SPDX-License-Identifier: Apache-2.0
// Which of the numbers that ops write are looked at: the same on every backend, so that Statistics are.
#pragma once

#include "core/engine/backend.h"
#include "kernels/common/tensor_memory.h"

namespace plumb::common {

/// Whether the numbers carry the loss scale.
[[nodiscard]] inline bool isGradient(TensorRole role) {
    return role == TensorRole::Gradient || role == TensorRole::ActivationGradient ||
           role == TensorRole::HeadGradient;
}

/// Whether over- and underflow of what is stored so are counted at every step.
[[nodiscard]] inline bool countsAtEveryStep(Dtype dtype) {
    return dtype == Dtype::Fp16 || dtype == Dtype::Fp8E4M3 || dtype == Dtype::Fp8E5M2;
}

/// Whether numbers that are stored so are looked at in this call: where some can be lost at every step,
/// others when the step writes statistics.
[[nodiscard]] inline bool isLookedAt(Dtype dtype, const OpCall& call) {
    return countsAtEveryStep(dtype) || call.writesStatistics;
}

/// The same of what an op of `phase` writes into tensors of `role`. What a recomputation writes was seen
/// before.
[[nodiscard]] inline bool isLookedAt(const RunConfig& config, const OpCall& call, Phase phase,
                                     TensorRole role) {
    return phase != Phase::Recompute && isLookedAt(storedAs(config, role), call);
}

}  // namespace plumb::common
