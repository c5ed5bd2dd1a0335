// SPDX-License-Identifier: Apache-2.0
#include "core/measure/device_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace plumb {

namespace {

/// Whether `a` says more of why steps were slow than `b`, which came before it.
bool saysMore(const DeviceMoment& a, const DeviceMoment& b) {
    const bool disturbed = isDisturbed(a.sample);
    if (disturbed != isDisturbed(b.sample)) return disturbed;
    return disturbed || a.sample.smClockHz <= b.sample.smClockHz;
}

std::string stepsText(std::int64_t first, std::int64_t last) {
    return first == last ? fmt::format("step {}", first) : fmt::format("steps {} to {}", first, last);
}

/// First and last step of the moments of which `seen` is true; empty: of none.
template <class Seen>
std::string stepsOf(const std::vector<DeviceMoment>& moments, const Seen& seen) {
    const auto isSeen = [&](const DeviceMoment& moment) { return seen(moment.sample); };
    const auto first = std::find_if(moments.begin(), moments.end(), isSeen);
    if (first == moments.end()) return {};
    return stepsText(first->step, std::find_if(moments.rbegin(), moments.rend(), isSeen)->step);
}

bool isThrottledBy(const DeviceSample& sample, Throttle reason) {
    return sample.throttles &&
           std::find(sample.throttles->begin(), sample.throttles->end(), reason) != sample.throttles->end();
}

}  // namespace

bool isDisturbed(const DeviceSample& sample) {
    return (sample.throttles && !sample.throttles->empty()) ||
           (sample.processes && !sample.processes->empty());
}

void DeviceHistory::add(DeviceMoment moment) {
    std::vector<Absence> now = std::exchange(moment.sample.absent, {});
    if (moments.empty())
        absent = std::move(now);
    else
        std::erase_if(absent, [&](const Absence& absence) {
            return std::none_of(now.begin(), now.end(),
                                [&](const Absence& other) { return other.what == absence.what; });
        });
    moments.push_back(std::move(moment));
    if (moments.size() > kMostMoments) thinOut(kMostMoments / 2);
}

// The newest one is what is shown as of now, and stays.
void DeviceHistory::thinOut(std::size_t most) {
    while (moments.size() > std::max<std::size_t>(most, 2)) {
        std::vector<DeviceMoment> kept;
        for (std::size_t i = 0; i + 1 < moments.size(); i += 2) {
            const bool isPair = i + 2 < moments.size();
            kept.push_back(isPair && saysMore(moments[i + 1], moments[i]) ? moments[i + 1] : moments[i]);
        }
        kept.push_back(std::move(moments.back()));
        moments = std::move(kept);
    }
}

std::vector<std::string> disturbancesOf(const DeviceHistory& history) {
    std::vector<std::string> texts;
    for (const auto& [reason, name] : kThrottleNames) {
        const std::string steps = stepsOf(history.moments, [reason = reason](const DeviceSample& sample) {
            return isThrottledBy(sample, reason);
        });
        if (!steps.empty())
            texts.push_back(fmt::format("the clock of this device was held down by {} ({})",
                                        throttleLabel(reason), steps));
    }
    std::vector<DeviceSample> samples;
    samples.reserve(history.moments.size());
    for (const DeviceMoment& moment : history.moments)
        if (moment.sample.processes) samples.emplace_back().processes = moment.sample.processes;
    for (std::string& text : disturbancesOf(summariseSamples(samples)))
        texts.push_back(std::move(text) + ", " + stepsOf(history.moments, [](const DeviceSample& sample) {
                            return sample.processes && !sample.processes->empty();
                        }));
    return texts;
}

}  // namespace plumb
