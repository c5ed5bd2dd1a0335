// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of a training are zoomed together, and stay where they are while it goes on.
#include "ui/training/training_zoom.h"

#include "tests/ui/charts/move_to.h"
#include "tests/ui/operations/operations_support.h"
#include "tests/ui/support.h"
#include "ui/charts/chart_panel.h"
#include "ui/theme/theme.h"
#include "ui/training/runs_page.h"
#include "ui/training/training_view.h"

#include <QAbstractScrollArea>
#include <QLabel>
#include <QPushButton>
#include <QTest>

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
        wheelOn(canvas(chart), placeOf(chart, share), notches);
    }
    static QWidget& canvas(ChartPanel& chart) {
        return *child<QAbstractScrollArea>(chart, "chartCanvas")->viewport();
    }
    static QPointF placeOf(const ChartPanel& chart, double share) {
        const QRectF plot = chart.plotRect();
        return {plot.left() + share * plot.width(), plot.center().y()};
    }
    void mark(ChartPanel& chart, double from, double to) {
        const double y = chart.plotRect().center().y();
        dragOn(canvas(chart), {chart.toPixel({from, 1}).x(), y}, {chart.toPixel({to, 1}).x(), y},
               Qt::ShiftModifier);
        view.refresh();
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

TEST(TrainingZoom, StepsThatAreMarkedInOneChartAreMarkedInAllAndSaidInFigures) {
    ZoomedTraining f;
    auto* const says = child<QLabel>(f.view, "trainingStretch");
    auto* const clear = child<QPushButton>(f.view, "trainingClearRange");
    EXPECT_FALSE(says->isVisible());
    f.mark(*f.norm, 900, 300);
    EXPECT_TRUE(says->isVisible() && clear->isVisible());
    const auto figures = figuresOf(*f.workbench->runs().all().back(), {std::pair(300.0, 900.0)});
    ASSERT_TRUE(figures.has_value());
    EXPECT_NEAR(static_cast<double>(figures->firstStep), 301, 8) << "as far as a pixel goes";
    EXPECT_NEAR(static_cast<double>(figures->lastStep), 901, 8);
    EXPECT_NEAR(*figures->stepsPerSecond, 100, 1e-6) << "a step takes 10 ms";
    EXPECT_NEAR(*figures->meanLoss, 0.01 + 10 * (std::exp(-1) - std::exp(-3)) / 2, 0.02)
        << "of all losses, not of those that are drawn";
    EXPECT_EQ(figures->lowestLoss, figures->lastLoss) << "it falls";
    EXPECT_TRUE(says->text().startsWith(QStringLiteral("Steps "))) << says->text().toStdString();
    EXPECT_TRUE(says->text().contains(QStringLiteral("100 steps/s"))) << says->text().toStdString();
    // The charts are lower now, by the line that says so.
    QCoreApplication::processEvents();
    f.view.refresh();
    const QImage before = f.loss->toImage(1);
    f.mark(*f.norm, 300, 600);
    EXPECT_EQ(f.loss->toImage(1).size(), before.size());
    EXPECT_NE(f.loss->toImage(1), before) << "in the other chart too";
    QTest::mouseClick(clear, Qt::LeftButton);
    f.view.refresh();
    EXPECT_FALSE(says->isVisible());
}

TEST(TrainingZoom, MarksByKeysAndLetsGoByEscape) {
    ZoomedTraining f;
    auto* const says = child<QLabel>(f.view, "trainingStretch");
    for (int i = 0; i < 2; ++i) QTest::keyClick(f.loss, Qt::Key_Home);
    for (int i = 0; i < 5; ++i) QTest::keyClick(f.loss, Qt::Key_Right, Qt::ShiftModifier);
    f.view.refresh();
    EXPECT_TRUE(says->text().startsWith(QStringLiteral("Steps 1 to 101 "))) << says->text().toStdString();
    QTest::keyClick(f.loss, Qt::Key_Left, Qt::ShiftModifier);
    f.view.refresh();
    EXPECT_TRUE(says->text().startsWith(QStringLiteral("Steps 1 to 81 "))) << says->text().toStdString();
    QTest::keyClick(f.loss, Qt::Key_Escape);  // and no Shift that is held down for the tests after this
    f.view.refresh();
    EXPECT_FALSE(says->isVisible());
    QTest::keyClick(f.loss, Qt::Key_M);
    f.view.refresh();
    EXPECT_TRUE(says->text().startsWith(QStringLiteral("Steps 1 to 2"))) << "what is in sight";
    // Steps are no seconds.
    f.view.setOptions({.axis = TrainingOptions::Axis::Seconds});
    f.view.refresh();
    EXPECT_FALSE(says->isVisible());
}

TEST(TrainingZoom, MarkedStepsAreThoseOfTheTableOfRuns) {
    ZoomedTraining f;
    f.workbench->runs().endRun(TrainingEnd::Finished, QStringLiteral("finished"));
    f.workbench->runs().beginRun(testConfig(), 0);
    f.add(0, 500);
    f.view.refresh();
    f.mark(*f.loss, 100, 200);
    f.view.showPage(TrainingView::Page::Runs);
    const RunsModel& model = child<RunsPage>(f.view, "runsPage")->model();
    ASSERT_EQ(model.rowCount(), 2);
    for (int row = 0; row < 2; ++row) {
        EXPECT_NEAR(static_cast<double>(model.row(row).steps), 101, 4);
        EXPECT_NEAR(*model.row(row).loss, 0.01 + 10 * std::exp(-200.0 / 300), 0.2);
        EXPECT_NEAR(*model.row(row).rate, 100, 1e-6);
    }
    QTest::mouseClick(child<QPushButton>(f.view, "trainingClearRange"), Qt::LeftButton);
    f.view.refresh();
    EXPECT_EQ(model.row(0).steps, 500);
    EXPECT_EQ(model.row(1).steps, 2000);
}

TEST(TrainingZoom, MarkedStepsDoNotNarrowCountsOfTheWholeRunAndThatIsSaid) {
    ZoomedTraining f;
    RunConfig config = testConfig();
    config.precision = Precision::Fp16;
    f.workbench->runs().beginRun(config, 0);
    f.add(0, 100);
    f.workbench->runs().addStatistics({3, {{TensorRole::Weight, 1, 0.1, 0.2, 1, 2}}, 4});
    f.view.refresh();
    f.view.showPage(TrainingView::Page::Layers);
    auto* const note = child<QLabel>(f.view, "rangesNote");
    const QString words = QStringLiteral("over the whole run");
    EXPECT_FALSE(note->text().contains(words));
    f.view.showPage(TrainingView::Page::Curves);
    f.mark(*f.loss, 10, 40);
    f.view.showPage(TrainingView::Page::Layers);
    EXPECT_TRUE(note->text().contains(words)) << note->text().toStdString();
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
