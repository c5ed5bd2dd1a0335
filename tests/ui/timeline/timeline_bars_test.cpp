// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_bars.h"

#include "ui/charts/time_window.h"
#include "ui/charts/within.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace plumb::ui {
namespace {

/// Bars of every width from a nanosecond to a millisecond, some touching.
std::vector<TimelineBar> randomBars(int count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<TimelineBar> bars;
    Seconds now = 0;
    for (int i = 0; i < count; ++i) {
        const double width = std::pow(10, -9 + 6 * static_cast<double>(random() % 1000) / 1000);
        if (random() % 3 == 0) now += width * static_cast<double>(random() % 5);
        bars.push_back({now, now + width, i, -1, static_cast<std::uint8_t>(random() % 6)});
        now += width;
    }
    return bars;
}

TimeWindow windowOn(const std::vector<TimelineBar>& bars, double width = 1000) {
    TimeWindow window{.whole = bars.back().end, .left = 100, .width = width};
    window.fitAll();
    return window;
}

TEST(BarFolding, ShowsEveryBarOnceAndConservesTheirTimeWhateverTheZoom) {
    const BarRow row(randomBars(20'000, 1));
    TimeWindow window = windowOn(row.bars());
    std::mt19937 random(2);
    for (int round = 0; round < 200; ++round) {
        std::vector<FoldedBar> folded;
        row.fold(window, folded);
        const auto [first, last] = row.within(window.from, window.to);
        auto next = static_cast<std::int32_t>(first);
        Seconds busy = 0;
        for (const FoldedBar& fold : folded) {
            ASSERT_EQ(fold.first, next);
            next += fold.count;
            ASSERT_LE(fold.begin, fold.end);
            busy += fold.busy * (fold.end - fold.begin);
        }
        EXPECT_EQ(next, static_cast<std::int32_t>(last));
        EXPECT_NEAR(busy, row.busy(first, last), 1e-12 + 1e-9 * busy);
        // At most a fold and a wide bar for each of the least widths.
        EXPECT_LE(static_cast<double>(folded.size()), 2 * window.width / BarRow::kLeastPixels + 3);
        window.zoom(0.5 + static_cast<double>(random() % 300) / 100,
                    100 + static_cast<double>(random() % 1000));
    }
}

TEST(BarFolding, PanningDoesNotChangeWhatIsFoldedInside) {
    const BarRow row(randomBars(5000, 3));
    TimeWindow window = windowOn(row.bars());
    window.zoom(4, 600);
    std::vector<FoldedBar> before, after;
    row.fold(window, before);
    window.pan(37.3);
    row.fold(window, after);
    std::set<std::pair<std::int32_t, std::int32_t>> folds;
    for (const FoldedBar& fold : before) folds.insert({fold.first, fold.count});
    int common = 0;
    for (std::size_t i = 1; i + 60 < after.size(); ++i)
        common += folds.contains({after[i].first, after[i].count}) ? 1 : 0;
    EXPECT_EQ(common, static_cast<int>(after.size()) - 61);
}

TEST(BarFolding, WideBarsStayOnTheirOwn) {
    std::vector<TimelineBar> bars;
    for (int i = 0; i < 50; ++i) bars.push_back({i * 1e-9, (i + 1) * 1e-9, i, -1, 0});
    bars.push_back({50e-9, 1, 50, -1, 3});
    const BarRow row(bars);
    std::vector<FoldedBar> folded;
    row.fold(windowOn(bars), folded);
    ASSERT_EQ(folded.size(), 2U);
    EXPECT_EQ(folded[0].count, 50);
    EXPECT_NEAR(folded[0].busy, 1, 1e-9);
    EXPECT_EQ(folded[1].count, 1);
    EXPECT_EQ(folded[1].group, 3);
}

TEST(BarRow, FindsWhatReachesIntoAStretchAsALoopWould) {
    const BarRow row(randomBars(500, 5));
    std::mt19937 random(6);
    const Seconds end = row.bars().back().end;
    for (int round = 0; round < 500; ++round) {
        Seconds from = end * static_cast<double>(random() % 1000) / 999,
                to = end * static_cast<double>(random() % 1000) / 999;
        if (from > to) std::swap(from, to);
        const auto [first, last] = row.within(from, to);
        std::size_t count = 0;
        Seconds busy = 0;
        for (const TimelineBar& bar : row.bars())
            if (bar.end > from && bar.begin < to) {
                ++count;
                busy += bar.end - bar.begin;
            }
        EXPECT_EQ(last - first, count);
        EXPECT_NEAR(row.busy(first, last), busy, 1e-12);
    }
    EXPECT_EQ(BarRow().nearest(1), -1);
    EXPECT_EQ(row.nearest(-1), 0);
    EXPECT_EQ(row.nearest(2 * end), 499);
}

TEST(PackRows, NoTwoBarsOfARowOverlapAndNoneIsLost) {
    std::mt19937 random(7);
    std::vector<TimelineBar> bars;
    for (int i = 0; i < 1000; ++i) {
        const double begin = static_cast<double>(random() % 100'000) * 1e-6;
        bars.push_back({begin, begin + static_cast<double>(random() % 3000) * 1e-6, i, -1, 0});
    }
    std::ranges::sort(bars, {}, &TimelineBar::begin);
    for (const std::size_t most : {1U, 3U, 1000U}) {
        std::set<std::int32_t> seen;
        const std::vector<BarRow> rows = packRows(bars, most);
        EXPECT_LE(rows.size(), most);
        for (const BarRow& row : rows)
            for (std::size_t i = 0; i < row.size(); ++i) {
                EXPECT_TRUE(seen.insert(row.bars()[i].record).second);
                if (i > 0) {
                    EXPECT_GE(row.bars()[i].begin, row.bars()[i - 1].end);
                }
            }
        EXPECT_EQ(seen.size(), bars.size());
    }
    EXPECT_TRUE(packRows({}, 3).empty());
}

TEST(FoldedCurve, KeepsThePeaksOfEveryPixelColumnAndBothEnds) {
    std::mt19937 random(8);
    std::vector<CurvePoint> points;
    for (int i = 0; i < 50'000; ++i) points.push_back({i * 1e-6, static_cast<double>(random() % 1000)});
    points[31'337].value = 5000;
    TimeWindow window;
    window.whole = 0.05;
    window.width = 800;
    window.fitAll();
    const QPolygonF line = foldCurve(points, window, 0.05, 5000, 0, 100);
    EXPECT_LT(line.size(), 4 * 800 + 4);
    double top = 1e9;
    double x = -1e9;
    for (const QPointF& point : line) {
        top = std::min(top, point.y());
        EXPECT_GE(point.x(), x);
        x = point.x();
    }
    EXPECT_NEAR(top, 0, 1e-9);
    EXPECT_NEAR(line.last().x(), window.toX(0.05), 1e-6);
    EXPECT_EQ(curveAt(points, -1), 0);
    EXPECT_EQ(curveAt(points, 31'337.5e-6), 5000);
    EXPECT_TRUE(foldCurve({}, window, 1, 1, 0, 1).isEmpty());
}

TEST(TimeWindow, AnyLengthFitsExactlyWhateverItsRounding) {
    std::mt19937 random(4);
    for (int round = 0; round < 2000; ++round) {
        TimeWindow window;
        window.whole = std::pow(10, -7 + 10 * static_cast<double>(random()) / 4294967296.0);
        window.fitAll();
        EXPECT_TRUE(window.showsAll()) << window.whole;
        EXPECT_NEAR(window.from, -window.whole * TimeWindow::kMargin, 1e-12 * window.whole);
        EXPECT_NEAR(window.to, window.whole * (1 + TimeWindow::kMargin), 1e-12 * window.whole);
    }
}

TEST(Within, TakesTheLowerLimitWhereTheLimitsCross) {
    EXPECT_EQ(within(5, 0, 3), 3);
    EXPECT_EQ(within(-5, 0, 3), 0);
    EXPECT_EQ(within(2, 0, 3), 2);
    EXPECT_EQ(within(5, 0, -1), 0);
    EXPECT_EQ(within(-5, 0, -1), 0);
}

TEST(TimeWindow, ZoomKeepsTheTimeUnderThePointerAndStaysInBounds) {
    std::mt19937 random(9);
    TimeWindow window{.whole = 0.25, .left = 120, .width = 900};
    window.fitAll();
    EXPECT_TRUE(window.showsAll());
    for (int round = 0; round < 2000; ++round) {
        const double x = 120 + static_cast<double>(random() % 900);
        const Seconds before = window.toTime(x);
        const Seconds span = window.span();
        window.zoom(random() % 2 == 0 ? 1.7 : 0.6, x);
        EXPECT_GE(window.span(), TimeWindow::kLeast * 0.999);
        EXPECT_GE(window.from, -0.25 * TimeWindow::kMargin - 1e-12);
        EXPECT_LE(window.to, 0.25 * (1 + TimeWindow::kMargin) + 1e-12);
        const bool atEdge = window.from <= -0.25 * TimeWindow::kMargin + 1e-12 ||
                            window.to >= 0.25 * (1 + TimeWindow::kMargin) - 1e-12;
        if (!atEdge && window.span() != span) {
            EXPECT_NEAR(window.toTime(x), before, 1e-9 * window.whole + 1e-3 * window.perPixel());
        }
        window.pan(static_cast<double>(random() % 200) - 100);
        EXPECT_NEAR(window.toX(window.toTime(x)), x, 1e-3);
    }
}

TEST(TimeWindow, ShowsWhatIsAskedForWithoutChangingTheZoomWhereItFits) {
    TimeWindow window;
    window.whole = 1;
    window.width = 1000;
    window.fit(0.1, 0.2);
    const Seconds span = window.span();
    window.show(0.15, 0.16);
    EXPECT_NEAR(window.from, 0.1 - 0.008, 1e-12);
    window.show(0.7, 0.71);
    EXPECT_NEAR(window.span(), span, 1e-12);
    EXPECT_LE(window.from, 0.7);
    EXPECT_GE(window.to, 0.71);
    window.show(0.2, 0.9);
    EXPECT_LE(window.from, 0.2);
    EXPECT_GE(window.to, 0.9);
}

TEST(TimeTicks, AreRoundInOrderAndTellApartAtEveryZoom) {
    for (const double from : {0.0, 1.2345678, 3e-5})
        for (double span = 2; span > 1e-8; span /= 3) {
            const QVector<AxisTick> ticks = timeTicks(from, from + span, 8);
            EXPECT_GE(ticks.size(), 2) << span;
            EXPECT_LE(ticks.size(), 10) << span;
            std::set<QString> labels;
            for (const AxisTick& tick : ticks) {
                EXPECT_GE(tick.value, from - 1e-15);
                EXPECT_LE(tick.value, from + span + 1e-15);
                EXPECT_TRUE(labels.insert(tick.label).second) << tick.label.toStdString();
            }
        }
    EXPECT_EQ(timeTicks(0, 0.01, 5)[1].label, QStringLiteral("2 ms"));
    EXPECT_EQ(timeTicks(1.5, 1.5 + 4e-6, 4)[1].label, QStringLiteral("1.500001 s"));
}

TEST(ExactTime, IsToTheNanosecond) {
    EXPECT_EQ(exactTime(0.012345678), QStringLiteral("12.345678 ms"));
    EXPECT_EQ(exactTime(1.5), QStringLiteral("1.5 s"));
    EXPECT_EQ(exactTime(640e-9), QStringLiteral("640 ns"));
    EXPECT_EQ(exactTime(0), QStringLiteral("0 ns"));
    EXPECT_EQ(exactTime(2e-6), QStringLiteral("2 µs"));
}

}  // namespace
}  // namespace plumb::ui
