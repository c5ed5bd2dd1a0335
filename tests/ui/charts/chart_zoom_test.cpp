// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_zoom.h"

#include "tests/ui/charts/move_to.h"
#include "tests/ui/support.h"
#include "ui/charts/chart_panel.h"
#include "ui/theme/theme.h"

#include <QAbstractScrollArea>
#include <QSignalSpy>

namespace plumb::ui::test {
namespace {

class ChartZoomTest : public ::testing::Test {
protected:
    ChartZoomTest() {
        chart.resize(600, 400);
        chart.setAxis(ChartAxis::X, {{}, {}, false, 0, 100, true});
        // With room for any label, so that the plot stays where it is.
        chart.setAxis(ChartAxis::Y, {{}, {}, true, 1, 1e6, true, QStringLiteral("100 000 000")});
        chart.show();
    }
    QWidget& surface() { return *child<QAbstractScrollArea>(chart, "chartCanvas")->viewport(); }
    QPointF at(double x, double y) { return chart.toPixel({x, y}); }
    void wheel(const QPointF& pixel, int notches, Qt::KeyboardModifiers modifiers = {}) {
        wasTaken = wheelOn(surface(), pixel, notches, modifiers);
    }
    void drag(const QPointF& from, const QPointF& to, Qt::KeyboardModifiers modifiers = {}) {
        dragOn(surface(), from, to, modifiers);
    }
    /// Data at the ends of the plot.
    std::pair<double, double> shownX() {
        return {chart.toData(chart.plotRect().bottomLeft()).x(),
                chart.toData(chart.plotRect().topRight()).x()};
    }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    ChartPanel chart{theme};
    bool wasTaken = false;
};

TEST_F(ChartZoomTest, TheWheelKeepsWhatIsUnderThePointerOnBothAxesOfAnyScale) {
    ChartZoom zoom(chart, ChartZoom::Axes::Both);
    const QPointF pixel = at(30, 1e2);
    wheel(pixel, 4);
    EXPECT_TRUE(zoom.isZoomed());
    EXPECT_NEAR(chart.toData(pixel).x(), 30, 1e-6);
    EXPECT_NEAR(chart.toData(pixel).y(), 1e2, 1e-6);
    EXPECT_NEAR(shownX().second - shownX().first, 100 / std::pow(1.2, 4), 1e-6);
    EXPECT_EQ(chart.axis(ChartAxis::X).max, 100) << "the whole stays what the view said";
    wheel(pixel, -40);
    EXPECT_FALSE(zoom.isZoomed());
    EXPECT_NEAR(shownX().first, 0, 1e-9);
}

TEST_F(ChartZoomTest, LeavesTheWheelToThePageWhereItHasNothingToDo) {
    ChartZoom zoom(chart, ChartZoom::Axes::X);
    wheel(at(50, 10), -1);
    EXPECT_FALSE(zoom.isZoomed());
    EXPECT_FALSE(wasTaken);
}

TEST_F(ChartZoomTest, DragsPanClicksAreStillClicksAndADoubleClickShowsAll) {
    ChartZoom zoom(chart, ChartZoom::Axes::X);
    const QSignalSpy clicked(&chart, &ChartPanel::clicked);
    zoom.zoom(4);
    const double grabbed = chart.toData({300, 200}).x();
    drag({300, 200}, {340, 200});
    EXPECT_NEAR(chart.toData({340, 200}).x(), grabbed, 1e-6);
    EXPECT_TRUE(clicked.isEmpty());
    QTest::mouseClick(&surface(), Qt::LeftButton, {}, {300, 200});
    EXPECT_EQ(clicked.size(), 1);
    QTest::mouseDClick(&surface(), Qt::LeftButton, {}, {300, 200});
    EXPECT_FALSE(zoom.isZoomed());
}

TEST_F(ChartZoomTest, StopsAtTheLeastPartAndNearTheEnds) {
    ChartZoom zoom(chart, ChartZoom::Axes::X, 0.1);
    for (int i = 0; i < 50; ++i) zoom.zoom(1.5, at(90, 10));
    EXPECT_NEAR(shownX().second - shownX().first, 10, 1e-6);
    for (int i = 0; i < 50; ++i) zoom.pan({500, 0});
    EXPECT_LE(shownX().second, 100 * (1 + TimeWindow::kMargin) + 1e-6);
    EXPECT_NEAR(shownX().second - shownX().first, 10, 1e-6);
}

TEST_F(ChartZoomTest, HasAKeyForEachMoveAndBringsWhatIsSelectedIntoView) {
    ChartZoom zoom(chart, ChartZoom::Axes::X);
    QTest::keyClick(&chart, Qt::Key_Plus);
    QTest::keyClick(&chart, Qt::Key_W);
    const auto before = shownX();
    EXPECT_NEAR(before.second - before.first, 100 / 2.25, 1e-6);
    QTest::keyClick(&chart, Qt::Key_D);
    EXPECT_GT(shownX().first, before.first);
    QTest::keyClick(&chart, Qt::Key_A);
    EXPECT_NEAR(shownX().first, before.first, 1e-6);
    zoom.show(99, 100);
    EXPECT_GE(shownX().second, 100 - 1e-6);
    QTest::keyClick(&chart, Qt::Key_Minus);
    QTest::keyClick(&chart, Qt::Key_0);
    EXPECT_FALSE(zoom.isZoomed());
}

TEST_F(ChartZoomTest, DrawsRangesOnlyWhereTheyAreAskedFor) {
    ChartZoom zoom(chart, ChartZoom::Axes::X);
    QSignalSpy drawn(&zoom, &ChartZoom::rangeDrawn);
    drag(at(20, 10), at(60, 10), Qt::ShiftModifier);
    EXPECT_TRUE(drawn.isEmpty());
    zoom.setDrawsRanges();
    const QSignalSpy none(&zoom, &ChartZoom::rangeClicked);
    drag(at(20, 10), at(60, 10), Qt::ShiftModifier);
    ASSERT_FALSE(drawn.isEmpty());
    EXPECT_NEAR(drawn.last().at(0).toDouble(), 20, 0.5);
    EXPECT_NEAR(drawn.last().at(1).toDouble(), 60, 0.5);
    drag(at(20, 10), at(20, 10), Qt::ShiftModifier);
    EXPECT_EQ(none.size(), 1);
}

TEST_F(ChartZoomTest, DrawsBoxesOfBothAxesThatEndWithThePlot) {
    ChartZoom zoom(chart, ChartZoom::Axes::Both);
    zoom.setDrawsBoxes();
    QSignalSpy drawn(&zoom, &ChartZoom::boxDrawn);
    const QSignalSpy ranges(&zoom, &ChartZoom::rangeDrawn);
    const QImage before = chart.toImage(1);
    const QPointF corner = chart.plotRect().bottomRight();
    drag(at(60, 1e3), corner + QPointF(500, 500), Qt::ShiftModifier);
    ASSERT_FALSE(drawn.isEmpty());
    EXPECT_EQ(drawn.last().at(0).toRectF(), QRectF(at(60, 1e3), corner));
    EXPECT_TRUE(ranges.isEmpty());
    EXPECT_FALSE(zoom.isZoomed());
    EXPECT_EQ(chart.toImage(1), before) << "it is seen while it is drawn";
}

TEST_F(ChartZoomTest, TheStripBesideThePlotLeadsElsewhere) {
    ChartZoom zoom(chart, ChartZoom::Axes::X);
    zoom.zoom(10);
    const QRectF plot = chart.plotRect();
    QTest::mouseClick(&surface(), Qt::LeftButton, {}, QPoint(static_cast<int>(plot.right()) - 2, 3));
    EXPECT_GT(shownX().first, 85);
}

TEST_F(ChartZoomTest, KeepsTextsInThePlotAndLeavesOutWhatIsNotSeen) {
    ChartZoom zoom(chart, ChartZoom::Axes::X);
    chart.setMarker(QStringLiteral("far"), {5, 100, QStringLiteral("far"), ColorRole::Accent});
    chart.setBands({{0, 50, QStringLiteral("first"), 0}, {50, 100, QStringLiteral("second"), 0}});
    EXPECT_EQ(chart.placedLabels().size(), 1);
    zoom.zoom(8, at(95, 100));
    EXPECT_TRUE(chart.placedLabels().isEmpty());
    bool hasFirst = false, hasSecond = false;
    for (const auto& text : chart.tickLabels(ChartAxis::X)) {
        hasFirst = hasFirst || text.text == QStringLiteral("first");
        hasSecond = hasSecond || text.text == QStringLiteral("second");
        EXPECT_TRUE(QRectF(chart.rect()).contains(text.box)) << text.text.toStdString();
    }
    EXPECT_TRUE(hasSecond && !hasFirst);
}

}  // namespace
}  // namespace plumb::ui::test
