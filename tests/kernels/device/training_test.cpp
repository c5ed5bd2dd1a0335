// SPDX-License-Identifier: Apache-2.0
// The parts of a step that the device decides by itself: constants, skipped steps, scales, the count of
// steps.
#include "kernels/cuda/bodies/parameters.h"
#include "tests/kernels/device/step_mirror.h"

#include <gtest/gtest.h>

#include <limits>

namespace plumb::test {
namespace {

using cuda::StepResult;

RunConfig smallConfig(Precision precision, Optimizer optimizer = Optimizer::AdamW) {
    RunConfig config{.dim = 33, .layers = 3, .outputs = 2, .batch = 16};
    config.precision = precision;
    config.optimizer = optimizer;
    return config;
}

class DeviceTraining : public OnRunner<> {};

TEST_F(DeviceTraining, TicksWithTheConstantsOfTheSchedule) {
    for (const Schedule schedule : {Schedule::Constant, Schedule::Cosine, Schedule::Step})
        for (const Optimizer optimizer : {Optimizer::Momentum, Optimizer::Adagrad, Optimizer::RmsProp,
                                          Optimizer::AdamW, Optimizer::Adafactor}) {
            RunConfig config = smallConfig(Precision::Fp32, optimizer);
            config.schedule = schedule;
            config.warmUpSteps = 3;
            config.scheduleSteps = 9;
            config.minimumLearningRate = 1e-5;
            config.weightDecay = 0.01;
            StepHarness harness(config, {});
            StepMirror mirror(runner(), harness);
            for (std::int64_t step = 0; step < 12; ++step) {
                harness.step = step;
                mirror.push();
                ASSERT_EQ(runner().tick(mirror.tick()), 0);
                const cuda::StepState state = mirror.state();
                const double rate = learningRateAt(config, step);
                // The device's cosine and power may differ in their last bit.
                EXPECT_NEAR(state.learningRate, rate, 1e-15 * rate);
                EXPECT_EQ(state.update, step + 1);
                const common::RuleConstants expected = common::ruleConstants(config, rate, step + 1);
                const common::AdafactorConstants adafactor =
                    common::adafactorConstants(config, rate, step + 1);
                if (optimizer == Optimizer::Adafactor) {
                    EXPECT_NEAR(state.adafactor.meanShare, adafactor.meanShare, 1e-15);
                    EXPECT_NEAR(state.adafactor.rate, adafactor.rate, 1e-15);
                } else {
                    EXPECT_FLOAT_EQ(state.rule.rate, expected.rate);
                    EXPECT_FLOAT_EQ(state.rule.secondCorrection, expected.secondCorrection);
                    EXPECT_EQ(state.rule.momentum, expected.momentum);
                    EXPECT_EQ(state.rule.keep, expected.keep);
                }
            }
        }
}

TEST_F(DeviceTraining, TakesTheCallersWordForAStep) {
    StepHarness harness(smallConfig(Precision::Fp32), {});
    StepMirror mirror(runner(), harness);
    mirror.push();
    cuda::TickArguments tick = mirror.tick();
    tick.schedule = nullptr;
    tick.step = 41;
    tick.update = 7;
    tick.learningRate = 0.25;
    tick.rateGiven = true;
    ASSERT_EQ(runner().tick(tick), 0);
    EXPECT_EQ(mirror.state().step, 41);
    EXPECT_EQ(mirror.state().update, 7);
    EXPECT_EQ(mirror.state().learningRate, 0.25);
}

TEST_F(DeviceTraining, LearnsOfAChangedRateWithoutAnotherArgument) {
    RunConfig config = smallConfig(Precision::Fp32);
    StepHarness harness(config, {});
    StepMirror mirror(runner(), harness);
    mirror.push();
    DeviceArray<RateSchedule> schedule(runner(), std::vector<RateSchedule>{rateSchedule(config)});
    cuda::TickArguments tick = mirror.tick();
    tick.schedule = schedule.data();
    ASSERT_EQ(runner().tick(tick), 0);
    EXPECT_EQ(mirror.state().learningRate, 1e-3);
    config.learningRate = 0.5;
    schedule.set({rateSchedule(config)});
    ASSERT_EQ(runner().tick(tick), 0);
    EXPECT_EQ(mirror.state().learningRate, 0.5);
}

/// All gradients of a harness become these numbers, on both sides.
void setGradients(StepHarness& harness, std::uint32_t seed, float factor, float first) {
    const RunConfig& config = harness.plan.config;
    for (std::int32_t layer = 1; layer <= config.layers + 1; ++layer) {
        const std::size_t id = harness.find(TensorRole::Gradient, layer);
        const Tensor& tensor = harness.plan.tensors[id];
        std::vector<float> values = randomFloats(tensor.elements(), seed + static_cast<std::uint32_t>(layer));
        for (float& value : values) value *= factor;
        if (layer == 2) values[5] = first;
        const auto encode =
            cpu::bestKernels().encode[static_cast<std::size_t>(cpu::storageOf(tensor.dtype))][0];
        encode({values.data(), harness.buffers[id].data, nullptr, tensor.elements(), 1, nullptr});
    }
}

// What a step does that updates each matrix as soon as its gradient is done.
TEST_F(DeviceTraining, UpdatesMatrixByMatrixHaveTheBitsOfOneLaunch) {
    for (const Precision precision : {Precision::Fp32, Precision::Bf16, Precision::Fp8})
        for (const Optimizer optimizer : {Optimizer::AdamW, Optimizer::Sgd}) {
            StepHarness harness(smallConfig(precision, optimizer), {});
            StepMirror mirror(runner(), harness);
            setGradients(harness, 7, 1, 1);
            std::vector<std::vector<std::byte>> atOnce;
            for (const bool matrixByMatrix : {false, true}) {
                mirror.push();
                ASSERT_EQ(runner().tick(mirror.tick()), 0);
                const cuda::OptimizerArguments all = mirror.optimizer();
                const cuda::ParameterParts parts = cuda::partsOf(all.parameters);
                ASSERT_GT(parts.perLayer, 1);
                // The first matrix comes last, and ends the step.
                for (std::int64_t matrix = all.parameters.layers; matrixByMatrix && matrix >= 0; --matrix) {
                    cuda::OptimizerArguments one = all;
                    one.firstPart = cuda::firstPartOf(parts, matrix);
                    one.partCount = cuda::partsOfMatrix(all.parameters, parts, matrix);
                    one.ends = matrix == 0;
                    ASSERT_EQ(runner().optimizer(one), 0);
                    EXPECT_EQ(mirror.state().step, one.ends ? 1 : 0) << "the last one counts the step";
                }
                if (!matrixByMatrix) {
                    ASSERT_EQ(runner().optimizer(all), 0);
                }
                for (std::size_t id = 0; id < harness.buffers.size(); ++id) {
                    if (!matrixByMatrix)
                        atOnce.push_back(mirror.pull(id));
                    else
                        EXPECT_EQ(mirror.pull(id), atOnce[id])
                            << tensorName(harness.plan, harness.plan.tensors[id]);
                }
                EXPECT_TRUE(mirror.clean());
            }
        }
}

TEST_F(DeviceTraining, SkipsAStepWhoseGradientsAreNotFiniteAndWritesItsRecord) {
    RunConfig config = smallConfig(Precision::Fp16);
    config.lossScaling.initial = 1024;
    config.lossScaling.interval = 3;
    StepHarness harness(config, {});
    StepMirror mirror(runner(), harness);
    DeviceArray<StepResult> ring(runner(), std::vector<StepResult>(4));
    mirror.push();
    const auto optimizerOp = static_cast<std::int32_t>(harness.plan.ops.size()) - 1;
    for (std::int64_t step = 0; step < 9; ++step) {
        const bool overflows = step == 2 || step == 6;
        setGradients(harness, 10 * static_cast<std::uint32_t>(step), 100,
                     overflows ? std::numeric_limits<float>::infinity() : 1.0F);
        harness.data<double>(harness.plan.loss)[kLossValue] = 0.5 + static_cast<double>(step);
        mirror.push();  // the state is the CPU's; the count of steps follows it
        const std::vector<std::byte> before = mirror.pull(harness.find(TensorRole::Master, 1));
        cuda::GradientArguments look = mirror.gradients();
        look.norm = false;
        look.tally = true;
        ASSERT_EQ(runner().gradients(look), 0);
        // The CPU's products have marked it while they wrote the gradients.
        if (overflows) harness.data<double>(harness.plan.lossScale)[kLossScaleNotFinite] = 1;
        ASSERT_TRUE(harness.runOp(optimizerOp).has_value());
        cuda::OptimizerArguments update = mirror.optimizer();
        update.ring = ring.data();
        update.ringSize = 4;
        const double scaleBefore = config.lossScaling.initial;
        ASSERT_GT(scaleBefore, 0);
        ASSERT_EQ(runner().tick(mirror.tick()), 0);
        ASSERT_EQ(runner().optimizer(update), 0);
        const auto control = [&](TensorId id) {
            auto got = mirror.pull(static_cast<std::size_t>(id));
            got.resize(static_cast<std::size_t>(harness.plan.tensor(id).bytes()));
            return got;
        };
        EXPECT_TRUE(control(harness.plan.lossScale) ==
                    harness.bytes(static_cast<std::size_t>(harness.plan.lossScale)))
            << "step " << step;
        auto after = mirror.pull(harness.find(TensorRole::Master, 1));
        EXPECT_EQ(after == before, overflows) << "step " << step;
        after.resize(static_cast<std::size_t>(config.dim * config.dim * 4));
        EXPECT_TRUE(after == harness.bytes(harness.find(TensorRole::Master, 1)));
        const StepResult result = ring.get()[static_cast<std::size_t>(step % 4)];
        EXPECT_EQ(result.step, step);
        EXPECT_EQ(result.loss, 0.5 + static_cast<double>(step));
        EXPECT_EQ(result.skipped, overflows ? 1 : 0);
        EXPECT_EQ(std::isnan(result.gradientSquares), overflows);
        EXPECT_EQ(mirror.state().step, step + 1);
        ++harness.step;
    }
    // Grown after three good steps in a row, halved twice.
    const auto* row = harness.data<double>(harness.plan.lossScale);
    EXPECT_EQ(row[kLossScaleSkipped], 2);
    EXPECT_EQ(row[kLossScaleGoodSteps], 7);
    EXPECT_EQ(row[kLossScaleValue], 512);
}

TEST_F(DeviceTraining, LooksAtAllGradientsInOnePass) {
    for (const Precision precision : {Precision::Fp32, Precision::Bf16, Precision::Fp16}) {
        const RunConfig config = smallConfig(precision);
        StepHarness harness(config, {});
        StepMirror mirror(runner(), harness);
        setGradients(harness, 3, 1, 7);
        mirror.push();
        cuda::GradientArguments a = mirror.gradients();
        a.tally = a.writesStatistics = true;
        ASSERT_EQ(runner().gradients(a), 0);
        const double scale = precision == Precision::Fp16 ? config.lossScaling.initial : 1;
        double all = 0;
        auto bytes = mirror.pull(static_cast<std::size_t>(harness.plan.statistics));
        const auto* statistics = reinterpret_cast<const double*>(bytes.data());
        for (std::int32_t layer = 1; layer <= config.layers + 1; ++layer) {
            double squares = 0;
            double largest = 0;
            for (const double value : harness.values(harness.find(TensorRole::Gradient, layer))) {
                squares += value * value / scale / scale;
                largest = std::max(largest, std::abs(value) / scale);
            }
            const auto* row =
                statistics + statisticsSlot(config, TensorRole::Gradient, layer) * kStatisticCount;
            EXPECT_NEAR(row[0], squares, 1e-12 * squares);
            EXPECT_EQ(row[1], largest);
            all += squares;
        }
        bytes = mirror.pull(static_cast<std::size_t>(harness.plan.loss));
        EXPECT_NEAR(reinterpret_cast<const double*>(bytes.data())[kLossGradientSquares], all, 2e-6 * all);
    }
}

TEST_F(DeviceTraining, GivesTheSameBitsInAnyOrderOfItsBlocks) {
    const std::unique_ptr<KernelRunner> other = makeOtherOrder();
    if (other == nullptr) GTEST_SKIP() << "a device chooses the order of its blocks itself";
    for (const Optimizer optimizer : {Optimizer::AdamW, Optimizer::Adafactor})
        for (const Precision precision : {Precision::Fp32, Precision::Bf16, Precision::Fp8}) {
            StepHarness harness(smallConfig(precision, optimizer), {});
            harness.writesStatistics = true;
            setGradients(harness, 17, 0.1F, 1);
            const auto stateAfter = [&](KernelRunner& some) {
                StepMirror mirror(some, harness);
                mirror.push();
                EXPECT_EQ(some.tick(mirror.tick()), 0);
                EXPECT_EQ(some.gradients(mirror.gradients()), 0);
                EXPECT_EQ(some.optimizer(mirror.optimizer()), 0);
                std::vector<std::vector<std::byte>> all;
                for (std::size_t id = 0; id < harness.plan.tensors.size(); ++id)
                    all.push_back(mirror.pull(id));
                return all;
            };
            EXPECT_TRUE(stateAfter(runner()) == stateAfter(*other));
        }
}

}  // namespace
}  // namespace plumb::test
