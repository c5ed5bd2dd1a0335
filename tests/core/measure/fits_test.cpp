// SPDX-License-Identifier: Apache-2.0
#include "core/measure/reading.h"
#include "core/plan/step_plan.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

/// Peak of a step with this batch, by planning it; -1 when it cannot be planned.
Bytes peakWith(RunConfig config, const BackendTraits& traits, std::int64_t batch, std::int64_t microBatch) {
    config.batch = batch;
    config.microBatch = microBatch;
    const Result<StepPlan> plan = planStep(config, traits);
    return plan.has_value() ? summariseCurve(memoryCurve(*plan)).peakBytes : -1;
}

BackendTraits withScratch(std::uint64_t seed) {
    BackendTraits traits = cpuTraits();
    traits.castsProducts = seed % 3 != 0;
    traits.libraryScratchBytes = seed % 2 == 0 ? 0 : static_cast<Bytes>(1 + seed * 7919 % 200000);
    traits.libraryScratchBase = static_cast<Bytes>(seed * 31 % 5000);
    traits.libraryScratchPerByte = static_cast<double>(seed % 5) * 0.3;
    return traits;
}

TEST(Fits, TheLargestBatchFitsAndTheNextDoesNot) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        RunConfig config = test::randomConfig(seed);
        config.microBatch = seed % 2 == 0 ? 0 : config.batch;  // one micro-batch, written either way
        const BackendTraits traits = withScratch(seed);
        const Bytes smallest = peakWith(config, traits, 1, 1);
        for (const Bytes memory : {smallest - 1, smallest, smallest + 1, smallest * 2, smallest * 50}) {
            const std::int64_t batch = largestBatchThatFits(config, traits, memory);
            SCOPED_TRACE("seed " + std::to_string(seed) + " memory " + std::to_string(memory) + " batch " +
                         std::to_string(batch));
            if (memory < smallest) {
                EXPECT_EQ(batch, 0);
                continue;
            }
            ASSERT_GE(batch, 1);
            EXPECT_LE(peakWith(config, traits, batch, batch), memory);
            EXPECT_GT(peakWith(config, traits, batch + 1, batch + 1), memory);
        }
    }
}

TEST(Fits, MicroBatchesOfAFixedSizeAreLimitedByMemoryOnlyUpToTheSecond) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        RunConfig config = test::randomConfig(seed);
        if (config.microBatches() == 1) continue;
        const BackendTraits traits = withScratch(seed);
        const std::int64_t rows = config.microBatch;
        const Bytes one = peakWith(config, traits, rows, rows);
        const Bytes two = peakWith(config, traits, 2 * rows, rows);
        EXPECT_EQ(peakWith(config, traits, 5 * rows, rows), two);
        EXPECT_LE(one, two);
        EXPECT_EQ(largestBatchThatFits(config, traits, one - 1), 0);
        if (one < two) {
            EXPECT_EQ(largestBatchThatFits(config, traits, two - 1), rows);
        }
        const std::int64_t batch = largestBatchThatFits(config, traits, two);
        EXPECT_EQ(batch % rows, 0);
        config.batch = batch;
        EXPECT_TRUE(validate(config).has_value());
        config.batch = batch + rows;
        EXPECT_FALSE(validate(config).has_value()) << "a larger batch was possible";
    }
}

TEST(Fits, TheLargestBatchOfABudgetedScheduleIsTheLastThatHasOne) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        RunConfig config = test::randomConfig(seed);
        config.microBatch = 0;
        const BackendTraits traits = withScratch(seed);
        config.recompute = {RecomputePolicy::Kind::None, 1, 0};
        const Bytes budget = peakWith(config, traits, config.batch, 0);
        config.recompute = {RecomputePolicy::Kind::Fit, 1, budget};
        const std::int64_t batch = largestBatchThatFits(config, traits, budget * 2);
        EXPECT_GE(batch, config.batch) << "seed " << seed;
        EXPECT_LE(peakWith(config, traits, batch, 0), budget);
        EXPECT_EQ(peakWith(config, traits, batch + 1, 0), -1);
        // With less memory than budget, what is planned must fit the memory.
        const std::int64_t fitting = largestBatchThatFits(config, traits, budget - 1);
        if (fitting > 0) {
            EXPECT_LE(peakWith(config, traits, fitting, 0), budget - 1);
        }
    }
}

TEST(Fits, MemoryGrowsWithTheBatch) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const RunConfig config = test::randomConfig(seed);
        const BackendTraits traits = withScratch(seed);
        Bytes before = 0;
        for (const std::int64_t batch : {1, 2, 3, 10, 100, 1000}) {
            const Bytes peak = peakWith(config, traits, batch, 0);
            EXPECT_GE(peak, before) << "seed " << seed;
            before = peak;
        }
    }
}

TEST(Fits, ConfigurationsThatCannotBePlannedFitNothing) {
    RunConfig config;
    config.dim = 0;
    EXPECT_EQ(largestBatchThatFits(config, cpuTraits(), Bytes{1} << 60), 0);
    config = RunConfig{};
    config.microBatch = -3;
    EXPECT_EQ(largestBatchThatFits(config, cpuTraits(), Bytes{1} << 60), 0);
    config = RunConfig{};
    config.dim = kMaxDimension;
    EXPECT_EQ(largestBatchThatFits(config, cpuTraits(), INT64_MAX), 0);
    EXPECT_EQ(largestBatchThatFits(RunConfig{}, cpuTraits(), 0), 0);
    EXPECT_EQ(largestBatchThatFits(RunConfig{}, cpuTraits(), -1), 0);
}

TEST(Fits, AStepThatDoesNotFitIsRefusedWithNeedHaveAndTheLargestBatch) {
    RunConfig config;
    config.dim = 512;
    config.batch = 4096;
    const Result<StepPlan> plan = planStep(config, cpuTraits());
    ASSERT_TRUE(plan.has_value());
    const Bytes need = summariseCurve(memoryCurve(*plan)).peakBytes;
    EXPECT_TRUE(checkFits(*plan, need).has_value());
    const Bytes have = need / 2;
    const Result<void> result = checkFits(*plan, have);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::OutOfMemory);
    const std::string text = result.error().text();
    EXPECT_NE(text.find(formatQuantity(static_cast<double>(need), "B")), std::string::npos) << text;
    EXPECT_NE(text.find(formatQuantity(static_cast<double>(have), "B")), std::string::npos) << text;
    EXPECT_NE(text.find(std::to_string(largestBatchThatFits(config, cpuTraits(), have))), std::string::npos)
        << text;

    const Result<void> close = checkFits(*plan, need - 1);
    ASSERT_FALSE(close.has_value());
    EXPECT_NE(close.error().message.find(formatExact(need - 1, "B")), std::string::npos)
        << close.error().text();

    const Result<void> hopeless = checkFits(*plan, 10);
    ASSERT_FALSE(hopeless.has_value());
    EXPECT_EQ(hopeless.error().hint, "not even batch 1 fits, so make dim or layers smaller");

    config.microBatch = 1024;
    const Result<StepPlan> inParts = planStep(config, cpuTraits());
    ASSERT_TRUE(inParts.has_value());
    const Result<void> tooLarge = checkFits(*inParts, 10);
    ASSERT_FALSE(tooLarge.has_value());
    EXPECT_EQ(tooLarge.error().hint,
              "not even batch 1024 fits, so make dim, layers or the micro-batch smaller");
}

}  // namespace
}  // namespace plumb
