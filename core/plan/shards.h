// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/comm/comm_call.h"
#include "core/plan/step_plan.h"

#include <cstdint>

namespace plumb {

/// Whether a rank has its own slice alone of what the tensors of this role are (ZeRO).
[[nodiscard]] constexpr bool isSliced(const Parallel& parallel, TensorRole role) {
    switch (role) {
    case TensorRole::Master:
    case TensorRole::Moment1:
    case TensorRole::Moment2:
    case TensorRole::Moment3:
        return parallel.shares(Zero::States);
    case TensorRole::Gradient:
        return parallel.shares(Zero::Gradients);
    case TensorRole::Weight:
        return parallel.shares(Zero::Weights);
    default:
        return false;
    }
}

// Of the matrix that a rank sees, which is its part of one where ranks divide matrices (partOf()):

/// Elements of a matrix (Tensor::layer) as ranks divide it: n equal slices of shardElements(). Without ZeRO
/// there is nothing behind its own.
[[nodiscard]] std::int64_t paddedElements(const RunConfig& config, std::int64_t matrix);

/// Which elements of a matrix the rank at `place` updates, without padding, so that they may be none: all
/// where ranks share no states. A slice that is part of a whole tensor begins there, with no tensor of its
/// own.
[[nodiscard]] Slice ownSlice(const RunConfig& config, const Place& place, std::int64_t matrix);
/// The sum over all matrices.
[[nodiscard]] std::int64_t ownParameters(const StepPlan& plan);

/// Whether a rank along the tensor axis has the numbers of this matrix to itself, or is the first of all that
/// have the same: what is added up over the axis has to count them once.
[[nodiscard]] inline bool countsFor(const RunConfig& config, const Place& place, std::int64_t matrix) {
    return place.tensor == 0 || splitOf(config, matrix) != MatrixSplit::None;
}

/// Whether the norm of the gradients is known before the update: to clip by it, or because a rank sees of the
/// others' slices or parts in no other way whether they are finite (fp16).
[[nodiscard]] inline bool needsNormFirst(const RunConfig& config) {
    const bool seesParts = config.parallel.shares(Zero::States) || config.parallel.tensor > 1;
    return config.clipNorm > 0 || (seesParts && config.scalesLoss());
}

}  // namespace plumb
