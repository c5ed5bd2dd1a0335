// SPDX-License-Identifier: Apache-2.0
// The CUDA backend against the CPU's, the plan and itself. Each test is skipped, with the reason, where no
// GPU is.
#include "core/engine/capabilities.h"
#include "core/train/executor.h"
#include "kernels/cpu/cpu_backend.h"
#include "tests/gpu/gpu_fixture.h"
#include "tests/gpu/gpu_training.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace plumb {
namespace {

class Gpu : public OnGpu {};

TEST_F(Gpu, TrainsLikeTheCpuInEveryRecipeWithEveryOptimizer) {
    auto cpu = makeCpuBackend(1);
    ASSERT_TRUE(cpu.has_value());
    for (int precision = 0; precision < 5; ++precision)
        for (int optimizer = 0; optimizer < 8; ++optimizer)
            for (const bool master : {true, false}) {
                RunConfig config = smallConfig();
                config.precision = static_cast<Precision>(precision);
                config.optimizer = static_cast<Optimizer>(optimizer);
                config.masterWeights = master;
                if (!master && precision < 2) continue;
                if (config.precision == Precision::Fp8 && gpu.computeCapability < 89) continue;
                // Its first updates are ten times the rate, whichever sign rounding left to the gradient: at
                // 1e-3 such signs alone part two trainings in tf32, at this rate by a tenth of the tolerance.
                if (config.optimizer == Optimizer::RmsProp) config.learningRate = 2e-4;
                const auto here = trainOn(*backend, config, 8);
                const auto there = trainOn(**cpu, config, 8);
                ASSERT_EQ(here.size(), there.size()) << describe(config);
                for (std::size_t i = 0; i < here.size(); ++i)
                    ASSERT_NEAR(here[i].loss, there[i].loss, toleranceOf(config.precision) * there[0].loss)
                        << "step " << i << ": " << describe(config);
                EXPECT_NEAR(here[0].gradientNorm, there[0].gradientNorm,
                            toleranceOf(config.precision) * there[0].gradientNorm)
                    << describe(config);
            }
}

TEST_F(Gpu, TrainsLikeTheCpuWhateverTheShapeAndSchedule) {
    auto cpu = makeCpuBackend(1);
    ASSERT_TRUE(cpu.has_value());
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        RunConfig config = configForGpu(seed);
        if (config.precision == Precision::Fp8 && gpu.computeCapability < 89) continue;
        // Losses that explode do so differently.
        config.learningRate = 0.02 * config.effectiveLearningRate();
        const auto here = trainOn(*backend, config, 4);
        const auto there = trainOn(**cpu, config, 4);
        ASSERT_EQ(here.size(), there.size()) << describe(config);
        for (std::size_t i = 0; i < here.size(); ++i)
            ASSERT_NEAR(here[i].loss, there[i].loss,
                        3 * toleranceOf(config.precision) * std::max(there[0].loss, there[i].loss))
                << "seed " << seed << " step " << i << ": " << describe(config);
    }
}

TEST_F(Gpu, NeedsTheMemoryThatWasPredictedAtEveryOp) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const RunConfig config = configForGpu(seed);
        if (config.precision == Precision::Fp8 && gpu.computeCapability < 89) continue;
        auto planned = planStep(config, backend->traits());
        ASSERT_TRUE(planned.has_value()) << planned.error().text();
        const auto plan = std::make_shared<const StepPlan>(std::move(planned).value());
        auto executor = Executor::create(plan, *backend, nullptr);
        ASSERT_TRUE(executor.has_value()) << executor.error().text();
        (*executor)->timing().setMeasuring(true);
        for (int step = 0; step < 2; ++step) {
            const auto result = (*executor)->runStep();
            ASSERT_TRUE(result.has_value()) << result.error().text();
        }
        const Reading measured = (*executor)->timing().reading(backend->machine());
        ASSERT_TRUE(measured.memory.has_value());
        const std::vector<CategoryBytes> predicted = memoryCurve(*plan);
        for (std::size_t op = 0; op < predicted.size(); ++op)
            ASSERT_EQ(measured.memory->curve[op], predicted[op])
                << opId(plan->ops[op]) << " seed " << seed << ": " << describe(config);
        for (const OpReading& op : measured.ops) EXPECT_GT(op.seconds.value_or(-1), 0) << op.id;
        executor->reset();
        EXPECT_EQ(total(backend->allocationCount().live), 0);
    }
}

