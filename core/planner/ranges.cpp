// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantile.h"
#include "core/planner/answer.h"
#include "core/planner/measured.h"
#include "core/planner/serving.h"

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

bool hasEnds(const Scenario& scenario, Input input) {
    const InputInfo& about = info(input);
    if (about.kind == InputKind::Assumption) return true;
    return about.kind == InputKind::Fact && scenario.given[input].has_value();
}

bool differs(const Result<double>& a, double b) {
    return !a.has_value() || std::fabs(*a - b) > 1e-12 * std::max(std::fabs(*a), std::fabs(b));
}

/// What the step model leaves open beyond its assumptions, as the standard deviation of ln(published /
/// predicted): so much that ranges hold eight of ten trainings that its priors were fitted on, or a little
/// more.
constexpr double kModelSpread = 0.15;
/// The same of servers, which nothing was fitted on.
constexpr double kServerSpread = 0.17;
/// Assumptions are wrong independently of each other: their shares of the spread add up as squares. A range
/// that has each at its worst at once would hold nearly everything and say nothing.
Result<Range> independentRange(Output output, const Scenario& scenario, double expected) {
    // What a measurement leaves open is one of the assumptions: the ends of the step factor. Ends of
    // assumptions are tenth and ninetieth percentiles.
    const double spread = isServerTime(output) ? kServerSpread : kModelSpread;
    const double open = restsOnMeasurement(scenario) ? 0 : kNormalTenth * spread;
    double below = open * open, above = below;
    const EnumArray<Input, bool> asksFor = inputsAskedFor(output, scenario);
    for (const InputInfo& about : allInputs()) {
        // A utilisation that is assumed follows from the step, and not the other way round.
        if (!asksFor[about.input] || !hasEnds(scenario, about.input) || about.input == Input::Mfu) continue;
        PLUMB_TRY(const InputValue value, valueOf(scenario, about.input));
        for (const double end : {value.range.low, value.range.high}) {
            const auto then = evaluateUnchecked(output, withValue(scenario, about.input, end));
            if (!then.has_value() || !(*then > 0)) continue;
            const double moved = std::log(*then / expected);
            (moved < 0 ? below : above) += moved * moved;
        }
    }
    return Range{expected * std::exp(-std::sqrt(below)), expected, expected * std::exp(std::sqrt(above))};
}

bool isOfStepModel(Output output, const Scenario& scenario) {
    if (scenario.model.linear() != nullptr) return false;
    return output == Output::StepSeconds || output == Output::StepDays || output == Output::StepMfu ||
           output == Output::StepHfu || isServerTime(output);
}

/// Whether the output follows from the utilisation that is assumed.
bool followsFromMfu(Output output, const Scenario& scenario) {
    const auto at = [&](double mfu) {
        return evaluateUnchecked(output, withValue(scenario, Input::Mfu, mfu));
    };
    const auto half = at(0.5);
    return half.has_value() && differs(at(0.25), *half);
}

}  // namespace

EnumArray<Input, bool> inputsAskedFor(Output output, const Scenario& scenario) {
    const InputsRead read;
    // What was measured has a scenario of its own, which an input moves as well.
    const bool isKnown = evaluate(output, scenario).has_value() && scenario.measured == nullptr;
    EnumArray<Input, bool> asksFor{};
    for (const Input input : kEnumerators<Input>)
        asksFor[input] = !isKnown || !isOfGivenAlone(input) || read.has(input);
    return asksFor;
}

Scenario withMfuHeld(const Scenario& scenario, Output output) {
    Scenario held = scenario;
    if (isOfStepModel(output, scenario) || held.given[Input::Mfu] || !followsFromMfu(output, scenario))
        return held;
    if (const auto mfu = valueOf(scenario, Input::Mfu); mfu.has_value()) held.given[Input::Mfu] = mfu->range;
    return held;
}

Result<Range> rangeOf(Output output, const Scenario& asked, double expected) {
    if (isOfStepModel(output, asked)) return independentRange(output, asked, expected);
    const Scenario scenario = withMfuHeld(asked, output);
    Scenario lowest = scenario, highest = scenario;
    const EnumArray<Input, bool> asksFor = inputsAskedFor(output, scenario);
    for (const InputInfo& about : allInputs()) {
        if (!asksFor[about.input] || !hasEnds(scenario, about.input)) continue;
        PLUMB_TRY(const InputValue value, valueOf(scenario, about.input));
        const Range& r = value.range;
        const auto atLow = evaluateUnchecked(output, withValue(scenario, about.input, r.low));
        const auto atHigh = evaluateUnchecked(output, withValue(scenario, about.input, r.high));
        if (!differs(atLow, expected) && !differs(atHigh, expected)) continue;
        if (!atLow.has_value() || !atHigh.has_value())
            continue;  // the end is impossible: stay at the expected
        const bool rises = *atHigh >= *atLow;
        const double forLow = rises ? r.low : r.high, forHigh = rises ? r.high : r.low;
        lowest = withValue(lowest, about.input, forLow);
        highest = withValue(highest, about.input, forHigh);
    }
    const auto low = evaluateUnchecked(output, lowest), high = evaluateUnchecked(output, highest);
    Range range{expected, expected, expected};
    if (low.has_value()) range.low = std::min(*low, expected);
    if (high.has_value()) range.high = std::max(*high, expected);
    return range;
}

std::vector<Input> inputsOf(Output output, const Scenario& asked) {
    std::vector<Input> found;
    const Scenario scenario = withMfuHeld(asked, output);
    const auto expected = evaluate(output, scenario);
    if (!expected.has_value()) return found;
    const EnumArray<Input, bool> asksFor = inputsAskedFor(output, scenario);
    for (const InputInfo& about : allInputs()) {
        if (!asksFor[about.input]) continue;
        const auto value = valueOf(scenario, about.input);
        if (!value.has_value()) continue;
        const Range& r = value->range;
        std::vector<double> tries{r.low, r.high, r.expected * 1.1, r.expected * 0.9};
        if (about.whole) tries = {r.expected * 2, r.expected + 1, std::floor(r.expected / 2)};
        bool matters = false;
        for (const double tried : tries) {
            if (tried == r.expected || tried < about.least || tried > about.most) continue;
            Scenario changed = scenario;
            if (about.kind == InputKind::Choice) {
                if (!setInput(changed, about.input, tried).has_value()) continue;
            } else {
                changed = withValue(scenario, about.input, tried);
            }
            const auto then = evaluate(output, changed);
            if (then.has_value() && differs(then, *expected)) matters = true;
        }
        if (matters) found.push_back(about.input);
    }
    return found;
}

}  // namespace plumb::planner
