// SPDX-License-Identifier: Apache-2.0
// First values of weights, masters, states and control tensors.
#include "tests/kernels/step_harness.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumb {
namespace {

using test::StepHarness;

RunConfig configOf(Initialisation initialisation) {
    RunConfig config;
    config.dim = 150;
    config.layers = 2;
    config.outputs = 3;
    config.batch = 8;
    config.seed = 1234;
    config.initialisation = initialisation;
    return config;
}

TEST(Initialise, WeightsAreTheDrawsOfTheirDefinition) {
    for (const auto initialisation :
         {Initialisation::Scaled, Initialisation::Truncated, Initialisation::Naive})
        for (const int threads : {1, 3}) {
            const RunConfig config = configOf(initialisation);
            CpuBackendOptions options;
            options.threads = threads;
            const StepHarness harness(config, options);
            const float factor = initialisation == Initialisation::Naive
                                     ? 1.0F
                                     : static_cast<float>(1 / std::sqrt(static_cast<double>(config.dim)));
            for (std::uint32_t layer = 1; layer <= 3; ++layer) {
                const RandomStream stream = layer == 3 ? RandomStream::Head : RandomStream::Weights;
                const auto values =
                    harness.values(harness.find(TensorRole::Weight, static_cast<std::int32_t>(layer)));
                for (std::size_t i = 0; i < values.size(); ++i) {
                    const float draw = initialisation == Initialisation::Truncated
                                           ? truncatedNormalAt(1234, stream, layer, i)
                                           : normalFromPhilox(philoxAt(1234, stream, layer, i));
                    ASSERT_EQ(values[i], static_cast<double>(draw * factor))
                        << "layer " << layer << ", " << i;
                }
            }
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
        StepHarness harness(config, {});
        harness.observe = true;
        harness.runPasses();
        const auto* rows = harness.data<double>(harness.plan.statistics);
        const auto squares = [&](std::int32_t layer) {
            return rows[statisticsSlot(config, layer == 0 ? TensorRole::Features : TensorRole::Activation,
                                       layer) *
                        kStatisticCount];
        };
        return std::sqrt(squares(5) / squares(0));
    };
    EXPECT_NEAR(growth(Initialisation::Scaled), 1, 0.5);
    // Each layer multiplies by sqrt(150): 2.8e5 after five.
    EXPECT_NEAR(growth(Initialisation::Naive) / std::pow(150, 2.5), 1, 0.5);
}

}  // namespace
}  // namespace plumb
