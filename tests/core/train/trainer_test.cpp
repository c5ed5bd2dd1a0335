// SPDX-License-Identifier: Apache-2.0
#include "core/train/trainer.h"

#include "kernels/cpu/cpu_backend.h"
#include "tests/support/random_config.h"
#include "tests/support/threads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>

namespace plumb {
namespace {

struct CountingSink final : TrainingSink {
    void onStep(const StepMetrics& point) override {
        losses.push_back(point.loss);
        if (afterStep) afterStep(point.step);
    }
    void onReading(const Reading&) override { ++readings; }
    void onStatistics(const LayerStatistics& statistics) override { seen.push_back(statistics); }
    std::vector<LayerStatistics> seen;
    std::vector<double> losses;
    int readings = 0;
    std::function<void(std::int64_t)> afterStep;
};

std::unique_ptr<Backend> cpu(int threads = test::kBackendThreads) {
    auto backend = makeCpuBackend(threads);
    EXPECT_TRUE(backend.has_value());
    return std::move(backend).value();
}

RunConfig smallTask() { return RunConfig{.dim = 16, .layers = 2, .batch = 64, .learningRate = 3e-3}; }

std::vector<double> lossesOf(const RunConfig& config, std::int64_t steps) {
    CountingSink sink;
    const auto result = train(config, *cpu(), TrainOptions{.steps = steps}, sink);
    EXPECT_TRUE(result.has_value() && !result->failure.has_value());
    return sink.losses;
}

double meanOfLast(const std::vector<double>& losses, std::size_t count) {
    return std::accumulate(losses.end() - static_cast<std::ptrdiff_t>(count), losses.end(), 0.0) /
           static_cast<double>(count);
}

TEST(Training, ReachesTheNoiseFloorOfTheSyntheticTask) {
    for (const Optimizer optimizer : {Optimizer::Sgd, Optimizer::Adagrad, Optimizer::AdamW}) {
        RunConfig config = smallTask();
        config.optimizer = optimizer;
        config.learningRate = optimizer == Optimizer::AdamW ? 1e-3 : 5e-2;
        const std::vector<double> losses = lossesOf(config, 4000);
        const double floor = config.noise * config.noise;
        ASSERT_EQ(losses.size(), 4000U);
        EXPECT_NEAR(meanOfLast(losses, 500), floor, 0.15 * floor) << name(optimizer);
        EXPECT_GT(losses.front(), 20 * floor);
    }
}

TEST(Training, WithBf16AndMasterWeightsComesNearTheNoiseFloor) {
    RunConfig config = smallTask();
    config.precision = Precision::Bf16;
    config.learningRate = 1e-3;
    const std::vector<double> losses = lossesOf(config, 4000);
    ASSERT_EQ(losses.size(), 4000U);
    EXPECT_LT(meanOfLast(losses, 500), 1.3 * config.noise * config.noise);
}

TEST(Training, GivesTheSameLossesTwice) {
    const RunConfig config = test::randomConfig(5);
    TrainOptions options;
    options.steps = 10;
    CountingSink first, second;
    ASSERT_TRUE(train(config, *cpu(), options, first).has_value());
    ASSERT_TRUE(train(config, *cpu(), options, second).has_value());
    EXPECT_EQ(first.losses, second.losses);
}

TEST(Training, GivesTheSameLossesBitForBitWhateverIsRecomputed) {
    RunConfig config = smallTask();
    config.layers = 7;
    config.activation = Activation::Relu;
    for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
        config.precision = precision;
        std::vector<std::vector<double>> curves;
        for (const RecomputePolicy policy :
             {RecomputePolicy{RecomputePolicy::Kind::All, 1}, RecomputePolicy{RecomputePolicy::Kind::None, 1},
              RecomputePolicy{RecomputePolicy::Kind::Every, 2},
              RecomputePolicy{RecomputePolicy::Kind::Every, 3},
              RecomputePolicy{RecomputePolicy::Kind::Every, 9}}) {
            config.recompute = policy;
            CountingSink sink;
            TrainOptions options;
            options.steps = 12;
            ASSERT_TRUE(train(config, *cpu(), options, sink).has_value());
            curves.push_back(sink.losses);
        }
        for (const auto& curve : curves) EXPECT_EQ(curve, curves.front());
    }
}

TEST(Training, StopsAtOnceAndKeepsWhatWasDone) {
    std::stop_source stop;
    CountingSink sink;
    sink.afterStep = [&](std::int64_t step) {
        if (step == 6) stop.request_stop();
    };
    TrainOptions options;
    options.stop = stop.get_token();
    auto result = train(smallTask(), *cpu(), options, sink);
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(sink.losses.size(), 7U);
    EXPECT_EQ(result->series.stepsDone, 7);
    EXPECT_EQ(result->series.outcome, "stopped after 7 steps");
    EXPECT_FALSE(result->failure.has_value());
}

TEST(Training, LooksAtTheScaleOfTheTensorsFirstAndThenBetweenMeasuredSteps) {
    CountingSink sink;
    TrainOptions options;
    options.steps = 23;
    options.readingInterval = 0;  // as if every step took longer than the interval
    auto result = train(smallTask(), *cpu(), options, sink);
    ASSERT_TRUE(result.has_value());
    ASSERT_GE(sink.seen.size(), 3U);
    EXPECT_EQ(sink.seen.front().step, 0);
    EXPECT_EQ(sink.seen.back().step, 22);
    EXPECT_EQ(result->measured.stepsMeasured, 10) << "steps 3, 5, ..., 21";
    EXPECT_EQ(result->series.firstScales, sink.seen.front());
    EXPECT_EQ(result->series.lastScales, sink.seen.back());
    bool seen = false;
    for (const TensorStatistics& tensor : sink.seen.back().tensors) {
        if (tensor.role != TensorRole::Activation) continue;
        seen = true;
        ASSERT_TRUE(tensor.rootMeanSquare.has_value()) << tensor.layer;
        EXPECT_GT(*tensor.rootMeanSquare, 0) << tensor.layer;
    }
    EXPECT_TRUE(seen);
}

TEST(Training, ActivationsAndTheirGradientsGrowPerLayerAsTheInitialWeightsLetExpect) {
    for (const Initialisation init :
         {Initialisation::Scaled, Initialisation::Truncated, Initialisation::Naive})
        for (const Activation activation : {Activation::None, Activation::Relu}) {
            const RunConfig config{
                .dim = 512, .layers = 6, .activation = activation, .batch = 64, .initialisation = init};
            CountingSink sink;
            TrainOptions options;
            options.steps = 1;
            ASSERT_TRUE(train(config, *cpu(), options, sink).has_value());
            ASSERT_FALSE(sink.seen.empty());
            const auto scale = [&](TensorRole role, std::int32_t layer) {
                for (const TensorStatistics& tensor : sink.seen.front().tensors)
                    if (tensor.role == role && tensor.layer == layer)
                        return tensor.rootMeanSquare.value_or(0);
                return 0.0;
            };
            // A matrix of 512 x 512 random numbers meets its expectation to some per cent.
            const double growth = initialGrowthPerLayer(config);
            for (std::int32_t layer = 1; layer <= 6; ++layer)
                EXPECT_NEAR(scale(TensorRole::Activation, layer) / scale(TensorRole::Activation, layer - 1) /
                                growth,
                            1, 0.15)
                    << name(init) << " " << name(activation) << " " << layer;
            for (std::int32_t layer = 1; layer < 6; ++layer)
                EXPECT_NEAR(scale(TensorRole::ActivationGradient, layer) /
                                scale(TensorRole::ActivationGradient, layer + 1) / growth,
                            1, 0.15)
                    << name(init) << " " << name(activation) << " " << layer;
        }
}

TEST(Training, NoMoreValuesAreLostThanWereRounded) {
    for (const auto& [precision, resident] : {std::pair{Precision::Fp16, false},
                                              {Precision::Fp8, false},
                                              {Precision::Fp16, true},
                                              {Precision::Fp8, true}}) {
        RunConfig config = smallTask();
        config.precision = precision;
        config.microBatch = resident ? 0 : 16;
        config.residentBatch = resident;
        config.recompute.kind = RecomputePolicy::Kind::None;
        config.initialisation = Initialisation::Naive;
        config.lossScaling.initial = 1e-7;  // so that gradients underflow
        config.learningRate = 1e-6;
        CountingSink sink;
        TrainOptions options;
        options.steps = 8;
        options.readingInterval = 0;
        ASSERT_TRUE(train(config, *cpu(), options, sink).has_value());
        double lost = 0;
        for (const TensorStatistics& tensor : sink.seen.back().tensors) {
            const double rounded = roundedIn(static_cast<double>(sink.seen.back().countedSteps()), config,
                                             tensor.role, tensor.layer);
            EXPECT_LE(tensor.overflowed + tensor.underflowed, rounded)
                << name(precision) << " " << statisticsRoleName(tensor.role) << " " << tensor.layer;
            lost += tensor.overflowed + tensor.underflowed;
        }
        if (!resident) {  // one batch under the scale of its own amax may lose none
            EXPECT_GT(lost, 0) << name(precision);
        }
    }
}

TEST(Training, ReportsDivergenceWithItsStepAndKeepsTheHistory) {
    RunConfig config = smallTask();
    config.optimizer = Optimizer::Sgd;
    config.learningRate = 50.0;
    CountingSink sink;
    TrainOptions options;
    options.steps = 1000;
    auto result = train(config, *cpu(), options, sink);
    ASSERT_TRUE(result.has_value());
    ASSERT_TRUE(result->failure.has_value());
    EXPECT_EQ(result->failure->code, ErrorCode::RunFailed);
    const std::string step = "step " + std::to_string(sink.losses.size() - 1);
    EXPECT_NE(result->failure->message.find(step), std::string::npos) << result->failure->message;
    EXPECT_NE(result->failure->message.find("diverged"), std::string::npos);
    EXPECT_LT(sink.losses.size(), 1000U);
    EXPECT_EQ(result->series.steps.size(), sink.losses.size());
}

TEST(Training, RefusesAStepThatDoesNotFitBeforeAllocating) {
    RunConfig config;
    config.dim = 65536;
    config.layers = 200;
    const auto backend = cpu();
    CountingSink sink;
    auto result = train(config, *backend, TrainOptions{}, sink);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::OutOfMemory);
    EXPECT_EQ(total(backend->allocationCount().live), 0);
}

