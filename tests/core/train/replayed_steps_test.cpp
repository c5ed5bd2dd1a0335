// SPDX-License-Identifier: Apache-2.0
// Steps that a device replays by itself are the steps that the host would have run op by op.
#include "core/train/executor.h"
#include "tests/core/train/capturing_backend.h"
#include "tests/core/train/short_training.h"
#include "tests/support/npy_files.h"
#include "tests/support/random_config.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>

namespace plumb {
namespace {

constexpr std::int64_t kSteps = 24;

struct Trained {
    SeenTraining seen;
    std::int64_t replayed = 0;
    Reading measured;
    std::string failure;
};

Trained trainReplayed(const RunConfig& config, bool replay, bool writesStatistics = false,
                      const CheckpointOptions& checkpoints = {}) {
    test::CapturingBackend backend;
    TrainOptions options{.steps = kSteps, .replaySteps = replay, .statistics = writesStatistics};
    options.readingInterval = 0;  // so that steps with statistics come between the replayed ones
    options.checkpoints = checkpoints;
    Trained trained;
    const auto result = train(config, backend, options, trained.seen);
    EXPECT_TRUE(result.has_value()) << (result.has_value() ? "" : result.error().text());
    trained.replayed = backend.stepsReplayed;
    if (result.has_value()) {
        trained.measured = result->measured;
        if (result->failure) trained.failure = result->failure->text();
    }
    return trained;
}

/// The steps' numbers in order, bit for bit.
std::vector<std::uint64_t> bitsOf(const SeenTraining& seen) {
    std::vector<std::uint64_t> bits;
    for (const StepMetrics& point : seen.points)
        for (const double value : {static_cast<double>(point.step), point.loss, point.gradientNorm,
                                   point.updateRatio, point.learningRate})
            bits.push_back(std::bit_cast<std::uint64_t>(value));
    return bits;
}

TEST(ReplayedSteps, HaveTheBitsOfStepsRunOpByOp) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        RunConfig config = test::randomConfig(seed);
        config.schedule = Schedule::Cosine;
        config.warmUpSteps = 5;
        const Trained opByOp = trainReplayed(config, false);
        const Trained replayed = trainReplayed(config, true);
        ASSERT_EQ(opByOp.replayed, 0);
        ASSERT_EQ(bitsOf(replayed.seen), bitsOf(opByOp.seen)) << "seed " << seed;
        if (opByOp.failure.empty()) {
            // 3 to warm up, 5 to time ops, 1 where the replayed ones will run.
            ASSERT_EQ(replayed.replayed, kSteps - 9) << "seed " << seed;
            ASSERT_EQ(replayed.seen.points.size(), static_cast<std::size_t>(kSteps));
        }
    }
}

TEST(ReplayedSteps, ReadTheSameDataFromFiles) {
    RunConfig config = smallConfig();
    std::vector<float> features;
    std::vector<float> targets;
    features.reserve(480);
    targets.reserve(80);
    for (int i = 0; i < 40 * 12; ++i) features.push_back(static_cast<float>(i % 17) * 0.1F - 0.8F);
    for (int i = 0; i < 40 * 2; ++i) targets.push_back(static_cast<float>(i % 5));
    config.data = test::writeNpy("replayed-x.npy", 40, 12, features);
    config.targets = test::writeNpy("replayed-t.npy", 40, 2, targets);
    for (const std::int64_t microBatch : {8, 4, 2}) {
        config.microBatch = microBatch;
        const Trained opByOp = trainReplayed(config, false);
        const Trained replayed = trainReplayed(config, true);
        EXPECT_GT(replayed.replayed, 10);
        EXPECT_EQ(bitsOf(replayed.seen), bitsOf(opByOp.seen)) << microBatch;
    }
}

TEST(ReplayedSteps, AreInterruptedByThoseWithStatisticsWithoutLosingAnything) {
    RunConfig config = smallConfig();
    const Trained opByOp = trainReplayed(config, false, true);
    const Trained replayed = trainReplayed(config, true, true);
    EXPECT_GT(replayed.replayed, 3);
    EXPECT_LT(replayed.replayed, kSteps - 9);
    EXPECT_EQ(bitsOf(replayed.seen), bitsOf(opByOp.seen));
}

TEST(ReplayedSteps, KeepWhatWasMeasuredOfOpsAndTimeWholeSteps) {
    const Trained replayed = trainReplayed(smallConfig(), true);
    ASSERT_TRUE(replayed.measured.memory.has_value());
    EXPECT_GT(replayed.measured.memory->peakBytes, 0);
    for (const OpReading& op : replayed.measured.ops) EXPECT_TRUE(op.seconds.has_value()) << op.id;
    EXPECT_EQ(replayed.measured.totals.seconds, 1e-3);  // the device's
}

