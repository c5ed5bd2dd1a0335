// SPDX-License-Identifier: Apache-2.0
#include "core/train/loss_judge.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

StepMetrics lost(std::int64_t step, bool skipped) {
    return StepMetrics{.step = step, .loss = kNotKnown, .skipped = skipped};
}

StepMetrics good(std::int64_t step) {
    StepMetrics metrics = lost(step, false);
    metrics.loss = 1;
    return metrics;
}

TEST(LossJudge, BlamesTheFirstStepOnTheStartAndLaterOnesOnTheTraining) {
    const RunConfig config;
    LossJudge atOnce(config, nullptr, 0);
    const auto first = atOnce.judge(lost(0, false));
    ASSERT_TRUE(first.has_value());
    EXPECT_NE(first->message.find("before any weight changed"), std::string::npos) << first->message;

    LossJudge later(config, nullptr, 0);
    EXPECT_FALSE(later.judge(good(0)).has_value());
    const auto second = later.judge(lost(1, false));
    ASSERT_TRUE(second.has_value());
    EXPECT_EQ(second->message.rfind("training diverged at step 1", 0), 0U) << second->message;
}

TEST(LossJudge, StepsThatWereSkippedBeforeChangedNoWeight) {
    const RunConfig config;
    LossJudge judge(config, nullptr, 5);  // resumed after five steps, all of them skipped
    const auto why = judge.judge(lost(5, false));
    ASSERT_TRUE(why.has_value());
    EXPECT_NE(why->message.find("before any weight changed"), std::string::npos) << why->message;
}

TEST(LossJudge, GivesSkippedStepsThirtyTwoInARow) {
    const RunConfig config;
    LossJudge judge(config, nullptr, 0);
    for (std::int64_t step = 0; step < 31; ++step) EXPECT_FALSE(judge.judge(lost(step, true)).has_value());
    EXPECT_FALSE(judge.judge(good(31)).has_value());  // the count begins anew
    for (std::int64_t step = 32; step < 63; ++step)
        EXPECT_FALSE(judge.judge(lost(step, true)).has_value()) << step;
    const auto why = judge.judge(lost(63, true));
    ASSERT_TRUE(why.has_value());
    EXPECT_NE(why->message.find("since step 32"), std::string::npos) << why->message;
    EXPECT_EQ(judge.skippedSteps(), 31 + 32);
}

}  // namespace
}  // namespace plumb
