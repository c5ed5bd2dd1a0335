// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/bandwidth_survey.h"

#include "core/engine/capabilities.h"
#include "core/machine/machine_speed.h"

#include <algorithm>
#include <optional>

namespace plumb {

namespace {

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

}  // namespace

Result<std::vector<BandwidthPoint>> surveyBandwidth(Backend& backend, std::span<const Bytes> workingSets,
                                                    const TrafficRate& rate, const SurveyProgress& progress,
                                                    const std::stop_token& stop) {
    SteadyMoments moments(backend);
    PLUMB_CHECK(moments.lookAround());
    std::vector<BandwidthPoint> curve;
    for (const Bytes workingSet : workingSets) {
        if (progress)
            progress("memory bandwidth", static_cast<int>(curve.size()),
                     static_cast<int>(workingSets.size()));
        BandwidthPoint point;
        point.workingSet = workingSet;
        const auto measure = [&]() -> Result<void> {
            for (double BandwidthPoint::*const pattern :
                 {&BandwidthPoint::read, &BandwidthPoint::copy, &BandwidthPoint::update}) {
                PLUMB_TRY(const double found, rate(pattern, workingSet));
                if (stop.stop_requested()) return surveyStopped();
                point.*pattern = std::max(point.*pattern, found);
            }
            return {};
        };
        PLUMB_CHECK(moments.measure(measure));
        curve.push_back(point);
    }
    return curve;
}

}  // namespace plumb
