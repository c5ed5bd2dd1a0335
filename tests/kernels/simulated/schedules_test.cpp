// SPDX-License-Identifier: Apache-2.0
// The CUDA backend on devices of several kinds and moods: when work is done, what the matrix library can, how
// much memory there is, and which call fails.
#include "core/machine/op_cost_key.h"
#include "core/train/executor.h"
#include "kernels/cpu/cpu_backend.h"
#include "tests/gpu/gpu_fixture.h"
#include "tests/gpu/gpu_training.h"
#include "tests/kernels/simulated/device.h"
#include "tests/kernels/simulated/gpu.h"
#include "tests/kernels/simulated/simulated_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace plumb::test::simulated {
namespace {

TEST_F(Simulated, BitsDoNotDependOnWhenWorkIsDone) {
    const RunConfig fromFile = configWithFiles("simulated");
    RunConfig clipped = smallConfig();
    clipped.precision = Precision::Fp16;
    clipped.clipNorm = 0.5;
    clipped.optimizer = Optimizer::Adafactor;
    RunConfig recomputed = smallConfig();
    recomputed.precision = Precision::Fp8;
    recomputed.recompute = {RecomputePolicy::Kind::Sqrt, 1};
    for (const RunConfig& config : {fromFile, clipped, recomputed})
        for (const bool replay : {false, true}) {
            const auto late = bitsOf(trainOn(open(paced(Pace::Late)), config, 15, replay, replay));
            EXPECT_EQ(bitsOf(trainOn(open(paced(Pace::AtOnce)), config, 15, replay, replay)), late)
                << describe(config);
            for (const std::uint64_t seed : {2, 3})
                EXPECT_EQ(bitsOf(trainOn(open(paced(Pace::Random, seed)), config, 15, replay, replay)), late)
                    << "seed " << seed << ": " << describe(config);
        }
}

TEST_F(Simulated, TrainsTheSameWhereTheLibraryFusesNothing) {
    for (const Precision precision : {Precision::Fp32, Precision::Bf16, Precision::Fp16}) {
        RunConfig config = smallConfig();
        config.precision = precision;
        for (const auto policy : {RecomputePolicy::Kind::All, RecomputePolicy::Kind::None}) {
            config.recompute = {policy, 1};
            Options options;
            const auto fused = bitsOf(trainOn(open(options), config, 8));
            options.fusesEpilogues = false;
            EXPECT_EQ(bitsOf(trainOn(open(options), config, 8)), fused) << describe(config);
            options.offersInVain = true;
            EXPECT_EQ(bitsOf(trainOn(open(options), config, 8)), fused) << "offered " << describe(config);
        }
    }
}

TEST_F(Simulated, TrainsLikeTheCpuOnEveryArchitecture) {
    auto cpu = makeCpuBackend(1);
    ASSERT_TRUE(cpu.has_value());
    for (const int computeCapability : {80, 86, 89, 90, 100, 120})
        for (const Precision precision : {Precision::Tf32, Precision::Bf16, Precision::Fp8}) {
            if (precision == Precision::Fp8 && computeCapability < 89) continue;
            RunConfig config = smallConfig();
            config.precision = precision;
            config.recompute = {RecomputePolicy::Kind::Every, 2};
            Options options;
            options.computeCapability = computeCapability;
            const auto here = trainOn(open(options), config, 6);
            const auto there = trainOn(**cpu, config, 6);
            ASSERT_EQ(here.size(), there.size());
            for (std::size_t i = 0; i < here.size(); ++i)
                EXPECT_NEAR(here[i].loss, there[i].loss, toleranceOf(precision) * there[0].loss)
                    << computeCapability << ": " << describe(config);
        }
}

TEST_F(Simulated, TrainsFp8LikeTheCpuWhetherOrNotTheLibraryScalesResults) {
    auto cpu = makeCpuBackend(1);
    ASSERT_TRUE(cpu.has_value());
    for (const Activation activation : {Activation::None, Activation::Relu})
        for (const bool head : {true, false}) {
            RunConfig config = smallConfig();
            config.precision = Precision::Fp8;
            config.activation = activation;
            config.head = head;
            if (!head) config.outputs = config.dim;
            config.recompute = {RecomputePolicy::Kind::Every, 2};
            const auto there = trainOn(**cpu, config, 6);
            Options options;
            const auto scaled = trainOn(open(options), config, 6);
            const auto observed = trainOn(open(options), config, 6, false, true);
            EXPECT_EQ(bitsOf(observed), bitsOf(scaled)) << "statistics change nothing: " << describe(config);
            options.scalesResults = false;
            const auto cast = trainOn(open(options), config, 6);
            for (const auto* here : {&scaled, &cast}) {
                ASSERT_EQ(here->size(), there.size());
                for (std::size_t i = 0; i < there.size(); ++i)
                    EXPECT_NEAR((*here)[i].loss, there[i].loss, toleranceOf(config.precision) * there[0].loss)
                        << describe(config);
            }
        }
}

TEST_F(Simulated, RefusesFp8BeforeAdaInWords) {
    Options options;
    options.computeCapability = 80;
    RunConfig config = smallConfig();
    config.precision = Precision::Fp8;
    SeenTraining seen;
    const auto result = train(config, open(options), {}, seen);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::BadInput);
    EXPECT_FALSE(result.error().hint.empty());
}

