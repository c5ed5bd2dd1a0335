// SPDX-License-Identifier: Apache-2.0
// The optimizer's op on what is stored: every precision, masters, statistics, loss scale, fp8's scales.
#include "tests/kernels/step_harness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace plumb {
namespace {

using test::StepHarness;

constexpr std::array kOptimizers{Optimizer::Sgd,     Optimizer::Momentum, Optimizer::Adagrad,
                                 Optimizer::RmsProp, Optimizer::Adam,     Optimizer::AdamW,
                                 Optimizer::Lion,    Optimizer::Adafactor};
constexpr std::array kPrecisions{Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16,
                                 Precision::Fp8};

// Odd sizes; matrices that are several parts, and one of three columns.
RunConfig configOf(Optimizer optimizer, Precision precision, bool master) {
    return RunConfig{.dim = 139,
                     .layers = 3,
                     .outputs = 3,
                     .batch = 2,
                     .precision = precision,
                     .masterWeights = master,
                     .optimizer = optimizer,
                     .weightDecay = 0.01};
}

CpuBackendOptions threads(int count) {
    CpuBackendOptions options;
    options.threads = count;
    return options;
}

std::string label(const RunConfig& config) {
    return std::string(name(config.optimizer)) + " " + std::string(name(config.precision)) +
           (config.masterWeights ? " with master" : " alone");
}

/// What a gradient element holds after it was stored as `dtype`, times `scale`.
float asStored(Dtype dtype, void* to, std::size_t at, float value) {
    switch (dtype) {
    case Dtype::Bf16:
        static_cast<std::uint16_t*>(to)[at] = bf16FromFloat(value);
        return floatFromBf16(bf16FromFloat(value));
    case Dtype::Fp16:
        static_cast<std::uint16_t*>(to)[at] = fp16FromFloat(value);
        return floatFromFp16(fp16FromFloat(value));
    default:
        static_cast<float*>(to)[at] = value;
        return value;
    }
}

/// Fills all gradients with loss scale times random numbers; returns them as stored, without the loss scale.
std::vector<std::vector<float>> fillGradients(StepHarness& harness) {
    const float scale = harness.plan.config.scalesLoss() ? 1024.0F : 1.0F;
    if (harness.plan.lossScale >= 0)
        *static_cast<double*>(harness.buffers[static_cast<std::size_t>(harness.plan.lossScale)].data) = 1024;
    std::vector<std::vector<float>> all;
    for (std::int32_t layer = 1; layer <= harness.plan.config.layers + 1; ++layer) {
        const std::size_t id = harness.find(TensorRole::Gradient, layer);
        const Tensor& tensor = harness.plan.tensors[id];
        auto values =
            test::randomFloats(tensor.elements(), static_cast<std::uint32_t>(10 * harness.step + layer));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = asStored(tensor.dtype, harness.buffers[id].data, i, values[i] * scale) / scale;
        all.push_back(std::move(values));
    }
    return all;
}

/// The ops after the passes; those only.
void runOptimizer(StepHarness& harness) {
    for (std::size_t op = 0; op < harness.plan.ops.size(); ++op)
        if (harness.plan.ops[op].phase == Phase::Optimizer) {
            const auto ran = harness.runOp(static_cast<std::int32_t>(op));
            ASSERT_TRUE(ran.has_value()) << ran.error().text();
        }
    ++harness.step;
}

std::vector<std::byte> persistentBytes(const StepHarness& harness) {
    std::vector<std::byte> all;
    for (std::size_t id = 0; id < harness.buffers.size(); ++id) {
        const bool loss = harness.plan.tensors[id].role == TensorRole::Loss;
        if (!harness.plan.tensors[id].persistent() && !loss) continue;
        // loss[0] is the passes' own.
        const auto* from = static_cast<const std::byte*>(harness.buffers[id].data) + (loss ? 8 : 0);
        all.insert(all.end(), from, from + harness.plan.tensors[id].bytes() - (loss ? 8 : 0));
    }
    return all;
}

TEST(OptimizerOp, GivesTheSameBitsWithAnyNumberOfThreads) {
    for (const Optimizer optimizer : kOptimizers)
        for (const Precision precision : kPrecisions)
            for (const bool master : {true, false}) {
                RunConfig config = configOf(optimizer, precision, master);
                config.dim = 371;  // each matrix is enough for two
                config.clipNorm = master ? 3.0 : 0.0;
                std::vector<std::byte> first;
                for (const int count : {1, 3}) {
                    StepHarness harness(config, threads(count));
                    harness.writesStatistics = true;
                    for (int step = 0; step < 2; ++step) {
                        fillGradients(harness);
                        runOptimizer(harness);
                    }
                    const auto bytes = persistentBytes(harness);
                    if (first.empty()) first = bytes;
                    EXPECT_EQ(bytes, first) << label(config) << ", " << count << " threads";
                }
            }
}

// A master is updated exactly as fp32 weights are, from the gradients as they are stored.
TEST(OptimizerOp, UpdatesTheMasterAsIfItWereFp32AndRoundsItIntoTheWeight) {
    for (const Optimizer optimizer : kOptimizers)
        for (const Precision precision : {Precision::Bf16, Precision::Fp16, Precision::Fp8}) {
            const RunConfig config = configOf(optimizer, precision, true);
            SCOPED_TRACE(label(config));
            StepHarness harness(config, threads(2));
            StepHarness plain(configOf(optimizer, Precision::Fp32, true), threads(2));
            for (int step = 0; step < 3; ++step) {
                const auto gradients = fillGradients(harness);
                for (std::int32_t layer = 1; layer <= config.layers + 1; ++layer)
                    std::memcpy(plain.buffers[plain.find(TensorRole::Gradient, layer)].data,
                                gradients[static_cast<std::size_t>(layer - 1)].data(),
                                gradients[static_cast<std::size_t>(layer - 1)].size() * sizeof(float));
                runOptimizer(harness);
                runOptimizer(plain);
            }
            for (std::int32_t layer = 1; layer <= config.layers + 1; ++layer) {
                const std::size_t master = harness.find(TensorRole::Master, layer);
                const std::size_t weight = harness.find(TensorRole::Weight, layer);
                const std::size_t fp32 = plain.find(TensorRole::Weight, layer);
                EXPECT_EQ(std::memcmp(harness.buffers[master].data, plain.buffers[fp32].data,
                                      static_cast<std::size_t>(harness.plan.tensors[master].bytes())),
                          0)
                    << "layer " << layer;
                const auto* numbers = static_cast<const float*>(harness.buffers[master].data);
                for (std::int64_t i = 0; i < harness.plan.tensors[weight].elements(); ++i) {
                    const auto at = static_cast<std::size_t>(i);
                    if (precision == Precision::Bf16) {
                        ASSERT_EQ(static_cast<std::uint16_t*>(harness.buffers[weight].data)[at],
                                  bf16FromFloat(numbers[at]));
                    } else if (precision == Precision::Fp16) {
                        ASSERT_EQ(static_cast<std::uint16_t*>(harness.buffers[weight].data)[at],
                                  fp16FromFloat(numbers[at]));
                    } else {
                        const auto* scales = static_cast<float*>(
                            harness.buffers[static_cast<std::size_t>(harness.plan.scales)].data);
                        const float scale =
                            scales[statisticsSlot(config, TensorRole::Weight, layer) * (1 + kAmaxHistory)];
                        ASSERT_EQ(static_cast<std::uint8_t*>(harness.buffers[weight].data)[at],
                                  fp8E4M3FromFloat(numbers[at] * scale));
                    }
                }
            }
        }
}

TEST(OptimizerOp, ReportsNormsBeforeClippingAndWithoutTheLossScale) {
    for (const Precision precision : kPrecisions)
        for (const double clip : {0.0, 2.0}) {
            RunConfig config = configOf(Optimizer::Sgd, precision, true);
            config.clipNorm = clip;
            config.weightDecay = 0;
            config.learningRate = 0.5;
            SCOPED_TRACE(label(config));
            StepHarness harness(config, threads(2));
            const auto gradients = fillGradients(harness);
            double squares = 0;
            for (const auto& matrix : gradients)
                for (const float g : matrix) squares += static_cast<double>(g) * static_cast<double>(g);
            const double norm = std::sqrt(squares);
            runOptimizer(harness);
            const auto* loss =
                static_cast<double*>(harness.buffers[static_cast<std::size_t>(harness.plan.loss)].data);
            EXPECT_NEAR(std::sqrt(loss[1]), norm, 1e-5 * norm);
            const double step = 0.5 * (clip > 0 ? clip : norm);
            EXPECT_NEAR(std::sqrt(loss[2]), step, 1e-4 * step);
            EXPECT_GT(loss[3], 0);
        }
}

TEST(OptimizerOp, LeavesEverythingAloneInAStepThatIsSkipped) {
    for (const Optimizer optimizer : kOptimizers) {
        StepHarness harness(configOf(optimizer, Precision::Fp16, true), threads(2));
        fillGradients(harness);
        runOptimizer(harness);
        const auto weights = harness.values(harness.find(TensorRole::Master, 2));
        auto* scale =
            static_cast<double*>(harness.buffers[static_cast<std::size_t>(harness.plan.lossScale)].data);
        const double good = scale[3];
        fillGradients(harness);
        scale[4] = 1;
        runOptimizer(harness);
        EXPECT_EQ(harness.values(harness.find(TensorRole::Master, 2)), weights);
        EXPECT_EQ(scale[0], 512);
        EXPECT_EQ(scale[2], 1);
        EXPECT_EQ(scale[3], good) << "the bias correction counts good steps only";
        const auto* loss =
            static_cast<double*>(harness.buffers[static_cast<std::size_t>(harness.plan.loss)].data);
        EXPECT_TRUE(std::isnan(loss[1]));
    }
}

TEST(OptimizerOp, LooksAtTheNewWeightsWhenStatisticsAreWritten) {
    for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
        const RunConfig config = configOf(Optimizer::AdamW, precision, true);
        StepHarness harness(config, threads(2));
        harness.writesStatistics = true;
        fillGradients(harness);
        runOptimizer(harness);
        const auto* statistics =
            static_cast<double*>(harness.buffers[static_cast<std::size_t>(harness.plan.statistics)].data);
        const TensorRole updated = precision == Precision::Fp32 ? TensorRole::Weight : TensorRole::Master;
        for (std::int32_t layer = 1; layer <= config.layers + 1; ++layer) {
            double squares = 0, largest = 0;
            for (const double value : harness.values(harness.find(updated, layer))) {
                squares += value * value;
                largest = std::max(largest, std::abs(value));
            }
            const double* row =
                statistics + statisticsSlot(config, TensorRole::Weight, layer) * kStatisticCount;
            EXPECT_NEAR(row[0], squares, 1e-9 * squares);
            EXPECT_EQ(row[1], largest);
        }
    }
}

