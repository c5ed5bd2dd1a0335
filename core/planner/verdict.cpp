// SPDX-License-Identifier: Apache-2.0
#include "core/planner/verdict.h"

#include "core/base/quantity.h"
#include "core/planner/serving.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::planner {

Result<Verdict> verdictOf(const Scenario& scenario) {
    Verdict verdict;
    PLUMB_TRY(const double needed, evaluate(Output::MemoryPerDevice, scenario));
    PLUMB_TRY(verdict.needed, rangeOf(Output::MemoryPerDevice, scenario, needed));
    PLUMB_TRY(verdict.available, numberOf(scenario, Input::Memory));
    verdict.withoutActivations = scenario.model.count() != nullptr;
    return verdict;
}

std::string verdictText(const Verdict& verdict) {
    std::string text =
        fmt::format("{}: {} of {}", verdict.word(), formatQuantity(verdict.needed.expected, "B"),
                    formatQuantity(verdict.available, "B"));
    if (verdict.fits() && verdict.needed.high > verdict.available)
        text += fmt::format("; at the unfavourable end of the assumptions {} do not",
                            formatQuantity(verdict.needed.high, "B"));
    if (!verdict.fits() && verdict.needed.low <= verdict.available)
        text += fmt::format("; at the favourable end of the assumptions {} would",
                            formatQuantity(verdict.needed.low, "B"));
    if (verdict.withoutActivations) text += " (activations left out)";
    return text;
}

Result<Verdict> verdictOf(std::span<const Output> outputs, const Scenario& scenario) {
    return std::any_of(outputs.begin(), outputs.end(), isOfServer) ? serverVerdict(scenario)
                                                                   : verdictOf(scenario);
}

bool needsMemory(Output output) {
    if (isServerTime(output)) return true;
    switch (output) {
    case Output::Days:
    case Output::DeviceHours:
    case Output::TokensPerSecond:
    case Output::StepSeconds:
    case Output::StepDays:
    case Output::StepMfu:
    case Output::StepHfu:
    case Output::Energy:
    case Output::Cost:
    case Output::EnergyCost:
    case Output::Co2:
        return true;
    default:
        return false;
    }
}

bool wantsVerdict(std::span<const Output> outputs) {
    return std::any_of(outputs.begin(), outputs.end(), [](Output output) {
        return output == Output::MemoryPerDevice || output == Output::ServerMemory || needsMemory(output);
    });
}

}  // namespace plumb::planner
