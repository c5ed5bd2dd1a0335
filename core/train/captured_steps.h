// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/capabilities.h"
#include "core/measure/step_metrics.h"
#include "core/plan/step_passes.h"
#include "core/train/residency.h"
#include "core/train/staged_batches.h"
#include "core/train/step_timing.h"

#include <cstdint>
#include <span>
#include <vector>

namespace plumb {

/// Steps that are captured once and then replayed by the device, which runs them behind the host.
class CapturedSteps {
public:
    /// All of them outlive it.
    CapturedSteps(const StepPlan& plan, std::span<const StepPass> passes, Backend& backend,
                  Residency& residency, StagedBatches& batches, StepTiming& timing);

    /// Gives what comes and goes one block of memory for good, where the backend captures steps and this one
    /// does not have too many ops. Errors: OutOfMemory; those of the backend.
    [[nodiscard]] Result<void> prepare();
    /// Whether prepare() has: the steps are meant to be replayed.
    [[nodiscard]] bool arePrepared() const { return m_residency.hasArena(); }
    [[nodiscard]] bool areCaptured() const { return !m_captures.empty(); }
    /// Captures the step after `steps` others. Pre: arePrepared(), and a step has run op by op since: kernels
    /// are loaded, and tables of addresses written. Errors: those of the backend.
    /// `listener`, unless it is null, is told of the ops while they are captured.
    [[nodiscard]] Result<void> capture(std::int64_t steps, OpListener* listener = nullptr);

    /// Starts the step after `steps` others. Pre: areCaptured(). Errors: those of the backend and of the
    /// data.
    [[nodiscard]] Result<void> replay(std::int64_t steps);
    /// Appends what the steps were like that have ended, in order; of `steps` that were started. `waits`: of
    /// all; else of so many that the device is not too far behind.
    [[nodiscard]] Result<void> collect(std::int64_t steps, bool waits, std::vector<StepMetrics>& results);
    /// What the first `steps` steps were like is known or of no interest.
    void beginAt(std::int64_t steps) { m_firstUnknown = steps; }

private:
    [[nodiscard]] Result<void> noteOps(std::span<const StepPass> passes, std::int64_t steps,
                                       OpListener* listener);
    [[nodiscard]] Result<void> noteOp(const OpCall& call, OpListener* listener);
    [[nodiscard]] Result<int> captureOne(std::span<const StepPass> passes, std::int64_t steps,
                                         OpListener* listener);
    [[nodiscard]] std::int64_t mostAhead() const;

    const StepPlan& m_plan;
    const std::span<const StepPass> m_passes;
    Backend& m_backend;
    StepReplay* m_replay;  ///< null: the backend cannot
    Residency& m_residency;
    StagedBatches& m_batches;
    StepTiming& m_timing;
    std::vector<std::int32_t> m_earlyUpdates;  ///< see earlyUpdates()
    std::vector<int> m_captures;               ///< replayed one after the other: one, or one for each pass
    std::int64_t m_firstUnknown = 0;
};

}  // namespace plumb
