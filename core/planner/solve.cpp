// SPDX-License-Identifier: Apache-2.0
#include "core/planner/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

constexpr int kSteps = 200;  // a double has 52 bits of mantissa and 11 of exponent

Result<double> at(const Scenario& scenario, Output output, Input unknown, double value) {
    Scenario changed = scenario;
    if (unknown == Input::Parameters && scenario.model.count() == nullptr)
        return Error{ErrorCode::BadInput, "the parameters of a model follow from its sizes",
                     "give a number of parameters instead of a model to solve for them"};
    PLUMB_CHECK(setInput(changed, unknown, value));
    return evaluate(output, changed);
}

/// Half way by ratio between positive numbers, else by difference; whole where the input is.
double between(double low, double high, bool whole) {
    const double middle =
        low > 0 && high / low > 2 ? std::sqrt(low) * std::sqrt(high) : low + (high - low) / 2;
    return whole ? std::floor(middle) : middle;
}

struct End {
    double value = 0;
    double output = 0;
};

/// The outermost accepted value, seen from `from`, at which the output can be worked out at all: a batch may
/// be too small for the devices, or a degree of parallelism may not divide.
std::optional<End> outermost(const Scenario& s, Output output, Input unknown, double from, double inwards) {
    double value = from;
    for (int i = 0; i < kSteps; ++i) {
        const auto result = at(s, output, unknown, value);
        if (result.has_value()) return End{value, *result};
        const double next = between(std::min(value, inwards), std::max(value, inwards), info(unknown).whole);
        if (next == value) break;
        value = next;
    }
    return std::nullopt;
}

/// Where an input has to divide something, only few values are possible: all of them are tried.
Result<double> scanWhole(const Scenario& s, Output output, double target, Input unknown, double most) {
    constexpr double kMostTried = 65536;
    const auto start = at(s, output, unknown, std::max(1.0, info(unknown).least));
    const bool above = start.has_value() && *start > target;
    std::optional<double> best;
    for (double value = std::max(info(unknown).least, 0.0); value <= std::min(most, kMostTried); ++value) {
        const auto result = at(s, output, unknown, value);
        if (!result.has_value()) continue;
        if (above ? *result <= target : *result >= target) return value;
        best = value;
    }
    return Error{ErrorCode::BadInput,
                 fmt::format("no {} reaches {}", info(unknown).label, formatOutput(output, target)),
                 "change something else as well"};
}

}  // namespace

Result<double> solveFor(const Scenario& scenario, Output output, double target, Input unknown) {
    const InputInfo& about = info(unknown);
    if (!std::isfinite(target) || target <= 0)
        return Error{ErrorCode::BadInput, fmt::format("{} cannot be {:g}", info(output).label, target),
                     "give a positive number"};
    const bool divides = unknown == Input::Tensor || unknown == Input::Pipeline ||
                         unknown == Input::Context || unknown == Input::Expert || unknown == Input::Chunks ||
                         unknown == Input::MicroBatch || unknown == Input::Batch || unknown == Input::Zero ||
                         unknown == Input::RecomputeInterval;
    const bool stepModel = output == Output::MemoryPerDevice || output == Output::StepSeconds ||
                           output == Output::StepDays || output == Output::StepMfu ||
                           output == Output::StepHfu;
    if (divides || (about.whole && stepModel))
        return scanWhole(scenario, output, target, unknown, about.most);

    // The known value, if there is one, lies in the middle of what is possible.
    const auto known = valueOf(scenario, unknown);
    const double middle = known.has_value() ? std::clamp(known->range.expected, about.least, about.most)
                                            : between(std::max(about.least, 1e-6), about.most, about.whole);
    const auto low = outermost(scenario, output, unknown, about.least, middle);
    const auto high = outermost(scenario, output, unknown, about.most, middle);
    if (!low || !high) return at(scenario, output, unknown, middle);  // says what is missing
    if (low->output == high->output)
        return Error{ErrorCode::BadInput,
                     fmt::format("{} does not depend on {}", info(output).label, about.label),
                     "solve for another input"};
    const bool rises = high->output > low->output;
    const auto reached = [&](double value) { return rises ? value >= target : value <= target; };
    if (!reached(high->output) || (reached(low->output) && low->output != target && !about.whole))
        return Error{
            ErrorCode::BadInput,
            fmt::format("no {} gives {} ({})", about.label, info(output).label, formatOutput(output, target)),
            fmt::format("it is {} at {} and {} at {}", formatOutput(output, low->output),
                        formatInput(unknown, low->value), formatOutput(output, high->output),
                        formatInput(unknown, high->value))};
    double below = low->value, above = high->value;  // above reaches the target, below does not
    if (reached(low->output)) return below;
    for (int i = 0; i < kSteps; ++i) {
        const double tried = between(below, above, about.whole);
        if (tried == below || tried == above) break;
        PLUMB_TRY(const double value, at(scenario, output, unknown, tried));
        (reached(value) ? above : below) = tried;
    }
    return above;
}

}  // namespace plumb::planner
