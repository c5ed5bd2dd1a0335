// SPDX-License-Identifier: Apache-2.0
#include "core/planner/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

constexpr double kExact = 1e-12;
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

/// Some value at which the output can be worked out at all: `first`, an end of what is accepted, or one of
/// ever finer steps between the ends. A utilisation, for one, is none above 100 %, wherever that may be.
std::optional<End> anyValid(const Scenario& s, Output output, Input unknown, double first) {
    const InputInfo& about = info(unknown);
    const double from = about.least > 0 ? about.least : 1e-9 * about.most;
    constexpr int kFinest = 64;
    std::vector<double> tries{first, about.least, about.most};
    for (int parts = 2; parts <= kFinest; parts *= 2)
        for (int i = 1; i < parts; i += 2)
            tries.push_back(from * std::pow(about.most / from, static_cast<double>(i) / parts));
    for (double value : tries) {
        if (about.whole) value = std::round(value);
        if (const auto result = at(s, output, unknown, value); result.has_value()) return End{value, *result};
    }
    return std::nullopt;
}

/// The outermost value towards `end` at which the output can be worked out, seen from `inside`, where it can.
End outermost(const Scenario& s, Output output, Input unknown, double end, End inside) {
    if (const auto result = at(s, output, unknown, end); result.has_value()) return {end, *result};
    for (int i = 0; i < kSteps; ++i) {
        const double middle =
            between(std::min(end, inside.value), std::max(end, inside.value), info(unknown).whole);
        if (middle == end || middle == inside.value) break;
        if (const auto result = at(s, output, unknown, middle); result.has_value())
            inside = {middle, *result};
        else
            end = middle;
    }
    return inside;
}

/// Answers that people set a limit to; of the others they want at least so much.
bool isLimit(Output output) {
    switch (output) {
    case Output::LargestModel:
    case Output::ModelParameters:
    case Output::TokensPerSecond:
    case Output::StepMfu:
    case Output::StepHfu:
    case Output::MeasuredMfu:
    case Output::MeasuredHfu:
    case Output::OptimalParameters:
    case Output::OptimalTokens:
    case Output::Budget:
        return false;
    default:
        return true;
    }
}

bool meets(Output output, double value, double target) {
    return isLimit(output) ? value <= target : value >= target;
}

Error unreached(Output output, double target, const InputInfo& about, std::string hint) {
    return {ErrorCode::BadInput,
            fmt::format("no {} gives {} ({})", about.label, info(output).label, formatOutput(output, target)),
            std::move(hint)};
}

/// Where an input has to divide something, only few values are possible: they are tried in order, up to
/// where the answer begins or ceases to meet the target.
Result<double> scanWhole(const Scenario& s, Output output, double target, Input unknown, double most) {
    constexpr double kMostTried = 65536;
    std::optional<End> best, least, greatest;  // best: meets the target, and nearest to it
    bool missed = false;
    std::optional<Error> problem;
    for (double value = std::max(info(unknown).least, 0.0); value <= std::min(most, kMostTried); ++value) {
        const auto result = at(s, output, unknown, value);
        if (!result.has_value()) {
            if (!problem) problem = result.error();
            continue;
        }
        if (!least || *result < least->output) least = End{value, *result};
        if (!greatest || *result > greatest->output) greatest = End{value, *result};
        if (meets(output, *result, target)) {
            if (!best || std::fabs(*result - target) < std::fabs(best->output - target))
                best = End{value, *result};
            if (missed) break;
        } else {
            missed = true;
            if (best) break;
        }
    }
    if (best) return best->value;
    if (!least) return *problem;  // says what is missing
    return unreached(output, target, info(unknown),
                     fmt::format("change something else as well: it is from {} ({}) to {} ({})",
                                 formatOutput(output, least->output), formatInput(unknown, least->value),
                                 formatOutput(output, greatest->output),
                                 formatInput(unknown, greatest->value)));
}

}  // namespace

Result<double> solveFor(const Scenario& asked, Output output, double target, Input unknown) {
    const InputInfo& about = info(unknown);
    const Scenario scenario = isLayout(unknown) ? withBatchHeld(asked) : asked;
    if (!std::isfinite(target) || target <= 0)
        return Error{ErrorCode::BadInput, fmt::format("{} cannot be {:g}", info(output).label, target),
                     "give a positive number"};
    const bool divides = isLayout(unknown) || unknown == Input::MicroBatch || unknown == Input::Batch ||
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
    const auto inside = anyValid(scenario, output, unknown, middle);
    if (!inside) return at(scenario, output, unknown, middle);  // says what is missing
    const End low = outermost(scenario, output, unknown, about.least, *inside);
    const End high = outermost(scenario, output, unknown, about.most, *inside);
    if (low.output == high.output)
        return Error{ErrorCode::BadInput,
                     fmt::format("{} does not depend on {}", info(output).label, about.label),
                     "solve for another input"};
    const bool lowMeets = meets(output, low.output, target), highMeets = meets(output, high.output, target);
    for (const End& end : {low, high})
        if (std::fabs(end.output - target) <= kExact * target) return end.value;  // 100 %, an end by itself
    // Too much is asked for, or, of a number that can be set finely, too little.
    if (lowMeets == highMeets && !(lowMeets && about.whole))
        return unreached(output, target, about,
                         fmt::format("it is {} at {} and {} at {}", formatOutput(output, low.output),
                                     formatInput(unknown, low.value), formatOutput(output, high.output),
                                     formatInput(unknown, high.value)));
    if (lowMeets == highMeets)
        return std::fabs(low.output - target) <= std::fabs(high.output - target) ? low.value : high.value;
    double met = lowMeets ? low.value : high.value, missed = lowMeets ? high.value : low.value;
    for (int i = 0; i < kSteps; ++i) {
        const double tried = between(std::min(met, missed), std::max(met, missed), about.whole);
        if (tried == met || tried == missed) break;
        PLUMB_TRY(const double value, at(scenario, output, unknown, tried));
        (meets(output, value, target) ? met : missed) = tried;
    }
    return met;
}

}  // namespace plumb::planner
