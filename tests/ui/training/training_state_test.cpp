// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_state.h"

#include "core/measure/training_series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace plumb::ui::test {
namespace {

LossHistory falling(std::int64_t steps) {
    LossHistory history;
    for (std::int64_t i = 0; i < steps; ++i)
        history.add({i, 100 * std::exp(-8.0 * static_cast<double>(i) / static_cast<double>(steps)),
                     static_cast<double>(i) * 1e-3});
    return history;
}

TEST(TrainingCurve, AMillionStepsAreBoundedAndKeepBothEndsAndASpike) {
    LossHistory history;
    for (std::int64_t i = 0; i < 1'000'000; ++i)
        history.add({i, i == 654'321 ? 777.0 : 1.0 + 1e-7 * static_cast<double>(i % 10), 0});
    const TrainingCurve curve = makeCurve(history, {});
    EXPECT_LE(curve.line.size(), 10'000);
    EXPECT_EQ(curve.highest, 777.0);
    EXPECT_EQ(curve.line.first().x(), 0);
    EXPECT_EQ(curve.lastX, 999'999);
}

TEST(TrainingCurve, WhatIsHeldOutStandsAtItsStepsOrAtTheirTimes) {
    const TrainingCurve curve = makeCurve(falling(1000), {});
    const std::vector<HoldOutLoss> heldOut{{0, 90}, {500, 2}, {700, -1}, {1000, 0.5}};
    const QVector<QPointF> bySteps = holdOutLine(heldOut, curve, TrainingOptions::Axis::Steps);
    EXPECT_EQ(bySteps, (QVector<QPointF>{{0, 90}, {500, 2}, {1000, 0.5}})) << "a log axis shows no -1";
    const QVector<QPointF> byTime = holdOutLine(heldOut, curve, TrainingOptions::Axis::Seconds);
    ASSERT_EQ(byTime.size(), 3);
    EXPECT_NEAR(byTime[1].x(), 0.5, 0.01);
    EXPECT_NEAR(byTime[2].x(), 0.999, 1e-9);
}

TEST(TrainingCurve, ZeroNegativeAndNonFiniteLossesBreakTheLineAndAreCounted) {
    LossHistory history;
    const double values[] = {
        4, 0, 2, -1, std::numeric_limits<double>::quiet_NaN(), 1, std::numeric_limits<double>::infinity()};
    for (std::int64_t i = 0; i < 7; ++i) history.add({i, values[i], static_cast<double>(i)});
    const TrainingCurve curve = makeCurve(history, {.axis = TrainingOptions::Axis::Steps, .smoothing = 80});
    EXPECT_EQ(curve.lowest, 1);
    EXPECT_EQ(curve.highest, 4);
    EXPECT_EQ(curve.notPositive.size() + curve.notFinite.size(), 4);
    for (const QPointF& point : curve.line) EXPECT_TRUE(std::isnan(point.y()) || point.y() > 0);
    for (const QPointF& point : curve.smooth) EXPECT_TRUE(std::isfinite(point.y()) && point.y() > 0);
}

TEST(TrainingCurve, NothingThatALogAxisCanShowLeavesNoRange) {
    LossHistory history;
    for (std::int64_t i = 0; i < 5; ++i) history.add({i, 0, 0});
    const TrainingCurve curve = makeCurve(history, {.axis = TrainingOptions::Axis::Steps, .smoothing = 50});
    EXPECT_EQ(curve.lowest, 0);
    EXPECT_EQ(curve.highest, 0);
    EXPECT_TRUE(curve.smooth.isEmpty());
}

TEST(TrainingCurve, SmoothingOfAConstantIsTheConstant) {
    LossHistory history;
    for (std::int64_t i = 0; i < 5000; ++i) history.add({i, 0.25, 0});
    for (const int smoothing : {1, 30, 100}) {
        const TrainingCurve curve =
            makeCurve(history, {.axis = TrainingOptions::Axis::Steps, .smoothing = smoothing});
        for (const QPointF& point : curve.smooth) ASSERT_NEAR(point.y(), 0.25, 1e-9);
    }
}

TEST(TrainingCurve, TheMeanOfASmoothFallingCurveIsTheCurveHoweverWideItIs) {
    const LossHistory history = falling(3000);
    for (const int smoothing : {10, 50, 100}) {
        const TrainingCurve curve =
            makeCurve(history, {.axis = TrainingOptions::Axis::Steps, .smoothing = smoothing});
        EXPECT_EQ(curve.smooth.first(), curve.line.first());
        EXPECT_EQ(curve.smooth.last(), curve.line.last());
        for (const QPointF& point : curve.smooth)
            ASSERT_NEAR(point.y() / (100 * std::exp(-8.0 * point.x() / 3000)), 1, 1e-3) << point.x();
    }
}

TEST(TrainingCurve, TheMeanBendsNoEarlierAndNoLaterThanItsWindow) {
    // Level, a fall over four decades within 40 steps, level again.
    LossHistory history;
    for (std::int64_t i = 0; i < 2000; ++i) {
        const double decades = std::clamp(static_cast<double>(i - 1000) / 10.0, 0.0, 4.0);
        history.add({i, 10 * std::pow(10, -decades), static_cast<double>(i)});
    }
    for (const int smoothing : {20, 40, 60}) {
        const TrainingCurve curve =
            makeCurve(history, {.axis = TrainingOptions::Axis::Steps, .smoothing = smoothing});
        for (const QPointF& point : curve.smooth) {
            if (point.x() < 1000 - curve.window) {
                ASSERT_NEAR(point.y(), 10, 1e-6) << point.x();
            }
            if (point.x() > 1040 + curve.window) {
                ASSERT_NEAR(point.y(), 1e-3, 1e-10) << point.x();
            }
        }
    }
}

TEST(TrainingCurve, TheMeanEndsOnTheNewestLossHoweverMuchIsMerged) {
    LossHistory history(64);
    for (std::int64_t i = 0; i < 10'007; ++i)
        history.add({i, i < 9'900 ? 5.0 : 0.5, static_cast<double>(i) * 1e-3});
    for (const auto axis : {TrainingOptions::Axis::Steps, TrainingOptions::Axis::Seconds}) {
        const TrainingCurve curve = makeCurve(history, {.axis = axis, .smoothing = 30});
        EXPECT_EQ(curve.smooth.first(), curve.line.first());
        EXPECT_EQ(curve.smooth.last(), curve.line.last());
        for (qsizetype i = 1; i < curve.smooth.size(); ++i)
            ASSERT_LT(curve.smooth[i - 1].x(), curve.smooth[i].x());
    }
}

TEST(TrainingCurve, AWiderMeanVariesLess) {
    LossHistory history;
    for (std::int64_t i = 0; i < 4000; ++i) history.add({i, i % 2 ? 2.0 : 0.5, 0});
    double before = 1e9;
    for (const int smoothing : {5, 20, 60}) {
        const TrainingCurve curve =
            makeCurve(history, {.axis = TrainingOptions::Axis::Steps, .smoothing = smoothing});
        const QPointF a = curve.smooth[2000];
        const QPointF b = curve.smooth[2001];
        const double swing = std::abs(std::log(a.y() / b.y()));
        EXPECT_LT(swing, before);
        before = swing;
    }
}

TEST(TrainingCurve, OverManyNoisyStepsTheMeanIsTheArithmeticOneHoweverMuchIsMerged) {
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
    const TrainingOptions options{.axis = TrainingOptions::Axis::Steps, .smoothing = 60};
    const TrainingCurve all = makeCurve(fine, options);
    const TrainingCurve merged = makeCurve(coarse, options);
    ASSERT_EQ(all.smooth.size(), kSteps);
    ASSERT_LE(merged.smooth.size(), 514);
    double mean = 0;
    int inside = 0;
    for (const QPointF& point : merged.smooth) {
        // Towards the ends there are fewer and fewer losses to make a mean of.
        if (point.x() < all.window || point.x() > kSteps - all.window) continue;
        mean += (point.y() - mean) / ++inside;
        const double same = all.smooth[static_cast<qsizetype>(point.x())].y();
        ASSERT_NEAR(point.y() / same, 1, 0.03) << "at step " << point.x();
    }
    EXPECT_NEAR(mean / (sum / kSteps), 1, 0.02);
}

TEST(TrainingCurve, AMeanOverLessThanAStepIsNone) {
    const TrainingOptions options{.axis = TrainingOptions::Axis::Steps, .smoothing = 20};
    const TrainingCurve curve = makeCurve(falling(4), options);
    EXPECT_EQ(curve.window, 0);
    EXPECT_TRUE(curve.smooth.isEmpty());
}

TEST(TrainingCurve, ThinningOutTheHistoryHardlyMovesTheMean) {
    LossHistory fine(65536);
    LossHistory coarse(256);
    for (std::int64_t i = 0; i < 60'000; ++i) {
        const StepMetrics point{i, std::exp(-static_cast<double>(i) / 20'000), 0};
        fine.add(point);
        coarse.add(point);
    }
    const TrainingOptions options{.axis = TrainingOptions::Axis::Steps, .smoothing = 60};
    const double a = makeCurve(fine, options).smooth.last().y();
    const double b = makeCurve(coarse, options).smooth.last().y();
    EXPECT_NEAR(a / b, 1, 0.01);
}

TEST(TrainingCurve, NearestPointIsTheNearestOnEitherAxis) {
    LossHistory history;
    for (std::int64_t i = 0; i < 10; ++i) history.add({i * 10, 1, static_cast<double>(i)});
    const TrainingCurve curve = makeCurve(history, {});
    using Axis = TrainingOptions::Axis;
    EXPECT_EQ(nearestPoint(curve, 34, Axis::Steps)->step, 30);
    EXPECT_EQ(nearestPoint(curve, 36, Axis::Steps)->step, 40);
    EXPECT_EQ(nearestPoint(curve, -5, Axis::Steps)->step, 0);
    EXPECT_EQ(nearestPoint(curve, 1e9, Axis::Steps)->step, 90);
    EXPECT_EQ(nearestPoint(curve, 3.4, Axis::Seconds)->step, 30);
    EXPECT_EQ(nearestPoint(TrainingCurve{}, 0, Axis::Steps), nullptr);
}

TEST(TrainingState, NoiseFloorIsOfSyntheticDataOnly) {
    RunConfig config;
    config.noise = 0.1;
    EXPECT_DOUBLE_EQ(*noiseFloor(config), 0.01);
    config.noise = 0;
    EXPECT_FALSE(noiseFloor(config));
    config.noise = 0.1;
    config.data = "features.npy";
    EXPECT_FALSE(noiseFloor(config));
}

TEST(TrainingState, TimeLeftNeedsAnEndASpeedAndARunThatGoesOn) {
    TrainingRun run;
    run.stepsWanted = 1000;
    run.stepsDone = 400;
    EXPECT_FALSE(secondsLeft(run));
    run.stepsPerSecond = 30;
    EXPECT_DOUBLE_EQ(*secondsLeft(run), 20);
    run.outcome = QStringLiteral("stopped");
    EXPECT_FALSE(secondsLeft(run));
    run.outcome.clear();
    run.stepsWanted = 0;
    EXPECT_FALSE(secondsLeft(run));
}

TEST(TrainingState, ClockTextsAndOutcomes) {
    EXPECT_EQ(clockText(134), QStringLiteral("02:14"));
    EXPECT_EQ(clockText(3734), QStringLiteral("1:02:14"));
    EXPECT_EQ(clockText(3 * 86400 + 4 * 3600), QStringLiteral("3 d 04 h"));
    EXPECT_EQ(clockText(std::numeric_limits<double>::infinity()), QStringLiteral("–"));
    EXPECT_FALSE(isFailure(QStringLiteral("finished")));
    EXPECT_FALSE(isFailure(QStringLiteral("stopped")));
    EXPECT_FALSE(isFailure({}));
    EXPECT_TRUE(isFailure(QStringLiteral("diverged at step 12: lower the learning rate")));
}

TEST(TrainingState, DifferenceNamesTheOptionsThatDiffer) {
    RunConfig a;
    RunConfig b = a;
    EXPECT_TRUE(runDifference(a, b).isEmpty());
    b.batch = 512;
    EXPECT_TRUE(runDifference(a, b).contains(QStringLiteral("batch 256")))
        << runDifference(a, b).toStdString();
}

TEST(TrainingState, ColumnExtremesKeepSpikesAndBreaksInAtMostTwoPointsAColumn) {
    QVector<QPointF> line;
    for (int i = 0; i < 10'000; ++i) line.append({static_cast<double>(i), 1.0 + (i % 7) * 0.01});
    line[4321].setY(99);
    line[7654].setY(0.001);
    line[5000].setY(std::numeric_limits<double>::quiet_NaN());
    const QVector<QPointF> kept = columnExtremes(line, 100);
    EXPECT_LE(kept.size(), 2 * 100 + 3);
    EXPECT_TRUE(kept.contains(QPointF(4321, 99)));
    EXPECT_TRUE(kept.contains(QPointF(7654, 0.001)));
    int breaks = 0;
    for (qsizetype i = 0; i < kept.size(); ++i) {
        breaks += std::isnan(kept[i].y()) ? 1 : 0;
        EXPECT_GE(kept[i].x(), kept[std::max<qsizetype>(i - 1, 0)].x());
    }
    EXPECT_EQ(breaks, 1);
    EXPECT_TRUE(columnExtremes({}, 1).isEmpty());
}

TEST(TrainingState, OnePointPerColumnKeepsBothEnds) {
    QVector<QPointF> line;
    for (int i = 0; i < 1000; ++i) line.append({static_cast<double>(i), 1.0});
    const QVector<QPointF> kept = onePerColumn(line, 10);
    EXPECT_LE(kept.size(), 102);
    EXPECT_EQ(kept.first(), line.first());
    EXPECT_EQ(kept.last(), line.last());
}

TEST(TrainingState, ThinnedMarksKeepTheirDistanceAndTheFirst) {
    QVector<double> xs;
    for (int i = 0; i < 100'000; ++i) xs.append(i);
    const QVector<double> kept = thinned(xs, 500);
    EXPECT_EQ(kept.size(), 200);
    EXPECT_EQ(kept.first(), 0);
}

}  // namespace
}  // namespace plumb::ui::test
