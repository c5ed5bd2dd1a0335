// SPDX-License-Identifier: Apache-2.0
#include "core/measure/step_metrics_json.h"

#include "core/io/json_values.h"

#include <algorithm>
#include <string>

namespace plumb {

using nlohmann::json;

void putSteps(json& object, std::span<const StepMetrics> steps) {
    json numbers = json::array();
    for (const StepMetrics& step : steps) numbers.push_back(step.step);
    object["step"] = std::move(numbers);
    for (const StepMetric& metric : kStepMetrics) {
        const auto isKnown = [&](const StepMetrics& step) { return !std::isnan(step.*metric.value); };
        if (!metric.isAlwaysThere && std::ranges::none_of(steps, isKnown)) continue;
        json column = json::array();
        for (const StepMetrics& step : steps) column.push_back(numberJson(step.*metric.value));
        object[std::string(metric.name)] = std::move(column);
    }
}

std::vector<StepMetrics> readSteps(const JsonField& object) {
    const JsonField number = object["step"];
    const std::vector<std::int64_t> numbers = readCounts(number);
    std::vector<StepMetrics> steps(numbers.size());
    for (std::size_t i = 0; i < steps.size() && object.ok(); ++i) {
        steps[i].step = numbers[i];
        if (i > 0 && numbers[i] <= numbers[i - 1]) number.at(i).fail("is not after the step before it");
    }
    for (const StepMetric& metric : kStepMetrics) {
        const JsonField column = object[metric.name];
        if (!object.ok() || (column.isNull() && !metric.isAlwaysThere)) continue;
        const std::vector<double> values = readNumbers(column, metric.value != &StepMetrics::seconds);
        if (object.ok() && values.size() != steps.size())
            column.fail("has " + std::to_string(values.size()) + " entries and step has " +
                        std::to_string(steps.size()));
        for (std::size_t i = 0; i < steps.size() && object.ok(); ++i) steps[i].*metric.value = values[i];
    }
    for (StepMetrics& step : steps) step.skipped = looksSkipped(step);
    return steps;
}

}  // namespace plumb
