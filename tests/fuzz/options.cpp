// SPDX-License-Identifier: Apache-2.0
#include "core/machine/local_cpu.h"
#include "core/machine/machine.h"
#include "core/measure/reading.h"
#include "core/model/run_config.h"
#include "core/plan/step_plan.h"
#include "core/planner/inputs.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

#include <algorithm>

namespace plumb::fuzz {
namespace {

bool isOption(std::string_view name) {
    return std::ranges::find(runOptions(), name, &OptionInfo::name) != runOptions().end();
}

}  // namespace

void options(std::string_view input) {
    RunConfig config;
    planner::Scenario scenario;
    for (const std::string_view line : lines(input)) {
        const std::size_t at = line.find('=');
        if (at == std::string_view::npos) continue;
        const std::string_view name = line.substr(0, at);
        const Result<void> set = setOption(config, name, line.substr(at + 1));
        // An unknown name is what is wrong, else the value.
        std::string_view wrong = isOption(name) ? line.substr(at + 1) : name;
        if (name == "checkpoint" && wrong.starts_with("fit:")) wrong.remove_prefix(4);
        if (!isTaken(set))
            require(set.error().message.find(wrong) != std::string::npos, "an error names what is wrong",
                    set.error().text());
        if (set.has_value()) {
            const std::string value = optionValue(config, name);
            RunConfig other = config;
            require(value.empty() || setOption(other, name, value).has_value(), "an option's value is read",
                    std::string(name) + "=" + value);
            require(optionValue(other, name) == value, "an option's value stays the same",
                    std::string(name) + "=" + value);
        }
        if (const auto known = planner::inputFromKey(name))
            (void)isTaken(planner::setInput(scenario, *known, line.substr(at + 1)));
    }
    if (!isTaken(validate(config)) || !isPlannedQuickly(config)) return;
    static const Machine machine = localCpu();
    const auto plan = planStep(config, cpuTraits());
    if (isTaken(plan)) require(predict(*plan, machine).memory.peakBytes >= 0, "a peak is not negative");
}

}  // namespace plumb::fuzz
