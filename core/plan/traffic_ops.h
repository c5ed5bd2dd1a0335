// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan_builder.h"

namespace plumb {

/// Appends the collectives of a step of several ranks, each where what it moves is whole: in the last pass of
/// the micro-batches. A step of one rank has none.
class TrafficOps {
public:
    /// `builder` outlives it.
    explicit TrafficOps(PlanBuilder& builder) : m_builder(builder) {}

    /// After the op that writes it.
    void sendLoss(TensorId loss);
    /// After the op that makes that of `layer` whole; those of the layers above are, or have gone already.
    void sendGradient(std::int32_t layer, TensorRange gradient);
    /// At the end of a pass: fp8's amaxes, of which the next scales are made.
    void sendScales();

private:
    /// Whether what this pass makes is whole, and that of other ranks is needed.
    [[nodiscard]] bool travels() const;
    /// `exchange`: its buffer, -1 before the first; collectives that follow each other have one in turn.
    void addAllReduce(Phase phase, std::int32_t layer, TensorRange moved, TensorId& exchange);

    PlanBuilder& m_builder;
    TensorId m_exchange = -1;
    TensorRange m_bucket;  ///< gradients that are whole and have not been sent ...
    Bytes m_bucketBytes = 0;
    int m_buckets = 0;  ///< ... and how many buckets have been
};

}  // namespace plumb
