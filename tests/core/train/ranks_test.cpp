// SPDX-License-Identifier: Apache-2.0
// Ranks as threads: what they compute, hold and send, against the plan and against one rank alone.
#include "core/measure/rank_reading.h"
#include "core/measure/reading.h"
#include "core/plan/control_tensors.h"
#include "core/plan/traffic.h"
#include "core/train/training_checkpoint.h"
#include "tests/core/train/on_executors.h"
#include "tests/core/train/short_training.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <string>

namespace plumb {
namespace {

using test::differenceToPlan;
using test::onExecutors;
using test::optionsOf;
using test::sharedConfig;
using testing::HasSubstr;

/// Everything that outlives a step, by rank: of the weights and states the bits.
struct After {
    std::map<std::string, std::vector<std::byte>> tensors;
    std::vector<double> losses;
    bool operator==(const After&) const = default;
};

std::vector<After> afterSteps(const RunConfig& config, int steps) {
    std::vector<After> after(static_cast<std::size_t>(config.parallel.ranks()));
    onExecutors(config, [&](Executor& executor, Backend&) {
        After& mine = after[static_cast<std::size_t>(executor.plan().place.data)];
        for (int step = 0; step < steps; ++step) {
            const auto metrics = executor.runStep();
            ASSERT_TRUE(metrics.has_value()) << metrics.error().text();
            mine.losses.push_back(metrics->loss);
        }
        const StepPlan& plan = executor.plan();
        for (TensorId id = 0; id < plan.tensorCount(); ++id)
            if (isUpdated(plan.tensor(id).role) || id == plan.lossScale || id == plan.scales)
                mine.tensors[plan.tensorName(id)] = executor.tensors().download(id).value();
    });
    return after;
}

TEST(Ranks, HoldAndSendWhatTheirPlansSayAtEveryOpOfRandomConfigurations) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const RunConfig config = sharedConfig(seed, 2 + static_cast<std::int64_t>(seed % 3));
        onExecutors(config, [&](Executor& executor, Backend& backend) {
            EXPECT_EQ(differenceToPlan(executor, backend), "")
                << "seed " << seed << ", rank " << executor.plan().place.data << ": " << optionsOf(config);
        });
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Ranks, HaveTheSameWeightsStatesAndLossesBitForBit) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const RunConfig config = sharedConfig(seed, 2 + static_cast<std::int64_t>(seed % 3));
        const std::vector<After> after = afterSteps(config, 3);
        for (std::size_t rank = 1; rank < after.size(); ++rank) {
            // NaN is not equal to itself; a loss that is one is that on every rank.
            ASSERT_EQ(std::memcmp(after[rank].losses.data(), after[0].losses.data(),
                                  sizeof(double) * after[0].losses.size()),
                      0)
                << "seed " << seed << ": " << optionsOf(config);
            ASSERT_EQ(after[rank].tensors, after[0].tensors)
                << "seed " << seed << ", rank " << rank << ": " << optionsOf(config);
        }
    }
}

// Each product of a gradient is added after its whole sum, in the order of the ranks or of the micro-batches.
TEST(Ranks, TrainAsOneRankWithAsManyMicroBatchesBitForBit) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const std::int64_t ranks = 2 + static_cast<std::int64_t>(seed % 3);
        RunConfig shared = sharedConfig(seed, ranks);
        shared.precision = seed % 2 == 0 ? Precision::Fp32 : Precision::Tf32;
        shared.residentBatch = false;
        shared.batch = ranks * shared.microBatch;
        RunConfig alone = shared;
        alone.parallel.data = 1;
        const After one = afterSteps(alone, 4).front();
        const std::vector<After> after = afterSteps(shared, 4);
        for (const After& rank : after) ASSERT_EQ(rank, one) << "seed " << seed << ": " << optionsOf(shared);
    }
    // As many rows as any product sums at once, whatever its sides are.
    for (const std::int64_t dim : {40, 80}) {
        const RunConfig shared{.dim = dim, .layers = 2, .batch = 256, .parallel = {.data = 2}};
        RunConfig alone = shared;
        alone.parallel.data = 1;
        alone.microBatch = 128;
        const After one = afterSteps(alone, 2).front();
        for (const After& rank : afterSteps(shared, 2)) ASSERT_EQ(rank, one) << "dim " << dim;
    }
}

