// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan_builder.h"
#include "core/plan/recompute_schedule.h"
#include "core/plan/traffic_ops.h"

#include <vector>

namespace plumb {

/// A product of a pass that reads the weights of one layer.
struct WeightUse {
    Phase phase{};
    std::int32_t layer = 0;
    std::int32_t forLayer = 0;  ///< Op::forLayer of what is recomputed
};

/// Those of a pass in their order. The gradient of x has no reader, so the first layer's weights are read in
/// no backward pass.
[[nodiscard]] std::vector<WeightUse> weightUses(const RunConfig& config, const RecomputeSchedule& schedule);

/// Where a rank has a slice of each weight (ZeRO-3): gathers all of it before a product reads it, while the
/// one before computes, and gives it up afterwards. Two are there at a time, and those of the last layer and
/// of the head from the forward pass to the backward pass, which needs them next.
class GatheredWeights {
public:
    /// Both outlive it.
    GatheredWeights(PlanBuilder& builder, TrafficOps& traffic) : m_builder(builder), m_traffic(traffic) {}

    /// `slices`: of all matrices.
    void beginPass(std::vector<WeightUse> uses, TensorRange slices);
    /// Before the next product is made: appends the collectives that are due. Returns what it reads.
    [[nodiscard]] TensorRange beginUse();
    /// After that product.
    void endUse();

private:
    TensorId gather(const WeightUse& use);

    PlanBuilder& m_builder;
    TrafficOps& m_traffic;
    std::vector<WeightUse> m_uses;
    TensorRange m_slices;
    std::size_t m_next = 0;
    std::vector<TensorId> m_gathered;  ///< by layer; -1: not there
};

}  // namespace plumb
