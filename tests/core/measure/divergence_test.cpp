// SPDX-License-Identifier: Apache-2.0
#include "core/measure/divergence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace plumb {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

LossHistory historyOf(std::int64_t steps, auto lossAt) {
    LossHistory history;
    for (std::int64_t step = 0; step < steps; ++step)
        history.add({.step = step, .loss = lossAt(static_cast<double>(step) / static_cast<double>(steps))});
    return history;
}

TEST(Divergence, ALossThatIsNotFiniteFiresAtOnceAndNamesItsStep) {
    for (const double wrong : {kNotKnown, kInfinite, -kInfinite}) {
        LossHistory history;
        for (std::int64_t step = 0; step < 5; ++step)
            history.add({.step = step, .loss = step == 3 ? wrong : 1.0});
        const auto found = findDivergence(history);
        ASSERT_TRUE(found.has_value()) << wrong;
        EXPECT_EQ(found->kind, Divergence::Kind::NotFinite);
        EXPECT_EQ(found->step, 3);
    }
}

TEST(Divergence, AStepThatFp16SkippedIsNone) {
    LossHistory history;
    for (std::int64_t step = 0; step < 5; ++step)
        history.add({.step = step, .loss = step == 0 ? kInfinite : 1.0, .skipped = step == 0});
    EXPECT_FALSE(findDivergence(history).has_value());
}

TEST(Divergence, ALossThatRisesAndStaysFiresWhateverTheLengthOfTheRun) {
    // Falls to a hundredth by half of the run and rises from three quarters on.
    const auto loss = [](double at) { return at < 0.5 ? std::pow(0.01, 2 * at) : at < 0.75 ? 0.01 : 0.2; };
    for (const std::int64_t steps : {60, 200, 5000, 200'000}) {
        const auto found = findDivergence(historyOf(steps, loss));
        ASSERT_TRUE(found.has_value()) << steps;
        EXPECT_EQ(found->kind, Divergence::Kind::Rising);
        EXPECT_NEAR(found->lowest, 0.01, 1e-3) << steps;
        EXPECT_NEAR(found->newest, 0.2, 1e-3) << steps;
        EXPECT_FALSE(found->isAboveStart);
        EXPECT_GT(static_cast<double>(found->step), 0.4 * static_cast<double>(steps));
        EXPECT_LT(static_cast<double>(found->step), 0.8 * static_cast<double>(steps));
    }
}

TEST(Divergence, ALossThatOnlyEverRisesIsAboveItsStart) {
    const auto found = findDivergence(historyOf(500, [](double at) { return 1 + 4 * at; }));
    ASSERT_TRUE(found.has_value());
    EXPECT_TRUE(found->isAboveStart);
    EXPECT_NEAR(found->newest, 4.9, 0.1);
    // Less than three times the lowest, but half more than the first.
    EXPECT_TRUE(findDivergence(historyOf(500, [](double at) { return 1 + 1.6 * at; })).has_value());
}

// The mean of its first twentieth is that of the explosion, to which all that follows is low.
TEST(Divergence, ALossThatBlowsUpInItsFirstStepsFires) {
    for (const std::int64_t steps : {100, 2000}) {
        const auto found = findDivergence(historyOf(steps, [&](double at) {
            const double step = at * static_cast<double>(steps);
            return step < 4.5 ? 1.5 * std::pow(10, 2.5 * step) : 1e10 * std::pow(1e-4, at);
        }));
        ASSERT_TRUE(found.has_value()) << steps;
        EXPECT_EQ(found->step, 0);
        EXPECT_EQ(found->lowest, 1.5);
        EXPECT_TRUE(found->isAboveStart);
    }
}

TEST(Divergence, WhatFallsOrStaysIsSilentHoweverNoisy) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        std::lognormal_distribution<double> noise(0, 0.8);
        EXPECT_FALSE(findDivergence(historyOf(400, [&](double at) {
            return std::exp(-3 * at) * noise(random);
        }))) << seed;
        EXPECT_FALSE(findDivergence(historyOf(3000, [&](double) { return noise(random); }))) << seed;
        // A schedule of restarts: up by a half, and down again.
        EXPECT_FALSE(findDivergence(historyOf(3000, [&](double at) {
            return (1 + 0.5 * std::sin(40 * at)) * std::exp(-at) * noise(random);
        }))) << seed;
    }
}

TEST(Divergence, OneSpikeIsNoneAtTheEndNorInTheMiddle) {
    for (const double place : {0.3, 0.6, 0.99})
        EXPECT_FALSE(findDivergence(historyOf(1000, [&](double at) {
            return std::abs(at - place) < 0.005 ? 1e6 : 1 - 0.5 * at;
        }))) << place;
}

TEST(Divergence, TooFewLossesSayNothingOfARise) {
    EXPECT_FALSE(
        findDivergence(historyOf(DivergenceRule::kLeastLosses - 1, [](double at) { return 1 + at * 9; })));
    EXPECT_TRUE(
        findDivergence(historyOf(DivergenceRule::kLeastLosses, [](double at) { return 1 + at * 9; })));
    EXPECT_FALSE(findDivergence(LossHistory()));
}

TEST(Divergence, ARiseThatIsOverIsNone) {
    EXPECT_FALSE(findDivergence(
        historyOf(1000, [](double at) { return at > 0.4 && at < 0.6 ? 5.0 : std::exp(-4 * at); })));
}

}  // namespace
}  // namespace plumb
