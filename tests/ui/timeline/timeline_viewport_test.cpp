// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_viewport.h"

#include "tests/ui/timeline/timeline_scenes.h"
#include "ui/timeline/timeline_painter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace plumb::ui::test {
namespace {

/// A viewport on two micro-batched steps, without a widget.
struct Laid {
    explicit Laid(const QSizeF& size = {1000, 600}) {
        RunConfig config = testConfig(4, 256, 64);
        config.microBatch = 32;
        workbench = timelineWorkbench(config);
        state = makeTimelineState(workbench->scene(), PredictedAt::Op);
        viewport.setState(&state);
        viewport.layOut(size, QFont());
        viewport.window.whole = state.whole;
        viewport.window.fitAll();
    }
    [[nodiscard]] QPointF middleOf(BarPlace place) const {
        const TimelineBar& bar = state.bar(place);
        return {viewport.window.toX((bar.begin + bar.end) / 2), viewport.rowRect(place.row).center().y()};
    }
    std::unique_ptr<Workbench> workbench;
    TimelineState state;
    TimelineViewport viewport;
};

TEST(TimelineViewport, PutsRowsBelowTheRulerOneBelowTheOther) {
    const Laid laid;
    double bottom = laid.viewport.rulerRect().bottom();
    for (std::size_t row = 0; row < laid.state.rows.size(); ++row) {
        const QRectF rect = laid.viewport.rowRect(static_cast<std::int32_t>(row));
        EXPECT_GT(rect.top(), bottom);
        EXPECT_EQ(laid.viewport.rowAt(rect.center().y()), static_cast<std::int32_t>(row));
        EXPECT_EQ(rect.left(), laid.viewport.left());
        EXPECT_EQ(rect.right(), laid.viewport.right());
        bottom = rect.bottom();
    }
    EXPECT_EQ(laid.viewport.rowAt(laid.viewport.rulerRect().center().y()), -1);
    EXPECT_EQ(laid.viewport.rowAt(bottom + 1), -1);
}

// Without its leading digit a size is another one.
TEST(TimelineViewport, HasRoomForTheSizesOfTheMemoryLaneInLettersOfAnySize) {
    Laid laid;
    const auto curve = std::ranges::find(laid.state.rows, TimelineRow::Kind::Curve, &TimelineRow::kind);
    ASSERT_NE(curve, laid.state.rows.end());
    const auto row = static_cast<std::int32_t>(curve - laid.state.rows.begin());
    for (const double points : {8.0, 10.0, 15.0, 20.0}) {
        QFont font;
        font.setPointSizeF(points);
        laid.viewport.layOut({1000, 600}, font);
        const QVector<AxisTick> ticks = bytesTicks(laid.state, laid.viewport.rowRect(row).height());
        ASSERT_GE(ticks.size(), 2);
        for (const AxisTick& tick : ticks)
            EXPECT_LE(QFontMetricsF(font).horizontalAdvance(tick.label), laid.viewport.left() - kScaleGap)
                << tick.label.toStdString() << " at " << points;
    }
}

TEST(TimelineViewport, ScrollsAsFarAsThereAreRows) {
    EXPECT_EQ(Laid({1000, 2000}).viewport.farthestScroll(), 0);
    Laid low({1000, 120});
    ASSERT_GT(low.viewport.farthestScroll(), 0);
    const auto last = static_cast<std::int32_t>(low.state.rows.size()) - 1;
    EXPECT_GT(low.viewport.rowRect(last).bottom(), 120);
    low.viewport.scrollTo(low.viewport.farthestScroll());
    EXPECT_LE(low.viewport.rowRect(last).bottom(), 120);
    low.viewport.scrollTo(low.viewport.scrollOf(last));
    EXPECT_EQ(low.viewport.rowRect(last).top(), low.viewport.rulerRect().bottom());
    EXPECT_EQ(low.viewport.rowAt(low.viewport.rulerRect().bottom() - 1), -1) << "the ruler covers the rows";
}

TEST(TimelineViewport, FindsTheBarUnderAPixelAndNoneBesideIt) {
    Laid laid;
    const BarPlace place{0, 2};
    const TimelineBar& bar = laid.state.bar(place);
    laid.viewport.window.fit(bar.begin, bar.end);
    const auto found = laid.viewport.foldAt(laid.middleOf(place));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->row, place.row);
    EXPECT_EQ(found->fold.first, place.bar);
    EXPECT_EQ(found->fold.count, 1);
    const double y = laid.middleOf(place).y();
    EXPECT_FALSE(laid.viewport.foldAt({laid.viewport.left() - 1, y}).has_value()) << "the labels";
    EXPECT_FALSE(laid.viewport.foldAt({400, laid.viewport.rulerRect().center().y()}).has_value());
    const double gap = laid.viewport.window.toX(bar.end) + 3;
    EXPECT_FALSE(laid.viewport.foldAt({gap, y}).has_value()) << "the gap between two";
}

