// SPDX-License-Identifier: Apache-2.0
// What the planner says that data-parallel devices send of a deep linear model, against the plan of a rank.
#include "core/plan/step_plan.h"
#include "core/planner/recipe.h"
#include "core/planner/step_time.h"
#include "core/planner/traffic.h"

#include <gtest/gtest.h>

#include <utility>

namespace plumb::planner {
namespace {

/// Bytes of gradients and weights alone: the planner leaves out the loss and the norms.
double sentByPlan(const RunConfig& config) {
    const StepPlan plan = planStep(config, cpuTraits()).value();
    double sent = 0;
    for (const Op& op : plan.ops)
        if (op.lane == Lane::Traffic && op.layer > 0) sent += static_cast<double>(op.wireBytes);
    return sent;
}

TEST(RankTraffic, OfThePlannerIsThatOfThePlan) {
    for (const std::int64_t ranks : {2, 3, 4})
        for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
            // Matrices that no slice pads.
            RunConfig config{.dim = 96, .layers = 5, .outputs = 16, .batch = 48, .microBatch = 2};
            config.parallel.data = ranks;
            config.precision = precision;
            const auto rounds = static_cast<double>(config.microBatches());
            const auto parameters = static_cast<double>(config.parameters());
            const auto planned = [&](Sharding sharding) {
                return dataTraffic(recipeOf(config), sharding, parameters, 6, rounds, {ranks, 1}, {}).bytes;
            };
            for (const auto& [zero, sharding] : {std::pair{Zero::Off, Sharding::None},
                                                 {Zero::States, Sharding::State},
                                                 {Zero::Gradients, Sharding::Gradients}}) {
                config.parallel.zero = zero;
                EXPECT_DOUBLE_EQ(sentByPlan(config), planned(sharding));
            }
            // The planner gathers all weights twice; the plan neither the head nor the last layer again,
            // since both stay, nor the first one, which nobody reads on the way back.
            config.parallel.zero = Zero::Weights;
            const Bytes spared = 2 * config.dim * config.dim + config.dim * config.outputs;
            const double twice = planned(Sharding::Weights), gathered = sentByPlan(config);
            const double share = static_cast<double>(ranks - 1) / static_cast<double>(ranks);
            EXPECT_DOUBLE_EQ(gathered,
                             twice - rounds * share *
                                         static_cast<double>(dtypeSize(config.weightDtype()) * spared));
        }
}

}  // namespace
}  // namespace plumb::planner
