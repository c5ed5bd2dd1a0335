// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/gathered_weights.h"
#include "core/plan/state_tensors.h"

namespace plumb {

/// What the products of a step read and write of the parameter matrices: what stays, or what is whole for a
/// while where ranks share it (ZeRO).
class MatrixTensors {
public:
    /// All of them outlive it, and `state` is filled before the first pass.
    MatrixTensors(PlanBuilder& builder, TrafficOps& traffic, const StateTensors& state)
        : m_builder(builder), m_state(state), m_gathered(builder, traffic) {}

    void beginPass(const RecomputeSchedule& schedule);

    // The weights that the product reads which is made next: to be asked for before it has its op, since
    // gathering takes some.
    [[nodiscard]] TensorRange weight(std::int32_t layer);
    /// As the forward products of `count` layers from `layer` on read them.
    [[nodiscard]] TensorRange weightsForward(std::int32_t layer, std::int32_t count);
    /// Finishes that op.
    void finishProduct();

    /// Where the gradient stays, or the own slice of it.
    [[nodiscard]] TensorRange gradient(std::int32_t layer) const;
    /// What the gradient's product writes.
    [[nodiscard]] TensorRange wholeGradient(std::int32_t layer);

private:
    [[nodiscard]] bool shares(Zero what) const { return m_builder.config().parallel.shares(what); }

    PlanBuilder& m_builder;
    const StateTensors& m_state;
    GatheredWeights m_gathered;
};

}  // namespace plumb
