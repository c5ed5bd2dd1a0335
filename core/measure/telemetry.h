// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/base/quantity.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// What holds a device's clocks below what they could be.
enum class Throttle : std::uint8_t {
    ClockSetting,
    PowerLimit,
    HardwareSlowdown,
    SyncBoost,
    Temperature,
    HardwareTemperature,
    PowerBrake,
    DisplayClock,
    Other
};
inline constexpr auto kThrottleNames =
    enumNames<Throttle>({{Throttle::ClockSetting, "clock_setting"},
                         {Throttle::PowerLimit, "power_limit"},
                         {Throttle::HardwareSlowdown, "hardware_slowdown"},
                         {Throttle::SyncBoost, "sync_boost"},
                         {Throttle::Temperature, "temperature"},
                         {Throttle::HardwareTemperature, "hardware_temperature"},
                         {Throttle::PowerBrake, "power_brake"},
                         {Throttle::DisplayClock, "display_clock"},
                         {Throttle::Other, "other"}});
/// In words, for people: "its power limit".
[[nodiscard]] std::string_view throttleLabel(Throttle reason);

struct DeviceProcess {
    std::int64_t pid = 0;
    std::optional<Bytes> bytes;  ///< of the device's memory; empty: the driver does not say
    bool operator==(const DeviceProcess&) const = default;
};

/// What is not known of a device, and why: "power", "the driver refuses it (no permission)".
struct Absence {
    std::string what;
    std::string why;
    bool operator==(const Absence&) const = default;
};

/// What a device tells of itself at one moment. Each number that is missing has an entry in `absent`.
struct DeviceSample {
    std::optional<double> smClockHz;
    std::optional<double> memoryClockHz;
    std::optional<double> powerWatts;
    std::optional<double> powerLimitWatts;  ///< that is in force
    std::optional<double> energyJoules;     ///< counted since the driver was loaded
    std::optional<double> temperatureCelsius;
    std::optional<double> utilisation;                    ///< share of the time in which a kernel ran
    std::optional<std::vector<Throttle>> throttles;       ///< in force now; empty list: none
    std::optional<std::vector<DeviceProcess>> processes;  ///< others than this one
    std::vector<Absence> absent;
    bool operator==(const DeviceSample&) const = default;
};

/// Mean and range of a number that was sampled.
struct SampledRange {
    double mean = 0;
    double low = 0;
    double high = 0;
    bool operator==(const SampledRange&) const = default;
};

struct SeenThrottle {
    Throttle reason{};
    double share = 0;  ///< of the samples
    bool operator==(const SeenThrottle&) const = default;
};

/// The device while the measured steps ran, by samples between them.
struct Telemetry {
    std::int64_t samples = 0;
    std::optional<SampledRange> smClockHz;
    std::optional<SampledRange> memoryClockHz;
    std::optional<SampledRange> powerWatts;
    std::optional<SampledRange> temperatureCelsius;
    std::optional<SampledRange> utilisation;
    std::optional<double> powerLimitWatts;  ///< the lowest that was in force
    /// What the energy counter advanced by over the measured steps, with the host's time between them.
    std::optional<double> joulesPerStep;
    std::optional<double> joulesPerSample;
    std::vector<SeenThrottle> throttles;   ///< those that were seen
    std::vector<DeviceProcess> processes;  ///< others, each with the most memory that it was seen with
    std::vector<Absence> absent;           ///< what none of the samples has
    bool operator==(const Telemetry&) const = default;
};

/// A number of DeviceSample that is a mean and a range in Telemetry.
struct SampledFigure {
    std::string_view name;   ///< "sm_clock_hz", in files
    std::string_view label;  ///< "SM clock"
    std::string_view unit;   ///< of formatQuantity(); "%" of a share
    std::optional<double> DeviceSample::*sample;
    std::optional<SampledRange> Telemetry::*range;
};
inline constexpr std::array kSampledFigures{
    SampledFigure{"sm_clock_hz", "SM clock", "Hz", &DeviceSample::smClockHz, &Telemetry::smClockHz},
    SampledFigure{"memory_clock_hz", "memory clock", "Hz", &DeviceSample::memoryClockHz,
                  &Telemetry::memoryClockHz},
    SampledFigure{"power_w", "power", "W", &DeviceSample::powerWatts, &Telemetry::powerWatts},
    SampledFigure{"temperature_celsius", "temperature", "°C", &DeviceSample::temperatureCelsius,
                  &Telemetry::temperatureCelsius},
    SampledFigure{"utilisation", "utilisation", "%", &DeviceSample::utilisation, &Telemetry::utilisation}};

/// A sampled number for people: "1.98 GHz", "412 W", "62 °C", "97 %".
[[nodiscard]] std::string sampledText(double value, std::string_view unit);

/// Puts samples together; without any, nothing is known and nothing is said.
[[nodiscard]] Telemetry summariseSamples(std::span<const DeviceSample> samples);

/// "power, energy: the driver refuses them": one entry for each reason.
[[nodiscard]] std::vector<std::string> absenceTexts(std::span<const Absence> absent);

/// "1 other program used this device (process 4242 with 3.00 GB)"; `verbs`: for one, and for several. Empty
/// without any.
struct SharingVerbs {
    std::string_view one = "used";
    std::string_view several = "used";
};
[[nodiscard]] std::string sharingText(std::span<const DeviceProcess> processes, SharingVerbs verbs = {});

/// What held the device back or shared it, a sentence each; empty when nothing did.
[[nodiscard]] std::vector<std::string> disturbancesOf(const Telemetry& telemetry);
[[nodiscard]] std::vector<std::string> disturbancesOf(const DeviceSample& sample);

}  // namespace plumb
