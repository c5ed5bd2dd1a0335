// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/telemetry.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// What a device told at one moment of a training.
struct DeviceMoment {
    std::int64_t step = 0;  ///< that comes next
    double seconds = 0;     ///< training time since the start, as in StepMetrics
    DeviceSample sample;
    /// Mean over the measured steps before this moment, as in Telemetry.
    std::optional<double> joulesPerStep;
    std::optional<double> joulesPerSample;
    bool operator==(const DeviceMoment&) const = default;
};

/// A number of DeviceMoment that is drawn over the steps.
struct MomentFigure {
    std::string_view name;   ///< in object names
    std::string_view label;  ///< "SM clock"
    std::string_view unit;   ///< of sampledText()
    std::string_view about;  ///< what it is and where it comes from
    std::optional<double> (*value)(const DeviceMoment& moment);
};
/// All of them, in the order in which they are shown.
inline constexpr std::array kMomentFigures{
    MomentFigure{"SmClock", "SM clock", "Hz", "Clock of the multiprocessors",
                 [](const DeviceMoment& moment) { return moment.sample.smClockHz; }},
    MomentFigure{"MemoryClock", "memory clock", "Hz", "Clock of the device's memory",
                 [](const DeviceMoment& moment) { return moment.sample.memoryClockHz; }},
    MomentFigure{"Power", "power", "W", "What the whole card draws",
                 [](const DeviceMoment& moment) { return moment.sample.powerWatts; }},
    MomentFigure{"Temperature", "temperature", "°C", "Of the GPU's die",
                 [](const DeviceMoment& moment) { return moment.sample.temperatureCelsius; }},
    MomentFigure{"Utilisation", "in use", "%",
                 "Share of the time in which a kernel of any program ran; says nothing of how much it did",
                 [](const DeviceMoment& moment) { return moment.sample.utilisation; }},
    MomentFigure{"EnergyPerStep", "energy/step", "J",
                 "What the card's energy counter advanced by over the measured steps so far / their number",
                 [](const DeviceMoment& moment) { return moment.joulesPerStep; }},
    MomentFigure{"EnergyPerSample", "energy/sample", "J", "Energy per step / batch",
                 [](const DeviceMoment& moment) { return moment.joulesPerSample; }}};
/// Where they come from and how often.
inline constexpr std::string_view kMomentSource =
    "management library of the NVIDIA driver (NVML), asked twice a second between steps";

/// What a device told during a training: moments in their order, fewer of a long one.
struct DeviceHistory {
    /// More are merged: of two that follow each other the one stays in which the device was held back or
    /// shared, else the one with the lower clock.
    static constexpr std::size_t kMostMoments = 256;

    std::vector<DeviceMoment> moments;  ///< without what is absent of each
    std::vector<Absence> absent;        ///< what none of the moments has, and why
    std::string none;                   ///< why there are no moments, one sentence

    void add(DeviceMoment moment);
    void thinOut(std::size_t most);
    [[nodiscard]] bool empty() const { return moments.empty() && none.empty(); }
    bool operator==(const DeviceHistory&) const = default;
};

/// What held the device back or shared it, and during which steps, a sentence each; empty when nothing did.
[[nodiscard]] std::vector<std::string> disturbancesOf(const DeviceHistory& history);
[[nodiscard]] bool isDisturbed(const DeviceSample& sample);

}  // namespace plumb
