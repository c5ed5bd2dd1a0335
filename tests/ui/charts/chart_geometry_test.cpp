// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/byte_units.h"
#include "core/base/number_style.h"
#include "ui/charts/axis.h"
#include "ui/charts/decimate.h"
#include "ui/charts/label_layout.h"
#include "ui/theme/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace plumb::ui {
namespace {

std::string spaced(const QString& text) {
    return QString(text).replace(QChar(0x00a0), QLatin1Char(' ')).toStdString();
}

AxisOptions axisOf(double min, double max, bool log, const QString& unit = {}) {
    return {{}, unit, log, min, max, true};
}

TEST(AxisTicks, AreInsideTheRangeIncreasingAndFewEnough) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> exponent(-9, 15);
    for (int round = 0; round < 4000; ++round) {
        const bool log = round % 2 == 0;
        const double a = std::pow(10.0, exponent(random));
        const double b = std::pow(10.0, exponent(random));
        const AxisOptions axis =
            axisOf(log ? std::min(a, b) : 0, std::max(a, b) * 1.01, log, QStringLiteral("B"));
        const int most = 2 + round % 12;
        const QVector<AxisTick> ticks = axisTicks(axis, most);
        int labelled = 0;
        for (qsizetype i = 0; i < ticks.size(); ++i) {
            EXPECT_GE(ticks[i].value, axis.min * (1 - 1e-8));
            EXPECT_LE(ticks[i].value, axis.max * (1 + 1e-8));
            if (i > 0) {
                EXPECT_GT(ticks[i].value, ticks[i - 1].value);
            }
            labelled += ticks[i].label.isEmpty() ? 0 : 1;
        }
        EXPECT_LE(labelled, std::max(most + 2, 6)) << axis.min << " " << axis.max << " log " << log;
        EXPECT_GE(ticks.size(), most >= 3 ? 2 : 1)
            << axis.min << " " << axis.max << " log " << log << " most " << most;
    }
}

TEST(AxisTicks, SayNothingAboutARangeThatIsNone) {
    EXPECT_TRUE(axisTicks(axisOf(1, 1, false), 5).isEmpty());
    EXPECT_TRUE(axisTicks(axisOf(2, 1, false), 5).isEmpty());
    EXPECT_TRUE(axisTicks(axisOf(0, 10, true), 5).isEmpty());
    EXPECT_TRUE(axisTicks(axisOf(0, std::nan(""), false), 5).isEmpty());
    EXPECT_TRUE(axisTicks(axisOf(0, INFINITY, false), 5).isEmpty());
}

TEST(AxisTicks, ShareOnePrefixOnALinearAxis) {
    std::vector<std::string> labels;
    for (const AxisTick& tick : axisTicks(axisOf(0, 18e9, false, QStringLiteral("B")), 7))
        labels.push_back(spaced(tick.label));
    EXPECT_EQ(labels, (std::vector<std::string>{"0 GB", "5 GB", "10 GB", "15 GB"}));
}

TEST(AxisTicks, AreRoundInTheUnitsThatSizesAreWrittenIn) {
    setByteUnits(ByteUnits::Binary);
    const QVector<AxisTick> ticks = axisTicks(axisOf(0, 3.2e9, false, QStringLiteral("B")), 6);
    const QVector<AxisTick> rates = axisTicks(axisOf(0, 3e9, false, QStringLiteral("B/s")), 6);
    setByteUnits(ByteUnits::Si);
    ASSERT_EQ(ticks.size(), 6);
    EXPECT_EQ(ticks[1].label, QStringLiteral("0.5\u00a0GiB"));
    EXPECT_EQ(ticks[5].value, 2.5 * (1 << 30));
    EXPECT_EQ(rates.last().label, QStringLiteral("3\u00a0GB/s"));
}

