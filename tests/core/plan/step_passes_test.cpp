// SPDX-License-Identifier: Apache-2.0
#include "core/plan/step_passes.h"

#include "tests/support/plans.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

StepPlan planOf(std::int64_t microBatches) {
    RunConfig config{.dim = 16, .layers = 2, .batch = 8};
    config.microBatch = config.batch / microBatches;
    return test::planOf(config);
}

TEST(StepPasses, RunTheOptimizerOnceAfterAllMicroBatches) {
    const StepPlan plan = planOf(4);
    const std::vector<StepPass> passes = passesOf(plan);
    ASSERT_EQ(passes.size(), 5U);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(passes[i].microBatch, static_cast<std::int64_t>(i));
    EXPECT_EQ(passes[0].end, passes[1].begin);
    for (std::size_t i = 2; i < 4; ++i) EXPECT_EQ(passes[i].begin, passes[1].begin);
    EXPECT_EQ(passes[4].begin, passes[3].end);
    EXPECT_EQ(plan.op(passes[4].end - 1).kind, OpKind::OptimizerStep);
}

TEST(StepPasses, WithoutAccumulationNameEveryOpOnce) {
    const StepPlan plan = planOf(1);
    const std::vector<StepPass> passes = passesOf(plan);
    ASSERT_EQ(passes.size(), 2U);
    EXPECT_EQ(passes[0].begin, 0);
    EXPECT_EQ(passes[0].end, passes[1].begin);
    EXPECT_EQ(passes[1].end, static_cast<std::int32_t>(plan.ops.size()));
}

}  // namespace
}  // namespace plumb
