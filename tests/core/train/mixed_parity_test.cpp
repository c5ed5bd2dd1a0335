// SPDX-License-Identifier: Apache-2.0
// Training in bf16 and fp16, with and without masters, against PyTorch (tests/data/recipes/make_mixed.py):
// losses, and the loss scale of every step with its overflows.
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

struct KeepPoints final : TrainingSink {
    void onStep(const StepMetrics& point) override { points.push_back(point); }
    void onReading(const Reading&) override {}
    std::vector<StepMetrics> points;
};

std::string dataPath(const char* name) { return std::string(PLUMB_TEST_DATA) + "/" + name; }

nlohmann::json mixedLosses() { return test::referenceFile("recipes/mixed.json"); }

RunConfig mixedConfig(const nlohmann::json& file, const nlohmann::json& oneCase) {
    RunConfig config{.dim = file["dim"],
                     .layers = file["layers"],
                     .outputs = file["outputs"],
                     .activation = Activation::Relu,
                     .batch = file["batch"],
                     .seed = oneCase["seed"]};
    for (const auto& [name, value] : oneCase["options"].items())
        EXPECT_TRUE(setOption(config, name, value.get<std::string>()).has_value()) << name << " " << value;
    config.data = dataPath("torch/features.npy");
    config.targets = dataPath("torch/targets.npy");
    return config;
}

std::vector<StepMetrics> trained(const RunConfig& config, std::size_t steps) {
    auto backend = makeCpuBackend(test::kBackendThreads);
    EXPECT_TRUE(backend.has_value());
    KeepPoints sink;
    TrainOptions options;
    options.steps = static_cast<std::int64_t>(steps);
    auto result = train(config, **backend, options, sink);
    EXPECT_TRUE(result.has_value()) << (result.has_value() ? "" : result.error().text());
    EXPECT_EQ(sink.points.size(), steps);
    return sink.points;
}

double worstDeviation(const std::vector<StepMetrics>& points, const std::vector<double>& expected,
                      std::size_t steps) {
    double worst = 0;
    for (std::size_t step = 0; step < std::min(points.size(), steps); ++step)
        worst = std::max(worst, std::abs(points[step].loss - expected[step]) / expected[step]);
    return worst;
}

// Sums in another order round one number in some thousand the other way, which shows as 1e-6 of the loss at
// first (2e-5 leaves room for other processors); training carries it on by a small part of the format's own
// unit.
constexpr std::size_t kEqualSteps = 10;
constexpr double kEqual = 2e-5;
constexpr double kNear = 1e-2;

TEST(MixedParity, LossesAndLossScalesAreThoseOfTorch) {
    const nlohmann::json file = mixedLosses();
    ASSERT_EQ(file["cases"].size(), 8U);
    int overflows = 0;
    for (const auto& oneCase : file["cases"]) {
        SCOPED_TRACE(oneCase["options"].dump());
        const RunConfig config = mixedConfig(file, oneCase);
        const auto losses = oneCase["losses"].get<std::vector<double>>();
        const auto points = trained(config, losses.size());
        EXPECT_LE(worstDeviation(points, losses, kEqualSteps), kEqual);
        EXPECT_LE(worstDeviation(points, losses, losses.size()), kNear);
        if (config.precision != Precision::Fp16) continue;
        const auto scales = oneCase["scales"].get<std::vector<double>>();
        for (std::size_t step = 0; step < scales.size(); ++step) {
            EXPECT_EQ(points[step].lossScale, scales[step]) << "step " << step;
            overflows += step > 0 && scales[step] < scales[step - 1] ? 1 : 0;
        }
    }
    EXPECT_GT(overflows, 5) << "the reference holds steps that overflow";
}

TEST(MixedParity, TellsTheRecipesApart) {
    const nlohmann::json file = mixedLosses();
    for (const auto& oneCase : file["cases"]) {
        RunConfig config = mixedConfig(file, oneCase);
        // The other format; what the losses say of a wrong rounding.
        config.precision = config.precision == Precision::Bf16 ? Precision::Fp32 : Precision::Bf16;
        const auto losses = oneCase["losses"].get<std::vector<double>>();
        EXPECT_GT(worstDeviation(trained(config, kEqualSteps), losses, kEqualSteps), kEqual)
            << oneCase["options"].dump();
    }
}

}  // namespace
}  // namespace plumb
