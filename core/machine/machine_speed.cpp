// SPDX-License-Identifier: Apache-2.0
#include "core/machine/machine_speed.h"

#include "core/base/quantile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace plumb {

namespace {

constexpr std::array kParts{&SpeedProbe::productFlopPerSecond, &SpeedProbe::copyBytesPerSecond,
                            &SpeedProbe::loopPerSecond};

std::vector<double> valuesOf(std::span<const SpeedProbe> probes, double SpeedProbe::*part) {
    std::vector<double> values;
    values.reserve(probes.size());
    for (const SpeedProbe& probe : probes) values.push_back(probe.*part);
    return values;
}

}  // namespace

std::optional<SpeedProbe> quantileOf(std::span<const SpeedProbe> probes, double share) {
    if (probes.empty()) return std::nullopt;
    SpeedProbe found;
    for (const auto part : kParts) found.*part = quantileOf(valuesOf(probes, part), share);
    return found;
}

double spreadOf(std::span<const SpeedProbe> probes) {
    double most = 0;
    for (const auto part : kParts) {
        if (probes.size() < 2) break;
        const std::vector<double> values = valuesOf(probes, part);
        const double median = medianOf(values);
        if (median > 0) most = std::max(most, (quantileOf(values, 0.9) - quantileOf(values, 0.1)) / median);
    }
    return most;
}

std::string disturbanceOf(const CalibratedSpeed& speed) {
    constexpr double kMuchSpread = 0.25;
    constexpr double kMuchLoad = 0.5;
    std::string why;
    if (speed.spread > kMuchSpread) why = fmt::format("its speed varied by {:.0f} %", 100 * speed.spread);
    if (speed.systemLoad >= kMuchLoad)
        why += fmt::format("{}{:.1f} other programs per core wanted to run when it began",
                           why.empty() ? "" : ", and ", speed.systemLoad);
    if (!speed.sharedWith.empty()) why += (why.empty() ? "" : ", and ") + speed.sharedWith;
    if (why.empty()) return {};
    return "this machine was busy while it was calibrated (" + why +
           "): the fastest moments count, and ceilings may still be too low; calibrate again when it is "
           "quiet";
}

RelativeSpeed relativeSpeed(const SpeedProbe& now, const SpeedProbe& then) {
    const auto share = [](double a, double b) { return a > 0 && b > 0 ? a / b : 1.0; };
    return {share(now.productFlopPerSecond, then.productFlopPerSecond),
            share(now.copyBytesPerSecond, then.copyBytesPerSecond),
            share(now.loopPerSecond, then.loopPerSecond)};
}

}  // namespace plumb
