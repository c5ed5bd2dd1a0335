// SPDX-License-Identifier: Apache-2.0
#include "core/planner/explore.h"
#include "core/planner/measured.h"

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

constexpr double kMove = 0.1;  // of what has no range of its own

std::optional<double> moved(const Scenario& scenario, Output output, Input input, double value) {
    Scenario changed = scenario;
    if (info(input).kind == InputKind::Choice) {
        if (!setInput(changed, input, value).has_value()) return std::nullopt;
    } else {
        changed = withValue(scenario, input, value);
    }
    const auto result = evaluate(output, changed);
    return result.has_value() ? std::optional(*result) : std::nullopt;
}

/// The nearest whole value at which the scenario can be worked out, going away from `from` by steps or
/// factors; empty when none is near.
std::optional<double> wholeNeighbour(const Scenario& s, Output output, const InputInfo& about, double from,
                                     bool up) {
    for (const double tried : {up ? std::ceil(from * (1 + kMove)) : std::floor(from * (1 - kMove)),
                               up ? from * 2 : std::floor(from / 2)}) {
        if (tried == from || tried < about.least || tried > about.most) continue;
        if (moved(s, output, about.input, tried)) return tried;
    }
    return std::nullopt;
}

}  // namespace

Result<std::vector<Bar>> sensitivity(const Scenario& asked, Output output) {
    PLUMB_TRY(const double expected, evaluate(output, asked));
    const Scenario scenario = withMfuHeld(withBatchHeld(asked), output);  // one input at a time
    std::vector<Bar> bars;
    const EnumArray<Input, bool> asksFor = inputsAskedFor(output, scenario);
    for (const InputInfo& about : allInputs()) {
        if (!asksFor[about.input]) continue;
        const auto value = valueOf(scenario, about.input);
        if (!value.has_value()) continue;
        if (about.input == Input::StepFactor && value->range == about.standard) continue;  // nothing measured
        Bar bar{about.input, value->range, expected, expected};
        if (about.whole) {
            const double now = value->range.expected;
            bar.inputRange.low = wholeNeighbour(scenario, output, about, now, false).value_or(now);
            bar.inputRange.high = wholeNeighbour(scenario, output, about, now, true).value_or(now);
        } else if (value->range.low == value->range.high) {
            bar.inputRange.low = std::max(about.least, value->range.expected * (1 - kMove));
            bar.inputRange.high = std::min(about.most, value->range.expected * (1 + kMove));
        }
        bar.atLow = moved(scenario, output, about.input, bar.inputRange.low).value_or(expected);
        bar.atHigh = moved(scenario, output, about.input, bar.inputRange.high).value_or(expected);
        const double scale = std::max(std::fabs(expected), 1e-300);
        if (std::fabs(bar.atLow - expected) > 1e-12 * scale ||
            std::fabs(bar.atHigh - expected) > 1e-12 * scale)
            bars.push_back(bar);
    }
    std::stable_sort(bars.begin(), bars.end(),
                     [](const Bar& a, const Bar& b) { return a.width() > b.width(); });
    return bars;
}

}  // namespace plumb::planner
