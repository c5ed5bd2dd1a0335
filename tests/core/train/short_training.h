// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/train/trainer.h"
#include "kernels/cpu/cpu_backend.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

// Trainings of a few steps on the CPU, and what they tell.
namespace plumb {

inline RunConfig smallConfig() {
    return RunConfig{.dim = 12,
                     .layers = 3,
                     .outputs = 2,
                     .activation = Activation::Relu,
                     .batch = 8,
                     .microBatch = 4,
                     .backend = BackendChoice::Cpu};
}

/// The losses by step and the reports of a training.
struct SeenTraining final : TrainingSink {
    void onStep(const StepMetrics& point) override { points.push_back(point); }
    void onReading(const Reading&) override {}
    void onCheckpoint(const CheckpointReport& report) override { reports.push_back(report); }
    [[nodiscard]] std::vector<std::uint64_t> lossBits() const {
        std::vector<std::uint64_t> bits;
        for (const StepMetrics& point : points) bits.push_back(std::bit_cast<std::uint64_t>(point.loss));
        return bits;
    }
    std::vector<StepMetrics> points;
    std::vector<CheckpointReport> reports;
};

struct Outcome {
    SeenTraining seen;
    Result<TrainResult> result = TrainResult{};
};

inline Outcome runTraining(const RunConfig& config, std::int64_t steps,
                           const CheckpointOptions& checkpoints = {}, const std::string& resumeFrom = {}) {
    Outcome outcome;
    auto backend = makeCpuBackend();
    EXPECT_TRUE(backend.has_value());
    const TrainOptions options{.steps = steps, .checkpoints = checkpoints, .resumeFrom = resumeFrom};
    outcome.result = train(config, **backend, options, outcome.seen);
    return outcome;
}

inline std::string errorOf(const Outcome& outcome) {
    if (!outcome.result.has_value()) return outcome.result.error().text();
    return outcome.result->failure ? outcome.result->failure->text() : "no error";
}

/// A training on ranks, each with a processor of its own, with a checkpoint after every `saveEvery` steps
/// where a folder is given.
inline Outcome trainOnRanks(const RunConfig& config, std::int64_t steps, const std::string& folder = {},
                            const std::string& resumeFrom = {}, std::int64_t saveEvery = 3) {
    Outcome outcome;
    const auto backend = makeCpuBackend(1).value();
    TrainOptions options{.steps = steps, .keepWeights = true, .resumeFrom = resumeFrom, .rankBackend = [] {
                             return makeCpuBackend(1);
                         }};
    options.checkpoints.folder = folder;
    options.checkpoints.saveEvery = saveEvery;
    outcome.result = train(config, *backend, options, outcome.seen);
    EXPECT_EQ(errorOf(outcome), "no error");
    return outcome;
}

}  // namespace plumb
