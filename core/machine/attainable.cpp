// SPDX-License-Identifier: Apache-2.0
#include "core/machine/attainable.h"

#include <string>

namespace plumb {

namespace {

/// How the source of a machine of this computer begins before its calibration; what to do follows.
constexpr std::string_view kNotCalibrated = "not calibrated: ";

}  // namespace

std::optional<Range> publishedProductShare(const Machine& machine, Dtype dtype) {
    const std::optional<double> peak = machine.peak(dtype);
    for (const auto& [known, rate] : machine.measuredMatmulFlopPerSecond) {
        if (known != dtype || !peak || rate > *peak) continue;
        const double best = rate / *peak;
        return Range{kPublishedShare.low * best, kPublishedShare.expected * best,
                     kPublishedShare.high * best};
    }
    return std::nullopt;
}

bool isCalibrated(const Machine& machine) {
    return machine.costs.has_value() || machine.perOpOverhead.has_value();
}

std::optional<Error> missingCeiling(const Machine& machine, Dtype dtype) {
    const std::optional<double> peak = machine.peak(dtype);
    if (peak && machine.bandwidthBytesPerSecond) return std::nullopt;
    if (machine.source.starts_with(kNotCalibrated))
        return Error{ErrorCode::BadInput, machine.name + " is not calibrated",
                     machine.source.substr(kNotCalibrated.size())};
    if (peak)
        return Error{ErrorCode::BadInput, "the memory bandwidth of " + machine.name + " is not known",
                     "choose another device"};
    std::string others;
    for (const auto& [known, value] : machine.peakFlopPerSecond)
        others += (others.empty() ? "" : ", ") + std::string(dtypeName(known));
    return Error{ErrorCode::BadInput, machine.name + " has no " + std::string(dtypeName(dtype)) + " peak",
                 others.empty() ? "choose another device"
                                : "it has " + others + "; choose one of these, or another device"};
}

Tier tierOf(const Machine& machine, Dtype dtype) {
    if (isCalibrated(machine)) return Tier::Calibrated;
    return publishedProductShare(machine, dtype) ? Tier::Published : Tier::DataSheet;
}

}  // namespace plumb
