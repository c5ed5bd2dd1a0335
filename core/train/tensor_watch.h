// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/train/step_tensors.h"

#include <cstdint>
#include <optional>

namespace plumb {

/// Keeps a copy of one tracked tensor (see statisticsSlot()) as soon as an op has written it, the newest of a
/// step's copies: of the last micro-batch, of a gradient when all have been added.
class TensorWatch {
public:
    /// Both outlive it.
    TensorWatch(const StepPlan& plan, const StepTensors& tensors) : m_plan(plan), m_tensors(tensors) {}

    /// In steps from now on, which it slows: a watched one is best not measured. Errors: BadInput for a
    /// tensor that no op of the step writes.
    [[nodiscard]] Result<void> begin(TensorRole role, std::int32_t layer);
    [[nodiscard]] bool isOn() const { return m_slot >= 0; }
    /// `lossScale`: of this step, for gradients.
    [[nodiscard]] Result<void> afterOp(const Op& op, double lossScale);
    /// The copy, if a step has written the tensor; ends the watching.
    [[nodiscard]] std::optional<TensorCopy> take();

private:
    [[nodiscard]] bool isWatched(TensorId id) const;

    const StepPlan& m_plan;
    const StepTensors& m_tensors;
    std::int64_t m_slot = -1;  ///< statisticsSlot() of the watched tensor; -1: nothing is watched
    std::optional<TensorCopy> m_copy;
};

}  // namespace plumb