// Which steps are saved after the first depends on how fast the disk is: a save waits for the one before it.
/// Asks for a stop when the result of a step is told.
struct StoppingSink final : TrainingSink {
    static constexpr std::int64_t kStep = 40;
    void onStep(const StepMetrics& point) override {
        if (point.step == kStep) stop.request_stop();
    }
    void onReading(const Reading&) override {}
    std::stop_source stop;
};

TEST(ReplayedSteps, AreStartedTwoAheadAtMostWhereTheyAreLongSoThatAStopWaitsForNoMore) {
    for (const Seconds seconds : {1e-3, 10.0}) {
        test::CapturingBackend backend;
        backend.stepSeconds = seconds;
        StoppingSink sink;
        const TrainOptions options{
            .steps = 4 * StoppingSink::kStep, .statistics = false, .stop = sink.stop.get_token()};
        const auto result = train(smallConfig(), backend, options, sink);
        ASSERT_TRUE(result.has_value()) << result.error().text();
        ASSERT_GT(backend.stepsReplayed, 0);
        const std::int64_t ahead = result->series.stepsDone - StoppingSink::kStep - 1;
        if (seconds < 1)
            EXPECT_GT(ahead, 1) << "results of short ones come late";
        else
            EXPECT_LE(ahead, 1) << "besides the one whose result was told";
    }
}

// Results come late: those that are on their way when the device is lost are told, and none but those count.
TEST(ReplayedSteps, OfADeviceThatIsLostAreToldUpToTheLastThatEnded) {
    const Trained whole = trainReplayed(smallConfig(), true);
    for (const std::int64_t lostAt : {12, 20})
        for (const bool runsSomeOpByOp : {false, true}) {
            test::CapturingBackend backend;
            backend.lostAt = lostAt;
            SeenTraining seen;
            TrainOptions options{.steps = kSteps, .statistics = runsSomeOpByOp};
            options.readingInterval = runsSomeOpByOp ? 0 : 1e9;
            const auto result = train(smallConfig(), backend, options, seen);
            ASSERT_TRUE(result.has_value()) << result.error().text();
            ASSERT_TRUE(result->failure.has_value());
            EXPECT_EQ(result->failure->message, "the device is lost");
            EXPECT_GT(backend.stepsReplayed, 0);
            ASSERT_GE(seen.points.size(), static_cast<std::size_t>(lostAt));
            EXPECT_EQ(result->series.steps.size(), seen.points.size());
            EXPECT_EQ(result->series.stepsDone, static_cast<std::int64_t>(seen.points.size()));
            EXPECT_EQ(result->series.outcome,
                      "failed at step " + std::to_string(seen.points.size()) + ": the device is lost");
            const std::vector<std::uint64_t> expected = bitsOf(whole.seen);
            const std::vector<std::uint64_t> told = bitsOf(seen);
            EXPECT_TRUE(std::equal(told.begin(), told.end(), expected.begin()));
        }
}

TEST(ReplayedSteps, LeaveCheckpointsOfTheVeryStep) {
    const TemporaryFolder folder;
    const RunConfig config = smallConfig();
    const std::vector<std::uint64_t> straight = trainReplayed(config, false).seen.lossBits();
    const Trained replayed = trainReplayed(config, true, false, CheckpointOptions{folder.path(), 6, 9});
    ASSERT_EQ(replayed.seen.lossBits(), straight);
    ASSERT_GE(replayed.seen.reports.size(), 2U);
    EXPECT_EQ(replayed.seen.reports.front().step, 6);
    EXPECT_EQ(replayed.seen.reports.back().step, kSteps);
    for (const CheckpointReport& report : replayed.seen.reports) {
        ASSERT_FALSE(report.failure.has_value()) << report.failure->text();
        const Outcome resumed = runTraining(config, kSteps, {}, report.path);
        if (report.step == kSteps) {
            EXPECT_NE(errorOf(resumed).find("nothing is left"), std::string::npos) << errorOf(resumed);
            continue;
        }
        ASSERT_EQ(errorOf(resumed), "no error");
        const std::vector<std::uint64_t> rest(straight.begin() + report.step, straight.end());
        EXPECT_EQ(resumed.seen.lossBits(), rest) << "from step " << report.step;
    }
}

TEST(ReplayedSteps, StopAtTheStepThatDiverged) {
    RunConfig config = smallConfig();
    config.activation = Activation::None;
    config.optimizer = Optimizer::Sgd;
    config.learningRate = 2e3;
    const Trained opByOp = trainReplayed(config, false);
    const Trained replayed = trainReplayed(config, true);
    EXPECT_NE(opByOp.failure, "");
    EXPECT_EQ(replayed.failure, opByOp.failure);
    EXPECT_EQ(bitsOf(replayed.seen), bitsOf(opByOp.seen));
}

}  // namespace
}  // namespace plumb