TEST_F(Simulated, NamesItsMemory) {
    Backend& device = open({});
    const auto result = profile(smallConfig(), device, 3, {}, {});
    ASSERT_TRUE(result.has_value()) << result.error().text();
    ASSERT_TRUE(result->measured.memory.has_value());
    std::int64_t sum = 0;
    for (const MemoryShare& share : result->measured.memory->device) {
        EXPECT_GE(share.bytes, 0) << share.name;
        sum += share.bytes;
    }
    EXPECT_GE(sum, result->measured.memory->peakBytes);
    for (const OpReading& op : result->measured.ops) {
        EXPECT_GT(op.seconds.value_or(0), 0) << op.id;
        EXPECT_EQ(op.source, Source::Event) << op.id;
    }
}

TEST_F(Simulated, TellsItsClocksAndEnergy) {
    const FakeNvml nvml;
    setenv("FAKE_NVML_REASONS", "4", 1);
    setenv("FAKE_NVML_PROCESSES", "4242:1000", 1);
    Backend& device = open({});
    TrainOptions run;
    run.steps = 600;
    run.readingInterval = 0.1;
    SeenTraining seen;
    const auto result = train(smallConfig(), device, run, seen);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    ASSERT_TRUE(result->measured.telemetry.has_value());
    const Telemetry& telemetry = *result->measured.telemetry;
    ASSERT_TRUE(telemetry.smClockHz.has_value())
        << (telemetry.absent.empty() ? "" : telemetry.absent.front().why);
    EXPECT_EQ(telemetry.smClockHz->mean, 1.98e9);
    EXPECT_EQ(telemetry.throttles, (std::vector<SeenThrottle>{{Throttle::PowerLimit, 1.0}}));
    EXPECT_EQ(telemetry.processes, (std::vector<DeviceProcess>{{4242, Bytes{1000}}}));
    // Energy is told of measured steps that took long enough, or a reason is there.
    EXPECT_NE(telemetry.joulesPerStep.has_value(), !telemetry.absent.empty());
}

std::vector<double> opSecondsOf(const Reading& measured) {
    std::vector<double> seconds;
    for (const OpReading& op : measured.ops) seconds.push_back(op.seconds.value_or(-1));
    return seconds;
}

TEST_F(Simulated, SecondsHaveNothingOfTheTimeThatTheHostTakes) {
    RunConfig deep = smallConfig();
    deep.layers = 40;  // more than are held back together
    for (const RunConfig& config : {smallConfig(), deep, configWithFiles("held")})
        for (const Pace pace : {Pace::Late, Pace::AtOnce}) {
            const auto quick = profile(config, open(paced(pace)), 3, {}, {});
            ASSERT_TRUE(quick.has_value()) << quick.error().text();
            Options slow = paced(pace);
            slow.hostNanoseconds = 50'000;
            const auto late = profile(config, open(slow), 3, {}, {});
            ASSERT_TRUE(late.has_value()) << late.error().text();
            const auto expected = opSecondsOf(quick->measured), seen = opSecondsOf(late->measured);
            ASSERT_EQ(expected.size(), seen.size());
            for (std::size_t i = 0; i < seen.size(); ++i) {
                EXPECT_GT(seen[i], 0) << late->measured.ops[i].id;
                EXPECT_NEAR(seen[i], expected[i], 1e-9) << late->measured.ops[i].id << describe(config);
            }
            EXPECT_EQ(late->measured.stepsMeasured, 3);
            EXPECT_NEAR(*late->measured.totals.seconds, *quick->measured.totals.seconds, 1e-7);
            EXPECT_EQ(late->measured.source, Source::Event);
        }
}

