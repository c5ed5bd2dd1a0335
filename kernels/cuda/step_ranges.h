// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/plan/step_plan.h"

#include <nvtx3/nvToolsExt.h>

#include <cstdint>
#include <string>

namespace plumb::cuda {

/// Names steps, phases and ops for profilers, as nested ranges of NVTX in a domain of our own ("plumbline").
/// Does nothing where no tool listens. To be used from the thread that runs the ops.
class StepRanges {
public:
    StepRanges();
    StepRanges(const StepRanges&) = delete;
    StepRanges& operator=(const StepRanges&) = delete;
    ~StepRanges() { endStep(); }

    /// The work of one op, or of one launch of a graph.
    class Part {
    public:
        explicit Part(nvtxDomainHandle_t domain) : m_domain(domain) {}
        Part(const Part&) = delete;
        Part& operator=(const Part&) = delete;
        ~Part() {
            if (m_domain != nullptr) nvtxDomainRangePop(m_domain);
        }

    private:
        nvtxDomainHandle_t m_domain;
    };
    /// In its step and phase, which begin where they are others than those of the op before.
    [[nodiscard]] Part op(const StepPlan& plan, const OpCall& call, bool capturing);
    /// After Part: ends the step where this is its last op.
    void finishedOp(const StepPlan& plan, const OpCall& call);
    [[nodiscard]] Part graphLaunch();
    /// The replayed step of this number was started as a whole.
    void startedStep(std::int64_t step);
    /// Whatever is open ends, as where a step is left in the middle.
    void endStep();

private:
    void push(const std::string& name);
    void beginStep(std::string name);

    nvtxDomainHandle_t m_domain;  ///< null: nobody listens
    std::string m_step;           ///< the one that is open; empty: none
    std::string m_phase;
    std::int64_t m_replayed = 0;  ///< number of the next replayed step
};

}  // namespace plumb::cuda
