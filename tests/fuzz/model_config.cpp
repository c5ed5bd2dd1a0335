// SPDX-License-Identifier: Apache-2.0
#include "core/machine/hardware_database.h"
#include "core/machine/machine.h"
#include "core/planner/answer.h"
#include "core/planner/memory.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {

void model_config(std::string_view input) {
    using namespace planner;
    constexpr std::size_t kChoices = 8;
    if (input.size() < kChoices) return;
    const auto model = modelFromConfig(input.substr(kChoices), "the configuration");
    if (!isTaken(model)) return;
    const ParameterCounts counts = countParameters(*model->transformer());
    require(counts.total > 0 && counts.active > 0 && counts.active <= counts.total,
            "active parameters are among all");

    const auto choice = [&](std::size_t i, unsigned count) {
        return static_cast<unsigned>(static_cast<unsigned char>(input[i])) % count;
    };
    static const Machine device = *HardwareDatabase::builtIn().find("h200-sxm");
    Scenario scenario;
    scenario.model = *model;
    scenario.cluster.device = device;
    scenario.cluster.devices = std::int64_t{1} << choice(0, 14);
    scenario.parallel.tensor = std::int64_t{1} << choice(1, 5);
    scenario.parallel.pipeline = std::int64_t{1} << choice(2, 5);
    scenario.parallel.context = std::int64_t{1} << choice(3, 3);
    scenario.parallel.expert = std::int64_t{1} << choice(4, 5);
    scenario.parallel.sharding = static_cast<Sharding>(choice(5, 4));
    scenario.workload.tokens = 1e12;
    scenario.workload.sequence = choice(6, 256) * 64;
    scenario.recipe.recompute = static_cast<Recompute>(choice(7, 3));
    (void)memoryPerDevice(scenario);
    for (const Output output : kEnumerators<Output>) {
        const auto found = answer(output, scenario);
        if (isTaken(found))
            require(found->value.low <= found->value.high, "the ends of an answer are in order",
                    info(found->output).key);
    }
}

}  // namespace plumb::fuzz
