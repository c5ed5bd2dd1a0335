// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan_builder.h"

#include <array>

namespace plumb {

/// What one step leaves to the next, and the gradients: a tensor per parameter matrix each, or the own slice
/// of one (isSliced()), layers first, then the head. A range of no tensors: this training has none.
struct StateTensors {
    TensorRange weights;
    TensorRange transposed;  ///< the weights of the layers once more, as a forward product reads them
    TensorRange masters;
    std::array<TensorRange, 3> moments{};
    TensorRange gradients;
    TensorId loss = -1;
};

/// Adds them to a plan that has nothing yet, with the tensors that control a step. `sharedScratch`: bytes
/// that the ops of the backend share.
[[nodiscard]] StateTensors addStateTensors(PlanBuilder& builder, Bytes sharedScratch);

}  // namespace plumb
