// SPDX-License-Identifier: Apache-2.0
#include "core/measure/loss_smoothing.h"

#include "core/base/entry_at.h"
#include "core/measure/noise_floor.h"
#include "tests/support/losses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace plumb {
namespace {

TEST(SmoothLosses, OfAConstantAreTheConstant) {
    LossHistory history;
    for (std::int64_t i = 0; i < 5000; ++i) history.add({i, 0.25, 0});
    for (const double smoothing : {0.02, 0.3, 1.0}) {
        const SmoothLosses smooth = smoothLosses(history, smoothing);
        EXPECT_FALSE(smooth.losses.empty());
        for (const SmoothLoss& point : smooth.losses) ASSERT_NEAR(point.loss, 0.25, 1e-9);
    }
}

TEST(SmoothLosses, OfASmoothFallingCurveAreTheCurveHoweverWideTheMeanIs) {
    const LossHistory history = test::falling(3000);
    for (const double smoothing : {0.1, 0.5, 1.0}) {
        const SmoothLosses smooth = smoothLosses(history, smoothing);
        EXPECT_EQ(smooth.losses.front().step, 0);
        EXPECT_EQ(smooth.losses.back().step, 2999);
        for (const SmoothLoss& point : smooth.losses)
            ASSERT_NEAR(point.loss / (100 * std::exp(-8.0 * point.step / 3000)), 1, 1e-3) << point.step;
    }
}

TEST(SmoothLosses, BendNoEarlierAndNoLaterThanTheirWindow) {
    // Level, a fall over four decades within 40 steps, level again.
    LossHistory history;
    for (std::int64_t i = 0; i < 2000; ++i) {
        const double decades = std::clamp(static_cast<double>(i - 1000) / 10.0, 0.0, 4.0);
        history.add({i, 10 * std::pow(10, -decades), static_cast<double>(i)});
    }
    for (const double smoothing : {0.2, 0.4, 0.6}) {
        const SmoothLosses smooth = smoothLosses(history, smoothing);
        EXPECT_DOUBLE_EQ(smooth.window, smoothing * smoothing * 1999);
        for (const SmoothLoss& point : smooth.losses) {
            if (point.step < 1000 - smooth.window) {
                ASSERT_NEAR(point.loss, 10, 1e-6) << point.step;
            }
            if (point.step > 1040 + smooth.window) {
                ASSERT_NEAR(point.loss, 1e-3, 1e-10) << point.step;
            }
        }
    }
}

TEST(SmoothLosses, BeginAndEndWhereTheDataDoHoweverMuchIsMerged) {
    LossHistory history(64);
    for (std::int64_t i = 0; i < 10'007; ++i)
        history.add({i, i < 9'900 ? 5.0 : 0.5, static_cast<double>(i) * 1e-3});
    const SmoothLosses smooth = smoothLosses(history, 0.3);
    EXPECT_EQ(smooth.losses.front().step, 0);
    EXPECT_EQ(smooth.losses.front().loss, 5);
    EXPECT_EQ(smooth.losses.back().step, 10'006);
    EXPECT_EQ(smooth.losses.back().seconds, 10.006);
    EXPECT_EQ(smooth.losses.back().loss, 0.5);
    for (std::size_t i = 1; i < smooth.losses.size(); ++i) {
        ASSERT_LT(smooth.losses[i - 1].step, smooth.losses[i].step);
        ASSERT_LT(smooth.losses[i - 1].seconds, smooth.losses[i].seconds);
    }
}

TEST(SmoothLosses, OfAWiderMeanVaryLess) {
    LossHistory history;
    for (std::int64_t i = 0; i < 4000; ++i) history.add({i, i % 2 ? 2.0 : 0.5, 0});
    double before = 1e9;
    for (const double smoothing : {0.05, 0.2, 0.6}) {
        const SmoothLosses smooth = smoothLosses(history, smoothing);
        const double swing = std::abs(std::log(smooth.losses[2000].loss / smooth.losses[2001].loss));
        EXPECT_LT(swing, before);
        before = swing;
    }
}

TEST(SmoothLosses, OverManyNoisyStepsAreTheArithmeticMeanHoweverMuchIsMerged) {
    // Squares of normal numbers, as a loss near its floor is: their logarithm has a far lower mean.
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    LossHistory fine(262'144);
    LossHistory coarse(512);
    double sum = 0;
    constexpr std::int64_t kSteps = 200'000;
    for (std::int64_t i = 0; i < kSteps; ++i) {
        const double noise = normal(random);
        const StepMetrics point{i, 0.01 * noise * noise + 1e-6, static_cast<double>(i)};
        sum += point.loss;
        fine.add(point);
        coarse.add(point);
    }
    const SmoothLosses all = smoothLosses(fine, 0.6), merged = smoothLosses(coarse, 0.6);
    ASSERT_EQ(std::ssize(all.losses), kSteps);
    ASSERT_LE(merged.losses.size(), 514U);
    double mean = 0;
    int inside = 0;
    for (const SmoothLoss& point : merged.losses) {
        // Towards the ends there are fewer and fewer losses to make a mean of.
        if (point.step < all.window || point.step > kSteps - all.window) continue;
        mean += (point.loss - mean) / ++inside;
        const double same = entryAt(all.losses, static_cast<std::int64_t>(point.step)).loss;
        ASSERT_NEAR(point.loss / same, 1, 0.03) << "at step " << point.step;
    }
    EXPECT_NEAR(mean / (sum / kSteps), 1, 0.02);
}

TEST(SmoothLosses, HardlyMoveWhenTheHistoryIsThinnedOut) {
    LossHistory fine(65536);
    LossHistory coarse(256);
    for (std::int64_t i = 0; i < 60'000; ++i) {
        const StepMetrics point{i, std::exp(-static_cast<double>(i) / 20'000), 0};
        fine.add(point);
        coarse.add(point);
    }
    EXPECT_NEAR(smoothLosses(fine, 0.6).losses.back().loss / smoothLosses(coarse, 0.6).losses.back().loss, 1,
                0.01);
}

TEST(SmoothLosses, AreNoneOverLessThanAStepAndWithoutALossThatALogAxisShows) {
    EXPECT_EQ(smoothLosses(test::falling(4), 0.2).window, 0);
    EXPECT_TRUE(smoothLosses(test::falling(4), 0.2).losses.empty());
    EXPECT_TRUE(smoothLosses(test::falling(4000), 0).losses.empty());
    EXPECT_TRUE(smoothLosses(LossHistory(), 1).losses.empty());
    LossHistory zero;
    for (std::int64_t i = 0; i < 5; ++i) zero.add({i, 0, 0});
    EXPECT_TRUE(smoothLosses(zero, 1).losses.empty());
    LossHistory mixed;
    const double values[] = {
        4, 0, 2, -1, std::numeric_limits<double>::quiet_NaN(), 1, std::numeric_limits<double>::infinity()};
    for (std::int64_t i = 0; i < 7; ++i) mixed.add({i, values[i], static_cast<double>(i)});
    const SmoothLosses smooth = smoothLosses(mixed, 0.8);
    EXPECT_FALSE(smooth.losses.empty());
    for (const SmoothLoss& point : smooth.losses) EXPECT_TRUE(std::isfinite(point.loss) && point.loss > 0);
}

TEST(NoiseFloor, IsOfSyntheticDataOnly) {
    RunConfig config;
    config.noise = 0.1;
    EXPECT_DOUBLE_EQ(*noiseFloor(config), 0.01);
    config.noise = 0;
    EXPECT_FALSE(noiseFloor(config));
    config.noise = 0.1;
    config.residentBatch = true;
    EXPECT_FALSE(noiseFloor(config)) << "the noise of one batch can be learned";
    config.residentBatch = false;
    config.data = "features.npy";
    EXPECT_FALSE(noiseFloor(config));
}

}  // namespace
}  // namespace plumb
