// SPDX-License-Identifier: Apache-2.0
#include "core/planner/explore.h"
#include "core/planner/memory.h"
#include "core/planner/step_time.h"

#include <cmath>

namespace plumb::planner {

namespace {

MapCell cellOf(Scenario scenario, const Axis& x, double xValue, const Axis& y, double yValue) {
    MapCell cell;
    const auto fill = [&]() -> Result<void> {
        PLUMB_CHECK(setInput(scenario, x.input, xValue));
        PLUMB_CHECK(setInput(scenario, y.input, yValue));
        PLUMB_TRY(cell.memoryBytes, evaluate(Output::MemoryPerDevice, scenario));
        PLUMB_TRY(const double available, numberOf(scenario, Input::Memory));
        if (scenario.model.count() == nullptr) {  // which has no operations to time, but memory
            PLUMB_TRY(cell.stepSeconds, evaluate(Output::StepSeconds, scenario));
        }
        cell.fits = cell.memoryBytes <= available;
        return {};
    };
    const Result<void> filled = fill();
    cell.possible = filled.has_value();
    if (!filled.has_value()) cell.problem = filled.error().text();
    return cell;
}

}  // namespace

Axis axisOf(Input input, double from, double to, std::size_t count, bool logarithmic) {
    Axis axis{input, {}};
    for (std::size_t i = 0; i < count; ++i) {
        const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0;
        double value =
            logarithmic && from > 0 ? from * std::pow(to / from, share) : from + (to - from) * share;
        if (info(input).whole) value = std::round(value);
        if (axis.values.empty() || axis.values.back() != value) axis.values.push_back(value);
    }
    return axis;
}

Result<Map> makeMap(const Scenario& scenario, Axis x, Axis y, const std::stop_token& stop,
                    const std::function<void(double)>& progress) {
    if (x.values.empty() || y.values.empty())
        return Error{ErrorCode::BadInput, "an axis of the map has no values", "give its range and how many"};
    if (x.input == y.input)
        return Error{ErrorCode::BadInput, "both axes of the map are the same input",
                     "choose two different ones"};
    Map map{std::move(x), std::move(y), {}, false};
    map.cells.reserve(map.x.values.size() * map.y.values.size());
    for (std::size_t row = 0; row < map.y.values.size(); ++row) {
        for (const double value : map.x.values) {
            if (stop.stop_requested()) return map;
            map.cells.push_back(cellOf(scenario, map.x, value, map.y, map.y.values[row]));
        }
        if (progress) progress(static_cast<double>(row + 1) / static_cast<double>(map.y.values.size()));
    }
    map.complete = true;
    return map;
}

}  // namespace plumb::planner
