// SPDX-License-Identifier: Apache-2.0
#include "core/model/run_config.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

RunConfig with(std::initializer_list<std::pair<const char*, const char*>> options) {
    RunConfig config;
    config.learningRate = 0.8;
    for (const auto& [name, value] : options) EXPECT_TRUE(setOption(config, name, value).has_value()) << name;
    EXPECT_TRUE(validate(config).has_value());
    return config;
}

TEST(LearningRate, IsConstantWithoutASchedule) {
    for (const std::int64_t step : {0, 1, 1000000}) EXPECT_EQ(learningRateAt(with({}), step), 0.8);
}

TEST(LearningRate, RisesLinearlyOverTheWarmUp) {
    const RunConfig config = with({{"warmup-steps", "4"}});
    EXPECT_DOUBLE_EQ(learningRateAt(config, 0), 0.2);
    EXPECT_DOUBLE_EQ(learningRateAt(config, 2), 0.6);
    EXPECT_DOUBLE_EQ(learningRateAt(config, 3), 0.8);
    EXPECT_DOUBLE_EQ(learningRateAt(config, 4), 0.8);
}

TEST(LearningRate, FollowsHalfACosineToItsEndAndStaysThere) {
    const RunConfig config = with(
        {{"lr-schedule", "cosine"}, {"warmup-steps", "10"}, {"schedule-steps", "110"}, {"min-lr", "0.2"}});
    EXPECT_DOUBLE_EQ(learningRateAt(config, 10), 0.8);
    EXPECT_DOUBLE_EQ(learningRateAt(config, 60), 0.5);
    EXPECT_DOUBLE_EQ(learningRateAt(config, 110), 0.2);
    EXPECT_DOUBLE_EQ(learningRateAt(config, 100000), 0.2);
    for (std::int64_t step = 10; step < 110; ++step)
        EXPECT_GT(learningRateAt(config, step), learningRateAt(config, step + 1));
}

TEST(LearningRate, FallsByGammaAtEachStair) {
    const RunConfig config =
        with({{"lr-schedule", "step"}, {"warmup-steps", "2"}, {"schedule-steps", "5"}, {"gamma", "0.5"}});
    EXPECT_DOUBLE_EQ(learningRateAt(config, 6), 0.8);
    EXPECT_DOUBLE_EQ(learningRateAt(config, 7), 0.4);
    EXPECT_DOUBLE_EQ(learningRateAt(config, 12), 0.2);
}

TEST(LearningRate, ScheduleOptionsThatCannotWorkAreRefusedByName) {
    const auto refusal = [](std::initializer_list<std::pair<const char*, const char*>> options) {
        RunConfig config;
        for (const auto& [name, value] : options)
            EXPECT_TRUE(setOption(config, name, value).has_value()) << name;
        const auto valid = validate(config);
        return valid.has_value() ? std::string("accepted") : valid.error().text();
    };
    EXPECT_NE(refusal({{"lr-schedule", "cosine"}, {"warmup-steps", "1000"}}).find("schedule-steps 1000"),
              std::string::npos);
    EXPECT_NE(refusal({{"lr-schedule", "cosine"}, {"min-lr", "1"}}).find("min-lr"), std::string::npos);
    EXPECT_NE(refusal({{"lr-schedule", "step"}, {"gamma", "0"}}).find("gamma"), std::string::npos);
    EXPECT_NE(refusal({{"clip-norm", "-1"}}).find("clip-norm"), std::string::npos);
    EXPECT_NE(refusal({{"precision", "fp16"}, {"loss-scale-growth", "1"}}).find("loss-scale-growth"),
              std::string::npos);
    EXPECT_NE(refusal({{"precision", "fp16"}, {"loss-scale-backoff", "1"}}).find("loss-scale-backoff"),
              std::string::npos);
    EXPECT_EQ(refusal({{"loss-scale-backoff", "1"}}), "accepted");  // no meaning without fp16
}

}  // namespace
}  // namespace plumb
