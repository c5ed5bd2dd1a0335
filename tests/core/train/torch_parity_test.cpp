// SPDX-License-Identifier: Apache-2.0
// The same training in PyTorch, recorded by tests/data/torch/make_losses.py, and here: losses over 50 steps.
#include "core/io/file.h"
#include "core/train/trainer.h"
#include "kernels/cpu/cpu_backend.h"
#include "tests/support/reference.h"
#include "tests/support/threads.h"

#include "test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace plumb {
namespace {

constexpr double kRelativeTolerance = 1e-5;  // fp32: sums in another order, fifty steps deep

struct KeepLosses final : TrainingSink {
    void onStep(const StepMetrics& point) override { losses.push_back(point.loss); }
    void onReading(const Reading&) override {}
    std::vector<double> losses;
};

std::string torchPath(const char* name) { return std::string(PLUMB_TEST_DATA) + "/torch/" + name; }

nlohmann::json torchLosses() { return test::referenceFile("torch/losses.json"); }

RunConfig torchConfig(const nlohmann::json& file, const nlohmann::json& oneCase) {
    RunConfig config;
    const auto set = [&](const char* option, const std::string& value) {
        auto done = setOption(config, option, value);
        EXPECT_TRUE(done.has_value()) << option << " " << value;
    };
    set("dim", std::to_string(file["dim"].get<int>()));
    set("outputs", std::to_string(file["outputs"].get<int>()));
    set("layers", std::to_string(oneCase["layers"].get<int>()));
    set("batch", std::to_string(oneCase["batch"].get<int>()));
    set("seed", std::to_string(oneCase["seed"].get<int>()));
    set("activation", oneCase["activation"].get<std::string>());
    set("optimizer", oneCase["optimizer"].get<std::string>());
    config.learningRate = oneCase["lr"].get<double>();
    if (oneCase.contains("weight-decay")) config.weightDecay = oneCase["weight-decay"].get<double>();
    if (oneCase.contains("options"))
        for (const auto& [option, value] : oneCase["options"].items())
            set(option.c_str(), value.is_boolean()  ? (value.get<bool>() ? "on" : "off")
                                : value.is_string() ? value.get<std::string>()
                                                    : value.dump());
    config.data = torchPath("features.npy");
    config.targets = torchPath("targets.npy");
    return config;
}

double worstDeviation(const RunConfig& config, const std::vector<double>& expected) {
    auto backend = makeCpuBackend(test::kBackendThreads);
    EXPECT_TRUE(backend.has_value());
    KeepLosses sink;
    TrainOptions options;
    options.steps = static_cast<std::int64_t>(expected.size());
    auto result = train(config, **backend, options, sink);
    EXPECT_TRUE(result.has_value()) << (result.has_value() ? "" : result.error().text());
    EXPECT_EQ(sink.losses.size(), expected.size()) << name(config.optimizer) << " " << result->series.outcome;
    double worst = 0;
    for (std::size_t step = 0; step < std::min(sink.losses.size(), expected.size()); ++step)
        worst = std::max(worst, std::abs(sink.losses[step] - expected[step]) / std::abs(expected[step]));
    return worst;
}

TEST(TorchParity, LossesAgreeOverFiftyStepsForEachOptimizer) {
    const nlohmann::json file = torchLosses();
    ASSERT_EQ(file["cases"].size(), 23U);
    for (const auto& oneCase : file["cases"]) {
        const auto expected = oneCase["losses"].get<std::vector<double>>();
        ASSERT_EQ(expected.size(), 50U);
        const double worst = worstDeviation(torchConfig(file, oneCase), expected);
        EXPECT_LE(worst, kRelativeTolerance) << oneCase["optimizer"] << " " << oneCase["activation"];
    }
}

TEST(TorchParity, HoldsForMicroBatchesAndEveryRecomputePolicyToo) {
    const nlohmann::json file = torchLosses();
    for (const auto& oneCase : file["cases"])
        for (const char* policy : {"none", "2"}) {
            RunConfig config = torchConfig(file, oneCase);
            config.microBatch = config.batch / 4;
            ASSERT_TRUE(setOption(config, "checkpoint", policy).has_value());
            const auto expected = oneCase["losses"].get<std::vector<double>>();
            EXPECT_LE(worstDeviation(config, expected), kRelativeTolerance) << oneCase["optimizer"];
        }
}

TEST(TorchParity, BreaksWhenTheLearningRateIsOffByAPartInAThousand) {
    const nlohmann::json file = torchLosses();
    RunConfig config = torchConfig(file, file["cases"][0]);
    config.learningRate = *config.learningRate * 1.001;
    EXPECT_GT(worstDeviation(config, file["cases"][0]["losses"].get<std::vector<double>>()),
              kRelativeTolerance);
}

}  // namespace
}  // namespace plumb
