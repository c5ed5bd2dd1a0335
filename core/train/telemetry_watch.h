// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/capabilities.h"
#include "core/measure/reading.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plumb {

/// Asks a device now and then what it tells of itself while measured steps run, and adds up the energy that
/// its counter gives to stretches of them. Nothing of it is part of a timed step.
class TelemetryWatch {
public:
    /// Below this the counter, which drivers advance some ten times a second, says little.
    static constexpr Seconds kLeastCounted = 0.3;

    /// A sample every `interval` seconds. Energy is told from `leastCounted` seconds of measured steps on.
    TelemetryWatch(Backend& backend, Seconds interval, Seconds leastCounted = kLeastCounted)
        : m_backend(backend),
          m_device(backend.capabilities().telemetry),
          m_interval(interval),
          m_leastCounted(leastCounted) {}

    /// A measured step comes next, and none but such are under way: begins a stretch where none goes on.
    /// Returns the sample, when it was time for one.
    [[nodiscard]] std::optional<DeviceSample> beforeStep();
    /// A step of the stretch has been finished.
    void addStep() { m_steps += m_isCounting ? 1 : 0; }
    [[nodiscard]] bool isCounting() const { return m_isCounting; }
    /// Something else than measured steps comes next, and all of those are finished: ends the stretch.
    void pause();
    /// Leaves out the stretch that goes on: something else came in between.
    void drop() { m_isCounting = false; }
    /// Ends the stretch and samples once more, where anything was measured.
    [[nodiscard]] std::optional<DeviceSample> finish();

    /// Mean over the measured steps of the stretches that have ended; empty while the counter says too
    /// little.
    [[nodiscard]] std::optional<double> joulesPerStep() const;
    /// Into a reading of steps of `batch` samples: the telemetry, or why there is none.
    void describe(Reading& measured, std::int64_t batch) const;

private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] DeviceSample sample();
    void describeEnergy(Telemetry& telemetry, std::int64_t batch) const;

    Backend& m_backend;
    DeviceTelemetry* m_device;  ///< null: it tells nothing
    Seconds m_interval;
    Seconds m_leastCounted;
    Clock::time_point m_next = Clock::time_point::min();
    std::vector<DeviceSample> m_samples;

    bool m_isCounting = false;
    double m_energyThen = 0;  ///< at the beginning of the stretch
    Clock::time_point m_then;
    std::int64_t m_steps = 0;  ///< of the stretch

    std::int64_t m_countedSteps = 0;
    double m_joules = 0;
    Seconds m_seconds = 0;
    std::string m_energyAbsent;  ///< why the counter does not answer
};

}  // namespace plumb
