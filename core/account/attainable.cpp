// SPDX-License-Identifier: Apache-2.0
#include "core/account/attainable.h"

namespace plumb {

std::optional<Range> publishedProductShare(const Machine& machine, Dtype dtype) {
    const std::optional<double> peak = machine.peak(dtype);
    for (const auto& [known, rate] : machine.measuredMatmulFlopPerSecond) {
        if (known != dtype || !peak || rate > *peak) continue;
        const double best = rate / *peak;
        return Range{0.8 * best, 0.95 * best, best};
    }
    return std::nullopt;
}

bool isCalibrated(const Machine& machine) {
    return machine.costs.has_value() || machine.perOpOverhead.has_value();
}

Tier tierOf(const Machine& machine, Dtype dtype) {
    if (isCalibrated(machine)) return Tier::Calibrated;
    return publishedProductShare(machine, dtype) ? Tier::Published : Tier::DataSheet;
}

}  // namespace plumb
