// SPDX-License-Identifier: Apache-2.0
#include "core/measure/step_metrics_json.h"

#include <algorithm>
#include <string>

namespace plumb {

using nlohmann::json;

json stepsJson(std::span<const StepMetrics> steps) {
    json object = json::object(), numbers = json::array();
    for (const StepMetrics& step : steps) numbers.push_back(step.step);
    object["step"] = std::move(numbers);
    for (const StepMetric& metric : kStepMetrics) {
        const auto isKnown = [&](const StepMetrics& step) { return !std::isnan(step.*metric.value); };
        if (!metric.isAlwaysThere && std::ranges::none_of(steps, isKnown)) continue;
        json column = json::array();
        for (const StepMetrics& step : steps) column.push_back(numberJson(step.*metric.value));
        object[std::string(metric.name)] = std::move(column);
    }
    return object;
}

std::vector<StepMetrics> readSteps(const JsonField& object) {
    const JsonField number = object["step"];
    const std::vector<std::int64_t> numbers = Json<std::vector<std::int64_t>>::read(number);
    std::vector<StepMetrics> steps(numbers.size());
    for (std::size_t i = 0; i < steps.size() && object.ok(); ++i) {
        steps[i].step = numbers[i];
        if (i > 0 && numbers[i] <= numbers[i - 1]) number.at(i).fail("is not after the step before it");
    }
    for (const StepMetric& metric : kStepMetrics) {
        const JsonField column = object[metric.name];
        if (!object.ok() || (column.isNull() && !metric.isAlwaysThere)) continue;
        const std::vector<double> values = metric.value == &StepMetrics::seconds
                                               ? Json<std::vector<double>>::read(column)
                                               : ListOf<AnyNumber>::read(column);
        if (object.ok() && values.size() != steps.size())
            column.fail("has " + std::to_string(values.size()) + " entries and step has " +
                        std::to_string(steps.size()));
        for (std::size_t i = 0; i < steps.size() && object.ok(); ++i) steps[i].*metric.value = values[i];
    }
    for (StepMetrics& step : steps) step.skipped = looksSkipped(step);
    return steps;
}

json stepsSchema() {
    json definitions, properties = json::object(), required{"step"};
    properties["step"] = ListOf<Whole<>>::schema(definitions);
    properties["step"]["description"] = "Increasing";
    for (const StepMetric& metric : kStepMetrics) {
        json& column = properties[std::string(metric.name)];
        column = metric.value == &StepMetrics::seconds ? ListOf<Json<double>>::schema(definitions)
                                                       : ListOf<AnyNumber>::schema(definitions);
        column["description"] = metric.about;
        if (metric.isAlwaysThere) required.push_back(metric.name);
    }
    return {{"properties", std::move(properties)}, {"required", std::move(required)}};
}

}  // namespace plumb