TEST(Ranks, TrainAsOneRankOverTheWholeBatchButForRounding) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        RunConfig shared = sharedConfig(seed, 2 + static_cast<std::int64_t>(seed % 3));
        shared.precision = Precision::Fp32;
        shared.optimizer = Optimizer::Sgd;  // others divide by small numbers, of which the rounding is most
        shared.settings = {};
        shared.learningRate = 1e-3;
        shared.residentBatch = false;
        RunConfig alone = shared;
        alone.parallel.data = 1;
        alone.microBatch = 0;
        const std::vector<double> one = afterSteps(alone, 3).front().losses;
        const std::vector<double> all = afterSteps(shared, 3).front().losses;
        for (std::size_t step = 0; step < one.size() && std::isfinite(one[step]); ++step)
            ASSERT_NEAR(all[step], one[step], 2e-6 * std::max(1.0, std::abs(one[step])))
                << "seed " << seed << ", step " << step << ": " << optionsOf(shared);
    }
}

TEST(Ranks, SkipAStepTogetherWhereTheSumOfTheirGradientsDoesNotFit) {
    RunConfig config = smallConfig();
    config.precision = Precision::Fp16;
    config.batch = 8;
    config.microBatch = 0;
    config.parallel.data = 2;
    // The largest that one rank's gradients bear, found by halving; the sum of two then overflows.
    config.lossScaling.initial = 1e30;
    config.lossScaling.interval = 1000;
    for (const After& rank : afterSteps(config, 110)) {
        const auto& bytes = rank.tensors.at("loss scale");
        std::vector<double> row(kLossScaleColumns);
        std::memcpy(row.data(), bytes.data(), bytes.size());
        EXPECT_GT(row[kLossScaleSkipped], 10);
        EXPECT_GT(row[kLossScaleGoodSteps], 1);
        EXPECT_TRUE(std::isfinite(rank.losses.back()));
    }
}

TEST(Ranks, RunATrainingAndToldByTheFirst) {
    RunConfig config = smallConfig();
    const Outcome alone = runTraining(config, 12);
    config.parallel.data = 2;
    config.microBatch = 0;
    SeenTraining seen;
    const auto backend = makeCpuBackend(1).value();
    const TrainOptions options{.steps = 12, .rankBackend = [] { return makeCpuBackend(1); }};
    const auto result = train(config, *backend, options, seen);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    EXPECT_FALSE(result->failure) << result->failure->text();
    EXPECT_EQ(result->series.stepsDone, 12);
    EXPECT_EQ(seen.lossBits(), alone.seen.lossBits());
}

TEST(Ranks, ResumeWhatTheFirstHasSavedBitForBit) {
    RunConfig config = smallConfig();
    config.parallel.data = 2;
    config.microBatch = 2;
    const Outcome whole = trainOnRanks(config, 10);
    const TemporaryFolder folder;
    trainOnRanks(config, 6, folder.path(), {}, 4);
    const auto steps = checkpointSteps(folder.path());
    ASSERT_TRUE(steps.has_value());
    EXPECT_THAT(*steps, testing::ElementsAre(4, 6));
    Outcome rest = trainOnRanks(config, 10, {}, folder.path());
    std::vector<std::uint64_t> all = whole.seen.lossBits();
    EXPECT_EQ(rest.seen.lossBits(), std::vector(all.begin() + 6, all.end()));
    EXPECT_EQ(rest.seen.points.front().step, 6);
}