TEST_F(Simulated, AHoldEndsWhereTheHostWaits) {
    Backend& device = open(paced(Pace::AtOnce));
    EventTimer& timer = *device.capabilities().timer;
    ASSERT_TRUE(timer.holdsWork());
    ASSERT_TRUE(timer.hold().has_value());
    ASSERT_TRUE(device.synchronize().has_value());
    EXPECT_FALSE(timer.holdsLasted());
    timer.endHold();
    timer.forgetMarks();
    ASSERT_TRUE(timer.hold().has_value());
    ASSERT_TRUE(timer.mark().has_value());
    timer.endHold();
    ASSERT_TRUE(device.synchronize().has_value());
    EXPECT_TRUE(timer.holdsLasted());
    // A wait that the backend knows nothing of ends with the hold's limit.
    timer.forgetMarks();
    ASSERT_TRUE(timer.hold().has_value());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_FALSE(timer.holdsLasted());
    timer.endHold();
}

TEST_F(Simulated, GoesOnWithTimesWhereCountersAreRefused) {
    ProfileExtras extras;
    extras.counters = CounterDetail::Full;
    const auto result = profile(smallConfig(), open({}), 3, {}, {}, extras);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    EXPECT_FALSE(result->measured.counterRun.has_value());
    EXPECT_FALSE(result->measured.countersAbsent.empty());
    EXPECT_EQ(result->measured.stepsMeasured, 3);
}

// With CUPTI's functions as the simulated device has them: ranges, passes and the names of metrics are those
// of a GPU, and the counts are what the device saw.
TEST_F(Simulated, CountsWhatItsKernelsMoveWhereItHasCounters) {
    for (const Precision precision : {Precision::Fp32, Precision::Bf16, Precision::Fp8}) {
        RunConfig config = smallConfig();
        config.activation = Activation::None;
        config.precision = precision;
        SCOPED_TRACE(name(precision));
        Options options = paced(Pace::Random);
        options.counts = true;
        ProfileExtras extras;
        extras.counters = CounterDetail::Full;
        const auto result = profile(config, open(options), 3, {}, {}, extras);
        ASSERT_TRUE(result.has_value()) << result.error().text();
        const Reading& measured = result->measured;
        ASSERT_TRUE(measured.counterRun.has_value()) << measured.countersAbsent;
        EXPECT_EQ(measured.counterRun->chip, "GH100");
        EXPECT_EQ(measured.counterRun->passes, 2);
        const auto plan = planStep(config, backend->traits());
        ASSERT_TRUE(plan.has_value());
        ASSERT_EQ(measured.ops.size(), plan->ops.size());
        for (std::size_t i = 0; i < plan->ops.size(); ++i) {
            const Op& op = plan->ops[i];
            const OpCounters& counters = measured.ops[i].counters;
            ASSERT_TRUE(counters[CounterKind::DramBytes].has_value()) << opId(op);
            EXPECT_GT(counters[CounterKind::DramBytes]->value, 0) << opId(op);
            if (!op.isProduct || op.isHead) continue;
            EXPECT_EQ(counters.executedFlops(), op.matmulFlops) << opId(op);
            EXPECT_EQ(counters[CounterKind::CoreFlops]->value > 0, precision == Precision::Fp32);
            // Each operand once, as the plan has it; in fp8 some are transposed besides.
            if (precision != Precision::Fp8) {
                EXPECT_EQ(counters[CounterKind::DramBytes]->value, op.bytes) << opId(op);
            }
        }
    }
}

