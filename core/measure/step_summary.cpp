// SPDX-License-Identifier: Apache-2.0
#include "core/measure/step_summary.h"

#include "core/base/quantile.h"
#include "core/measure/known_sum.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace plumb {

std::vector<PhaseSummary> summarisePhases(const Reading& reading) {
    std::vector<PhaseSummary> phases;
    for (const auto& [phase, name] : kPhaseNames) {
        std::int64_t ops = 0;
        KnownSum<Flops> flops;
        KnownSum<Bytes> bytes;
        KnownSum<Seconds> seconds;
        for (const OpReading& op : reading.ops) {
            if (op.phase != phase) continue;
            ++ops;
            flops.add(op.flops);
            bytes.add(op.bytes);
            seconds.add(op.seconds);
        }
        if (ops > 0) phases.push_back({phase, ops, flops.value(), bytes.value(), seconds.value()});
    }
    return phases;
}

std::optional<double> medianOpError(const Reading& predicted, const Reading& measured) {
    std::vector<double> errors;
    for (std::size_t i = 0; i < std::min(predicted.ops.size(), measured.ops.size()); ++i) {
        const auto &before = predicted.ops[i].seconds, &after = measured.ops[i].seconds;
        if (before && after && *before > 0) errors.push_back(std::abs(*after / *before - 1.0));
    }
    return errors.empty() ? std::nullopt : std::optional(medianOf(std::move(errors)));
}

}  // namespace plumb
