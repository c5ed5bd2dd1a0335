// SPDX-License-Identifier: Apache-2.0
#include "core/machine/hardware_database.h"
#include "core/planner/answer.h"
#include "core/planner/inputs.h"
#include "core/planner/memory.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

#include <cmath>
#include <set>

namespace plumb::fuzz {
namespace {

planner::Scenario scenarioOfValues() {
    static const Machine device = *HardwareDatabase::builtIn().find("h200-sxm");
    planner::Scenario scenario;
    scenario.cluster.device = device;
    scenario.cluster.devices = 8;
    scenario.workload.tokens = 1e12;
    return scenario;
}

/// Every unit that a value is typed in.
void requireUnits(std::string_view text) {
    using namespace planner;
    std::set<std::string_view> units;
    for (const InputInfo& about : allInputs()) units.insert(about.unit);
    for (const Output output : kEnumerators<Output>) units.insert(info(output).unit);
    for (const std::string_view unit : units) {
        const auto value = parseValue(text, unit);
        if (!isTaken(value)) {
            require(!value.error().message.empty(), "a refusal says what is wrong");
            continue;
        }
        require(std::isfinite(*value), "a value is finite", text);
        require(!formatValue(*value, unit).empty(), "a value has a text");
    }
}

}  // namespace

void planner_values(std::string_view input) {
    using namespace planner;
    Scenario scenario = scenarioOfValues();
    bool any = false;
    for (const std::string_view line : lines(input)) {
        const std::size_t at = line.find('=');
        if (at == std::string_view::npos) {
            requireUnits(line);
            continue;
        }
        const auto chosen = inputFromKey(line.substr(0, at));
        if (!chosen) continue;
        const InputInfo& about = info(*chosen);
        const Scenario before = scenario;
        if (!isTaken(setInput(scenario, *chosen, line.substr(at + 1)))) {
            scenario = before;
            continue;
        }
        any = true;
        const auto value = valueOf(scenario, *chosen);
        if (!isTaken(value)) continue;
        const Range& range = value->range;
        require(range.low <= range.expected && range.expected <= range.high, "a range is in order",
                about.key);
        for (const double end : {range.low, range.expected, range.high})
            require(std::isfinite(end) && end >= about.least && end <= about.most,
                    "a value is within its bounds", about.key);
        require(!formatInput(*chosen, range.expected).empty(), "a value has a text", about.key);
    }
    if (!any) return;
    (void)memoryPerDevice(scenario);
    for (const Output output : kEnumerators<Output>) {
        const auto found = answer(output, scenario);
        if (!isTaken(found)) continue;
        require(found->value.low <= found->value.high, "the ends of an answer are in order",
                info(output).key);
        (void)formatOutput(output, found->value.expected);
    }
}

}  // namespace plumb::fuzz
