// SPDX-License-Identifier: Apache-2.0
// The optimizer's ops against torch.optim, recorded by tests/data/torch/make_trajectories.py: parameters and
// states after 1, 2, 10 and 100 steps with given gradients; the learning rates of the schedules; GradScaler's
// series.
#include "core/io/file.h"
#include "tests/kernels/step_harness.h"
#include "tests/support/reference.h"
#include "tests/support/threads.h"

#include "test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace plumb {
namespace {

using test::StepHarness;

// fp32, a hundred steps deep. Numbers below a hundredth of the largest of their tensor are what is left of
// larger ones, and are held to that hundredth.
constexpr double kStateTolerance = 1e-5;
constexpr double kSmallShare = 0.01;

const nlohmann::json& trajectories() {
    static const nlohmann::json document = test::referenceFile("torch/trajectories.json");
    return document;
}

/// gradient() of the script: exact in fp32.
float gradientAt(std::int64_t step, std::int64_t index) {
    const std::int64_t noise = ((1103515245 * (index + 977 * step) + 12345) % (std::int64_t{1} << 31)) >> 16;
    const double value =
        static_cast<double>(noise - 16384) / 16384 * std::exp2(-static_cast<double>(index % 6)) +
        static_cast<double>(index % 3 - 1) * 0.25;
    return static_cast<float>(value * (step % 3 == 0 ? 1.0 : 0.125));
}

RunConfig configOf(const nlohmann::json& oneCase) {
    RunConfig config;
    const auto set = [&](const std::string& option, const std::string& value) {
        const auto done = setOption(config, option, value);
        EXPECT_TRUE(done.has_value()) << option << " " << value << ": " << done.error().text();
    };
    set("dim", std::to_string(trajectories()["dim"].get<int>()));
    set("outputs", std::to_string(trajectories()["outputs"].get<int>()));
    set("layers", "1");
    set("batch", "4");
    set("optimizer", oneCase["optimizer"].get<std::string>());
    for (const auto& [option, value] : oneCase["options"].items()) set(option, value.get<std::string>());
    return config;
}

/// The optimizer's ops alone, on gradients that the test gives.
class OptimizerOps {
public:
    OptimizerOps(const RunConfig& config, const CpuBackendOptions& options) : m_harness(config, options) {
        const auto initial = trajectories()["initial"].get<std::vector<float>>();
        eachMatrix(TensorRole::Weight, [&, at = std::size_t{0}](float* weights, std::int64_t count) mutable {
            std::copy_n(initial.begin() + static_cast<std::ptrdiff_t>(at), count, weights);
            at += static_cast<std::size_t>(count);
        });
    }
    void step(double rateFactor = 1) {
        eachMatrix(TensorRole::Gradient,
                   [&, index = std::int64_t{0}](float* gradients, std::int64_t count) mutable {
                       for (std::int64_t i = 0; i < count; ++i)
                           gradients[i] = gradientAt(m_harness.step, index++);
                   });
        for (std::size_t op = 0; op < m_harness.plan.ops.size(); ++op)
            if (m_harness.plan.ops[op].phase == Phase::Optimizer) {
                OpCall call = m_harness.callFor(static_cast<std::int32_t>(op));
                call.optimizer.learningRate *= rateFactor;
                const auto ran = m_harness.backend->run(call);
                ASSERT_TRUE(ran.has_value()) << ran.error().text();
            }
        ++m_harness.step;
    }
    [[nodiscard]] std::vector<double> values(TensorRole role) {
        std::vector<double> all;
        eachMatrix(role, [&](const float* numbers, std::int64_t count) {
            all.insert(all.end(), numbers, numbers + count);
        });
        return all;
    }
    [[nodiscard]] StepHarness& harness() { return m_harness; }

private:
    template <class Work>
    void eachMatrix(TensorRole role, Work&& work) {
        for (std::int32_t layer = 1; layer <= 2; ++layer) {
            const std::size_t id = m_harness.find(role, layer);
            work(static_cast<float*>(m_harness.buffers[id].data), m_harness.plan.tensors[id].elements());
        }
    }
    StepHarness m_harness;
};

TensorRole roleOfState(std::size_t index) {
    constexpr std::array kRoles{TensorRole::Moment1, TensorRole::Moment2, TensorRole::Moment3};
    return kRoles.at(index);
}

/// Largest deviation, relative as described above.
double deviation(const std::vector<double>& values, const std::vector<double>& expected) {
    EXPECT_EQ(values.size(), expected.size());
    double largest = 0;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    double worst = 0;
    for (std::size_t i = 0; i < std::min(values.size(), expected.size()); ++i) {
        const double size = std::max(std::abs(expected[i]), kSmallShare * largest);
        const double off = std::abs(values[i] - expected[i]) / size;
        worst = std::isnan(off) ? off : std::max(worst, off);
        if (std::isnan(worst)) break;
    }
    return worst;
}

/// Over all recorded steps, parameters and states.
double worstDeviation(const nlohmann::json& oneCase, const CpuBackendOptions& options,
                      double rateFactor = 1) {
    const RunConfig config = configOf(oneCase);
    OptimizerOps ops(config, options);
    const OptimizerStates states = optimizerStates(config);
    double worst = 0;
    for (const auto& expected : oneCase["at"]) {
        while (ops.harness().step < expected["steps"].get<std::int64_t>()) ops.step(rateFactor);
        worst = std::max(worst, deviation(ops.values(TensorRole::Weight),
                                          expected["parameters"].get<std::vector<double>>()));
        EXPECT_EQ(expected["states"].size(), states.count);
        for (std::size_t state = 0; state < states.count; ++state) {
            const std::string name(stateName(states.kind[state], config.optimizer));
            worst = std::max(worst, deviation(ops.values(roleOfState(state)),
                                              expected["states"][name].get<std::vector<double>>()));
        }
    }
    return worst;
}

CpuBackendOptions threads(int count) {
    CpuBackendOptions options;
    options.threads = count;
    return options;
}

std::string nameOf(const nlohmann::json& oneCase) {
    return oneCase["optimizer"].get<std::string>() + " " + oneCase["options"].dump();
}

TEST(OptimizerTrajectories, FollowTorchOverAHundredStepsWithDefaultsAndWithEverySetting) {
    ASSERT_EQ(trajectories()["cases"].size(), 24U);
    for (const auto& oneCase : trajectories()["cases"]) {
        ASSERT_EQ(oneCase["at"].back()["steps"], 100);
        EXPECT_LE(worstDeviation(oneCase, threads(test::kBackendThreads)), kStateTolerance)
            << nameOf(oneCase);
    }
}

TEST(OptimizerTrajectories, CoverEveryOptimizerWithDefaultsAndEverySettingThatItHas) {
    std::set<std::pair<std::string, std::string>> seen;
    for (const auto& oneCase : trajectories()["cases"]) {
        const auto optimizer = oneCase["optimizer"].get<std::string>();
        if (oneCase["options"].empty()) seen.emplace(optimizer, "");
        for (const auto& [option, value] : oneCase["options"].items()) seen.emplace(optimizer, option);
    }
    for (const char* optimizer :
         {"sgd", "momentum", "adagrad", "rmsprop", "adam", "adamw", "lion", "adafactor"}) {
        EXPECT_TRUE(seen.count({optimizer, ""})) << optimizer;
        EXPECT_TRUE(seen.count({optimizer, "lr"})) << optimizer;
        EXPECT_TRUE(seen.count({optimizer, "weight-decay"})) << optimizer;
        RunConfig config;
        ASSERT_TRUE(setOption(config, "optimizer", optimizer).has_value());
        for (const char* option :
             {"momentum", "dampening", "nesterov", "beta1", "beta2", "epsilon", "alpha", "centered",
              "amsgrad", "lr-decay", "initial-accumulator", "beta2-decay", "epsilon2", "clip-threshold"})
            if (optionApplies(config, option)) {
                EXPECT_TRUE(seen.count({optimizer, option})) << optimizer << " " << option;
            }
    }
}

TEST(OptimizerTrajectories, BreakWhenARuleIsOffByAPartInAThousand) {
    for (const auto& oneCase : trajectories()["cases"])
        EXPECT_GT(worstDeviation(oneCase, threads(1), 1.001), kStateTolerance) << nameOf(oneCase);
}

TEST(LearningRateSchedule, FollowsTorchsSchedulers) {
    ASSERT_EQ(trajectories()["schedules"].size(), 5U);
    for (const auto& oneCase : trajectories()["schedules"]) {
        RunConfig config;
        for (const auto& [option, value] : oneCase["options"].items())
            ASSERT_TRUE(setOption(config, option, value.get<std::string>()).has_value()) << option;
        const auto rates = oneCase["rates"].get<std::vector<double>>();
        for (std::size_t step = 0; step < rates.size(); ++step)
            EXPECT_NEAR(learningRateAt(config, static_cast<std::int64_t>(step)), rates[step], 1e-12)
                << oneCase["options"].dump() << " step " << step;
    }
}

TEST(LossScale, FollowsTorchsGradScaler) {
    ASSERT_EQ(trajectories()["scalers"].size(), 2U);
    for (const auto& oneCase : trajectories()["scalers"]) {
        const RunConfig config{
            .dim = 3,
            .layers = 1,
            .batch = 2,
            .precision = Precision::Fp16,
            .optimizer = Optimizer::Sgd,
            .lossScaling = {oneCase["scale"], oneCase["growth"], oneCase["backoff"], oneCase["interval"]}};
        StepHarness harness(config, threads(1));
        auto* const scale = static_cast<double*>(harness.buffers[harness.find(TensorRole::LossScale)].data);
        EXPECT_EQ(scale[0], config.lossScaling.initial);
        for (std::int32_t layer = 1; layer <= 2; ++layer)
            ASSERT_TRUE(harness.backend->fillZero(harness.buffers[harness.find(TensorRole::Gradient, layer)])
                            .has_value());
        const auto overflows = oneCase["overflows"].get<std::vector<std::int64_t>>();
        double skipped = 0;
        for (const auto& expected : oneCase["series"]) {
            const bool overflow =
                std::find(overflows.begin(), overflows.end(), harness.step) != overflows.end();
            scale[4] = overflow ? 1 : 0;
            skipped += overflow ? 1 : 0;
            ASSERT_TRUE(harness.runOp(static_cast<std::int32_t>(harness.plan.ops.size()) - 1).has_value());
            ++harness.step;
            EXPECT_EQ(scale[0], expected[0].get<double>()) << "step " << harness.step;
            EXPECT_EQ(scale[1], expected[1].get<double>()) << "step " << harness.step;
            EXPECT_EQ(scale[2], skipped);
            EXPECT_EQ(scale[3], static_cast<double>(harness.step) - skipped);
            EXPECT_EQ(scale[4], 0);
        }
    }
}

}  // namespace
}  // namespace plumb