TEST(TimelineViewport, KeepsTimesWithinTheWhole) {
    const Laid laid;
    EXPECT_EQ(laid.viewport.timeAt(-50), 0);
    EXPECT_EQ(laid.viewport.timeAt(5000), laid.state.whole);
    EXPECT_NEAR(laid.viewport.timeAt(laid.viewport.window.toX(laid.state.whole / 3)), laid.state.whole / 3,
                laid.viewport.window.perPixel());
}

TEST(TimelineViewport, IsEmptyWithoutATimeline) {
    TimelineViewport viewport;
    viewport.layOut({1000, 600}, QFont());
    EXPECT_TRUE(viewport.isEmpty());
    EXPECT_FALSE(viewport.foldAt({500, 300}).has_value());
    EXPECT_EQ(viewport.farthestScroll(), 0);
}

TEST(TimelineRange, ItsDurationStandsBesideTheNamesOfTheSteps) {
    Laid laid;
    const QFontMetricsF metrics{QFont()};
    const std::vector<StepName> names = stepNames(laid.viewport, metrics);
    ASSERT_EQ(names.size(), 2U);
    int moved = 0;
    for (double share = 0; share < 0.9; share += 0.01) {
        const TimeRange range(share * laid.state.whole, (share + 0.1) * laid.state.whole);
        const QRectF label = rangeLabel(laid.viewport, metrics, range);
        for (const StepName& name : names) EXPECT_FALSE(label.intersects(name.box)) << share;
        EXPECT_GE(label.left(), laid.viewport.left());
        EXPECT_LE(label.right(), laid.viewport.right());
        const double middle =
            (laid.viewport.window.toX(range.first) + laid.viewport.window.toX(range.second)) / 2;
        const double off = std::abs(label.center().x() - middle);
        moved += off > 1 ? 1 : 0;
        EXPECT_LT(off, label.width() + names.front().box.width());
    }
    EXPECT_GT(moved, 5) << "else nothing is tested";
    EXPECT_LT(moved, 60) << "it stays in the middle where that is free";
}

TEST(TimelineNeighbour, LeadsAlongTheRowAndToTheNextRowWithBars) {
    const Laid laid;
    const auto last = static_cast<std::int32_t>(laid.state.rows[0].bars.size()) - 1;
    EXPECT_EQ(neighbour(laid.viewport, {}, Qt::Key_Down), (BarPlace{0, 0})) << "the first that is shown";
    EXPECT_EQ(neighbour(laid.viewport, {0, 0}, Qt::Key_Left), (BarPlace{0, 0}));
    EXPECT_EQ(neighbour(laid.viewport, {0, 0}, Qt::Key_Right), (BarPlace{0, 1}));
    EXPECT_EQ(neighbour(laid.viewport, {0, 1}, Qt::Key_End), (BarPlace{0, last}));
    EXPECT_EQ(neighbour(laid.viewport, {0, last}, Qt::Key_Right), (BarPlace{0, last}));
    EXPECT_EQ(neighbour(laid.viewport, {0, last}, Qt::Key_Home), (BarPlace{0, 0}));
    EXPECT_FALSE(neighbour(laid.viewport, {0, 1}, Qt::Key_Up).isValid()) << "there is no row above";
    const BarPlace below = neighbour(laid.viewport, {0, 1}, Qt::Key_Down);
    ASSERT_GT(below.row, 0);
    EXPECT_EQ(neighbour(laid.viewport, below, Qt::Key_Up).row, 0);
}

}  // namespace
}  // namespace plumb::ui::test
