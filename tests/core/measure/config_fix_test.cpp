// SPDX-License-Identifier: Apache-2.0
// Whatever is wrong with a configuration, the error names what can be done, and
// the remedy takes it away.
#include "core/measure/config_fix.h"

#include "core/measure/reading.h"
#include "tests/support/error_words.h"
#include "tests/support/random_config.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace plumb {
namespace {

using testing::ElementsAre;
using testing::Pair;

using Breakage = std::function<void(RunConfig&)>;

/// Everything that validate() and planStep() refuse, but for what only a file
/// can mend.
std::vector<Breakage> breakages() {
    const double nan = std::nan("");
    const double infinite = std::numeric_limits<double>::infinity();
    std::vector<Breakage> all{[](RunConfig& c) { c.dim = 0; },
                              [](RunConfig& c) { c.dim = -7; },
                              [](RunConfig& c) { c.dim = INT64_MAX; },
                              [](RunConfig& c) { c.layers = -1; },
                              [](RunConfig& c) { c.layers = 0, c.head = false; },
                              [](RunConfig& c) { c.head = true, c.outputs = 0; },
                              [](RunConfig& c) { c.batch = 0; },
                              [](RunConfig& c) { c.batch = kMaxDimension + 1; },
                              [](RunConfig& c) { c.batch = 250, c.microBatch = 64; },
                              [](RunConfig& c) { c.batch = 250, c.parallel.data = 3; },
                              [](RunConfig& c) { c.batch = 16384, c.parallel.data = kMostRanks + 1; },
                              [](RunConfig& c) { c.batch = 250, c.parallel.data = 5, c.microBatch = 64; },
                              [](RunConfig& c) { c.parallel = {.data = 1, .zero = Zero::States}; },
                              [](RunConfig& c) {
                                  c.batch = 256, c.parallel = {.data = 2}, c.microBatch = 0;
                                  c.precision = Precision::Fp8, c.residentBatch = true;
                              },
                              [](RunConfig& c) {
                                  c.batch = 256, c.parallel = {.data = 2, .zero = Zero::States},
                                  c.optimizer = Optimizer::Adafactor;
                              },
                              [](RunConfig& c) {
                                  c.batch = 256, c.parallel = {.data = 2, .zero = Zero::Weights},
                                  c.recompute = {RecomputePolicy::Kind::Fit, 1, Bytes{1} << 40};
                              },
                              [](RunConfig& c) { c.batch = 257, c.microBatch = 256; },
                              [](RunConfig& c) { c.microBatch = -3; },
                              [](RunConfig& c) {
                                  c.recompute = {RecomputePolicy::Kind::Every, 0};
                              },
                              [](RunConfig& c) {
                                  c.recompute = {RecomputePolicy::Kind::Fit, 1, 0};
                              },
                              [](RunConfig& c) {
                                  c.recompute = {RecomputePolicy::Kind::Fit, 1, 1};
                              },
                              [](RunConfig& c) { c.data.clear(); },
                              [](RunConfig& c) { c.targets = "y.npy"; },
                              [](RunConfig& c) { c.residentBatch = true, c.batch = 64, c.microBatch = 16; },
                              [](RunConfig& c) { c.settings[Setting::Beta2] = 1; },
                              [](RunConfig& c) { c.settings[Setting::Epsilon] = -1; },
                              [](RunConfig& c) {
                                  c.optimizer = Optimizer::Sgd;
                                  c.settings[Setting::Momentum] = 0;
                                  c.settings[Setting::Nesterov] = 1;
                              },
                              [](RunConfig& c) { c.warmUpSteps = -1; },
                              [](RunConfig& c) { c.schedule = Schedule::Cosine, c.scheduleSteps = 0; },
                              [](RunConfig& c) {
                                  c.schedule = Schedule::Cosine;
                                  c.scheduleSteps = c.warmUpSteps = 100;
                              },
                              [](RunConfig& c) {
                                  c.schedule = Schedule::Cosine;
                                  c.minimumLearningRate = 5;
                              },
                              [](RunConfig& c) { c.schedule = Schedule::Step, c.gamma = 0; },
                              [](RunConfig& c) { c.precision = Precision::Fp16, c.lossScaling.initial = 0; },
                              [](RunConfig& c) { c.precision = Precision::Fp16, c.lossScaling.growth = 1; },
                              [](RunConfig& c) { c.precision = Precision::Fp16, c.lossScaling.backoff = 1; },
                              [](RunConfig& c) { c.precision = Precision::Fp16, c.lossScaling.interval = 0; },
                              [](RunConfig& c) { c.dim = c.batch = kMaxDimension; }};
    for (const double bad : {nan, infinite, -1.0}) {
        all.emplace_back([bad](RunConfig& c) { c.learningRate = bad; });
        all.emplace_back([bad](RunConfig& c) { c.weightDecay = bad; });
        all.emplace_back([bad](RunConfig& c) { c.noise = bad; });
        all.emplace_back([bad](RunConfig& c) { c.clipNorm = bad; });
        all.emplace_back([bad](RunConfig& c) {
            c.initialisation = Initialisation::Fixed;
            c.initialDeviation = bad;
        });
    }
    return all;
}

/// What differs from the standard configuration.
std::string described(const RunConfig& config) {
    std::string text;
    for (const OptionInfo& option : runOptions())
        if (std::string value = optionValue(config, option.name);
            value != optionValue(RunConfig(), option.name))
            text += fmt::format("{} {}, ", option.name, value);
    return text;
}

void expectFix(const RunConfig& config, const BackendTraits& traits, std::optional<Bytes> memory,
               std::size_t mostChanges) {
    const Result<void> refused = checkRunnable(config, traits, memory);
    if (refused.has_value()) return;  // it means nothing in this configuration
    EXPECT_EQ(test::faultOf(refused.error()), "") << refused.error().text();
    const auto fix = fixOf(config, traits, memory);
    ASSERT_TRUE(fix.has_value()) << refused.error().text();
    EXPECT_EQ(fix->refused.text(), refused.error().text());
    EXPECT_TRUE(checkRunnable(fix->config, traits, memory).has_value()) << refused.error().text();
    EXPECT_FALSE(fix->changes.empty());
    EXPECT_LE(fix->changes.size(), mostChanges) << refused.error().text();
}

TEST(ConfigFix, OfEachFaultIsOneChange) {
    std::vector<Breakage> all = breakages();
    // Mended it is the deepest of all, whose plan takes its time.
    all.emplace_back([](RunConfig& c) { c.layers = kMaxLayers + 1; });
    for (const Breakage& breakage : all) {
        RunConfig config{.dim = 16, .layers = 2, .batch = 64};
        breakage(config);
        ASSERT_FALSE(checkRunnable(config, cpuTraits(), std::nullopt).has_value());
        expectFix(config, cpuTraits(), std::nullopt, 2);
    }
}

TEST(ConfigFix, TakesAwayWhateverIsWrongWithAnyConfiguration) {
    const std::vector<Breakage> all = breakages();
    int refused = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        std::mt19937_64 random(seed);
        RunConfig config = test::randomConfig(seed);
        for (std::uint64_t faults = 1 + random() % 3; faults > 0; --faults)
            all[random() % all.size()](config);
        SCOPED_TRACE(fmt::format("seed {}: {}", seed, described(config)));
        refused += checkRunnable(config, cpuTraits(), std::nullopt).has_value() ? 0 : 1;
        expectFix(config, cpuTraits(), std::nullopt, 8);
    }
    EXPECT_GT(refused, 450);
}

