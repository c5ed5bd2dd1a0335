// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/charts/chart_scenes.h"
#include "tests/ui/charts/move_to.h"
#include "tests/ui/support.h"
#include "ui/charts/chart_panel.h"
#include "ui/theme/theme.h"
#include "ui/workbench/view.h"

#include <QAbstractScrollArea>
#include <QTest>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace plumb::ui::test {

/// What the views call an op of the plan.
inline QString idOf(const StepPlan& plan, std::int64_t op) {
    return QString::fromStdString(opId(plan.op(op)));
}

/// A workbench with eight layers on the machine with round ceilings, and a view of it with one chart, made
/// and shown at the size of a card or of a tab.
template <class View>
class ChartViewTest : public ::testing::Test {
protected:
    explicit ChartViewTest(const char* chartName) : m_chartName(chartName) {
        EXPECT_TRUE(workbench.show({roundMachine(), cpuTraits()}).has_value());
        EXPECT_TRUE(workbench.show(deepConfig(8)).has_value());
    }
    View& make(ViewSize size) {
        view = std::make_unique<View>(ViewContext{workbench, theme}, size);
        view->resize(size == ViewSize::Full ? QSize(1100, 760) : QSize(560, 360));
        view->show();
        return *view;
    }
    ChartPanel& chart() { return *child<ChartPanel>(*view, m_chartName); }
    QWidget& canvas() { return *child<QAbstractScrollArea>(chart(), "chartCanvas")->viewport(); }

    void drag(const QPointF& from, const QPointF& to, Qt::KeyboardModifiers modifiers = {}) {
        dragOn(canvas(), from, to, modifiers);
    }
    /// Goes through all that zooms and pans the chart of the full view; `both`: along both axes. `showAll` is
    /// the view's button for it.
    void expectZoomByHand(const QWidget& showAll, bool both) {
        // Other tick labels move the sides of the plot a little, and a legend of more lines its lower one.
        constexpr double kNear = 0.01, kPixels = 3;
        const QRectF plot = chart().plotRect();
        const QPointF low = chart().toData(plot.bottomLeft()), high = chart().toData(plot.topRight());
        // How often as large as at first, along either axis.
        const auto zoom = [&] {
            const QPointF from = chart().toPixel(low), to = chart().toPixel(high);
            return QPointF((to.x() - from.x()) / plot.width(), (from.y() - to.y()) / plot.height());
        };
        const auto expectZoom = [&](double by) {
            EXPECT_NEAR(zoom().x(), by, kNear * by);
            if (both) EXPECT_NEAR(zoom().y(), by, kNear * by);
            EXPECT_EQ(showAll.isVisible(), by > 1);
        };
        const auto isAt = [&](const QPointF& data, const QPointF& pixel) {
            const QPointF away = chart().toPixel(data) - pixel;
            return std::abs(away.x()) < kPixels && (!both || std::abs(away.y()) < kPixels);
        };
        expectZoom(1);
        EXPECT_FALSE(wheelOn(canvas(), plot.center(), -1)) << "a page around it may scroll";
        const QPointF place = plot.topLeft() + QPointF(0.3 * plot.width(), 0.4 * plot.height());
        const QPointF under = chart().toData(place);
        EXPECT_TRUE(wheelOn(canvas(), place, 4));
        expectZoom(std::pow(1.2, 4));
        EXPECT_TRUE(isAt(under, place)) << "it stays under the pointer";

        drag(place, place + QPointF(30, 20));
        EXPECT_TRUE(isAt(under, place + QPointF(30, 20))) << "what was grabbed goes with the pointer";
        EXPECT_TRUE(wheelOn(canvas(), place, 1, Qt::ShiftModifier));
        expectZoom(std::pow(1.2, 4));

        // The strip above the plot, and the one at its right.
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, QPointF(plot.right() - 2, 3).toPoint());
        EXPECT_NEAR(chart().toPixel(high).x(), plot.right(), 0.05 * plot.width());
        if (both) {
            QTest::mouseClick(&canvas(), Qt::LeftButton, {},
                              QPointF(plot.right() + 6, plot.top() + 2).toPoint());
            EXPECT_NEAR(chart().toPixel(high).y(), plot.top(), 0.05 * plot.height());
        }
        QTest::mouseDClick(&canvas(), Qt::LeftButton, {}, place.toPoint());
        expectZoom(1);

        moveTo(canvas(), plot.center());
        QTest::keyClick(&chart(), Qt::Key_W);
        QTest::keyClick(&chart(), Qt::Key_Plus);
        expectZoom(2.25);
        const double before = chart().toPixel(under).x();
        QTest::keyClick(&chart(), Qt::Key_D);
        EXPECT_LT(chart().toPixel(under).x(), before);
        QTest::keyClick(&chart(), Qt::Key_A);
        EXPECT_NEAR(chart().toPixel(under).x(), before, kPixels);
        QTest::keyClick(&chart(), Qt::Key_S);
        expectZoom(1.5);
        view->refresh();
        expectZoom(1.5);
        QTest::keyClick(&chart(), Qt::Key_0);
        expectZoom(1);
    }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    Workbench workbench;
    std::unique_ptr<View> view;

private:
    const char* m_chartName;
};

}  // namespace plumb::ui::test