TEST_F(Simulated, SurveysItsCosts) {
    const auto survey = surveyCosts(open({}), surveyGrid(), {}, {});
    ASSERT_TRUE(survey.has_value()) << survey.error().text();
    EXPECT_GT(survey->perOpOverhead, 0);
    EXPECT_FALSE(survey->costs.tables.empty());
    EXPECT_NE(survey->costs.find(kGatherTable), nullptr) << "a thread of the host gathers rows";
    for (const char* const op :
         {"layer_forward fp32 fp32 > fp32 deep", "weight_gradient fp32 fp32 > fp32 add deep",
          "optimizer_step adamw fp32 fp32 fp32 fp32 > fp32 fp32 fp32", "gradient_norm fp32"})
        EXPECT_NE(survey->costs.find(op), nullptr) << op;
    ASSERT_TRUE(survey->speed.has_value());
    EXPECT_LT(survey->speed->spread, 0.01) << "this device is always as fast";
    for (const Dtype dtype : {Dtype::Fp32, Dtype::Tf32, Dtype::Bf16, Dtype::Fp16, Dtype::Fp8E4M3})
        EXPECT_TRUE(std::any_of(survey->peaks.begin(), survey->peaks.end(), [dtype](const auto& peak) {
            return peak.first == dtype;
        })) << dtypeName(dtype);
}

/// Trains with one call after the other failing, until none does.
class Failing : public Simulated {
protected:
    void trainsOrSays(const RunConfig& config, bool isLoss, bool tunes, std::int64_t stride) {
        std::int64_t failures = 0;
        for (std::int64_t call = 1;; call += stride) {
            Options options;
            options.failingCall = call;
            options.isLoss = isLoss;
            options.tunes = tunes;
            Device::get().restart(options);
            OpenedGpu opened = openGpu();
            if (opened.backend == nullptr) {
                EXPECT_FALSE(opened.absent.empty());
                ++failures;
            } else {
                TrainOptions run;
                run.steps = 8;
                run.readingInterval = 0;
                SeenTraining seen;
                const auto result = train(config, *opened.backend, run, seen);
                const bool failed = !result.has_value() || result->failure.has_value();
                if (failed) {
                    const Error& error = result.has_value() ? *result->failure : result.error();
                    EXPECT_FALSE(error.message.empty() || error.hint.empty()) << error.text();
                    ++failures;
                } else {
                    EXPECT_EQ(seen.points.size(), 8U) << "call " << call;
                }
                // Every trained step is told: points come in order, without gaps.
                for (std::size_t i = 0; i < seen.points.size(); ++i)
                    EXPECT_EQ(seen.points[i].step, static_cast<std::int64_t>(i)) << "call " << call;
                EXPECT_EQ(total(opened.backend->allocationCount().live), 0) << "call " << call;
            }
            const std::int64_t calls = Device::get().calls();
            opened.backend.reset();
            // A device that is lost takes nothing back.
            if (!isLoss) {
                EXPECT_EQ(Device::get().liveBlocks(), 0U) << "call " << call;
            }
            for (const std::string& fault : Device::get().faults())
                ADD_FAILURE() << "call " << call << ": " << fault;
            if (HasFailure()) return;
            if (calls < call) break;
        }
        EXPECT_GT(failures, 20);
    }
};

TEST_F(Failing, EveryCallThatFailsIsToldAndNothingIsLost) {
    RunConfig config = smallConfig();
    config.dim = 16;
    config.batch = config.microBatch = 16;
    config.layers = 2;
    trainsOrSays(config, false, false, 3);
}

TEST_F(Failing, ACallThatFailsWhileProductsAreTriedIsTold) {
    RunConfig config = smallConfig();
    config.dim = 16;
    config.batch = config.microBatch = 16;
    config.layers = 2;
    trainsOrSays(config, false, true, 13);
}

TEST_F(Failing, ADeviceThatStaysFailedIsTold) {
    RunConfig config = smallConfig();
    config.dim = 16;
    config.batch = 32;
    config.microBatch = 16;
    config.precision = Precision::Fp8;
    trainsOrSays(config, true, false, 7);
}

TEST_F(Simulated, SaysWhenTheStepDoesNotFitAndTrainsASmallerOne) {
    Options options;
    options.memoryBytes = std::size_t{256} << 20;
    Backend& device = open(options);
    RunConfig large = smallConfig();
    large.dim = 1024;
    large.layers = 24;
    TrainOptions run;
    run.steps = 2;
    SeenTraining seen;
    const auto result = train(large, device, run, seen);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::OutOfMemory) << result.error().text();
    EXPECT_EQ(total(device.allocationCount().live), 0);
    EXPECT_EQ(trainOn(device, smallConfig(), 3).size(), 3U);
}

}  // namespace
}  // namespace plumb::test::simulated