TEST(ConfigFix, OfWhatDoesNotFitIsTheLargestBatch) {
    RunConfig config{.dim = 64, .layers = 4, .batch = 100'000};
    const Bytes memory = 8'000'000;
    const auto fix = fixOf(config, cpuTraits(), memory);
    ASSERT_TRUE(fix.has_value());
    EXPECT_EQ(fix->refused.code, ErrorCode::OutOfMemory);
    const std::int64_t most = largestBatchThatFits(config, cpuTraits(), memory);
    EXPECT_THAT(fix->changes, ElementsAre(Pair("batch", std::to_string(most))));
    EXPECT_NE(fix->refused.hint.find(std::to_string(most)), std::string::npos)
        << "the sentence and the button say the same";
    config.batch = most;
    EXPECT_FALSE(fixOf(config, cpuTraits(), memory).has_value()) << "nothing is wrong";
}

TEST(ConfigFix, RoundsToWhatFp8Takes) {
    BackendTraits traits = traitsFor("cuda", 90);
    RunConfig config{.dim = 100, .layers = 2, .batch = 50, .precision = Precision::Fp8};
    const auto fix = fixOf(config, traits, std::nullopt);
    ASSERT_TRUE(fix.has_value());
    EXPECT_EQ(fix->config.dim, 112);
    EXPECT_EQ(fix->config.batch, 64);
    EXPECT_EQ(fix->config.precision, Precision::Fp8);
}

TEST(ConfigFix, LeavesToTheUserWhatOnlyTheUserKnows) {
    RunConfig config;
    config.data = "x.npy";
    EXPECT_FALSE(fixOf(config, cpuTraits(), std::nullopt).has_value()) << "which targets?";
    config.data = "x.parquet";
    config.targets = "y.npy";
    EXPECT_FALSE(fixOf(config, cpuTraits(), std::nullopt).has_value());
}

}  // namespace
}  // namespace plumb
