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

/// Whether a tensor is seen whole before it gets its first scale in fp8: nothing that might be larger
/// follows.
[[nodiscard]] inline bool isSeenWhole(const RunConfig& config, TensorRole role) {
    return role == TensorRole::Weight || (role == TensorRole::Features && config.keepsBatch());
}

/// Whether what an op of `phase` writes into tensors of `role` is looked at in this call: on steps that write
/// statistics all is, on the others what the next step cannot do without, which is the amax of fp8 and, where
/// the loss is scaled, whether the gradients of the parameters are finite. Those are looked at once, when
/// they are whole. What a recomputation writes was seen before.
[[nodiscard]] inline bool isLookedAt(const RunConfig& config, const OpCall& call, Phase phase,
                                     TensorRole role) {
    if (phase == Phase::Recompute) return false;
    if (role == TensorRole::Gradient)
        return (call.writesStatistics || config.scalesLoss()) && call.microBatch + 1 == config.microBatches();
    return call.writesStatistics || dtypeSize(storedAs(config, role)) == 1;
}

/// The same of all parameters at once: their gradients, before the optimizer reads them ...
[[nodiscard]] inline bool looksAtGradients(const RunConfig& config, const OpCall& call) {
    return call.writesStatistics || config.scalesLoss();
}
/// ... and the weights that it writes.
[[nodiscard]] inline bool looksAtWeights(const RunConfig& config, const OpCall& call) {
    return call.writesStatistics || dtypeSize(config.weightDtype()) == 1;
}

}  // namespace plumb::common