TEST(AxisTicks, CallNothingWithoutAUnitJustZero) {
    std::vector<std::string> labels;
    for (const AxisTick& tick : axisTicks(axisOf(0, 2000, false), 3)) labels.push_back(spaced(tick.label));
    EXPECT_EQ(labels, (std::vector<std::string>{"0", "1 k", "2 k"}));
}

TEST(AxisTicks, HavePrefixesWhereThatIsAskedForHoweverFarTheyGo) {
    AxisOptions rates{QStringLiteral("FLOP/s"), {}, true, 1e10, 1e16, true, {}, true};
    QStringList labels;
    for (const AxisTick& tick : axisTicks(rates, 8)) labels << QString::fromStdString(spaced(tick.label));
    EXPECT_EQ(labels.join(QLatin1Char(';')).toStdString(), "10 G;100 G;1 T;10 T;100 T;1 P;10 P");
    rates.prefixes = false;  // losses that diverged
    EXPECT_EQ(spaced(axisTicks(rates, 8).last().label), "1e16");
}

TEST(AxisTicks, CountAsThePlannerDoesWhereThatIsAskedFor) {
    const auto labels = [](double most, bool log) {
        AxisOptions axis = axisOf(log ? 1e4 : 0, most, log);
        axis.thousands = true;
        QStringList all;
        for (const AxisTick& tick : axisTicks(axis, 5)) all << tick.label;
        return all.join(QLatin1Char(';')).toStdString();
    };
    EXPECT_EQ(labels(2e9, false), "0;500e6;1e9;1.5e9;2e9");
    EXPECT_EQ(labels(40e9, false), "0;10e9;20e9;30e9;40e9");
    EXPECT_EQ(labels(1e8, true), "10\u2009000;100\u2009000;1e6;10e6;100e6");
    EXPECT_EQ(labels(2000, false), "0;500;1000;1500;2000");
}

TEST(TickLabel, HasPrefixAndUnitAndNoTrailingZeros) {
    EXPECT_EQ(spaced(tickLabel(15e9, QStringLiteral("B"))), "15 GB");
    EXPECT_EQ(spaced(tickLabel(100e12, QStringLiteral("FLOP/s"))), "100 TFLOP/s");
    EXPECT_EQ(spaced(tickLabel(1e15, {})), "1 P");
    EXPECT_EQ(spaced(tickLabel(0.01, {})), "0.01");
    EXPECT_EQ(spaced(tickLabel(10000, {})), "10 k");
    EXPECT_EQ(spaced(tickLabel(0.001, QStringLiteral("s"))), "1 ms");
    EXPECT_EQ(spaced(tickLabel(0, QStringLiteral("B"))), "0 B");
    EXPECT_EQ(spaced(tickLabel(1e23, {})), "1e23");
    EXPECT_EQ(spaced(tickLabel(1e21, QStringLiteral("FLOP/s"))), "1e21 FLOP/s");
    EXPECT_EQ(spaced(tickLabel(2e-7, {})), "2e-7");
    QStringList loss;
    for (const AxisTick& tick :
         axisTicks({.title = {}, .unit = {}, .log = true, .min = 1e-2, .max = 1e24}, 8))
        if (!tick.label.isEmpty()) loss << tick.label;
    EXPECT_TRUE(loss.contains(QStringLiteral("1e6"))) << loss.join(u'|').toStdString();
    for (const QString& label : loss) EXPECT_FALSE(label.contains(QChar(0x00a0))) << label.toStdString();
}

/// The labels of an axis, those without one left out.
QStringList labelsOf(const AxisOptions& axis, int most) {
    QStringList labels;
    for (const AxisTick& tick : axisTicks(axis, most))
        if (!tick.label.isEmpty()) labels << tick.label;
    return labels;
}

