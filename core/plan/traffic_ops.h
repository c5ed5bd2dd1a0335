// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan_builder.h"

namespace plumb {

/// Appends the collectives of a step of several ranks. What is reduced travels where it is whole: in the last
/// pass of the micro-batches, or in each of them where ranks share gradients. A step of one rank has none.
class TrafficOps {
public:
    /// `builder` outlives it.
    explicit TrafficOps(PlanBuilder& builder) : m_builder(builder) {}

    /// After the op that writes it.
    void sendLoss(TensorId loss);
    /// After the op that makes that of `layer` whole; those of the layers above are, or have gone already.
    /// `slice`: where a rank keeps its own part, the same tensor where all of it stays.
    void sendGradient(std::int32_t layer, TensorRange gradient, TensorRange slice);
    /// At the end of a pass: fp8's amaxes, of which the next scales are made.
    void endPass();

    /// Before a product that reads them: all weights of `layer`, of which this rank has `slice`.
    void gatherWeight(Phase phase, std::int32_t layer, std::int32_t forLayer, TensorRange slice,
                      TensorRange gathered);

    /// After the product whose result `part` is this rank's part of a sum, of h or y or of a gradient of h of
    /// `layer`.
    void sumParts(Phase phase, std::int32_t layer, std::int32_t forLayer, TensorRange part);

    // Around the update, where each rank sees its own slices or parts alone.
    /// After the op that writes the norm of the gradients, on which the update depends.
    void sendNorm(TensorId loss);
    /// After the update: the weights of which each rank has changed a slice, fp8's amaxes of the weights, and
    /// the norms.
    void sendUpdated(TensorRange weights, TensorId loss);

private:
    /// Whether this is the pass whose gradients are whole, and other ranks are there.
    [[nodiscard]] bool isLast() const;
    [[nodiscard]] bool shares(Zero what) const { return m_builder.config().parallel.shares(what); }
    Op& newTraffic(OpKind kind, Phase phase, std::int32_t layer);
    /// Finishes the newest op, with a buffer where the others' slices wait to be added. `exchange`: that
    /// buffer, -1 before the first; collectives that follow each other have one in turn.
    void finish(TensorId& exchange);
    void reduce(Phase phase, TensorRange moved, TensorId& exchange);
    void reduceLoss(Phase phase, TensorId loss, std::int32_t firstColumn, std::int32_t columns,
                    RankAxis axis = RankAxis::Data);
    void reduceNorms(TensorId loss, RankAxis axis);
    void scatterSoon(std::int32_t layer, TensorRange gradient, TensorRange slice);

    PlanBuilder& m_builder;
    TensorId m_exchange = -1;
    TensorRange m_bucket;  ///< gradients that are whole and have not been sent ...
    Bytes m_bucketBytes = 0;
    int m_buckets = 0;                ///< ... and how many buckets have been
    std::int32_t m_lastScatter = -1;  ///< in this pass, of one layer
};

}  // namespace plumb
