// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/measure/reading.h"

#include <chrono>
#include <vector>

namespace plumb {

/// Probes the speed of a machine now and then while something is measured on it: a machine that is shared
/// with others changes within seconds, and what was measured is to be judged by what the machine was like.
class SpeedWatch {
public:
    /// A probe every `interval`; 0: none at all.
    SpeedWatch(Backend& backend, Seconds interval) : m_backend(backend), m_interval(interval) {}

    /// Whether look() would probe now.
    [[nodiscard]] bool isDue() const { return m_interval > 0 && Clock::now() >= m_next; }
    /// Probes when the time has come. What cannot be probed is left alone from then on: a run goes on all the
    /// same.
    void look();
    /// Probes once more, whatever the time.
    void lookAtTheEnd();

    /// The median of the probes, for the step of `plan`; absent when there were none.
    [[nodiscard]] std::optional<MeasuredSpeed> speed(const StepPlan& plan) const;
    [[nodiscard]] const std::vector<SpeedProbe>& probes() const { return m_probes; }

private:
    using Clock = std::chrono::steady_clock;

    Backend& m_backend;
    Seconds m_interval;
    Clock::time_point m_next = Clock::time_point::min();
    std::vector<SpeedProbe> m_probes;
};

}  // namespace plumb