TEST(Ranks, GoOnWithAnotherNumberOfThem) {
    RunConfig config = smallConfig();
    const Outcome whole = runTraining(config, 10);
    for (const std::int64_t before : {1, 2, 4}) {
        const TemporaryFolder folder;
        RunConfig saved = config;
        saved.parallel.data = before;
        saved.microBatch = 0;
        trainOnRanks(saved, 4, folder.path(), {}, 4);
        for (const std::int64_t after : {1, 2, 4}) {
            RunConfig other = config;
            other.parallel.data = after;
            other.microBatch = after == before ? 0 : 1;
            if (after == before) continue;
            const Outcome rest = trainOnRanks(other, 10, {}, folder.path());
            ASSERT_EQ(rest.seen.points.size(), 6U) << before << " to " << after;
            for (std::size_t step = 0; step < 6; ++step)
                EXPECT_NEAR(rest.seen.points[step].loss, whole.seen.points[step + 4].loss,
                            1e-5 * std::abs(whole.seen.points[step + 4].loss))
                    << before << " to " << after << ", step " << step + 4;
        }
    }
    // The same number with another micro-batch is another training.
    const TemporaryFolder folder;
    config.parallel.data = 2;
    config.microBatch = 2;
    trainOnRanks(config, 4, folder.path(), {}, 4);
    config.microBatch = 4;
    SeenTraining seen;
    const auto backend = makeCpuBackend(1).value();
    const TrainOptions options{
        .steps = 10, .resumeFrom = folder.path(), .rankBackend = [] { return makeCpuBackend(1); }};
    const auto refused = train(config, *backend, options, seen);
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().text(), HasSubstr("micro-batch 2 there, 4 here"));
}

TEST(Ranks, TellWhatEachOfThemHeldAndSent) {
    RunConfig config{.dim = 40, .layers = 3, .outputs = 3, .batch = 12, .parallel = {.data = 3}};
    const Outcome outcome = trainOnRanks(config, 8);
    const std::vector<RankReading> predicted = predictedRanks(config, {{}, cpuTraits()}).value();
    const std::vector<RankReading>& measured = outcome.result->measured.ranks;
    ASSERT_EQ(measured.size(), 3U);
    for (std::size_t rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(measured[rank].rank, static_cast<std::int64_t>(rank));
        EXPECT_EQ(measured[rank].peakBytes, predicted[rank].peakBytes);
        EXPECT_EQ(measured[rank].atPeak, predicted[rank].atPeak);
        EXPECT_EQ(total(measured[rank].atPeak), measured[rank].peakBytes);
        EXPECT_EQ(measured[rank].sentBytes, predicted[rank].sentBytes);
        EXPECT_EQ(measured[rank].receivedBytes, predicted[rank].receivedBytes);
        EXPECT_GT(measured[rank].seconds.value_or(0), 0);
        EXPECT_GE(measured[rank].waited.value_or(-1), 0);
        EXPECT_LE(*measured[rank].waited, *measured[rank].seconds);
        EXPECT_FALSE(predicted[rank].seconds);
    }
    // The first one's collectives have times of their own, beside what the step waited for them.
    const StepPlan plan = planStep(config, cpuTraits()).value();
    const std::vector<CollectiveReading>& collectives = outcome.result->measured.collectives;
    std::vector<CollectiveReading> planned = collectivesOf(plan);
    ASSERT_EQ(collectives.size(), planned.size());
    Bytes sent = 0;
    for (const CollectiveReading& collective : planned) sent += collective.sentBytes.value();
    EXPECT_EQ(sent, predicted[0].sentBytes);
    for (std::size_t i = 0; i < planned.size(); ++i) {
        EXPECT_GT(collectives[i].seconds.value_or(0), 0);
        EXPECT_GE(
            outcome.result->measured.ops.at(static_cast<std::size_t>(planned[i].op)).seconds.value_or(-1), 0);
        planned[i].seconds = collectives[i].seconds;
        EXPECT_EQ(collectives[i], planned[i]);
    }
    // And they stand in its timeline, in the order of their turns and each within its step.
    const Timeline& timeline = *outcome.result->measured.timeline;
    const auto lane = std::ranges::find(timeline.lanes, LaneKind::Traffic, &TimelineLane::kind);
    ASSERT_NE(lane, timeline.lanes.end());
    const auto traffic = timeline.ofLane(static_cast<std::size_t>(lane - timeline.lanes.begin()));
    ASSERT_EQ(traffic.size(), timeline.steps.size() * planned.size());
    for (std::size_t i = 0; i < traffic.size(); ++i) {
        const CollectiveReading& collective = planned[i % planned.size()];
        const TimelineStep& step = timeline.steps[i / planned.size()];
        EXPECT_EQ(traffic[i].op, collective.op);
        EXPECT_EQ(traffic[i].bytes, collective.sentBytes);
        EXPECT_GE(traffic[i].begin, step.begin);
        EXPECT_LE(traffic[i].end, step.end);
        if (i > 0) EXPECT_GE(traffic[i].begin, traffic[i - 1].end - 1e-9);
    }
    // The first one adds the loss, which the others send to it; its slices are the largest.
    EXPECT_NE(predicted[0], predicted[2]);
    EXPECT_TRUE(predictedRanks(smallConfig(), {{}, cpuTraits()}).value().empty());
}

