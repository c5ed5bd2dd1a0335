// SPDX-License-Identifier: Apache-2.0
#include "core/train/telemetry_watch.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb {

namespace {

/// A long run keeps the newest, as it does of its times.
constexpr std::size_t kMostSamples = 256;

constexpr const char* kEnergyPerStep = "energy per step";

}  // namespace

DeviceSample TelemetryWatch::sample() {
    if (m_samples.size() == kMostSamples) m_samples.erase(m_samples.begin());
    m_samples.push_back(m_device->sample());
    m_next =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(m_interval));
    return m_samples.back();
}

std::optional<DeviceSample> TelemetryWatch::beforeStep() {
    if (m_device == nullptr) return std::nullopt;
    std::optional<DeviceSample> sampled;
    if (Clock::now() >= m_next) sampled = sample();
    if (m_isCounting || !m_energyAbsent.empty()) return sampled;
    const Result<double> energy = m_device->energy();
    if (!energy.has_value()) {
        m_energyAbsent = energy.error().text();
        return sampled;
    }
    m_isCounting = true;
    m_energyThen = *energy;
    m_then = Clock::now();
    m_steps = 0;
    return sampled;
}

void TelemetryWatch::pause() {
    if (!m_isCounting) return;
    m_isCounting = false;
    if (m_steps == 0) return;
    const Result<double> energy = m_device->energy();
    if (!energy.has_value()) {
        m_energyAbsent = energy.error().text();
        return;
    }
    // A driver that was loaded anew counts from 0.
    if (*energy < m_energyThen) return;
    m_joules += *energy - m_energyThen;
    m_seconds += std::chrono::duration<double>(Clock::now() - m_then).count();
    m_countedSteps += m_steps;
}

std::optional<DeviceSample> TelemetryWatch::finish() {
    pause();
    if (m_samples.empty()) return std::nullopt;
    return sample();
}

void TelemetryWatch::describe(Reading& measured, std::int64_t batch) const {
    if (m_device == nullptr) {
        measured.telemetryAbsent =
            fmt::format("this backend ({}) tells nothing of clocks, power and temperature: they are known of "
                        "NVIDIA GPUs, run on one (--backend "
                        "cuda)",
                        m_backend.machine().backend);
        return;
    }
    if (m_samples.empty()) {
        measured.telemetryAbsent = "no step was measured: profile more of them";
        return;
    }
    measured.telemetry = summariseSamples(m_samples);
    describeEnergy(*measured.telemetry, batch);
}

std::optional<double> TelemetryWatch::joulesPerStep() const {
    if (!m_energyAbsent.empty() || m_countedSteps == 0 || m_seconds < m_leastCounted) return std::nullopt;
    return m_joules / static_cast<double>(m_countedSteps);
}

void TelemetryWatch::describeEnergy(Telemetry& telemetry, std::int64_t batch) const {
    const auto lacks = [&](std::string why) {
        std::erase_if(telemetry.absent, [](const Absence& absence) { return absence.what == "energy"; });
        telemetry.absent.push_back({kEnergyPerStep, std::move(why)});
    };
    if (!m_energyAbsent.empty()) return lacks(m_energyAbsent);
    if (m_countedSteps == 0 || m_seconds < m_leastCounted)
        return lacks(fmt::format("the measured steps took {}, and the energy counter needs {}: measure more "
                                 "of them",
                                 formatQuantity(m_seconds, "s"), formatQuantity(m_leastCounted, "s")));
    telemetry.joulesPerStep = joulesPerStep();
    if (batch > 0) telemetry.joulesPerSample = *telemetry.joulesPerStep / static_cast<double>(batch);
}

}  // namespace plumb
