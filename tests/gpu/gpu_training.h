// SPDX-License-Identifier: Apache-2.0
// Trainings that tests compare between backends, schedules and ways to run.
#pragma once

#include "core/train/trainer.h"
#include "tests/support/npy_files.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace plumb {

struct SeenTraining final : TrainingSink {
    void onStep(const StepMetrics& point) override { points.push_back(point); }
    void onReading(const Reading&) override {}
    std::vector<StepMetrics> points;
};

/// Trains a few steps; `replay`: from captures, once there are some.
inline std::vector<StepMetrics> trainOn(Backend& device, const RunConfig& config, std::int64_t steps,
                                        bool replay = false, bool writesStatistics = false) {
    const TrainOptions options{.steps = steps,
                               .readingInterval = writesStatistics ? 0 : 1e9,
                               .replaySteps = replay,
                               .statistics = writesStatistics};
    SeenTraining seen;
    const auto result = train(config, device, options, seen);
    EXPECT_TRUE(result.has_value()) << (result.has_value() ? "" : result.error().text());
    if (result.has_value() && result->failure) ADD_FAILURE() << result->failure->text();
    return seen.points;
}

inline std::vector<std::uint64_t> bitsOf(const std::vector<StepMetrics>& points) {
    std::vector<std::uint64_t> bits;
    for (const StepMetrics& point : points)
        for (const double value :
             {static_cast<double>(point.step), point.loss, point.gradientNorm, point.updateRatio,
              point.learningRate, point.lossScale, point.skipped ? 1.0 : 0.0})
            bits.push_back(std::bit_cast<std::uint64_t>(value));
    return bits;
}

inline RunConfig smallConfig() {
    return RunConfig{
        .dim = 64, .layers = 3, .outputs = 2, .activation = Activation::Relu, .batch = 64, .microBatch = 32};
}

/// The same on rows of files, fewer than a training reads.
inline RunConfig configWithFiles(const std::string& name) {
    constexpr int kRows = 500;
    RunConfig config = smallConfig();
    std::vector<float> features(static_cast<std::size_t>(kRows * config.dim));
    std::vector<float> targets(static_cast<std::size_t>(kRows * config.outputs));
    for (std::size_t i = 0; i < features.size(); ++i) features[i] = static_cast<float>(i % 17) * 0.1F - 0.8F;
    for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = static_cast<float>(i % 5);
    config.data = test::writeNpy(name + "-x.npy", kRows, config.dim, features);
    config.targets = test::writeNpy(name + "-t.npy", kRows, config.outputs, targets);
    return config;
}

/// Any configuration that the backend takes: fp8 has sizes of its own.
inline RunConfig configForGpu(std::uint64_t seed) {
    RunConfig config = test::randomConfig(seed);
    if (config.precision != Precision::Fp8) return config;
    const auto whole = [](std::int64_t size) { return (size + 15) / 16 * 16; };
    const std::int64_t microBatches = config.microBatches();
    config.dim = whole(config.dim);
    config.microBatch = whole(config.microBatchSize());
    config.batch = config.microBatch * microBatches;
    return config;
}

/// How far the losses of two backends may be apart, as a part of the first loss, or of the loss where it
/// grows. Sums are taken in another order (fp32), operands have 11 bits (tf32, as on the CPU) and results 8
/// (bf16), 11 (fp16) or 4 bits (fp8), whose rounding errors differ wherever sums differ in their last bit.
inline double toleranceOf(Precision precision) {
    switch (precision) {
    case Precision::Fp32:
        return 1e-4;
    case Precision::Tf32:
        return 2e-3;
    case Precision::Bf16:
        return 3e-2;
    case Precision::Fp16:
        return 1e-2;
    case Precision::Fp8:
        return 1.5e-1;
    }
    return 0;
}

inline std::string describe(const RunConfig& config) {
    std::string text;
    for (const OptionInfo& option : runOptions())
        text += "--" + std::string(option.name) + " " + optionValue(config, option.name) + " ";
    return text;
}

}  // namespace plumb
