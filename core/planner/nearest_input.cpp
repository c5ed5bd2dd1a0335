// SPDX-License-Identifier: Apache-2.0
#include "core/planner/nearest_input.h"

#include "core/planner/inputs.h"

#include <algorithm>
#include <cmath>

namespace plumb::planner {

std::optional<double> nearestTaken(const Scenario& scenario, Input input, std::string_view text) {
    const InputInfo& about = info(input);
    const Result<double> read = parseValue(text, isShare(about) ? "1" : about.unit);
    if (!read.has_value() || !std::isfinite(*read) || (input == Input::Mfu && *read > 1)) return std::nullopt;
    const double nearest = std::clamp(about.whole ? std::round(*read) : *read, about.least, about.most);
    Scenario tried = scenario;
    if (nearest == *read || !setInput(tried, input, nearest).has_value()) return std::nullopt;
    return nearest;
}

std::optional<double> nearestAnswered(const Scenario& scenario, Input input, Output output) {
    constexpr int kFarthest = 64;
    const InputInfo& about = info(input);
    const Result<double> value = numberOf(scenario, input);
    if (!about.whole || !value.has_value() || evaluate(output, scenario).has_value()) return std::nullopt;
    const auto answers = [&](double number) {
        Scenario tried = scenario;
        return number >= about.least && number <= about.most && setInput(tried, input, number).has_value() &&
               evaluate(output, tried).has_value();
    };
    for (int away = 1; away <= kFarthest; ++away)
        for (const double number : {*value - away, *value + away})
            if (answers(number)) return number;
    // Degrees that are far too large: by the halves that divide what they are of.
    for (double number = std::exp2(std::floor(std::log2(*value))); number >= 1; number /= 2)
        if (answers(number)) return number;
    return std::nullopt;
}

}  // namespace plumb::planner
