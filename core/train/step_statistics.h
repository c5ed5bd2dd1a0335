// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/layer_statistics.h"
#include "core/train/step_tensors.h"

#include <cstdint>

namespace plumb {

/// Lets steps write the scale of their tensors to Statistics, and reads what the newest of those wrote.
class StepStatistics {
public:
    /// Both outlive it.
    StepStatistics(const StepPlan& plan, StepTensors& tensors) : m_plan(plan), m_tensors(tensors) {}

    /// Every step from now on writes them. Slows a step by a few per cent, so such a step is best not
    /// measured.
    void setOn(bool on) { m_isOn = on; }
    [[nodiscard]] bool isOn() const { return m_isOn; }
    /// Adds what a collective of the step has made whole, which no op writes; nothing else. Errors: those of
    /// the backend.
    [[nodiscard]] Result<void> addSum(const Op& collective, std::int64_t microBatch);
    /// After the step of that number.
    void afterStep(std::int64_t step) {
        if (!m_isOn) return;
        m_newest = step;
        ++m_observedSteps;
    }
    /// Those of the newest step that wrote them. Errors: those of the backend.
    [[nodiscard]] Result<LayerStatistics> read() const;

private:
    const StepPlan& m_plan;
    StepTensors& m_tensors;
    bool m_isOn = false;
    std::int64_t m_newest = -1;        ///< the newest step that wrote statistics; -1: none has
    std::int64_t m_observedSteps = 0;  ///< how many have
};

}  // namespace plumb