TEST(Ranks, LookAtTheGradientsOfAllOfThem) {
    RunConfig shared = smallConfig();
    shared.activation = Activation::None;
    shared.parallel.data = 2;
    const auto statistics = [](const RunConfig& config) {
        LayerStatistics first;
        onExecutors(config, [&](Executor& executor, Backend&) {
            executor.statistics().setOn(true);
            ASSERT_TRUE(executor.runStep().has_value());
            if (executor.plan().place.data == 0) first = executor.statistics().read().value();
        });
        return first;
    };
    RunConfig alone = shared;
    alone.parallel.data = 1;
    alone.microBatch = 0;
    const LayerStatistics one = statistics(alone), two = statistics(shared);
    ASSERT_EQ(one.tensors.size(), two.tensors.size());
    int gradients = 0;
    for (std::size_t i = 0; i < one.tensors.size(); ++i) {
        if (one.tensors[i].role != TensorRole::Gradient) continue;
        ++gradients;
        EXPECT_NEAR(*two.tensors[i].rootMeanSquare / *one.tensors[i].rootMeanSquare, 1, 1e-5);
        EXPECT_NEAR(*two.tensors[i].amax / *one.tensors[i].amax, 1, 1e-5);
    }
    EXPECT_EQ(gradients, 4);
}

TEST(Ranks, StopTogetherWhenTheFirstIsAskedTo) {
    RunConfig config = smallConfig();
    config.parallel.data = 2;
    std::stop_source stop;
    struct Stopping final : TrainingSink {
        explicit Stopping(std::stop_source& source) : stop(source) {}
        void onStep(const StepMetrics& point) override {
            if (point.step == 4) stop.request_stop();
        }
        void onReading(const Reading&) override {}
        std::stop_source& stop;
    } sink(stop);
    const auto backend = makeCpuBackend(1).value();
    const TrainOptions options{
        .steps = 1000, .stop = stop.get_token(), .rankBackend = [] { return makeCpuBackend(1); }};
    const auto result = train(config, *backend, options, sink);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    EXPECT_EQ(result->series.stepsDone, 5);
    EXPECT_EQ(result->series.outcome, "stopped after 5 steps");
}

TEST(Ranks, EndWithTheReasonOfTheOneThatCannotTakePart) {
    RunConfig config = smallConfig();
    config.parallel.data = 2;
    SeenTraining seen;
    const auto backend = makeCpuBackend(1).value();
    TrainOptions options{.steps = 3, .rankBackend = []() -> Result<std::unique_ptr<Backend>> {
                             return Error{ErrorCode::OutOfMemory, "there is no memory for it", "use less"};
                         }};
    const auto refused = train(config, *backend, options, seen);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::OutOfMemory);
    EXPECT_EQ(refused.error().text(), "rank 1: there is no memory for it: use less");

    options.rankBackend = {};
    const auto alone = train(config, *backend, options, seen);
    ASSERT_FALSE(alone.has_value());
    EXPECT_THAT(alone.error().text(), HasSubstr("this runs on one rank, and the step is that of 2"));
}

TEST(Ranks, EndTogetherWhenOneRunsOutOfMemoryInTheMiddleOfAStep) {
    RunConfig config = smallConfig();
    config.dim = 64;
    config.parallel.data = 2;
    const auto plan = planStep(config, cpuTraits(), {.data = 1}).value();
    const Bytes peak = summariseCurve(memoryCurve(plan)).peakBytes;
    SeenTraining seen;
    const auto backend = makeCpuBackend(1).value();
    const TrainOptions options{.steps = 3, .checksFit = false, .rankBackend = [peak] {
                                   return makeCpuBackend(CpuBackendOptions{
                                       .threads = 1, .memoryLimit = peak - 1, .instructionSet = {}});
                               }};
    const auto result = train(config, *backend, options, seen);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    ASSERT_TRUE(result->failure);
    EXPECT_EQ(result->failure->code, ErrorCode::OutOfMemory);
    EXPECT_THAT(result->failure->text(), HasSubstr("rank 1: "));
}

}  // namespace
}  // namespace plumb