/// What a tensor of a step holds when a training has been prepared, and after so many steps.
std::vector<std::byte> bytesAfter(Backend& device, const RunConfig& config, TensorId StepPlan::*which,
                                  std::int64_t steps) {
    auto planned = planStep(config, device.traits());
    EXPECT_TRUE(planned.has_value());
    const auto plan = std::make_shared<const StepPlan>(std::move(planned).value());
    auto executor = Executor::create(plan, device, nullptr);
    EXPECT_TRUE(executor.has_value()) << executor.error().text();
    for (std::int64_t step = 0; step < steps; ++step) EXPECT_TRUE((*executor)->runStep().has_value());
    auto bytes = (*executor)->tensors().download((*plan).*which);
    EXPECT_TRUE(bytes.has_value());
    return *bytes;
}

TEST_F(Gpu, KeepsABatchOfTheCpusBitsForAllSteps) {
    auto cpu = makeCpuBackend(1);
    ASSERT_TRUE(cpu.has_value());
    for (int precision = 0; precision < 5; ++precision) {
        RunConfig config = smallConfig();
        config.microBatch = 0;
        config.precision = static_cast<Precision>(precision);
        if (config.precision == Precision::Fp8 && gpu.computeCapability < 89) continue;
        const auto fresh = trainOn(*backend, config, 12, true);
        config.residentBatch = true;
        for (const auto which : {&StepPlan::residentFeatures, &StepPlan::residentTargets}) {
            const auto there = bytesAfter(**cpu, config, which, 3);
            EXPECT_EQ(bytesAfter(*backend, config, which, 0), there) << describe(config);
            EXPECT_EQ(bytesAfter(*backend, config, which, 3), there) << describe(config);
        }
        const auto opByOp = trainOn(*backend, config, 12);
        EXPECT_EQ(bitsOf(trainOn(*backend, config, 12, true)), bitsOf(opByOp)) << describe(config);
        EXPECT_EQ(bitsOf(trainOn(*backend, config, 12, true, true)), bitsOf(opByOp)) << describe(config);
        // It is the batch of the first step; in fp8 it has a tighter scale than one that others follow.
        if (config.precision != Precision::Fp8) {
            EXPECT_EQ(opByOp[0].loss, fresh[0].loss) << describe(config);
        }
        EXPECT_NE(opByOp[1].loss, fresh[1].loss);
        const auto there = trainOn(**cpu, config, 12);
        for (std::size_t i = 0; i < there.size(); ++i)
            ASSERT_NEAR(opByOp[i].loss, there[i].loss, toleranceOf(config.precision) * there[0].loss)
                << "step " << i << ": " << describe(config);
    }
}

TEST_F(Gpu, RepeatsItsBits) {
    for (int precision = 0; precision < 5; ++precision) {
        RunConfig config = smallConfig();
        config.precision = static_cast<Precision>(precision);
        if (config.precision == Precision::Fp8 && gpu.computeCapability < 89) continue;
        EXPECT_EQ(bitsOf(trainOn(*backend, config, 12)), bitsOf(trainOn(*backend, config, 12)))
            << describe(config);
    }
}

TEST_F(Gpu, ReplayedStepsHaveTheBitsOfStepsRunOpByOp) {
    for (int precision = 0; precision < 5; ++precision)
        for (const auto policy : {RecomputePolicy::Kind::All, RecomputePolicy::Kind::Sqrt})
            for (const Optimizer optimizer : {Optimizer::AdamW, Optimizer::Adafactor, Optimizer::Momentum}) {
                RunConfig config = smallConfig();
                config.precision = static_cast<Precision>(precision);
                config.recompute = {policy, 1};
                config.optimizer = optimizer;
                config.clipNorm = optimizer == Optimizer::Momentum ? 0.5 : 0;
                // A capture outlives rates that change and, with fp16, steps that are skipped.
                if (policy == RecomputePolicy::Kind::Sqrt) config.schedule = Schedule::Cosine;
                config.warmUpSteps = 5;
                config.scheduleSteps = 30;
                config.lossScaling.initial = 0x1p30;
                if (config.precision == Precision::Fp8 && gpu.computeCapability < 89) continue;
                const auto points = trainOn(*backend, config, 40);
                const auto opByOp = bitsOf(points);
                EXPECT_EQ(config.precision == Precision::Fp16,
                          std::any_of(points.begin(), points.end(), [](const auto& p) { return p.skipped; }));
                EXPECT_EQ(bitsOf(trainOn(*backend, config, 40, true)), opByOp) << describe(config);
                EXPECT_EQ(bitsOf(trainOn(*backend, config, 40, true, true)), opByOp) << describe(config);
            }
}

TEST_F(Gpu, ReadsDataFromFilesWhileItComputes) {
    const RunConfig config = configWithFiles("gpu");
    auto cpu = makeCpuBackend(1);
    ASSERT_TRUE(cpu.has_value());
    const auto there = trainOn(**cpu, config, 30);
    const auto opByOp = trainOn(*backend, config, 30);
    ASSERT_EQ(opByOp.size(), there.size());
    for (std::size_t i = 0; i < there.size(); ++i)
        EXPECT_NEAR(opByOp[i].loss, there[i].loss, 1e-3 * there[0].loss);
    EXPECT_EQ(bitsOf(trainOn(*backend, config, 30, true)), bitsOf(opByOp));
}