TEST(Profiling, MeasuresEveryOpAndTakesNothingFromThePrediction) {
    const RunConfig config = smallTask();
    std::int64_t last = 0;
    auto result = profile(config, *cpu(), 5, {}, [&](std::int64_t done) { last = done; });
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(last, 8);
    EXPECT_EQ(result->measured.stepsMeasured, 5);
    EXPECT_EQ(result->measured.totals.tier, Tier::Measured);
    ASSERT_TRUE(result->measured.totals.spread.has_value());
    EXPECT_LE(result->measured.totals.spread->low, *result->measured.totals.seconds);
    EXPECT_GE(result->measured.totals.spread->high, *result->measured.totals.seconds);
    for (const OpReading& op : result->measured.ops) {
        ASSERT_TRUE(op.seconds && op.spread) << op.id;
        EXPECT_LE(op.spread->low, *op.seconds) << op.id;
        EXPECT_GE(op.spread->high, *op.seconds) << op.id;
    }
    ASSERT_TRUE(result->measured.speed.has_value()) << "probed at the beginning and at the end";
    EXPECT_GT(result->measured.speed->probe.productFlopPerSecond, 0);
    EXPECT_GT(result->measured.speed->probe.copyBytesPerSecond, 0);
    EXPECT_GT(result->measured.speed->probe.loopPerSecond, 0);
    Seconds sum = 0;
    for (const OpReading& op : result->measured.ops) {
        ASSERT_TRUE(op.seconds.has_value());
        EXPECT_GT(*op.seconds, 0);
        EXPECT_EQ(op.source, Source::Clock);
        sum += *op.seconds;
    }
    ASSERT_TRUE(result->measured.totals.seconds.has_value());
    EXPECT_LT(sum, *result->measured.totals.seconds * 1.5);
}

