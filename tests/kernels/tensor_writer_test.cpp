// SPDX-License-Identifier: Apache-2.0
// What is written into a tensor, and what the control tensors learn from it.
#include "kernels/cpu/tensor_writer.h"

#include "kernels/common/scales.h"
#include "tests/kernels/control_tensors.h"
#include "tests/kernels/samples.h"
#include "tests/kernels/stored.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plumb::cpu {
namespace {

using test::ControlTensors;
using test::randomFloats;
using test::Stored;

RunConfig configOf(Precision precision, std::int64_t microBatches = 1) {
    RunConfig config;
    config.dim = 32;
    config.layers = 2;
    config.batch = 8;
    config.microBatch = 8 / microBatches;
    config.precision = precision;
    return config;
}

struct Written {
    Stored stored;
    TrackedTensor tensor;
};
Written write(const ControlTensors& control, const OpCall& call, TensorRole role,
              const std::vector<float>& values, Phase phase = Phase::Forward, int threads = 1) {
    TensorWriter writer(control.plan, call, bestKernels(), threads);
    const TrackedTensor tensor = writer.tensor(role, 1);
    const auto count = static_cast<std::int64_t>(values.size());
    Stored out(tensor.storage(), count);
    writer.write(tensor, phase, Epilogue::Plain, values.data(), out.data(), nullptr, count);
    out.expectCanary();
    return {out, writer.tensor(role, 1)};
}

double sumOfSquares(const std::vector<float>& values) {
    double sum = 0;
    for (const float v : values) sum += static_cast<double>(v) * static_cast<double>(v);
    return sum;
}
float largest(const std::vector<float>& values) {
    float most = 0;
    for (const float v : values) most = std::max(most, std::fabs(v));
    return most;
}

TEST(TensorWriter, StatisticsSumOverTheMicroBatches) {
    for (const Precision precision : {Precision::Fp32, Precision::Bf16, Precision::Fp16, Precision::Fp8}) {
        const RunConfig config = configOf(precision, 2);
        const ControlTensors control(config);
        const std::int64_t slot = statisticsSlot(config, TensorRole::Activation, 1);
        const auto first = randomFloats(5000, 1);
        const auto second = randomFloats(5000, 2);
        write(control, control.call(0, 0, false), TensorRole::Activation, second);
        EXPECT_EQ(control.statistic(slot, Statistic::SumOfSquares), 0) << "not asked for";
        for (std::int64_t step = 0; step < 2; ++step) {
            write(control, control.call(step, 0, true), TensorRole::Activation, first);
            write(control, control.call(step, 1, true), TensorRole::Activation, second);
            const double expected = sumOfSquares(first) + sumOfSquares(second);
            EXPECT_NEAR(control.statistic(slot, Statistic::SumOfSquares), expected, 1e-9 * expected);
            EXPECT_EQ(control.statistic(slot, Statistic::Amax),
                      static_cast<double>(std::max(largest(first), largest(second))));
        }
    }
}

TEST(TensorWriter, AParametersGradientIsWhatItIsAfterTheLastMicroBatch) {
    const RunConfig config = configOf(Precision::Fp32, 2);
    const ControlTensors control(config);
    const std::int64_t slot = statisticsSlot(config, TensorRole::Gradient, 1);
    const auto values = randomFloats(100, 1);
    write(control, control.call(0, 0, true), TensorRole::Gradient, randomFloats(100, 2), Phase::Backward);
    EXPECT_EQ(control.statistic(slot, Statistic::SumOfSquares), 0);
    write(control, control.call(0, 1, true), TensorRole::Gradient, values, Phase::Backward);
    EXPECT_NEAR(control.statistic(slot, Statistic::SumOfSquares), sumOfSquares(values), 1e-9);
}

TEST(TensorWriter, GradientsAreReportedWithoutTheLossScale) {
    const RunConfig config = configOf(Precision::Fp16);
    const ControlTensors control(config);
    control.lossScale()[0] = 1024;
    const auto values = randomFloats(100, 1);
    for (const TensorRole role : {TensorRole::Gradient, TensorRole::ActivationGradient}) {
        write(control, control.call(0, 0, true), role, values, Phase::Backward);
        const std::int64_t slot = statisticsSlot(config, role, 1);
        EXPECT_NEAR(control.statistic(slot, Statistic::SumOfSquares), sumOfSquares(values) / (1024.0 * 1024),
                    1e-12);
        EXPECT_EQ(control.statistic(slot, Statistic::Amax), static_cast<double>(largest(values)) / 1024);
    }
}

TEST(TensorWriter, OneNumberBeyondFp16InAGradientMarksTheStep) {
    for (const auto gradients : {GradientPrecision::Same, GradientPrecision::Fp32})
        for (const float bad : {70000.0F, -std::numeric_limits<float>::infinity(), std::nanf("")}) {
            RunConfig config = configOf(Precision::Fp16);
            config.gradientPrecision = gradients;
            if (config.parameterGradientDtype() == Dtype::Fp32 && std::isfinite(bad)) continue;
            const ControlTensors control(config);
            auto values = randomFloats(9000, 1);
            write(control, control.call(0, 0, false), TensorRole::Gradient, values, Phase::Backward);
            EXPECT_EQ(control.lossScale()[4], 0);
            values[8765] = bad;
            write(control, control.call(0, 0, true), TensorRole::Activation, values);
            EXPECT_EQ(control.lossScale()[4], 0) << "activations do not decide";
            write(control, control.call(0, 0, false), TensorRole::Gradient, values, Phase::Backward);
            EXPECT_EQ(control.lossScale()[4], 1);
        }
}

TEST(TensorWriter, WhatIsOutOfRangeIsCountedInObservedStepsAlone) {
    const RunConfig config = configOf(Precision::Fp16);
    const ControlTensors control(config);
    auto values = randomFloats(9000, 1);
    values[8765] = 70000;
    const std::int64_t slot = statisticsSlot(config, TensorRole::Activation, 1);
    write(control, control.call(0, 0, false), TensorRole::Activation, values);
    EXPECT_EQ(control.statistic(slot, Statistic::Overflowed), 0);
    write(control, control.call(1, 0, true), TensorRole::Activation, values, Phase::Recompute);
    EXPECT_EQ(control.statistic(slot, Statistic::Overflowed), 0) << "a recomputation says nothing new";
    write(control, control.call(1, 0, true), TensorRole::Activation, values);
    EXPECT_EQ(control.statistic(slot, Statistic::Overflowed), 1);
    write(control, control.call(2, 0, true), TensorRole::Activation, values);
    EXPECT_EQ(control.statistic(slot, Statistic::Overflowed), 2) << "counts add up";
}

TEST(TensorWriter, ATensorWithoutAScaleTakesThatOfItsOwnNumbers) {
    for (const TensorRole role : {TensorRole::Activation, TensorRole::ActivationGradient}) {
        const RunConfig config = configOf(Precision::Fp8, 2);
        const ControlTensors control(config);
        const std::int64_t slot = statisticsSlot(config, role, 1);
        const auto values = randomFloats(6000, 3);
        const Written first = write(control, control.call(17, 0, false), role, values);
        EXPECT_EQ(first.tensor.scale, common::fp8FirstScale(first.tensor.storage(), largest(values)));
        for (std::size_t i = 0; i < values.size(); ++i)
            ASSERT_EQ(first.stored.bits(i),
                      test::encodeOne(first.tensor.storage(), values[i] * first.tensor.scale));
        EXPECT_EQ(control.scales(slot)[1 + 17 % kAmaxHistory], largest(values));
        EXPECT_EQ(control.statistic(slot, Statistic::Overflowed), 0);

        // The scale stays for the rest of the step: much larger numbers fit, and beyond that they saturate
        // and are counted.
        const float room = first.tensor.dtype == Dtype::Fp8E4M3 ? 16 : 256;
        auto larger = values;
        for (float& v : larger) v *= room;
        write(control, control.call(17, 1, true), role, larger);
        EXPECT_EQ(control.statistic(slot, Statistic::Overflowed), 0);
        for (float& v : larger) v *= 3;
        const Written second = write(control, control.call(17, 1, true), role, larger);
        EXPECT_EQ(second.tensor.scale, first.tensor.scale);
        EXPECT_EQ(control.scales(slot)[1 + 17 % kAmaxHistory], 3 * room * largest(values));
        EXPECT_GT(control.statistic(slot, Statistic::Overflowed), 0);
        // The next step's first micro-batch starts its own entry.
        write(control, control.call(33, 0, false), role, values);
        EXPECT_EQ(control.scales(slot)[1 + 17 % kAmaxHistory], largest(values));
    }
}

TEST(TensorWriter, NothingAndWhatIsNotFiniteGiveTheScaleOne) {
    EXPECT_EQ(common::fp8Scale(Storage::Fp8E4M3, 448.0F), 1.0F);
    EXPECT_EQ(common::fp8Scale(Storage::Fp8E5M2, 0x1p-3F), 57344.0F * 8);
    for (const float useless : {0.0F, std::nanf(""), std::numeric_limits<float>::infinity(), 1e-44F})
        EXPECT_EQ(common::fp8Scale(Storage::Fp8E4M3, useless), 1.0F) << useless;
}

TEST(TensorWriter, AFirstScaleIsAPowerOfTwoThatLeavesRoom) {
    for (const auto& [dtype, room] : {std::pair{Dtype::Fp8E4M3, 16.0F}, std::pair{Dtype::Fp8E5M2, 256.0F}})
        for (const float largest : {1.0F, 0.7F, 28.0F, 28.1F, 224.0F, 1e-30F, 3e30F}) {
            const float scale = common::fp8FirstScale(storageOf(dtype), largest);
            int exponent = 0;
            EXPECT_EQ(std::frexp(scale, &exponent), 0.5F) << largest;
            const float filled = largest * scale * room / largestFinite(dtype);
            EXPECT_LE(filled, 1) << largest;
            EXPECT_GT(filled, 0.5F) << largest;
        }
    for (const float useless : {0.0F, std::nanf(""), std::numeric_limits<float>::infinity(), 1e-44F})
        EXPECT_EQ(common::fp8FirstScale(Storage::Fp8E4M3, useless), 1.0F) << useless;
}

TEST(TensorWriter, NothingDependsOnTheNumberOfThreads) {
    const auto values = randomFloats(270001, 5);  // enough for three
    for (const Precision precision : {Precision::Fp32, Precision::Bf16, Precision::Fp16, Precision::Fp8}) {
        const RunConfig config = configOf(precision);
        const ControlTensors one(config);
        const ControlTensors three(config);
        const Written a = write(one, one.call(0, 0, true), TensorRole::Activation, values);
        const Written b =
            write(three, three.call(0, 0, true), TensorRole::Activation, values, Phase::Forward, 3);
        EXPECT_EQ(a.stored.bytes(), b.stored.bytes());
        const std::int64_t slot = statisticsSlot(config, TensorRole::Activation, 1);
        for (const Statistic which :
             {Statistic::SumOfSquares, Statistic::Amax, Statistic::Overflowed, Statistic::Underflowed})
            EXPECT_EQ(one.statistic(slot, which), three.statistic(slot, which));
    }
}

}  // namespace
}  // namespace plumb::cpu
