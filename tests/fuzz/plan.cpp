// SPDX-License-Identifier: Apache-2.0
#include "core/planner/conventions.h"
#include "core/planner/plan_comparison.h"
#include "core/planner/scenario_file.h"
#include "core/planner/verdict.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

#include <cmath>

namespace plumb::fuzz {

void plan(std::string_view input) {
    using namespace planner;
    const auto scenario = scenarioFromText(input, "the plan");
    if (!isTaken(scenario)) return;
    const std::string text = scenarioToText(*scenario);
    const auto again = scenarioFromText(text, "the plan");
    require(again.has_value(), "what a writer wrote its reader accepts",
            again.has_value() ? "" : again.error().text());
    require(scenarioToText(*again) == text, "a plan that was read is written as it was");
    if (const RunConfig* config = scenario->model.linear(); config != nullptr && !isPlannedQuickly(*config))
        return;
    for (const Output output : kEnumerators<Output>) {
        const auto value = evaluate(output, *scenario);
        if (!isTaken(value)) continue;
        require(std::isfinite(*value) && *value >= 0, "answers are numbers from 0 on", info(output).key);
        (void)conventionsOf({&output, 1}, *scenario);
    }
    if (const auto verdict = verdictOf(*scenario); isTaken(verdict))
        require(verdict->needed.low <= verdict->needed.high, "the ends of an answer are in order", "memory");
    const auto compared = comparePlans({{"a", *scenario}, {"b", *again}});
    require(compared.has_value(), "two plans can be compared");
    for (const auto* rows : {&compared->inputs, &compared->answers})
        for (const ComparedRow& row : *rows)
            require(!row.differs, "a plan does not differ from itself", row.key);
}

}  // namespace plumb::fuzz