TEST(OptimizerOp, MakesScalesFromTheLargestMagnitudesOfTheLastSteps) {
    const RunConfig config = configOf(Optimizer::Sgd, Precision::Fp8, true);
    StepHarness harness(config, threads(1));
    auto* scales = static_cast<float*>(harness.buffers[static_cast<std::size_t>(harness.plan.scales)].data);
    const auto entry = [&](TensorRole role, std::int32_t layer) {
        return scales + statisticsSlot(config, role, layer) * (1 + kAmaxHistory);
    };
    const float firstWeightScale = *entry(TensorRole::Weight, 1);
    EXPECT_GT(firstWeightScale, 0);
    float* activation = entry(TensorRole::Activation, 2);
    float* gradient = entry(TensorRole::ActivationGradient, 3);
    activation[0] = gradient[0] = 1;
    activation[1] = 2;
    activation[1 + 9] = 7;
    gradient[1 + 15] = 0.5F;
    float* untouched = entry(TensorRole::Activation, 1);
    untouched[0] = 3;
    harness.step = 5;
    fillGradients(harness);
    runOptimizer(harness);
    EXPECT_EQ(activation[0], 448.0F / 7);
    EXPECT_EQ(gradient[0], 57344.0F / 0.5F);
    EXPECT_EQ(untouched[0], 3) << "a tensor that was 0 all along keeps its scale";
    // The weights: by the magnitudes before this update; the new one is noted at this step's place.
    float* weight = entry(TensorRole::Weight, 1);
    EXPECT_EQ(weight[0], firstWeightScale);
    double largest = 0;
    for (const double value : harness.values(harness.find(TensorRole::Master, 1)))
        largest = std::max(largest, std::abs(value));
    EXPECT_EQ(static_cast<double>(weight[1 + 5]), largest);
}

TEST(OptimizerOp, SurvivesRowsAndColumnsWithoutGradient) {
    RunConfig config = configOf(Optimizer::Adafactor, Precision::Fp32, true);
    StepHarness harness(config, threads(1));
    fillGradients(harness);
    auto* gradient = static_cast<float*>(harness.buffers[harness.find(TensorRole::Gradient, 1)].data);
    for (std::int64_t i = 0; i < config.dim; ++i)
        gradient[3 * config.dim + i] = gradient[i * config.dim + 5] = 0;
    runOptimizer(harness);
    for (const double value : harness.values(harness.find(TensorRole::Weight, 1)))
        ASSERT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace plumb
