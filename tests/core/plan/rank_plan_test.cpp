// SPDX-License-Identifier: Apache-2.0
// The step of one of several ranks: what it refuses, what it sends and when, what is known of its time.
#include "core/measure/config_fix.h"
#include "core/measure/reading.h"
#include "core/plan/step_plan.h"
#include "tests/support/random_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plumb {
namespace {

using testing::HasSubstr;

TEST(RankPlan, RefusesWhatTheBatchCannotBeSharedBy) {
    RunConfig config{.dim = 12, .layers = 3, .batch = 8, .microBatch = 4, .parallel = {.data = 3}};
    auto plan = planStep(config, cpuTraits());
    ASSERT_FALSE(plan.has_value());
    EXPECT_EQ(plan.error().text(),
              "data-parallel does not divide batch 8 (3): use a divisor of the batch such as 2");
    config.parallel.data = 4;
    config.microBatch = 4;
    plan = planStep(config, cpuTraits());
    ASSERT_FALSE(plan.has_value());
    EXPECT_THAT(plan.error().text(), HasSubstr("micro-batch does not divide the batch of a rank 2 (4)"));
}

TEST(RankPlan, SendsGradientsInBucketsAsTheBackwardPassMakesThem) {
    const RunConfig config{.dim = 512, .layers = 30, .batch = 64, .microBatch = 16, .parallel = {.data = 2}};
    const StepPlan plan = planStep(config, cpuTraits()).value();
    std::vector<std::string> names;
    for (const Op& op : plan.ops)
        if (op.lane == Lane::Traffic) names.push_back(opName(plan, op));
    // A MiB each: the head and the layer below are the first MiB, then 25 of them, then the rest.
    EXPECT_THAT(names, testing::ElementsAre("loss · all-reduce · micro-batch 2",
                                            "head and layer 30 · all-reduce · micro-batch 2",
                                            "layers 5–29 · all-reduce · micro-batch 2",
                                            "layers 1–4 · all-reduce · micro-batch 2"));
    for (const Op& op : plan.ops)
        if (op.lane == Lane::Traffic) {
            EXPECT_EQ(op.executions, 1);
            EXPECT_EQ(plan.op(op.joinedBy).kind, OpKind::OptimizerStep);
        }
    // Twice half of everything, and the loss of the one that does not add it.
    EXPECT_EQ(plan.wireBytes, 4 * config.parameters() + 8);
}

TEST(RankPlan, HoldsWhatItSendsUntilSomebodyWaitsForIt) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        RunConfig config = test::randomConfig(seed);
        config.residentBatch = false;
        config.batch *= 3;
        config.parallel.data = 3;
        for (std::int64_t rank = 0; rank < 3; ++rank) {
            const StepPlan plan = planStep(config, cpuTraits(), {.data = rank}).value();
            for (const Op& op : plan.ops) {
                if (op.lane != Lane::Traffic) continue;
                ASSERT_GT(op.joinedBy, &op - plan.ops.data()) << "seed " << seed;
                for (const auto* ranges : {&op.reads, &op.writes})
                    for (const TensorRange& range : *ranges)
                        for (TensorId id = range.first; id < range.first + range.count; ++id)
                            ASSERT_GE(plan.tensor(id).lastOp, op.joinedBy) << plan.tensorName(id);
            }
        }
    }
}

TEST(RankPlan, HasNoTimeThatNobodyMeasured) {
    Machine machine{.backend = "cpu", .peakFlopPerSecond = {{Dtype::Fp32, 1e12}}};
    machine.bandwidthBytesPerSecond = 1e11;
    RunConfig config{.dim = 64, .layers = 3, .batch = 8, .parallel = {.data = 2}};
    const StepPlan plan = planStep(config, cpuTraits()).value();
    const Prediction shared = predict(plan, machine);
    EXPECT_FALSE(shared.totals.seconds);
    for (const auto& seconds : shared.opSeconds) EXPECT_FALSE(seconds);
    EXPECT_THAT(notPredicted(config, {machine, plan.traits}), HasSubstr("of 2 ranks is not predicted"));
    EXPECT_THAT(notPredicted(config, {machine, plan.traits}), HasSubstr("calibrate --backend cpu --ranks 2"));
    EXPECT_FALSE(leastSeconds(plan, machine));
    // Each rank has a GPU of its own: all but what travels is known.
    const StepPlan apart = planStep(config, *cudaTraits(90)).value();
    const Prediction own = predict(apart, machine);
    EXPECT_FALSE(own.totals.seconds);
    for (std::size_t index = 0; index < apart.ops.size(); ++index)
        EXPECT_EQ(own.opSeconds[index].has_value(), apart.ops[index].lane == Lane::Compute);
}