TEST(TickLabel, HasOneWayToWriteTheNumbersOfAnAxisAndTheMinusOfTheWindow) {
    const NumberStyle before = numberStyle();
    setNumberStyle(numberStyleOf(QLocale::c()));
    const QStringList gradients = labelsOf(axisOf(1e-18, 1e4, true), 3);
    const QStringList losses = labelsOf(axisOf(1e-2, 1e24, true), 3);
    const QStringList rates = labelsOf(axisOf(0, 2e-4, false), 5);
    const QStringList usual = labelsOf(axisOf(1e-3, 10, true), 6);
    setNumberStyle(before);
    EXPECT_EQ(gradients,
              (QStringList{QStringLiteral("1e−18"), QStringLiteral("1e−10"), QStringLiteral("1e−2")}));
    EXPECT_EQ(losses, (QStringList{QStringLiteral("1e−2"), QStringLiteral("1e7"), QStringLiteral("1e16")}));
    EXPECT_EQ(rates, (QStringList{QStringLiteral("0"), QStringLiteral("5e−5"), QStringLiteral("1e−4"),
                                  QStringLiteral("1.5e−4"), QStringLiteral("2e−4")}));
    EXPECT_EQ(usual, (QStringList{QStringLiteral("0.001"), QStringLiteral("0.01"), QStringLiteral("0.1"),
                                  QStringLiteral("1"), QStringLiteral("10")}));
}

TEST(NiceRange, HoldsWhatItIsGiven) {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> exponent(-6, 15);
    for (int round = 0; round < 2000; ++round) {
        const double a = std::pow(10.0, exponent(random));
        const double b = std::pow(10.0, exponent(random));
        const bool log = round % 2 == 0;
        const auto [low, high] = niceRange(std::min(a, b), std::max(a, b), log);
        EXPECT_LE(low, std::min(a, b) * (1 + 1e-6));
        EXPECT_GE(high, std::max(a, b) * (1 - 1e-6));
        EXPECT_LT(low, high);
    }
}

TEST(WithinDecade, HoldsWhatItIsGivenAndHardlyMore) {
    std::mt19937_64 random(12);
    std::uniform_real_distribution<double> exponent(-6, 15), width(1, 10);
    for (int round = 0; round < 2000; ++round) {
        const double a = std::pow(10.0, exponent(random)), b = a * width(random);
        const auto [low, high] = withinDecade(a, b);
        EXPECT_LE(low, a * (1 + 1e-6));
        EXPECT_GE(high, b * (1 - 1e-6));
        EXPECT_GT(low, a / 2.6);
        EXPECT_LT(high, b * 2.6);
        AxisOptions axis = axisOf(low, high, true);
        EXPECT_GE(axisTicks(axis, 4).size(), 2) << low << " to " << high;
    }
    EXPECT_EQ(withinDecade(1.29, 1.42), std::pair(1.0, 2.0));
    EXPECT_EQ(withinDecade(2, 2), std::pair(2.0, 5.0)) << "one value has an axis, too";
}

TEST(AxisScale, IsItsOwnInverse) {
    for (const bool log : {false, true}) {
        const AxisScale scale(axisOf(0.01, 1e6, log));
        for (const double value : {0.01, 0.5, 3.0, 1e3, 9e5})
            EXPECT_NEAR(scale.fromUnit(scale.toUnit(value)) / value, 1, 1e-9);
    }
    EXPECT_TRUE(std::isnan(AxisScale(axisOf(1, 10, true)).toUnit(0)));
}

TEST(Decimate, KeepsTheExtremesOfEveryTwoColumnsAndTwoPointsAPixel) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> noise;
    QVector<QPointF> points;
    for (int i = 0; i < 50000; ++i) points.push_back({i * 400.0 / 50000, noise(random)});
    points[31234].setY(1000);
    const QVector<QPointF> kept = decimate(points);
    EXPECT_LE(kept.size(), 2 * 400);
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end(),
                               [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); }));
    EXPECT_EQ(kept.first(), points.first());
    EXPECT_EQ(kept.last(), points.last());
    EXPECT_TRUE(kept.contains(points[31234]));
    for (int column = 0; column < 200; ++column) {
        const auto range = [&](const QVector<QPointF>& in) {
            double low = INFINITY;
            double high = -INFINITY;
            for (const QPointF& point : in) {
                if (static_cast<int>(point.x() / 2) != column) continue;
                low = std::min(low, point.y());
                high = std::max(high, point.y());
            }
            return std::pair(low, high);
        };
        ASSERT_EQ(range(kept), range(points)) << column;
    }
}

