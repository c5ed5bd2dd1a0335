// SPDX-License-Identifier: Apache-2.0
// First values of weights, masters, states and control tensors.
#include "core/measure/layer_statistics.h"
#include "core/model/initial_weights.h"
#include "core/model/names.h"
#include "tests/kernels/step_harness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb {
namespace {

using test::StepHarness;

RunConfig configOf(Initialisation initialisation) {
    return RunConfig{
        .dim = 150, .layers = 2, .outputs = 3, .batch = 8, .initialisation = initialisation, .seed = 1234};
}

TEST(Initialise, WeightsAreTheDrawsOfTheirDefinition) {
    using Distribution = InitialWeights::Distribution;
    for (const auto& [initialisation, text] : kInitialisationNames)
        for (const int threads : {1, 3}) {
            SCOPED_TRACE(text);
            const RunConfig config = configOf(initialisation);
            CpuBackendOptions options;
            options.threads = threads;
            const StepHarness harness(config, options);
            for (std::uint32_t layer = 1; layer <= 3; ++layer) {
                const InitialWeights weights = initialWeights(config, layer);
                const auto factor = static_cast<float>(weights.factor);
                const RandomStream stream = layer == 3 ? RandomStream::Head : RandomStream::Weights;
                const auto values =
                    harness.values(harness.find(TensorRole::Weight, static_cast<std::int32_t>(layer)));
                for (std::size_t i = 0; i < values.size(); ++i) {
                    const PhiloxBlock block = philoxAt(1234, stream, layer, i);
                    const float draw = weights.distribution == Distribution::TruncatedNormal
                                           ? truncatedNormalAt(1234, stream, layer, i)
                                       : weights.distribution == Distribution::Uniform
                                           ? uniformFromPhilox(block)
                                           : normalFromPhilox(block);
                    ASSERT_EQ(values[i], static_cast<double>(draw * factor))
                        << "layer " << layer << ", " << i;
                }
            }
        }
}

TEST(Initialise, EachHasTheStandardDeviationOfTorchsOwn) {
    // By hand from torch.nn.init's documentation: fan-in 150, fan-out 150 and, of the head, 3.
    const auto deviations = [](Initialisation initialisation) {
        RunConfig config = configOf(initialisation);
        config.initialDeviation = 0.3;
        const StepHarness harness(config, {});
        std::array<double, 2> result{};
        for (const std::int32_t layer : {1, 3}) {
            const auto values = harness.values(harness.find(TensorRole::Weight, layer));
            double squares = 0;
            for (const double value : values) squares += value * value;
            const double measured = std::sqrt(squares / static_cast<double>(values.size()));
            const double expected = initialWeights(config, layer).deviation();
            EXPECT_NEAR(measured / expected, 1, layer == 1 ? 0.02 : 0.1) << name(initialisation);
            result[layer == 1 ? 0 : 1] = expected;
        }
        return result;
    };
    const auto expect = [&](Initialisation initialisation, double layer, double head) {
        const auto found = deviations(initialisation);
        EXPECT_NEAR(found[0], layer, 1e-12) << name(initialisation);
        EXPECT_NEAR(found[1], head, 1e-12) << name(initialisation);
    };
    expect(Initialisation::XavierUniform, std::sqrt(2.0 / 300), std::sqrt(2.0 / 153));
    expect(Initialisation::XavierNormal, std::sqrt(2.0 / 300), std::sqrt(2.0 / 153));
    expect(Initialisation::HeUniform, std::sqrt(2.0 / 150), std::sqrt(2.0 / 150));
    expect(Initialisation::HeNormal, std::sqrt(2.0 / 150), std::sqrt(2.0 / 150));
    expect(Initialisation::Fixed, 0.3, 0.3);
    expect(Initialisation::Naive, 1, 1);
}

TEST(Initialise, UniformOnesStayWithinTheirBoundAndFillIt) {
    const RunConfig config = configOf(Initialisation::HeUniform);
    const StepHarness harness(config, {});
    const double bound = std::sqrt(6.0 / 150);
    double least = 0, most = 0;
    for (const double value : harness.values(harness.find(TensorRole::Weight, 1))) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    EXPECT_GE(least, -bound);
    EXPECT_LE(most, bound);
    EXPECT_LT(least, -0.999 * bound);
    EXPECT_GT(most, 0.999 * bound);
}

/// Root mean square of the last layer's activations over that of the features, in a pass forwards.
double measuredGrowth(const RunConfig& config) {
    StepHarness harness(config, {});
    harness.writesStatistics = true;
    harness.runPasses();
    const auto* rows = harness.data<double>(harness.plan.statistics);
    const auto squares = [&](TensorRole role, std::int64_t layer) {
        return rows[statisticsSlot(config, role, static_cast<std::int32_t>(layer)) * kStatisticCount];
    };
    return std::sqrt(squares(TensorRole::Activation, config.layers) / squares(TensorRole::Features, 0));
}

TEST(Initialise, TheMeasuredGrowthIsThePredictedOneForEveryRuleLinearAndRelu) {
    for (const auto& [initialisation, text] : kInitialisationNames)
        for (const Activation activation : {Activation::None, Activation::Relu}) {
            SCOPED_TRACE(testing::Message() << text << " " << name(activation));
            RunConfig config = configOf(initialisation);
            config.dim = 512;
            config.layers = 4;
            config.batch = 64;
            config.activation = activation;
            const double measured = std::pow(measuredGrowth(config), 1.0 / 4);
            EXPECT_NEAR(measured / initialGrowthPerLayer(config), 1, 0.06);
        }
}

TEST(Initialise, EveryNarrowRecipeRoundsTheMasterCopy) {
    for (const Precision precision : {Precision::Bf16, Precision::Fp16, Precision::Fp8}) {
        RunConfig config = configOf(Initialisation::Scaled);
        const StepHarness exact(config, {});
        config.precision = precision;
        const StepHarness harness(config, {});
        const double half = precision == Precision::Fp8    ? 0x1p-4
                            : precision == Precision::Fp16 ? 0x1p-11
                                                           : 0x1p-8;
        for (std::int32_t layer = 1; layer <= 3; ++layer) {
            const auto expected = exact.values(exact.find(TensorRole::Weight, layer));
            EXPECT_EQ(harness.values(harness.find(TensorRole::Master, layer)), expected);
            const auto values = harness.values(harness.find(TensorRole::Weight, layer));
            double largest = 0;
            for (const double value : expected) largest = std::max(largest, std::abs(value));
            for (std::size_t i = 0; i < values.size(); ++i)
                ASSERT_NEAR(values[i], expected[i], half * std::abs(expected[i]) + largest * 0x1p-18);
            // fp8: the largest weight is the largest number that the format has.
            if (precision != Precision::Fp8) continue;
            const auto* scale = harness.data<float>(harness.plan.scales) +
                                statisticsSlot(config, TensorRole::Weight, layer) * (1 + kAmaxHistory);
            EXPECT_FLOAT_EQ(scale[0], static_cast<float>(448 / largest));
            EXPECT_FLOAT_EQ(scale[1], static_cast<float>(largest));
        }
    }
}

TEST(Initialise, StatesAndControlTensorsStartAsTheConfigurationSays) {
    RunConfig config = configOf(Initialisation::Scaled);
    config.precision = Precision::Fp16;
    config.lossScaling.initial = 4096;
    config.optimizer = Optimizer::Adagrad;
    const StepHarness harness(config, {});
    for (std::int32_t layer = 1; layer <= 3; ++layer)
        for (const double value : harness.values(harness.find(TensorRole::Moment1, layer)))
            ASSERT_EQ(value, 0);
    const double* scale = harness.data<double>(harness.plan.lossScale);
    EXPECT_EQ(scale[0], 4096);
    for (int column = 1; column < 6; ++column) EXPECT_EQ(scale[column], 0);
}

TEST(Initialise, TheNaiveOneExplodesAndTheScaledOneDoesNot) {
    const auto growth = [](Initialisation initialisation) {
        RunConfig config = configOf(initialisation);
        config.layers = 5;
        config.activation = Activation::None;
        return measuredGrowth(config);
    };
    EXPECT_NEAR(growth(Initialisation::Scaled), 1, 0.5);
    // Each layer multiplies by sqrt(150): 2.8e5 after five.
    EXPECT_NEAR(growth(Initialisation::Naive) / std::pow(150, 2.5), 1, 0.5);
}

}  // namespace
}  // namespace plumb
