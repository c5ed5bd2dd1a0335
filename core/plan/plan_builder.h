// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/op_cost.h"
#include "core/plan/step_plan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace plumb {

/// Builds the plan of one step from its tensors and from its ops in the order of execution.
///
/// Lifetimes follow from the ops alone: a tensor is resident from the first op that names it to the last one.
/// So freeing early is a matter of not naming a tensor again, and a backend that frees after the last use has
/// the same curve. What traffic names stays until the op that joins it: the first one that names any of it,
/// or of the optimizer, to which the control tensors are open that no op names; or the one that it was told
/// (joinByNext()). What follows the optimizer is joined at the end of the step.
class PlanBuilder {
public:
    /// Pre: `config` is validated. Room for so many ops and tensors is made at once, so that building a plan
    /// never moves what is there.
    PlanBuilder(const RunConfig& config, const BackendTraits& traits, const Place& place, std::size_t ops,
                std::size_t tensors);

    [[nodiscard]] StepPlan& plan() { return m_plan; }
    [[nodiscard]] const RunConfig& config() const { return m_plan.config; }
    [[nodiscard]] Tensor& tensor(TensorId id) { return m_plan.tensor(id); }

    TensorId addTensor(TensorRole role, Category category, Dtype dtype, std::int32_t layer, std::int64_t rows,
                       std::int64_t columns);
    /// A tensor that lives as long as the training.
    TensorId addPersistent(TensorRole role, Category category, Dtype dtype, std::int32_t layer,
                           std::int64_t rows, std::int64_t columns);

    /// Begins the ops of a micro-batch that is executed so many times in a step; ops outside are executed
    /// once.
    void beginPass(std::int32_t pass, std::int64_t executions);
    void endPass();
    [[nodiscard]] std::int32_t pass() const { return m_pass; }
    [[nodiscard]] std::int64_t executions() const { return m_executions; }
    /// Has the last op of the pass joined all traffic, whose next micro-batch begins anew.
    void joinAtEnd();

    /// Ops are made in their place and finished there: a plan has thousands of them. The op has nothing but
    /// its kind and its phase yet.
    Op& newOp(OpKind kind, Phase phase);
    /// Puts a range behind those that the op names already.
    template <std::size_t kCount>
    void append(std::array<TensorRange, kCount>& ranges, TensorRange range) {
        const auto place = std::ranges::find(ranges, 0, &TensorRange::count);
        if (place != ranges.end())
            *place = range;
        else
            m_isBroken = true;
    }
    /// The same as traffic, once in a step whatever the pass.
    Op& newTraffic(OpKind kind, Phase phase);
    /// Has the next op that computes join this traffic, if none has by then.
    void joinByNext(std::int32_t traffic);
    /// Finishes the op that was made last: lifetimes of what it names, what it joins, and its costs.
    void finishOp();

    /// Errors: BadInput when the tensors are larger than 63 bits count, Internal for an op that names more
    /// than it has room for, for a tensor that no op names and for traffic that none joins.
    [[nodiscard]] Result<StepPlan> take() &&;

private:
    /// Traffic that no op has joined yet, and whether the next one has to.
    struct Open {
        std::int32_t op = 0;
        bool byNext = false;
    };
    void use(const TensorRange& range, std::int32_t op);
    void useOperands(const Op& op, std::int32_t index);
    [[nodiscard]] bool joins(const Op& op, const Op& traffic) const;
    void joinTraffic(std::int32_t index);
    void joinAfterLast(const Open& open);

    StepPlan m_plan;
    ProductFlops m_products;
    std::int32_t m_pass = 0;
    std::int64_t m_executions = 1;
    std::vector<Open> m_open;
    bool m_isBroken = false;  ///< a mistake of ours: more ranges than an op has room for
};

[[nodiscard]] constexpr TensorRange oneTensor(TensorId id) { return TensorRange{id, 1}; }

}  // namespace plumb
