// SPDX-License-Identifier: Apache-2.0
#include "core/engine/counter_support.h"

#include <algorithm>

namespace plumb {

std::int64_t executionsOf(const StepPlan& plan) {
    std::int64_t executions = 0;
    for (const Op& op : plan.ops) executions += op.executions;
    return executions;
}

std::optional<std::int64_t> CounterSupport::stepsFor(const StepPlan& plan, CounterDetail detail) const {
    if (!available() || rangesAtOnce < 1) return std::nullopt;
    const auto found = std::find_if(passes.begin(), passes.end(), [&](const Passes& entry) {
        return entry.precision == plan.config.precision && entry.detail == detail;
    });
    if (found == passes.end() || found->passes < 1) return std::nullopt;
    const std::int64_t parts = (executionsOf(plan) + rangesAtOnce - 1) / rangesAtOnce;
    return found->passes * parts;
}

Result<CounterDetail> counterDetailFromName(std::string_view text) {
    if (const auto detail = kCounterDetailNames.find(text)) return *detail;
    return Error{ErrorCode::BadInput, "unknown amount of counters (" + std::string(text.substr(0, 40)) + ")",
                 "quick and full are possible"};
}

}  // namespace plumb