TEST_F(Gpu, GoesOnFromACheckpointBitForBit) {
    for (const auto& [precision, resident] : {std::pair{Precision::Bf16, false},
                                              {Precision::Fp16, false},
                                              {Precision::Bf16, true},
                                              {Precision::Fp8, true}}) {
        if (precision == Precision::Fp8 && gpu.computeCapability < 89) continue;
        const TemporaryFolder folder;
        RunConfig config = smallConfig();
        config.precision = precision;
        config.residentBatch = resident;
        if (resident) config.microBatch = 0;
        const auto whole = trainOn(*backend, config, 20);
        TrainOptions options{.steps = 10, .replaySteps = false, .statistics = false};
        options.checkpoints.folder = folder.path();
        SeenTraining first;
        ASSERT_TRUE(train(config, *backend, options, first).has_value());
        options.steps = 20;
        options.checkpoints.folder.clear();
        options.resumeFrom = folder.path();
        SeenTraining second;
        const auto resumed = train(config, *backend, options, second);
        ASSERT_TRUE(resumed.has_value()) << resumed.error().text();
        EXPECT_EQ(bitsOf(second.points), bitsOf(std::vector<StepMetrics>(whole.begin() + 10, whole.end())));
    }
}

TEST_F(Gpu, RefusesAStepThatDoesNotFitBeforeAllocating) {
    const RunConfig config{.dim = 65536, .layers = 64, .batch = 65536};
    SeenTraining seen;
    const auto result = train(config, *backend, TrainOptions{}, seen);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::OutOfMemory);
    EXPECT_EQ(total(backend->allocationCount().live), 0);
}

TEST_F(Gpu, ProbesItsSpeedBetweenStepsAndLeavesNothingBehind) {
    const RunConfig config = smallConfig();
    const auto expected = trainOn(*backend, config, 6);
    auto plan = planStep(config, backend->traits());
    ASSERT_TRUE(plan.has_value());
    std::vector<SpeedProbe> probes;
    {
        auto executor = Executor::create(std::make_shared<const StepPlan>(*plan), *backend, nullptr);
        ASSERT_TRUE(executor.has_value());
        const Bytes before = total(backend->allocationCount().live);
        for (const auto& step : expected) {
            const auto found = probeSpeed(*backend);
            ASSERT_TRUE(found.has_value()) << found.error().text();
            ASSERT_TRUE(found->has_value());
            probes.push_back(**found);
            const auto done = (*executor)->runStep();
            ASSERT_TRUE(done.has_value());
            EXPECT_EQ(done->loss, step.loss);
        }
        EXPECT_EQ(total(backend->allocationCount().live), before);
    }
    for (const SpeedProbe& probe : probes) {
        EXPECT_GT(probe.productFlopPerSecond, 1e8);
        EXPECT_GT(probe.copyBytesPerSecond, 1e8);
        EXPECT_GT(probe.loopPerSecond, 1e4) << "launches, some microseconds each";
        EXPECT_LT(probe.loopPerSecond, 1e8);
    }
}

TEST_F(Gpu, ProbesNothingWhereThereIsNoRoomForIt) {
    std::vector<Buffer> hogs;
    for (Bytes bytes = Bytes{1} << 42; bytes >= (Bytes{1} << 20); bytes /= 2)
        if (auto hog = backend->capabilities().replay->allocateArena(bytes); hog.has_value())
            hogs.push_back(*hog);
    const auto found = probeSpeed(*backend);
    ASSERT_TRUE(found.has_value()) << found.error().text();
    EXPECT_FALSE(found->has_value());
    for (const Buffer& hog : hogs) backend->release(hog);
    const auto again = probeSpeed(*backend);
    ASSERT_TRUE(again.has_value());
}

TEST_F(Gpu, SaysWhenItHasNoMemoryLeftAndGoesOn) {
    Tensor tensor;
    tensor.role = TensorRole::Features;
    RunConfig config = smallConfig();
    auto plan = planStep(config, backend->traits());
    ASSERT_TRUE(plan.has_value());
    ASSERT_TRUE(backend->prepare(*plan).has_value());
    const auto arena = backend->capabilities().replay->allocateArena(Bytes{1} << 50);
    ASSERT_FALSE(arena.has_value());
    EXPECT_EQ(arena.error().code, ErrorCode::OutOfMemory);
    EXPECT_EQ(trainOn(*backend, config, 3).size(), 3U);
}

}  // namespace
}  // namespace plumb