TEST(RankPlan, CountsTheProductsOfAllRanksThatShareAMachine) {
    const Machine machine{.backend = "cpu", .peakFlopPerSecond = {{Dtype::Fp32, 1e12}}};
    RunConfig config{.dim = 64, .layers = 3, .batch = 8};
    const Totals alone = makeTotals(planStep(config, cpuTraits()).value(), machine, 1e-3);
    config.parallel.data = 4;
    const Totals rank = makeTotals(planStep(config, cpuTraits()).value(), machine, 1e-3);
    EXPECT_DOUBLE_EQ(*rank.mfu, *alone.mfu);
    EXPECT_DOUBLE_EQ(*rank.samplesPerSecond, *alone.samplesPerSecond);
    EXPECT_LT(*rank.flopPerSecond, *alone.flopPerSecond);
}

TEST(RankPlan, FitsTheLargestBatchThatTheRanksCanShare) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        RunConfig config = test::randomConfig(seed);
        config.residentBatch = false;
        config.parallel.data = 2 + static_cast<std::int64_t>(seed % 3);
        config.batch *= config.parallel.data;
        if (config.optimizer != Optimizer::Adafactor) config.parallel.zero = static_cast<Zero>(seed / 3 % 4);
        if (seed % 2 == 0 || config.microBatches() == 1) config.microBatch = 0;
        const auto peakOf = [&](std::int64_t batch) {
            RunConfig other = config;
            other.batch = batch;
            const auto plan = planStep(other, cpuTraits());
            return plan.has_value() ? summariseCurve(memoryCurve(*plan)).peakBytes : -1;
        };
        const Bytes memory = peakOf(config.batch);
        const std::int64_t most = largestBatchThatFits(config, cpuTraits(), memory * config.parallel.data);
        ASSERT_GE(most, config.batch) << "seed " << seed;
        ASSERT_EQ(most % config.parallel.data, 0) << "seed " << seed;
        if (config.microBatches() > 1) continue;
        ASSERT_LE(peakOf(most), memory) << "seed " << seed;
        ASSERT_GT(peakOf(most + config.parallel.data), memory) << "seed " << seed;
        const Bytes tooLittle = peakOf(config.parallel.data) * config.parallel.data - 1;
        ASSERT_EQ(largestBatchThatFits(config, cpuTraits(), tooLittle), 0);
        const StepPlan plan = planStep(config, cpuTraits()).value();
        ASSERT_TRUE(checkFits(plan, memory * config.parallel.data).has_value());
        const Result<void> refused = checkFits(plan, memory * config.parallel.data - 1);
        ASSERT_FALSE(refused.has_value());
        ASSERT_THAT(refused.error().text(), HasSubstr("its part of the device's is"));
    }
}

TEST(RankPlan, IsMendedByFewerRanksThatDivideTheBatch) {
    const RunConfig config{.dim = 12, .layers = 3, .batch = 8, .microBatch = 4, .parallel = {.data = 3}};
    const std::optional<ConfigFix> fix = fixOf(config, cpuTraits(), std::nullopt);
    ASSERT_TRUE(fix);
    EXPECT_EQ(fix->config.parallel.data, 2);
    EXPECT_EQ(fix->config.batch, 8);
    EXPECT_TRUE(validate(fix->config).has_value());
}

}  // namespace
}  // namespace plumb
