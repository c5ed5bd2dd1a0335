// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of a training are zoomed together, and stay where they are while it goes on.
#include "ui/training/training_zoom.h"

#include "tests/ui/operations/operations_support.h"
#include "tests/ui/support.h"
#include "ui/charts/chart_panel.h"
#include "ui/theme/theme.h"
#include "ui/training/training_view.h"

#include <QAbstractScrollArea>
#include <QPushButton>
#include <QTest>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include <cmath>

namespace plumb::ui::test {
namespace {

struct ZoomedTraining {
    ZoomedTraining() {
        view.resize(900, 640);
        workbench->runs().beginRun(testConfig(), 0);
        add(0, 2000);
        view.show();
        view.refresh();
        loss = child<ChartPanel>(view, "lossChart");
        norm = child<ChartPanel>(view, "gradientNormChart");
    }
    void add(std::int64_t first, std::int64_t count) {
        std::vector<StepMetrics> points;
        for (std::int64_t i = first; i < first + count; ++i) {
            StepMetrics point{i, 0.01 + 10 * std::exp(-static_cast<double>(i) / 300),
                              static_cast<double>(i) * 0.01};
            point.gradientNorm = 1 + static_cast<double>(i) / 100;
            points.push_back(point);
        }
        workbench->runs().addLosses(points, first + count, 100);
    }
    static void wheel(ChartPanel& chart, double share, int notches) {
        const QRectF plot = chart.plotRect();
        QWidget* const viewport = child<QAbstractScrollArea>(chart, "chartCanvas")->viewport();
        const QPointF at(plot.left() + share * plot.width(), plot.center().y());
        QWheelEvent event(at, viewport->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(viewport, &event);
    }
    /// The steps between which a chart is shown.
    static std::pair<double, double> shown(const ChartPanel& chart) {
        const QRectF plot = chart.plotRect();
        return {chart.toData(plot.topLeft()).x(), chart.toData(plot.topRight()).x()};
    }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    std::unique_ptr<Workbench> workbench = testWorkbench(testConfig());
    TrainingView view{{*workbench, theme}, ViewSize::Full};
    ChartPanel* loss = nullptr;
    ChartPanel* norm = nullptr;
};

TEST(TrainingZoom, OneWheelZoomsAllCharts) {
    ZoomedTraining f;
    const auto whole = ZoomedTraining::shown(*f.loss);
    const double highest = f.loss->axis(ChartAxis::Y).max;
    auto* const showAll = child<QPushButton>(f.view, "trainingShowAll");
    EXPECT_FALSE(showAll->isVisible());
    ZoomedTraining::wheel(*f.loss, 0.75, 6);
    f.view.refresh();
    const auto [from, to] = ZoomedTraining::shown(*f.loss);
    EXPECT_GT(from, whole.first + 500);
    EXPECT_LT(to, whole.second);
    const auto below = ZoomedTraining::shown(*f.norm);
    EXPECT_NEAR(below.first, from, 1e-6 * whole.second);
    EXPECT_NEAR(below.second, to, 1e-6 * whole.second);
    EXPECT_LT(f.loss->axis(ChartAxis::Y).max, highest / 2) << "the axis shows what lies in the stretch";
    EXPECT_TRUE(showAll->isVisible());
    // The other way round, from a chart below.
    ZoomedTraining::wheel(*f.norm, 0.5, 3);
    f.view.refresh();
    const auto closer = ZoomedTraining::shown(*f.loss);
    EXPECT_LT(closer.second - closer.first, to - from);
    QTest::mouseClick(showAll, Qt::LeftButton);
    f.view.refresh();
    EXPECT_EQ(ZoomedTraining::shown(*f.loss), whole);
    EXPECT_EQ(ZoomedTraining::shown(*f.norm), whole);
    EXPECT_EQ(f.loss->axis(ChartAxis::Y).max, highest);
    EXPECT_FALSE(showAll->isVisible());
}

TEST(TrainingZoom, StaysAtItsStepsWhileTheRunGoesOn) {
    ZoomedTraining f;
    ZoomedTraining::wheel(*f.loss, 0.5, 8);
    f.view.refresh();
    const auto before = ZoomedTraining::shown(*f.loss);
    f.add(2000, 7000);
    f.view.refresh();
    EXPECT_GT(f.loss->axis(ChartAxis::X).max, 8000) << "the axis has grown";
    const auto after = ZoomedTraining::shown(*f.loss);
    EXPECT_NEAR(after.first, before.first, 1);
    EXPECT_NEAR(after.second, before.second, 1);
}

TEST(TrainingZoom, HasWholeStepsHoweverDeep) {
    ZoomedTraining f;
    for (const int notches : {0, 10, 10, 10, 10, 10}) {
        if (notches > 0) ZoomedTraining::wheel(*f.loss, 0.4, notches);
        f.view.refresh();
        QStringList seen;
        for (const auto& tick :
             f.norm->isVisible() ? f.norm->tickLabels(ChartAxis::X) : f.loss->tickLabels(ChartAxis::X)) {
            EXPECT_FALSE(seen.contains(tick.text)) << tick.text.toStdString() << " stands twice";
            seen << tick.text;
        }
    }
    const auto [from, to] = ZoomedTraining::shown(*f.loss);
    EXPECT_LT(to - from, 4) << "as deep as it goes";
    for (const auto& text : f.norm->tickLabels(ChartAxis::X))
        EXPECT_FALSE(text.text.contains(QLatin1Char('.')) && !text.text.contains(QLatin1Char('k')))
            << text.text.toStdString();
}

TEST(TrainingZoom, IsOfStepsOrOfSecondsAndNotOfBoth) {
    ZoomedTraining f;
    ZoomedTraining::wheel(*f.loss, 0.5, 5);
    f.view.refresh();
    TrainingOptions options = f.view.options();
    options.axis = TrainingOptions::Axis::Seconds;
    f.view.setOptions(options);
    f.view.refresh();
    const auto [from, to] = ZoomedTraining::shown(*f.loss);
    EXPECT_EQ(from, f.loss->axis(ChartAxis::X).min);
    EXPECT_EQ(to, f.loss->axis(ChartAxis::X).max);
}

TEST(TrainingZoom, KeepsALineThatReachesTheEdges) {
    const QVector<QPointF> line{{0, 1}, {10, 2}, {20, 3}, {30, 4}, {40, 5}};
    EXPECT_EQ(pointsInside(line, std::nullopt), line);
    EXPECT_EQ(pointsInside(line, std::pair(12.0, 25.0)), (QVector<QPointF>{{10, 2}, {20, 3}, {30, 4}}));
    EXPECT_EQ(pointsInside(line, std::pair(-5.0, 3.0)), (QVector<QPointF>{{0, 1}, {10, 2}}));
    EXPECT_EQ(positiveInside(line, std::pair(12.0, 35.0)), std::pair(3.0, 4.0));
    EXPECT_EQ(positiveInside({{1, -1}, {2, std::nan("")}}, std::nullopt), std::nullopt);
}

}  // namespace
}  // namespace plumb::ui::test
