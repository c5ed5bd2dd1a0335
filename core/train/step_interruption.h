// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/entry_at.h"
#include "core/train/step_tensors.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <utility>
#include <vector>

namespace plumb {

/// Ends a step between two ops once it is asked to, unless the step has begun to change weights or states:
/// such a step runs to its end. An interrupted one leaves everything that outlives steps as it was.
class StepInterruption {
public:
    /// All of them outlive it.
    StepInterruption(const StepPlan& plan, Backend& backend, StepTensors& tensors);

    void setStop(std::stop_token stop) { m_stop = std::move(stop); }
    /// Keeps a copy of what a step changes on its way, where it may be interrupted. Errors: of the backend.
    [[nodiscard]] Result<void> beginStep();
    /// Whether the step ends here, before this op; to be asked before every op.
    [[nodiscard]] bool endsBefore(std::int32_t op) {
        m_updated = m_updated || entryAt(m_updates, op);
        if (m_updated || !m_stop.stop_requested()) return false;
        m_interrupted = true;
        return true;
    }
    [[nodiscard]] bool isInterrupted() const { return m_interrupted; }
    /// Puts back what beginStep() has kept. After an error of the backend the step counts as failed, not as
    /// interrupted: nothing of the state may be kept.
    [[nodiscard]] Result<void> undo();

private:
    [[nodiscard]] Result<void> upload();

    const StepPlan& m_plan;
    Backend& m_backend;
    StepTensors& m_tensors;
    std::stop_token m_stop;
    std::vector<bool> m_updates;  ///< by op: whether it writes a weight or a state
    bool m_updated = false;       ///< one of them has run in this step
    bool m_interrupted = false;
    /// The scalings of fp16 and fp8 as they were before the step.
    std::vector<std::pair<TensorId, std::vector<std::byte>>> m_controls;
};

}  // namespace plumb
