// SPDX-License-Identifier: Apache-2.0
#include "core/measure/counter_set.h"

#include <cmath>

namespace plumb {

namespace {

/// Doubles count exactly up to here, and every step of a training does less.
constexpr double kMostExact = 9007199254740992.0;  // 2^53

}  // namespace

std::vector<std::string> CounterSet::names() const {
    std::vector<std::string> result;
    result.reserve(metrics.size());
    for (const CounterMetric& metric : metrics) result.push_back(metric.name);
    return result;
}

OpCounters countersOf(const CounterSet& set, std::span<const double> values) {
    OpCounters counters;
    EnumArray<CounterKind, bool> broken{};
    for (std::size_t i = 0; i < set.metrics.size(); ++i) {
        const CounterMetric& metric = set.metrics[i];
        const double value = i < values.size() ? values[i] * static_cast<double>(metric.factor) : NAN;
        // Written so that a value that is not a number counts as broken.
        if (!(value >= 0 && value <= kMostExact)) {
            broken[metric.feeds] = true;
            continue;
        }
        std::optional<Counted>& count = counters[metric.feeds];
        if (!count) count = Counted{};
        count->value += std::llround(value);
    }
    for (const CounterKind kind : kAllCounters)
        if (broken[kind]) counters[kind].reset();
    return counters;
}

}  // namespace plumb
