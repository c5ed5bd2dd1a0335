// SPDX-License-Identifier: Apache-2.0
#include "core/measure/loss_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace plumb {
namespace {

StepMetrics point(std::int64_t step, double loss) {
    return StepMetrics{.step = step, .loss = loss, .seconds = static_cast<double>(step) / 1000};
}

void expectInOrder(const std::vector<StepMetrics>& points) {
    for (std::size_t i = 1; i < points.size(); ++i) ASSERT_LT(points[i - 1].step, points[i].step);
}

TEST(LossHistory, KeepsEveryPointWhileThereIsRoom) {
    LossHistory history(64);
    EXPECT_TRUE(history.empty());
    EXPECT_TRUE(history.points().empty());
    for (std::int64_t step = 0; step < 64; ++step)
        history.add(point(step * 3, 1.0 / static_cast<double>(step + 1)));
    const auto points = history.points();
    ASSERT_EQ(points.size(), 64U);
    for (std::size_t i = 0; i < points.size(); ++i)
        EXPECT_EQ(points[i].step, static_cast<std::int64_t>(i) * 3);
    EXPECT_EQ(history.count(), 64);
}

TEST(LossHistory, StaysBoundedOverTenMillionPointsAndKeepsEachSpike) {
    constexpr std::int64_t kSteps = 10'000'000;
    LossHistory history(256);
    std::minstd_rand random(7);
    // A noisy decay with spikes far apart: each is the extreme of any stretch that holds it.
    const auto isSpike = [](std::int64_t step) { return step % 999'983 == 5; };
    for (std::int64_t step = 0; step < kSteps; ++step) {
        const double noise = static_cast<double>(random()) / 4e9;
        history.add(point(step, isSpike(step) ? 1000.0 + static_cast<double>(step) : 1.0 + noise));
    }
    EXPECT_EQ(history.count(), kSteps);
    EXPECT_EQ(history.last().step, kSteps - 1);
    const auto points = history.points();
    EXPECT_LE(points.size(), 2U * 256U + 2U);
    EXPECT_GE(points.size(), 128U);
    expectInOrder(points);
    EXPECT_EQ(points.front().step, 0);
    EXPECT_EQ(points.back().step, kSteps - 1);
    for (std::int64_t step = 5; step < kSteps; step += 999'983)
        EXPECT_TRUE(std::any_of(points.begin(), points.end(),
                                [&](const StepMetrics& kept) {
                                    return kept.step == step &&
                                           kept.loss == 1000.0 + static_cast<double>(step);
                                }))
            << "the spike at step " << step << " is gone";
}

TEST(LossHistory, KeepsTheExtremesFirstAndLastOfAnyCurve) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        const std::size_t buckets = 2 * (1 + random() % 20);
        const std::int64_t count = 1 + static_cast<std::int64_t>(random() % 3000);
        LossHistory history(buckets);
        std::vector<StepMetrics> all;
        std::int64_t step = 0;
        for (std::int64_t i = 0; i < count; ++i) {
            step += 1 + static_cast<std::int64_t>(random() % 3);
            all.push_back(point(step, static_cast<double>(random() % 100'000)));
            history.add(all.back());
        }
        const auto points = history.points();
        ASSERT_LE(points.size(), 2 * buckets + 2) << "seed " << seed;
        expectInOrder(points);
        ASSERT_EQ(points.front().step, all.front().step) << "seed " << seed;
        ASSERT_EQ(points.back().step, all.back().step) << "seed " << seed;
        const auto less = [](const StepMetrics& a, const StepMetrics& b) { return a.loss < b.loss; };
        const auto [low, high] = std::minmax_element(all.begin(), all.end(), less);
        const auto [keptLow, keptHigh] = std::minmax_element(points.begin(), points.end(), less);
        ASSERT_EQ(keptLow->loss, low->loss) << "seed " << seed;
        ASSERT_EQ(keptHigh->loss, high->loss) << "seed " << seed;
        // Nothing is made up: each kept point is one that was added.
        for (const StepMetrics& kept : points)
            ASSERT_TRUE(std::any_of(all.begin(), all.end(),
                                    [&](const StepMetrics& added) {
                                        return added.step == kept.step && added.loss == kept.loss &&
                                               added.seconds == kept.seconds;
                                    }))
                << "seed " << seed;
    }
}

TEST(LossHistory, KeepsTheStepAtWhichTheLossBroke) {
    for (const double broken :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        LossHistory history(4);
        for (std::int64_t step = 0; step < 1000; ++step) history.add(point(step, step == 500 ? broken : 1.0));
        const auto points = history.points();
        EXPECT_TRUE(std::any_of(points.begin(), points.end(), [](const StepMetrics& kept) {
            return kept.step == 500 && !std::isfinite(kept.loss);
        }));
        EXPECT_TRUE(std::any_of(points.begin(), points.end(),
                                [](const StepMetrics& kept) { return kept.loss == 1.0; }));
    }
}

TEST(LossHistory, StartsAnewAfterClear) {
    LossHistory history(4);
    for (std::int64_t step = 0; step < 100; ++step) history.add(point(step, 1));
    history.clear();
    EXPECT_TRUE(history.empty());
    EXPECT_TRUE(history.points().empty());
    history.add(point(0, 2));
    history.add(point(1, 3));
    ASSERT_EQ(history.points().size(), 2U);
    EXPECT_EQ(history.points()[0].loss, 2);
}

TEST(LossHistory, MeansHoldEveryFiniteLossOnceHoweverMuchIsMerged) {
    LossHistory history(8);
    double sum = 0;
    std::int64_t finite = 0;
    for (std::int64_t step = 0; step < 1003; ++step) {
        const double loss =
            step == 77 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(step % 13);
        history.add(point(step, loss));
        if (step == 77) continue;
        sum += loss;
        ++finite;
        double weighted = 0;
        std::int64_t count = 0;
        double before = -1;
        for (const LossMean& mean : history.means()) {
            weighted += mean.loss * static_cast<double>(mean.count);
            count += mean.count;
            ASSERT_GT(mean.step, before);
            ASSERT_NEAR(mean.seconds, mean.step / 1000, 1e-9);
            before = mean.step;
        }
        ASSERT_EQ(count, finite);
        ASSERT_NEAR(weighted, sum, 1e-6);
    }
    EXPECT_LE(history.means().size(), 8U);
}

}  // namespace
}  // namespace plumb