TEST(Decimate, LeavesFewPointsAlone) {
    const QVector<QPointF> points{{0, 1}, {5, 2}, {9, 0}};
    EXPECT_EQ(decimate(points), points);
    EXPECT_TRUE(decimate({}).isEmpty());
    const QVector<QPointF> flat{{0, 1}, {5, 1}, {9, 1}, {12, 4}};
    EXPECT_EQ(decimate(flat), (QVector<QPointF>{{0, 1}, {9, 1}, {12, 4}}));
}

TEST(Dashes, LieOnTheLineAndCoverTheirShareOfIt) {
    QVector<QPointF> points{{0, 0}, {3, 6}, {3, 2}, {50, 2}, {50.5, 9}, {100, 9}};
    const auto pieces = dashes(points, 5, 3);
    double covered = 0;
    double last = -1;
    for (const auto& piece : pieces) {
        ASSERT_GE(piece.size(), 2);
        EXPECT_GE(piece.first().x(), last);
        EXPECT_LE(piece.last().x() - piece.first().x(), 5 + 1e-9);
        covered += piece.last().x() - piece.first().x();
        last = piece.last().x();
        EXPECT_NEAR(std::fmod(piece.first().x(), 8), 0, 1e-9);
    }
    EXPECT_EQ(pieces.size(), 13);
    EXPECT_NEAR(covered, 12 * 5 + 4, 1e-6);
    EXPECT_TRUE(dashes({}, 5, 3).isEmpty());
}

TEST(PlaceLabels, NeverOverlapNeverLeaveAndKeepTheImportant) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> x(0, 300);
    std::uniform_real_distribution<double> y(0, 200);
    std::uniform_real_distribution<double> width(20, 140);
    const QRectF bounds(0, 0, 300, 200);
    for (int round = 0; round < 500; ++round) {
        QVector<LabelRequest> requests;
        QVector<QRectF> obstacles;
        for (int i = 0; i < 14; ++i)
            requests.push_back(
                {{x(random), y(random)}, {width(random), 14}, i, Qt::AlignRight | Qt::AlignTop, 6});
        for (int i = 0; i < 6; ++i) obstacles.push_back({x(random), y(random), 10, 10});
        const auto boxes = placeLabels(requests, bounds, obstacles);
        ASSERT_EQ(boxes.size(), requests.size());
        for (qsizetype i = 0; i < boxes.size(); ++i) {
            if (!boxes[i]) continue;
            EXPECT_TRUE(bounds.contains(boxes[i]->box));
            for (const QRectF& obstacle : obstacles) EXPECT_FALSE(obstacle.intersects(boxes[i]->box));
            for (qsizetype j = 0; j < i; ++j)
                EXPECT_FALSE(boxes[j] && boxes[j]->box.intersects(boxes[i]->box));
        }
    }
    const LabelRequest wide{{150, 100}, {290, 190}, 1, Qt::AlignRight, 6};
    LabelRequest important = wide;
    important.anchor = {4, -2};
    important.prefer = Qt::AlignRight | Qt::AlignBottom;
    important.priority = 2;
    const auto boxes = placeLabels({wide, important}, bounds, {});
    EXPECT_FALSE(boxes[0]);
    EXPECT_TRUE(boxes[1]);
}

