// SPDX-License-Identifier: Apache-2.0
#include "core/measure/telemetry_json.h"

namespace plumb {

using enum Presence;

namespace {

struct Share {
    static constexpr double least = 0, most = 1;
};

/// Refuses a mean that is outside of its range.
void expectInside(const JsonField& field, SampledRange& range) {
    if (!(range.low <= range.mean && range.mean <= range.high))
        field["mean"].fail("is not between low and high");
}

}  // namespace

JsonType<SampledRange> jsonType(Of<SampledRange> /*type*/) {
    static constexpr JsonMember<SampledRange> kMembers[]{member<&SampledRange::mean>("mean", Required),
                                                         member<&SampledRange::low>("low", Required),
                                                         member<&SampledRange::high>("high", Required)};
    return {"sampled_range", "Mean and range of a number that was sampled", kMembers, expectInside};
}

JsonType<Absence> jsonType(Of<Absence> /*type*/) {
    static constexpr JsonMember<Absence> kMembers[]{member<&Absence::what>("what", Required),
                                                    member<&Absence::why>("why", Required)};
    return {{}, {}, kMembers};
}

JsonType<DeviceProcess> jsonType(Of<DeviceProcess> /*type*/) {
    static constexpr JsonMember<DeviceProcess> kMembers[]{
        member<&DeviceProcess::pid>("pid", Required),
        member<&DeviceProcess::bytes>("bytes", Always, "Of the device's memory")};
    return {{}, {}, kMembers};
}

JsonType<SeenThrottle> jsonType(Of<SeenThrottle> /*type*/) {
    static constexpr JsonMember<SeenThrottle> kMembers[]{
        member<&SeenThrottle::reason, Named<kThrottleNames>>("reason", Required),
        member<&SeenThrottle::share, Within<Share>>("share", Required, "Of the samples")};
    return {{}, {}, kMembers};
}

JsonType<Telemetry> jsonType(Of<Telemetry> /*type*/) {
    static constexpr JsonMember<Telemetry> kMembers[]{
        member<&Telemetry::samples>("samples", Required),
        member<&Telemetry::smClockHz>("sm_clock_hz", IfSet),
        member<&Telemetry::memoryClockHz>("memory_clock_hz", IfSet),
        member<&Telemetry::powerWatts>("power_w", IfSet),
        member<&Telemetry::temperatureCelsius>("temperature_celsius", IfSet),
        member<&Telemetry::utilisation>("utilisation", IfSet,
                                        "Share of the time in which a kernel ran, of any program"),
        member<&Telemetry::powerLimitWatts>("power_limit_w", IfSet, "The lowest that was in force"),
        member<&Telemetry::joulesPerStep>(
            "energy_per_step_j", IfSet,
            "What the energy counter of the device advanced by over the measured steps, for one of them"),
        member<&Telemetry::joulesPerSample>("energy_per_sample_j", IfSet),
        member<&Telemetry::throttles>("throttles", IfSet, "What held the clocks down"),
        member<&Telemetry::processes>("processes", IfSet,
                                      "Others on the device, with the most memory that each was seen with"),
        member<&Telemetry::absent>("absent", IfSet, "What is not known of the device, and why")};
    return {"telemetry", "The device while the measured steps ran, by samples between them", kMembers};
}

JsonType<DeviceSample> jsonType(Of<DeviceSample> /*type*/) {
    static constexpr JsonMember<DeviceSample> kMembers[]{
        member<&DeviceSample::smClockHz>("sm_clock_hz", IfSet),
        member<&DeviceSample::memoryClockHz>("memory_clock_hz", IfSet),
        member<&DeviceSample::powerWatts>("power_w", IfSet),
        member<&DeviceSample::powerLimitWatts>("power_limit_w", IfSet),
        member<&DeviceSample::energyJoules>("energy_j", IfSet, "Since the driver was loaded"),
        member<&DeviceSample::temperatureCelsius>("temperature_celsius", IfSet),
        member<&DeviceSample::utilisation>("utilisation", IfSet),
        member<&DeviceSample::throttles, Maybe<ListOf<Named<kThrottleNames>>>>("throttles", IfSet),
        member<&DeviceSample::processes>("processes", IfSet),
        member<&DeviceSample::absent>("absent", IfSet)};
    return {"device_sample", "What a device tells of itself at one moment", kMembers};
}

JsonType<DeviceMoment> jsonType(Of<DeviceMoment> /*type*/) {
    static constexpr JsonMember<DeviceMoment> kMembers[]{
        member<&DeviceMoment::step>("step", Required, "That comes next"),
        member<&DeviceMoment::seconds>("seconds", Required, "Training time since the start"),
        inlined<&DeviceMoment::sample>(),
        member<&DeviceMoment::joulesPerStep>("energy_per_step_j", IfSet,
                                             "Mean over the measured steps before this moment"),
        member<&DeviceMoment::joulesPerSample>("energy_per_sample_j", IfSet)};
    return {"device_moment", "What a device told at one moment of a training", kMembers};
}

JsonType<DeviceHistory> jsonType(Of<DeviceHistory> /*type*/) {
    static constexpr JsonMember<DeviceHistory> kMembers[]{
        member<&DeviceHistory::moments, ListOf<Json<DeviceMoment>, DeviceHistory::kMostMoments>>(
            "moments", Required, "In their order, fewer of a long training; without what is absent of each"),
        member<&DeviceHistory::absent>("absent", IfSet, "What none of the moments has, and why"),
        member<&DeviceHistory::none>("none", IfSet, "Why there are no moments, in one sentence")};
    return {"device_history", "What a device told during a training", kMembers};
}

}  // namespace plumb
