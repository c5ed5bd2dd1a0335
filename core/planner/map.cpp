// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"
#include "core/planner/explore.h"
#include "core/planner/memory.h"
#include "core/planner/step_time.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

namespace plumb::planner {

namespace {

/// The batches of cells where none is given. It follows from devices and micro-batch, which say how much is
/// done, but not from the layout: steps of different batches cannot be compared.
class HeldBatches {
public:
    HeldBatches(const Scenario& scenario, const Axis& x, const Axis& y) {
        if (scenario.workload.batch != 0 || !(isLayout(x.input) || isLayout(y.input))) return;
        for (const double xValue : x.values)
            for (const double yValue : y.values) {
                Scenario cell = scenario;
                if (!setInput(cell, x.input, xValue).has_value() ||
                    !setInput(cell, y.input, yValue).has_value())
                    continue;
                if (const auto layout = resolve(cell); layout.has_value()) add(keyOf(cell), layout->batch);
            }
    }

    void hold(Scenario& cell) const {
        if (cell.workload.batch != 0) return;
        if (const auto found = m_batches.find(keyOf(cell)); found != m_batches.end())
            cell.workload.batch = found->second;
    }

private:
    using Key = std::pair<std::int64_t, std::int64_t>;
    static Key keyOf(const Scenario& cell) { return {cell.cluster.devices, cell.parallel.microBatch}; }

    void add(Key key, std::int64_t batch) {
        std::int64_t& held = m_batches.try_emplace(key, batch).first->second;
        constexpr std::int64_t kMostGrowth = 64;  // odd degrees: rather some cells less than huge batches
        const std::int64_t both = mulOrOverflow(held / std::gcd(held, batch), batch);
        const std::int64_t larger = std::max(held, batch);
        held = both > 0 && both / larger <= kMostGrowth ? both : larger;
    }

    std::map<Key, std::int64_t> m_batches;
};

MapCell cellOf(Scenario scenario, const Axis& x, double xValue, const Axis& y, double yValue,
               const HeldBatches& batches) {
    MapCell cell;
    const auto fill = [&]() -> Result<void> {
        PLUMB_CHECK(setInput(scenario, x.input, xValue));
        PLUMB_CHECK(setInput(scenario, y.input, yValue));
        batches.hold(scenario);
        PLUMB_TRY(cell.memoryBytes, evaluate(Output::MemoryPerDevice, scenario));
        PLUMB_TRY(const double available, numberOf(scenario, Input::Memory));
        if (scenario.model.count() == nullptr) {  // which has no operations to time, but memory
            PLUMB_TRY(cell.stepSeconds, evaluate(Output::StepSeconds, scenario));
        }
        cell.fits = cell.memoryBytes <= available;
        if (const auto layout = resolve(scenario); layout.has_value()) cell.batch = layout->batch;
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
    const HeldBatches batches(scenario, map.x, map.y);
    map.cells.reserve(map.x.values.size() * map.y.values.size());
    for (std::size_t row = 0; row < map.y.values.size(); ++row) {
        for (const double value : map.x.values) {
            if (stop.stop_requested()) return map;
            map.cells.push_back(cellOf(scenario, map.x, value, map.y, map.y.values[row], batches));
        }
        if (progress) progress(static_cast<double>(row + 1) / static_cast<double>(map.y.values.size()));
    }
    map.complete = true;
    return map;
}

}  // namespace plumb::planner