/// Whether a label of `size` for `line` stands on it; nothing: it is left out.
std::optional<qreal> distanceFromLine(const QLineF& line, const QVector<QLineF>& others) {
    LabelRequest request{line.p1(), {80, 16}, 1, Qt::AlignRight, 6};
    request.along = line;
    QVector<QLineF> lines = others;
    lines.push_back(line);
    const auto place = placeLabels({request}, {0, 0, 400, 300}, {}, lines).first();
    if (!place) return std::nullopt;
    EXPECT_NEAR(place->angle, -line.angle(), 1e-9);
    for (const QLineF& other : others)
        EXPECT_FALSE(other != line && place->grown(0, -3).isCrossedBy(other))
            << "a line goes through the letters";
    const QLineF straight(line);
    const QPointF away = place->box.center() - line.p1();
    return std::abs(away.x() * straight.dy() - away.y() * straight.dx()) / straight.length();
}

TEST(PlaceLabels, StandOnTheirOwnLineAndOnNoOther) {
    const QLineF slope(0, 280, 390, 90);
    EXPECT_NEAR(*distanceFromLine(slope, {}), 0, 1e-6);
    // Parallel ones as far as two levels of memory are: there is room for the letters.
    EXPECT_NEAR(*distanceFromLine(slope, {slope.translated(0, -14), slope.translated(0, 14)}), 0, 1e-6);
    // Too near for letters between them: beside it, on the free side.
    EXPECT_GT(*distanceFromLine(slope, {slope.translated(0, -5)}), 7);
    EXPECT_FALSE(distanceFromLine(slope, {slope.translated(0, -5), slope.translated(0, 5)}));
    // One that crosses it is avoided along the way, and one that is the same is no other.
    EXPECT_NEAR(*distanceFromLine(slope, {{60, 0, 60, 300}}), 0, 1e-6);
    EXPECT_NEAR(*distanceFromLine(slope, {slope}), 0, 1e-6);
    EXPECT_FALSE(distanceFromLine({0, 280, 60, 250}, {})) << "shorter than the text";
}

TEST(TurnedBox, OverlapsAndIsCrossedAsItIsDrawn) {
    const TurnedBox turned{{0, 46, 100, 10}, -45};  // from (15, 86) to (85, 16)
    const TurnedBox corner{{0, 14, 30, 10}, 0};
    EXPECT_TRUE(corner.box.intersects(turned.corners().boundingRect()));
    EXPECT_FALSE(turned.overlaps(corner)) << "what stands around it says too much";
    EXPECT_FALSE(corner.overlaps(turned));
    EXPECT_TRUE(turned.overlaps({{0, 14, 85, 10}, 0}));
    EXPECT_TRUE(turned.isCrossedBy({0, 51, 100, 51}));
    EXPECT_FALSE(turned.isCrossedBy({0, 5, 100, 5}));
    EXPECT_FALSE(turned.isCrossedBy({0, 51, 40, 51})) << "ends before it";
    EXPECT_TRUE(turned.isCrossedBy({50, 50, 51, 51})) << "lies in it";
    EXPECT_EQ(clipped({-10, 5, 10, 5}, {0, 0, 100, 10}), std::optional(QLineF(0, 5, 10, 5)));
    EXPECT_FALSE(clipped({-10, -5, 10, -5}, {0, 0, 100, 10}));
}

TEST(PlaceSpans, KeepOrderAndDistanceAndDropTheNarrowestFirst) {
    const auto lefts = placeSpans({{0, 200, 60}, {200, 390, 120}, {390, 400, 60}}, 0, 400);
    ASSERT_TRUE(lefts[0] && lefts[1] && lefts[2]);
    EXPECT_DOUBLE_EQ(*lefts[0], 70);
    EXPECT_GE(*lefts[1], *lefts[0] + 60);
    EXPECT_GE(*lefts[2], *lefts[1] + 120);
    EXPECT_LE(*lefts[2] + 60, 400);
    const auto tight = placeSpans({{0, 40, 60}, {40, 90, 60}, {90, 100, 60}}, 0, 100);
    EXPECT_FALSE(tight[2]);
    EXPECT_TRUE(placeSpans({}, 0, 100).isEmpty());
}

}  // namespace
}  // namespace plumb::ui
