// SPDX-License-Identifier: Apache-2.0
#include "core/machine/local_cpu.h"
#include "core/machine/machine.h"
#include "core/measure/reading.h"
#include "core/model/run_config.h"
#include "core/plan/step_plan.h"
#include "core/planner/inputs.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {

void options(std::string_view input) {
    RunConfig config;
    planner::Scenario scenario;
    for (const std::string_view line : lines(input)) {
        const std::size_t at = line.find('=');
        if (at == std::string_view::npos) continue;
        const std::string_view name = line.substr(0, at);
        if (setOption(config, name, line.substr(at + 1)).has_value()) {
            const std::string value = optionValue(config, name);
            RunConfig other = config;
            require(value.empty() || setOption(other, name, value).has_value(), "an option's value is read",
                    std::string(name) + "=" + value);
            require(optionValue(other, name) == value, "an option's value stays the same",
                    std::string(name) + "=" + value);
        }
        if (const auto known = planner::inputFromKey(name))
            (void)planner::setInput(scenario, *known, line.substr(at + 1));
    }
    if (!validate(config).has_value() || !isPlannedQuickly(config)) return;
    static const Machine machine = localCpu();
    const auto plan = planStep(config, cpuTraits());
    if (plan.has_value()) require(predict(*plan, machine).memory.peakBytes >= 0, "a peak is not negative");
}

}  // namespace plumb::fuzz
