// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_state.h"

#include "core/measure/training_series.h"
#include "tests/support/losses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plumb::ui::test {
namespace {

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
    const TrainingCurve curve = makeCurve(plumb::test::falling(1000), {});
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

TEST(TrainingCurve, TheMeanEndsOnTheNewestLossOnEitherAxis) {
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

TEST(TrainingState, ClockTexts) {
    EXPECT_EQ(clockText(134), QStringLiteral("02:14"));
    EXPECT_EQ(clockText(3734), QStringLiteral("1:02:14"));
    EXPECT_EQ(clockText(3 * 86400 + 4 * 3600), QStringLiteral("3 d 04 h"));
    EXPECT_EQ(clockText(std::numeric_limits<double>::infinity()), QStringLiteral("–"));
}

TEST(TrainingState, DifferenceNamesTheOptionsThatDiffer) {
    const TrainingRun a;
    TrainingRun b;
    EXPECT_TRUE(runDifference(a, b).isEmpty());
    b.config.batch = 512;
    EXPECT_TRUE(runDifference(a, b).contains(QStringLiteral("Batch B 256")))
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
