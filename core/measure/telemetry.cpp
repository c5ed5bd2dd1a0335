// SPDX-License-Identifier: Apache-2.0
#include "core/measure/telemetry.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb {

namespace {

void addThrottles(std::vector<SeenThrottle>& seen, const std::vector<Throttle>& now) {
    for (const Throttle reason : now) {
        const auto found = std::find_if(seen.begin(), seen.end(),
                                        [&](const SeenThrottle& entry) { return entry.reason == reason; });
        if (found == seen.end())
            seen.push_back({reason, 1});
        else
            ++found->share;
    }
}

void addProcesses(std::vector<DeviceProcess>& seen, const std::vector<DeviceProcess>& now) {
    for (const DeviceProcess& process : now) {
        const auto found = std::find_if(seen.begin(), seen.end(),
                                        [&](const DeviceProcess& entry) { return entry.pid == process.pid; });
        if (found == seen.end())
            seen.push_back(process);
        else
            found->bytes = std::max(found->bytes, process.bytes);
    }
}

std::optional<SampledRange> rangeOf(std::span<const DeviceSample> samples,
                                    std::optional<double> DeviceSample::*figure) {
    std::optional<SampledRange> range;
    double sum = 0;
    double count = 0;
    for (const DeviceSample& sample : samples) {
        const std::optional<double>& value = sample.*figure;
        if (!value) continue;
        if (!range) range = SampledRange{0, *value, *value};
        range->low = std::min(range->low, *value);
        range->high = std::max(range->high, *value);
        sum += *value;
        count += 1;
    }
    if (range) range->mean = std::clamp(sum / count, range->low, range->high);
    return range;
}

std::string processText(std::span<const DeviceProcess> processes) {
    std::string list;
    for (const DeviceProcess& process : processes)
        list += fmt::format("{}process {}{}", list.empty() ? "" : ", ", process.pid,
                            process.bytes ? " with " + bytesText(*process.bytes) : "");
    return list;
}

}  // namespace

std::string_view throttleLabel(Throttle reason) {
    switch (reason) {
    case Throttle::ClockSetting:
        return "clocks that somebody set";
    case Throttle::PowerLimit:
        return "its power limit";
    case Throttle::HardwareSlowdown:
        return "a slowdown by the hardware";
    case Throttle::SyncBoost:
        return "the clock of other devices (sync boost)";
    case Throttle::Temperature:
        return "its temperature";
    case Throttle::HardwareTemperature:
        return "its temperature (slowdown by the hardware)";
    case Throttle::PowerBrake:
        return "the power brake of the server";
    case Throttle::DisplayClock:
        return "the clock of the display";
    case Throttle::Other:
        break;
    }
    return "a reason that this program does not know";
}

std::string sampledText(double value, std::string_view unit) {
    if (unit == "%") return fmt::format("{:.0f} %", value * 100);
    if (unit == "°C") return fmt::format("{:.0f} °C", value);
    return formatQuantity(value, unit);
}

Telemetry summariseSamples(std::span<const DeviceSample> samples) {
    Telemetry telemetry;
    telemetry.samples = static_cast<std::int64_t>(samples.size());
    for (const SampledFigure& figure : kSampledFigures)
        telemetry.*figure.range = rangeOf(samples, figure.sample);
    if (const auto limit = rangeOf(samples, &DeviceSample::powerLimitWatts))
        telemetry.powerLimitWatts = limit->low;
    double asked = 0;
    for (const DeviceSample& sample : samples) {
        if (sample.throttles) {
            addThrottles(telemetry.throttles, *sample.throttles);
            asked += 1;
        }
        if (sample.processes) addProcesses(telemetry.processes, *sample.processes);
    }
    for (SeenThrottle& seen : telemetry.throttles) seen.share /= asked;
    // Absent is what no sample has: an entry that is in all of them.
    if (samples.empty()) return telemetry;
    for (const Absence& absence : samples.back().absent) {
        const auto lacksIt = [&](const DeviceSample& sample) {
            return std::any_of(sample.absent.begin(), sample.absent.end(),
                               [&](const Absence& other) { return other.what == absence.what; });
        };
        if (std::all_of(samples.begin(), samples.end(), lacksIt)) telemetry.absent.push_back(absence);
    }
    return telemetry;
}

std::vector<std::string> absenceTexts(std::span<const Absence> absent) {
    std::vector<Absence> groups;
    for (const Absence& absence : absent) {
        const auto found = std::find_if(groups.begin(), groups.end(),
                                        [&](const Absence& group) { return group.why == absence.why; });
        if (found == groups.end())
            groups.push_back(absence);
        else
            found->what += ", " + absence.what;
    }
    std::vector<std::string> texts;
    texts.reserve(groups.size());
    for (const Absence& group : groups) texts.push_back(group.what + ": " + group.why);
    return texts;
}

std::string sharingText(std::span<const DeviceProcess> processes, SharingVerbs verbs) {
    if (processes.empty()) return {};
    const bool isOne = processes.size() == 1;
    return fmt::format("{} other program{} {} this device ({})", processes.size(), isOne ? "" : "s",
                       isOne ? verbs.one : verbs.several, processText(processes));
}

std::vector<std::string> disturbancesOf(const Telemetry& telemetry) {
    std::vector<std::string> texts;
    for (const SeenThrottle& seen : telemetry.throttles)
        texts.push_back(fmt::format("the clock of this device was held down by {} in {:.0f} % of the samples",
                                    throttleLabel(seen.reason), seen.share * 100));
    if (!telemetry.processes.empty()) texts.push_back(sharingText(telemetry.processes));
    return texts;
}

std::vector<std::string> disturbancesOf(const DeviceSample& sample) {
    std::vector<std::string> texts;
    if (sample.throttles)
        for (const Throttle reason : *sample.throttles)
            texts.push_back(
                fmt::format("the clock of this device is held down by {}", throttleLabel(reason)));
    if (sample.processes && !sample.processes->empty())
        texts.push_back(sharingText(*sample.processes, {"uses", "use"}));
    return texts;
}

}  // namespace plumb
