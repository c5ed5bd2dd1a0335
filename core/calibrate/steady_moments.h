// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/engine/capabilities.h"
#include "core/machine/machine_speed.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace plumb {

/// Tells the moments in which a machine is clearly slower than it mostly is from the others, by a probe
/// beside each measurement.
class SteadyMoments {
public:
    /// A part of the probe below this share of its median: a slow moment.
    static constexpr double kSlow = 0.8;
    /// So often a measurement is made at most.
    static constexpr int kMostAttempts = 3;

    explicit SteadyMoments(Backend& backend) : m_backend(backend) {}

    /// Probes some times before anything is measured, so that the first measurement is judged as well.
    [[nodiscard]] Result<void> lookAround() {
        while (m_probes.size() < kFewestProbes) {
            PLUMB_TRY(const std::optional<SpeedProbe> probe, plumb::probeSpeed(m_backend));
            if (!probe) break;
            m_probes.push_back(*probe);
        }
        return {};
    }

    /// Calls measure(), and again while the machine was slow meanwhile. Errors: those of measure() and of the
    /// probe.
    template <class Measure>
    [[nodiscard]] Result<void> measure(Measure&& measure) {
        const std::optional<SpeedProbe> usual =
            m_probes.size() < kFewestProbes ? std::nullopt : medianOf(m_probes);
        for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
            PLUMB_CHECK(measure());
            PLUMB_TRY(const std::optional<SpeedProbe> probe, plumb::probeSpeed(m_backend));
            if (!probe) break;
            m_probes.push_back(*probe);
            if (!usual) break;
            if (relativeSpeed(*probe, *usual).slowest() >= kSlow) break;
        }
        return {};
    }

private:
    static constexpr std::size_t kFewestProbes = 5;

    Backend& m_backend;
    std::vector<SpeedProbe> m_probes;
};

}  // namespace plumb
