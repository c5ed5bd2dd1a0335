// SPDX-License-Identifier: Apache-2.0
// What holds for every precision recipe alike: the same gradients however they are computed.
#include "kernels/cpu/gemm.h"
#include "tests/kernels/step_harness.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumb {
namespace {

using test::StepHarness;

struct Recipe {
    Precision precision;
    GradientPrecision gradients;
};
std::string nameOf(const Recipe& recipe) {
    return std::string(name(recipe.precision)) + (recipe.gradients == GradientPrecision::Fp32 ? "_fp32" : "");
}

class EveryRecipe : public testing::TestWithParam<Recipe> {
protected:
    static RunConfig configOf(const Recipe& recipe) {
        RunConfig config{.dim = 24,
                         .layers = 5,
                         .outputs = 3,
                         .activation = Activation::Relu,
                         .batch = 12,
                         .precision = recipe.precision,
                         .gradientPrecision = recipe.gradients,
                         .seed = 9};
        config.lossScaling.initial = 1024;
        return config;
    }
    RunConfig config = configOf(GetParam());
};
INSTANTIATE_TEST_SUITE_P(CpuBackend, EveryRecipe,
                         testing::Values(Recipe{Precision::Fp32, GradientPrecision::Same},
                                         Recipe{Precision::Tf32, GradientPrecision::Same},
                                         Recipe{Precision::Bf16, GradientPrecision::Same},
                                         Recipe{Precision::Bf16, GradientPrecision::Fp32},
                                         Recipe{Precision::Fp16, GradientPrecision::Same},
                                         Recipe{Precision::Fp16, GradientPrecision::Fp32},
                                         Recipe{Precision::Fp8, GradientPrecision::Same},
                                         Recipe{Precision::Fp8, GradientPrecision::Fp32}),
                         [](const auto& parameter) { return nameOf(parameter.param); });

/// Loss, all gradients, and what training keeps track of, as they lie in memory.
struct Outcome {
    double loss = 0;
    std::vector<std::vector<std::byte>> tensors;
    bool operator==(const Outcome&) const = default;
};
Outcome outcomeOf(const StepHarness& harness) {
    Outcome outcome;
    outcome.loss = harness.loss();
    for (std::int32_t layer = 1; layer <= harness.plan.config.layers + 1; ++layer)
        outcome.tensors.push_back(harness.bytes(harness.find(TensorRole::Gradient, layer)));
    for (const TensorId id : {harness.plan.statistics, harness.plan.lossScale, harness.plan.scales})
        if (id >= 0) outcome.tensors.push_back(harness.bytes(static_cast<std::size_t>(id)));
    return outcome;
}
Outcome run(const RunConfig& config, const CpuBackendOptions& options = {}) {
    StepHarness harness(config, options);
    harness.writesStatistics = true;
    harness.runPasses();
    return outcomeOf(harness);
}

TEST_P(EveryRecipe, EveryRecomputePolicyGivesTheSameBits) {
    for (const std::int64_t microBatch : {12, 4}) {
        config.microBatch = microBatch;
        config.recompute = {};
        const Outcome kept = run(config);
        EXPECT_GT(kept.loss, 0);
        for (const RecomputePolicy policy : {RecomputePolicy{RecomputePolicy::Kind::None, 1},
                                             RecomputePolicy{RecomputePolicy::Kind::Every, 2},
                                             RecomputePolicy{RecomputePolicy::Kind::Every, 3},
                                             RecomputePolicy{RecomputePolicy::Kind::Sqrt, 1}}) {
            config.recompute = policy;
            EXPECT_EQ(run(config), kept) << "policy " << static_cast<int>(policy.kind);
        }
    }
}

TEST_P(EveryRecipe, EveryInstructionSetGivesTheSameBits) {
    const Outcome best = run(config);
    for (const auto set : {cpu::InstructionSet::Baseline, cpu::InstructionSet::Avx2}) {
        if (cpu::kernelsFor(set) == nullptr) continue;
        CpuBackendOptions options;
        options.instructionSet = set;
        EXPECT_EQ(run(config, options), best);
    }
}

TEST_P(EveryRecipe, OneAndTwoThreadsGiveTheSameBits) {
    // Wide enough for the passes to be shared out; the products of this size take one thread.
    config.dim = 28;
    config.batch = config.microBatch = 4704;
    CpuBackendOptions options;
    options.threads = 1;
    const Outcome one = run(config, options);
    options.threads = 2;
    EXPECT_EQ(run(config, options), one);
}

TEST_P(EveryRecipe, WatchingAStepDoesNotChangeIt) {
    StepHarness watched(config, {});
    StepHarness alone(config, {});
    for (int step = 0; step < 3; ++step) {
        watched.writesStatistics = step != 1;
        EXPECT_EQ(watched.runStep(), alone.runStep());
    }
    for (std::int32_t layer = 1; layer <= config.layers + 1; ++layer)
        EXPECT_EQ(watched.bytes(watched.find(TensorRole::Weight, layer)),
                  alone.bytes(alone.find(TensorRole::Weight, layer)));
}

TEST_P(EveryRecipe, Learns) {
    config.dim = 16;
    config.layers = 2;
    config.outputs = 1;
    config.batch = 64;
    config.activation = Activation::None;
    config.learningRate = 3e-3;
    config.noise = 0.1;
    StepHarness harness(config, {});
    const double first = harness.runStep();
    double late = 0;
    for (int step = 1; step < 500; ++step) {
        const double loss = harness.runStep();
        if (step >= 450) late += loss / 50;
    }
    // From about 1 to the noise of 0.01 and what rounding adds; fp8 carries 4 and 3 bits.
    EXPECT_GT(first, 0.3);
    EXPECT_LT(late, config.precision == Precision::Fp8 ? 0.06 : 0.025);
}

/// |actual - expected| / |expected| of a layer's gradient.
double gradientDistance(const StepHarness& actual, const StepHarness& expected, std::int32_t layer) {
    const auto is = actual.values(actual.find(TensorRole::Gradient, layer));
    const auto wanted = expected.values(expected.find(TensorRole::Gradient, layer));
    double error = 0;
    double size = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        error += (is[i] - wanted[i]) * (is[i] - wanted[i]);
        size += wanted[i] * wanted[i];
    }
    EXPECT_GT(size, 0);
    return std::sqrt(error / size);
}

