// SPDX-License-Identifier: Apache-2.0
#include "core/findings/rules.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace plumb {
namespace {

constexpr double kClockFell = 0.95;    ///< lowest clock against the highest
constexpr double kHeldBack = 0.05;     ///< share of the samples
constexpr double kSlow = 0.9;          ///< of the calibrated speed
constexpr double kIdle = 0.1;          ///< share of the steps
constexpr double kMostDropped = 0.01;  ///< of the records, beyond which gaps say nothing

Finding ofDevice(double stake, std::string_view view) {
    Finding finding;
    finding.stake = std::clamp(stake, 0.0, 1.0);
    finding.severity = severityOf(finding.stake);
    finding.view = view;
    return finding;
}

Verdict clocksFell(const Facts& facts) {
    if (facts.measured() == nullptr || !facts.measured()->telemetry ||
        !facts.measured()->telemetry->smClockHz)
        return Lack::Telemetry;
    const Telemetry& telemetry = *facts.measured()->telemetry;
    const SampledRange& clock = *telemetry.smClockHz;
    if (clock.high <= 0 || clock.low >= kClockFell * clock.high) return {};
    Finding finding = ofDevice(1 - clock.mean / clock.high, "training");
    finding.figures = {{"lowest SM clock", {clock.low, "Hz"}, Basis::Driver},
                       {"mean SM clock", {clock.mean, "Hz"}, Basis::Driver},
                       {"highest SM clock", {clock.high, "Hz"}, Basis::Driver},
                       {"samples", countOf(telemetry.samples), Basis::Driver}};
    finding.sentence = {
        "The clocks fell during the measured steps: the SM clock went from %1 down to %2, on average "
        "%3 below its highest.",
        {Amount{clock.high, "Hz"}, Amount{clock.low, "Hz"}, Amount{finding.stake, "%"}}};
    finding.remedy.advice = {
        "Profile again on a device that is cool and in use by nobody else, or with its clocks "
        "locked (nvidia-smi --lock-gpu-clocks), before times are compared.",
        {}};
    return finding;
}

Verdict heldBack(const Facts& facts) {
    if (facts.measured() == nullptr || !facts.measured()->telemetry ||
        facts.measured()->telemetry->samples == 0)
        return Lack::Telemetry;
    const Telemetry& telemetry = *facts.measured()->telemetry;
    const auto most = std::ranges::max_element(telemetry.throttles, {}, &SeenThrottle::share);
    if (most == telemetry.throttles.end() || most->share < kHeldBack) return {};
    Finding finding = ofDevice(most->share, "training");
    // How long it was held back says nothing of how much.
    finding.severity = std::min(finding.severity, Severity::Warning);
    finding.figures = {{"share of the samples", {most->share, "%"}, Basis::Driver},
                       {"samples", countOf(telemetry.samples), Basis::Driver}};
    if (telemetry.powerWatts)
        finding.figures.push_back({"highest power", {telemetry.powerWatts->high, "W"}, Basis::Driver});
    if (telemetry.powerLimitWatts)
        finding.figures.push_back({"power limit", {*telemetry.powerLimitWatts, "W"}, Basis::Driver});
    finding.sentence = {"The device was held back by %1 in %2 of the samples.",
                        {std::string(throttleLabel(most->reason)), Amount{most->share, "%"}}};
    finding.remedy.advice = {
        "Compare times only with others that were measured under the same limit; more power or "
        "cooling lifts it.",
        {}};
    return finding;
}

Verdict slowMachine(const Facts& facts) {
    if (facts.measured() == nullptr || !facts.measured()->speed || !facts.measured()->speed->ofCalibrated)
        return Lack::Probe;
    const double speed = *facts.measured()->speed->ofCalibrated;
    if (speed >= kSlow) return {};
    Finding finding = ofDevice(1 - speed, "overview");
    finding.figures = {{"speed of the machine, of the calibrated one", {speed, "%"}, Basis::Probe}};
    if (facts.machine().costs && facts.machine().costs->speed)
        finding.figures.push_back({"spread of the probes of the calibration",
                                   {facts.machine().costs->speed->spread, "%"},
                                   Basis::Probe});
    finding.sentence = {
        "The machine ran at %1 of its calibrated speed while it was measured: what was measured is so "
        "much slower than what it can do.",
        {Amount{speed, "%"}}};
    finding.remedy.advice = {
        "End what else runs and profile again; where the machine stays slow, calibrate it anew: "
        "%1.",
        {calibrateCommand(facts.machine().backend) + " --replace"}};
    return finding;
}

Verdict sharedDevice(const Facts& facts) {
    if (facts.measured() == nullptr || !facts.measured()->telemetry) return Lack::Telemetry;
    const std::vector<DeviceProcess>& others = facts.measured()->telemetry->processes;
    if (others.empty()) return {};
    Finding finding = ofDevice(0, "overview");
    finding.severity = Severity::Warning;  // how much they took of the time nobody measures
    Bytes bytes = 0;
    bool areKnown = true;
    for (const DeviceProcess& other : others) {
        bytes += other.bytes.value_or(0);
        areKnown = areKnown && other.bytes.has_value();
    }
    finding.figures = {{"other programs", countOf(static_cast<std::int64_t>(others.size())), Basis::Driver}};
    if (areKnown) finding.figures.push_back({"their memory", amountOf(bytes), Basis::Driver});
    if (areKnown && facts.machine().memoryBytes && *facts.machine().memoryBytes > 0) {
        finding.stakeOf = StakeOf::Memory;
        finding.stake = std::clamp(
            static_cast<double>(bytes) / static_cast<double>(*facts.machine().memoryBytes), 0.0, 1.0);
    }
    if (areKnown)
        finding.sentence = {"Other programs used the device meanwhile: %1, with %2 of its memory.",
                            {countOf(static_cast<std::int64_t>(others.size())), amountOf(bytes)}};
    else
        finding.sentence = {"Other programs used the device meanwhile: %1.",
                            {countOf(static_cast<std::int64_t>(others.size()))}};
    finding.remedy.advice = {
        "Profile again when the device is free: times and free memory are those of all programs "
        "together.",
        {}};
    return finding;
}

using Stretch = std::pair<Seconds, Seconds>;

/// Seconds of `within` that are covered by these stretches, which may overlap. Pre: sorted.
Seconds coveredBy(const std::vector<Stretch>& sorted, const TimelineStep& within) {
    Seconds covered = 0;
    Seconds until = within.begin;
    for (const auto& [begin, end] : sorted) {
        if (begin >= within.end) break;
        const Seconds from = std::max(begin, until), to = std::min(end, within.end);
        if (to <= from) continue;
        covered += to - from;
        until = to;
    }
    return covered;
}

Verdict idleDevice(const Facts& facts) {
    const Timeline* const timeline = facts.measured() != nullptr ? facts.measured()->timeline.get() : nullptr;
    if (timeline == nullptr || timeline->source != Source::Activity || timeline->steps.empty())
        return Lack::DriverRecords;
    if (static_cast<double>(timeline->dropped) > kMostDropped * static_cast<double>(timeline->records.size()))
        return Lack::DriverRecords;
    std::vector<Stretch> busy;
    for (const TimelineRecord& record : timeline->records)
        if (record.kind == TimelineKind::Kernel || record.kind == TimelineKind::Copy ||
            record.kind == TimelineKind::Memset)
            busy.emplace_back(record.begin, record.end);
    if (busy.empty()) return Lack::DriverRecords;
    std::ranges::sort(busy);
    Seconds all = 0, idle = 0;
    for (const TimelineStep& step : timeline->steps) {
        all += step.end - step.begin;
        idle += step.end - step.begin - coveredBy(busy, step);
    }
    if (all <= 0 || idle < kIdle * all) return {};
    Finding finding = ofDevice(idle / all, "timeline");
    finding.figures = {
        {"idle time", {idle, "s"}, Basis::Activity},
        {"time of the steps", {all, "s"}, Basis::Activity},
        {"steps", countOf(static_cast<std::int64_t>(timeline->steps.size())), Basis::Activity}};
    finding.sentence = {
        "The device was idle for %1 of the recorded steps, %2 of %3: neither a kernel nor a copy ran.",
        {Amount{finding.stake, "%"}, Amount{idle, "s"}, Amount{all, "s"}}};
    finding.remedy.advice = {
        "Look at the gaps in the timeline: what the host does there, loading or waiting, can be "
        "done ahead, and launches can be replayed as a graph.",
        {}};
    return finding;
}

constexpr std::array kDeviceRules{
    Rule{"clocks-fell", "the device's clocks during the measured steps", clocksFell},
    Rule{"held-back", "what held the device's clocks down", heldBack},
    Rule{"slow-machine", "the machine's speed against its calibration", slowMachine},
    Rule{"shared-device", "other programs on the device", sharedDevice},
    Rule{"idle-device", "time in which the device did nothing", idleDevice}};

}  // namespace

std::span<const Rule> deviceRules() { return kDeviceRules; }

}  // namespace plumb
