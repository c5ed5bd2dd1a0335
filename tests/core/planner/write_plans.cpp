// SPDX-License-Identifier: Apache-2.0
// Writes plans of every kind into a folder, and definitions.json: the schema of a plan as the program
// describes it, for check_plan_schema.py.
#include "core/io/file.h"
#include "core/planner/scenario_file.h"
#include "tests/core/planner/random_scenarios.h"

#include <nlohmann/json.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    using namespace plumb::planner;
    if (argc != 2) {
        std::fprintf(stderr, "usage: write_plans FOLDER\n");
        return 2;
    }
    const std::string folder = argv[1];
    bool ok = plumb::writeFileAtomically(folder + "/definitions.json", scenarioSchema().dump()).has_value();
    constexpr int kPlans = 80;
    RandomScenarios random(1);
    for (int i = 0; i < kPlans; ++i)
        ok = writeScenario(folder + "/" + std::to_string(i) + std::string(kPlanSuffix), random.draw())
                 .has_value() &&
             ok;
    return ok ? 0 : 1;
}
