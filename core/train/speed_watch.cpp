// SPDX-License-Identifier: Apache-2.0
#include "core/train/speed_watch.h"

#include "core/engine/capabilities.h"

namespace plumb {

namespace {

/// A long run keeps the newest: what it shows is its present speed too (SampleWindow).
constexpr std::size_t kMostProbes = 256;

}  // namespace

void SpeedWatch::look() {
    if (!isDue()) return;
    const auto probe = probeSpeed(m_backend);
    if (!probe.has_value() || !*probe) {
        m_interval = 0;  // there is none on this backend
        return;
    }
    if (m_probes.size() == kMostProbes) m_probes.erase(m_probes.begin());
    m_probes.push_back(**probe);
    m_next =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(m_interval));
}

void SpeedWatch::lookAtTheEnd() {
    m_next = Clock::time_point::min();
    look();
}

std::optional<MeasuredSpeed> SpeedWatch::speed(const StepPlan& plan) const {
    const std::optional<SpeedProbe> median = medianOf(m_probes);
    if (!median) return std::nullopt;
    return MeasuredSpeed{*median, shareOfCalibratedSpeed(plan, m_backend.machine(), *median)};
}

}  // namespace plumb