TEST(Profiling, CountsOnlyTheStepsBehindItsMediansAndLeavesOutWhatOnlyCountersKnow) {
    auto result = profile(smallTask(), *cpu(), 500, {}, {});
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->measured.stepsMeasured, 63);
    EXPECT_FALSE(result->measured.totals.flops.has_value());
    EXPECT_FALSE(result->measured.totals.matmulFlops.has_value());
    EXPECT_FALSE(result->measured.totals.bytes.has_value());
    EXPECT_TRUE(result->measured.totals.flopPerSecond.has_value());
    for (const OpReading& op : result->measured.ops) {
        EXPECT_FALSE(op.flops.has_value());
        EXPECT_FALSE(op.bytes.has_value());
    }
    EXPECT_EQ(result->measured.memory->source, Source::Allocator);
}

TEST(Profiling, RefusesNumbersOfStepsThatMeanNothing) {
    for (const std::int64_t steps : {std::int64_t{0}, std::int64_t{-5}, INT64_MAX}) {
        auto result = profile(smallTask(), *cpu(), steps, {}, {});
        ASSERT_FALSE(result.has_value()) << steps;
        EXPECT_EQ(result.error().code, ErrorCode::BadInput);
    }
}

TEST(Profiling, SaysNothingAboutWhatItDidNotMeasure) {
    TrainOptions options;
    options.steps = 2;  // all of it warm-up
    CountingSink sink;
    auto result = train(smallTask(), *cpu(), options, sink);
    ASSERT_TRUE(result.has_value());
    EXPECT_FALSE(result->measured.totals.seconds.has_value());
    EXPECT_FALSE(result->measured.memory.has_value());
    for (const OpReading& op : result->measured.ops) EXPECT_FALSE(op.seconds.has_value());
}

}  // namespace
}  // namespace plumb