TEST_P(EveryRecipe, MicroBatchesAddUpToTheBatch) {
    // Rounding: of each micro-batch's gradient and of their sum. fp8: the first scales are those of the first
    // micro-batch, so the tiniest numbers, which are subnormal, are rounded otherwise, and some that follow
    // from them fall to the other side. Where a ReLU finds 0 instead of the least number it stops a gradient.
    // The library's products add up in an order that depends on the number of rows, so that some activations
    // are rounded to the next number of a narrow format.
    const bool isRoundedOtherwise = cpu::gemmKernels() == nullptr && config.precision != Precision::Fp32;
    const double rounding = config.parameterGradientDtype() == Dtype::Bf16   ? 0.02
                            : config.parameterGradientDtype() == Dtype::Fp16 ? 0.003
                            : isRoundedOtherwise                             ? 5e-4
                                                                             : 1e-5;
    config.dim = 64;
    config.layers = 4;
    config.batch = 48;
    for (const Activation activation : {Activation::None, Activation::Relu}) {
        config.activation = activation;
        const double tolerance = config.precision != Precision::Fp8 ? rounding
                                 : activation == Activation::Relu   ? 0.05
                                                                    : 0.02;
        config.microBatch = config.batch;
        StepHarness whole(config, {});
        whole.runPasses();
        for (const std::int64_t microBatch : {1, 3, 24}) {
            config.microBatch = microBatch;
            StepHarness parts(config, {});
            parts.runPasses();
            EXPECT_NEAR(parts.loss(), whole.loss(), tolerance * whole.loss());
            for (std::int32_t layer = 1; layer <= config.layers + 1; ++layer)
                EXPECT_LE(gradientDistance(parts, whole, layer), tolerance)
                    << name(activation) << ", layer " << layer << ", micro-batches of " << microBatch;
        }
    }
}

TEST_P(EveryRecipe, StatisticsAreThoseOfTheTensors) {
    StepHarness harness(config, {});
    harness.writesStatistics = true;
    harness.runPasses();
    // Stored numbers are rounded, what was tallied is not.
    const double tolerance = config.precision == Precision::Fp8 ? 0.04 : 0.004;
    const double ofOne = config.precision == Precision::Fp8 ? 0.125 : 0.008;  // E5M2: half of 2^-2
    const double lossScale = config.precision == Precision::Fp16 ? 1024 : 1;
    const auto check = [&](TensorRole role, std::int32_t layer, double unscale) {
        const std::size_t id = harness.find(role, layer);
        const Tensor& tensor = harness.plan.tensors[id];
        double squares = 0;
        double largest = 0;
        for (const double value : harness.values(id)) {
            squares += value * unscale * value * unscale;
            largest = std::max(largest, std::abs(value * unscale));
        }
        const double* row = harness.data<double>(harness.plan.statistics) +
                            statisticsSlot(config, tensor.role, tensor.layer) * kStatisticCount;
        EXPECT_GT(squares, 0) << tensorName(harness.plan, tensor);
        EXPECT_NEAR(std::sqrt(row[0] / squares), 1, tolerance) << tensorName(harness.plan, tensor);
        EXPECT_NEAR(row[1] / largest, 1, ofOne) << tensorName(harness.plan, tensor);
    };
    check(TensorRole::Features, 0, 1);
    for (std::int32_t layer = 1; layer <= config.layers; ++layer) {
        check(TensorRole::Activation, layer, 1);
        check(TensorRole::ActivationGradient, layer, 1 / lossScale);
    }
    for (std::int32_t layer = 1; layer <= config.layers + 1; ++layer) {
        check(TensorRole::Weight, layer, 1);
        check(TensorRole::Gradient, layer, 1 / lossScale);
    }
    check(TensorRole::HeadGradient, static_cast<std::int32_t>(config.layers + 1), 1 / lossScale);
}

TEST(CpuBackendFp16, AnOverflowAnywhereMarksTheStep) {
    RunConfig config{.dim = 8, .layers = 2, .batch = 4, .precision = Precision::Fp16};
    for (const double scale : {1024.0, 1e9}) {
        config.lossScaling.initial = scale;
        StepHarness harness(config, {});
        harness.runPasses();
        EXPECT_EQ(harness.data<double>(harness.plan.lossScale)[4], scale > 1e6 ? 1 : 0);
        EXPECT_LT(harness.loss(), 100) << "the loss is reported without the scale";
    }
}

}  // namespace
}  // namespace plumb
