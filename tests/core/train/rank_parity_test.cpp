// SPDX-License-Identifier: Apache-2.0
// The same trainings on several processes of PyTorch, recorded by tests/data/ranks/make_ranks.py, and on as
// many ranks here that share as much: losses over 20 steps.
#include "core/train/trainer.h"
#include "kernels/cpu/cpu_backend.h"
#include "tests/support/reference.h"

#include "test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace plumb {
namespace {

constexpr double kWorstRelative = 1e-6;  // fp32: sums in another order

struct RankLosses final : TrainingSink {
    void onStep(const StepMetrics& point) override { losses.push_back(point.loss); }
    void onReading(const Reading&) override {}
    std::vector<double> losses;
};

RunConfig rankConfig(const nlohmann::json& file, const nlohmann::json& oneCase) {
    const std::int64_t ranks = oneCase["ranks"], batch = file["batch"];
    RunConfig config{.dim = file["dim"],
                     .layers = file["layers"],
                     .outputs = file["outputs"],
                     .batch = batch,
                     .seed = oneCase["seed"]};
    config.parallel.data = ranks;
    if (oneCase["scheme"] == "zero1") config.parallel.zero = Zero::States;
    if (oneCase["scheme"] == "fsdp2") config.parallel.zero = Zero::Weights;
    config.microBatch = batch / ranks / oneCase["micro-batches"].get<std::int64_t>();
    EXPECT_TRUE(setOption(config, "optimizer", oneCase["optimizer"].get<std::string>()).has_value());
    EXPECT_TRUE(setOption(config, "activation", oneCase["activation"].get<std::string>()).has_value());
    config.learningRate = oneCase["lr"].get<double>();
    config.data = std::string(PLUMB_TEST_DATA) + "/torch/features.npy";
    config.targets = std::string(PLUMB_TEST_DATA) + "/torch/targets.npy";
    return config;
}

double worstOf(const RunConfig& config, const std::vector<double>& expected) {
    const auto backend = makeCpuBackend(1);
    RankLosses sink;
    const TrainOptions options{.steps = static_cast<std::int64_t>(expected.size()),
                               .rankBackend = [] { return makeCpuBackend(1); }};
    const auto result = train(config, **backend, options, sink);
    EXPECT_TRUE(result.has_value()) << (result.has_value() ? "" : result.error().text());
    EXPECT_EQ(sink.losses.size(), expected.size());
    double worst = 0;
    for (std::size_t step = 0; step < std::min(sink.losses.size(), expected.size()); ++step)
        worst = std::max(worst, std::abs(sink.losses[step] - expected[step]) / std::abs(expected[step]));
    return worst;
}

TEST(RankParity, LossesAreThoseOfPyTorchOnAsManyProcesses) {
    const nlohmann::json file = test::referenceFile("ranks/losses.json");
    ASSERT_EQ(file["cases"].size(), 12U);
    for (const auto& oneCase : file["cases"]) {
        const auto expected = oneCase["losses"].get<std::vector<double>>();
        ASSERT_EQ(expected.size(), 20U);
        EXPECT_LE(worstOf(rankConfig(file, oneCase), expected), kWorstRelative)
            << oneCase["scheme"] << " " << oneCase["ranks"] << " " << oneCase["optimizer"];
    }
}

TEST(RankParity, BreaksWhenRanksTakeRowsOfAnotherBatch) {
    const nlohmann::json file = test::referenceFile("ranks/losses.json");
    const nlohmann::json& oneCase = file["cases"][0];
    RunConfig config = rankConfig(file, oneCase);
    config.seed += 1;
    EXPECT_GT(worstOf(config, oneCase["losses"].get<std::vector<double>>()), kWorstRelative);
}

}  // namespace
}  // namespace plumb
