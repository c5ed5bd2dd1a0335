// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_view.h"

#include "tests/ui/operations/operations_support.h"
#include "tests/ui/support.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/legend_row.h"
#include "ui/run/key_figures_state.h"
#include "ui/theme/theme.h"
#include "ui/training/training_text.h"
#include "ui/widgets/card.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plumb::ui::test {
namespace {

std::vector<StepMetrics> losses(std::int64_t first, std::int64_t count, double level = 1) {
    std::vector<StepMetrics> points;
    for (std::int64_t i = first; i < first + count; ++i)
        points.push_back({i, level * (0.01 + 10 * std::exp(-static_cast<double>(i) / 500)),
                          static_cast<double>(i) * 0.01});
    return points;
}

struct ViewFixture {
    explicit ViewFixture(ViewSize size = ViewSize::Full)
        : workbench(testWorkbench(testConfig())), view({*workbench, theme}, size) {
        view.resize(900, 600);
        view.show();
        chart = child<ChartPanel>(view, "lossChart");
    }
    void run(const RunConfig& config, std::int64_t steps, const QString& outcome = {},
             std::int64_t wanted = 0) {
        workbench->runs().beginRun(config, wanted);
        workbench->runs().addLosses(losses(0, steps), steps, 100);
        if (!outcome.isEmpty()) workbench->runs().endRun(endOf(outcome.toStdString()), outcome);
    }
    QString label(const char* name) { return child<QLabel>(view, name)->text(); }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    std::unique_ptr<Workbench> workbench;
    TrainingView view;
    ChartPanel* chart = nullptr;
};

TEST(TrainingView, SaysWhatToDoWhenNothingHasRun) {
    ViewFixture f;
    EXPECT_EQ(f.chart->emptyText(),
              QStringLiteral("No run yet. Press Run (F5) to train this configuration."));
    f.run(testConfig(), 10);
    f.view.refresh();
    EXPECT_TRUE(f.chart->emptyText().isEmpty());
}

TEST(TrainingView, SaysTheUnitOfTheLossOfStandardizedTargets) {
    ViewFixture f;
    f.run(testConfig(), 10);
    f.view.refresh();
    const QString unit = QStringLiteral("in units of the variance of the targets");
    EXPECT_FALSE(f.chart->axis(ChartAxis::Y).title.contains(unit));
    RunConfig config = testConfig();
    config.data = "houses.csv";
    config.standardizeTargets = true;
    ViewFixture standardized;
    standardized.run(config, 10);
    standardized.view.refresh();
    EXPECT_EQ(standardized.chart->axis(ChartAxis::Y).title, QStringLiteral("loss, ") + unit);
    EXPECT_TRUE(child<QLabel>(standardized.view, "figureLoss")->toolTip().endsWith(unit));
    EXPECT_EQ(standardized.label("figureElapsed"), QStringLiteral("90.0 ms")) << "a clock would show 00:00";
    TrainingRun synthetic;
    synthetic.config = config;
    synthetic.config.data = "synthetic";
    EXPECT_EQ(lossUnit(synthetic), QString()) << "nothing is standardized";
}

TEST(TrainingView, ManyBatchesBetweenTwoFramesAreDrawnOnce) {
    ViewFixture f;
    f.workbench->runs().beginRun(testConfig(), 0);
    f.view.refresh();
    const int before = f.view.refreshCount();
    for (std::int64_t i = 0; i < 500; ++i)
        f.workbench->runs().addLosses(losses(i * 10, 10), i * 10 + 10, 1000);
    EXPECT_EQ(f.view.refreshCount(), before) << "nothing is drawn inside the signal";
    EXPECT_TRUE(waitFor([&] { return f.view.refreshCount() > before; }));
    EXPECT_EQ(f.view.refreshCount(), before + 1);
    EXPECT_EQ(f.label("figureStep"), QStringLiteral("5 000").replace(u' ', QChar(0x2009)));
}

TEST(TrainingView, HiddenItDrawsNothingAndCatchesUpWhenShown) {
    ViewFixture f;
    f.view.hide();
    const int before = f.view.refreshCount();
    f.run(testConfig(), 100);
    QCoreApplication::processEvents();
    EXPECT_EQ(f.view.refreshCount(), before);
    f.view.show();
    EXPECT_EQ(f.view.refreshCount(), before + 1);
}

TEST(TrainingView, AMillionPointsStayBounded) {
    ViewFixture f;
    f.workbench->runs().beginRun(testConfig(), 0);
    for (std::int64_t i = 0; i < 1000; ++i)
        f.workbench->runs().addLosses(losses(i * 1000, 1000), i * 1000 + 1000, 5000);
    f.view.setOptions({.axis = TrainingOptions::Axis::Steps, .smoothing = 50});
    f.view.refresh();
    EXPECT_LE(f.view.keptPoints(), 40'000U);
    EXPECT_EQ(f.chart->axis(ChartAxis::X).max, 1e6);
}

TEST(TrainingView, EarlierRunsAreGhostsThatTheLegendSwitches) {
    ViewFixture f;
    f.run(testConfig(8, 512, 128), 300, QStringLiteral("finished"));
    f.run(testConfig(8, 512, 256), 200);
    f.view.refresh();
    EXPECT_EQ(f.chart->lineIds(),
              (QStringList{QStringLiteral("run0"), QStringLiteral("run1"), QStringLiteral("run1~")}));
    bool labelled = false;
    for (const auto& placed : f.chart->placedLabels())
        labelled |= placed.text.contains(QStringLiteral("batch 128"));
    EXPECT_TRUE(labelled);

    emit f.chart->legendToggled(QStringLiteral("run0"), false);
    EXPECT_EQ(f.chart->lineIds(), (QStringList{QStringLiteral("run1"), QStringLiteral("run1~")}));
    emit f.chart->legendToggled(QStringLiteral("run0"), true);
    EXPECT_EQ(f.chart->lineIds().size(), 3);
}

TEST(TrainingView, OnlyTheNewestEarlierRunsAreShownUnasked) {
    ViewFixture f;
    for (int i = 0; i < 12; ++i) f.run(testConfig(), 500, QStringLiteral("finished"));
    f.view.refresh();
    EXPECT_EQ(f.chart->lineIds().size(), 6);
    EXPECT_EQ(f.chart->lineIds().last(), QStringLiteral("run11~"));
}

TEST(TrainingView, SmoothingDrawsTheMeanOverTheRawCurve) {
    ViewFixture f;
    f.run(testConfig(), 1000);
    f.view.refresh();
    child<QSlider>(f.view, "smoothing")->setValue(60);
    f.view.refresh();
    EXPECT_EQ(f.chart->lineIds(), (QStringList{QStringLiteral("run0"), QStringLiteral("run0~")}));
    EXPECT_TRUE(f.label("smoothingWindow").endsWith(QStringLiteral("steps")));
    child<QSlider>(f.view, "smoothing")->setValue(0);
    f.view.refresh();
    EXPECT_EQ(f.chart->lineIds().size(), 1);
}

TEST(TrainingView, LogAxisHoldsEveryFiniteLossAndTheNoiseFloor) {
    ViewFixture f;
    f.run(testConfig(), 400);
    f.view.refresh();
    const AxisOptions y = f.chart->axis(ChartAxis::Y);
    EXPECT_TRUE(y.log);
    EXPECT_GT(y.min, 0);
    EXPECT_LE(y.min, 0.01);
    EXPECT_GE(y.max, 10.01);
    bool floor = false;
    for (const auto& placed : f.chart->placedLabels())
        floor |= placed.text == QStringLiteral("noise floor 0.0100");
    EXPECT_TRUE(floor);
}

TEST(TrainingView, LossesWithoutALogarithmAreMarkedAndExplained) {
    ViewFixture f;
    f.workbench->runs().beginRun(testConfig(), 0);
    f.workbench->runs().addLosses({{0, 1, 0},
                                   {1, 0, 1},
                                   {2, -3, 2},
                                   {3, std::numeric_limits<double>::quiet_NaN(), 3},
                                   {4, std::numeric_limits<double>::infinity(), 4},
                                   {5, 0.5, 5}},
                                  6, 1);
    f.view.refresh();
    f.chart->grab();
    const AxisOptions y = f.chart->axis(ChartAxis::Y);
    EXPECT_TRUE(std::isfinite(y.min) && std::isfinite(y.max) && y.min > 0);
    EXPECT_TRUE(f.chart->markAt(f.chart->toPixel({1, y.min})).has_value());
    EXPECT_TRUE(f.chart->markAt(f.chart->toPixel({3, y.max})).has_value());
    EXPECT_TRUE(f.label("trainingNote").contains(QStringLiteral("log axis")));
}

TEST(TrainingView, OnlyZeroLossesGiveAnAxisAndNoCrash) {
    ViewFixture f;
    f.workbench->runs().beginRun(testConfig(), 0);
    f.workbench->runs().addLosses({{0, 0, 0}, {1, 0, 1}}, 2, 1);
    f.view.refresh();
    f.view.grab();
    EXPECT_GT(f.chart->axis(ChartAxis::Y).max, f.chart->axis(ChartAxis::Y).min);
}

TEST(TrainingView, FiguresSayStepRateSamplesAndTimeLeft) {
    ViewFixture f;
    f.run(testConfig(8, 512, 256), 400, {}, 1000);
    f.view.refresh();
    EXPECT_EQ(f.label("figureSteps"), QStringLiteral("100"));
    EXPECT_EQ(f.label("figureSamples"), QStringLiteral("25.6 k"));
    EXPECT_EQ(f.label("figureLeft"), QStringLiteral("00:06"));
    EXPECT_EQ(f.chart->axis(ChartAxis::X).max, 1000) << "the axis shows what is left";
}

TEST(TrainingView, SaysHowARunEndedAndKeepsItsCurve) {
    ViewFixture f;
    f.run(testConfig(), 40, QStringLiteral("diverged at step 40: lower the learning rate"));
    f.view.setOptions({.axis = TrainingOptions::Axis::Steps, .smoothing = 0});
    f.view.refresh();
    EXPECT_TRUE(child<QLabel>(f.view, "trainingOutcome")->isVisible());
    EXPECT_TRUE(f.label("trainingOutcome").contains(QStringLiteral("diverged at step 40")));
    EXPECT_EQ(f.chart->lineIds().size(), 1);
    EXPECT_EQ(f.label("figureLeft"), QStringLiteral("–"));
}

TEST(TrainingView, MarksOnlyARunThatFailed) {
    ViewFixture f;
    const auto color = [&](const QString& outcome) {
        f.run(testConfig(), 40, outcome);
        f.view.refresh();
        return child<QLabel>(f.view, "trainingOutcome")->palette().color(QPalette::WindowText);
    };
    EXPECT_EQ(color(QStringLiteral("failed at step 3: out of memory")), f.theme.color(ColorRole::Bad));
    for (const char* outcome : {"finished", "stopped after 40 steps", "running when it was saved"})
        EXPECT_EQ(color(QString::fromLatin1(outcome)), f.theme.color(ColorRole::TextMuted)) << outcome;
}

TEST(TrainingView, AShortRunThatGoesOnIsNotHiddenByALongEarlierOne) {
    ViewFixture f;
    f.run(testConfig(), 50'000, QStringLiteral("finished"));
    f.run(testConfig(8, 512, 128), 100);
    f.view.refresh();
    EXPECT_LE(f.chart->axis(ChartAxis::X).max, 200);
    f.workbench->runs().endRun(TrainingEnd::Finished, QStringLiteral("finished"));
    f.view.refresh();
    EXPECT_LE(f.chart->axis(ChartAxis::X).max, 200) << "nor when it has ended";
    auto* reach = child<QPushButton>(f.view, "trainingReach");
    EXPECT_TRUE(reach->isVisible());
    EXPECT_EQ(reach->text(), QStringLiteral("All runs"));
    reach->click();
    f.view.refresh();
    EXPECT_GE(f.chart->axis(ChartAxis::X).max, 49'999) << "both in full, to be compared";
    EXPECT_EQ(reach->text(), QStringLiteral("This run"));
    reach->click();
    f.view.refresh();
    EXPECT_LE(f.chart->axis(ChartAxis::X).max, 200);
    reach->click();
    // What was chosen was chosen of that run.
    f.run(testConfig(), 100, QStringLiteral("finished"));
    f.view.refresh();
    EXPECT_LE(f.chart->axis(ChartAxis::X).max, 200);
    // Where no run is longer there is nothing to choose.
    f.run(testConfig(), 60'000, QStringLiteral("finished"));
    f.view.refresh();
    EXPECT_FALSE(reach->isVisible());
    ViewFixture small(ViewSize::Compact);
    small.run(testConfig(), 50'000, QStringLiteral("finished"));
    small.run(testConfig(8, 512, 128), 100, QStringLiteral("finished"));
    small.view.refresh();
    EXPECT_LE(small.chart->axis(ChartAxis::X).max, 200);
}

TEST(TrainingView, TheLossIsTheLargestCurveInAUsualWindow) {
    ViewFixture f;
    f.theme.apply(*qApp);
    f.view.resize(1208, 572);  // in a window of 1280 x 800, with the letters of tests
    for (int i = 0; i < 3; ++i) f.run(testConfig(8 + i, 512, 256), 150, QStringLiteral("finished"));
    f.run(testConfig(), 150);
    f.workbench->runs().setNoDevice("this backend (cpu) has no clocks, power and temperature");
    f.workbench->runs().endRun(TrainingEnd::Finished, QStringLiteral("finished"));
    f.view.refresh();
    QCoreApplication::processEvents();
    const auto* norm = child<ChartPanel>(f.view, "gradientNormChart");
    EXPECT_GT(f.chart->plotRect().height(), 110);
    EXPECT_GT(f.chart->plotRect().height(), 2 * norm->plotRect().height());
    EXPECT_EQ(child<QScrollArea>(f.view, "trainingCurves")->verticalScrollBar()->maximum(), 0)
        << "the title of the axis is below the edge";
}

TEST(TrainingView, TheRateOfARunThatHasEndedIsOfAllOfItAsInItsFile) {
    ViewFixture f;
    f.workbench->runs().beginRun(testConfig(), 0);
    f.workbench->runs().addLosses(losses(1, 400), 400, 250);  // 400 steps in 4 s, at last 250 in one
    f.view.refresh();
    EXPECT_EQ(f.label("figureSteps"), QStringLiteral("250"));
    f.workbench->runs().endRun(TrainingEnd::Finished, QStringLiteral("finished"));
    f.view.refresh();
    EXPECT_EQ(f.label("figureSteps"), QStringLiteral("100"));
    EXPECT_EQ(f.workbench->runs().all().back()->stepsPerSecond, 100);
}

TEST(TrainingView, TheNoiseFloorIsNamedAwayFromTheNewestEndOfTheCurve) {
    ViewFixture f;
    f.run(testConfig(), 4000);
    f.view.refresh();
    bool found = false;
    for (const auto& placed : f.chart->placedLabels()) {
        if (!placed.text.startsWith(QStringLiteral("noise floor"))) continue;
        found = true;
        EXPECT_LT(placed.box.right(), f.chart->plotRect().center().x());
    }
    EXPECT_TRUE(found);
}

TEST(TrainingView, TheNoiseFloorIsNamedBelowItsLineWhereNoCurveIs) {
    ViewFixture f;
    f.workbench->runs().beginRun(testConfig(), 4000);
    std::vector<StepMetrics> points;
    points.reserve(1600);
    for (int i = 0; i < 1600; ++i) points.push_back({i, 0.0125 + std::exp(-i / 40.0), i / 170.0});
    f.workbench->runs().addLosses(points, 1600, 170);
    f.view.refresh();
    const AxisOptions y = f.chart->axis(ChartAxis::Y);
    const QRectF plot = f.chart->plotRect();
    const double share = std::log(0.01 / y.min) / std::log(y.max / y.min);
    bool found = false;
    for (const auto& placed : f.chart->placedLabels()) {
        if (!placed.text.startsWith(QStringLiteral("noise floor"))) continue;
        found = true;
        EXPECT_GE(placed.box.top(), plot.bottom() - share * plot.height() - 1);
    }
    EXPECT_TRUE(found);
}

class NameOfARun : public ::testing::TestWithParam<ViewSize> {};

TEST_P(NameOfARun, LiesOnNoCurve) {
    ViewFixture f(GetParam());
    f.view.resize(GetParam() == ViewSize::Compact ? QSize(340, 270) : QSize(960, 560));
    std::vector<StepMetrics> points;
    points.reserve(200);
    for (int i = 0; i < 200; ++i) points.push_back({i, 0.014 + 1.5 * std::exp(-i / 12.0), i / 170.0});
    f.workbench->runs().beginRun(testConfig(16, 1024, 128), 200);
    f.workbench->runs().addLosses(points, 200, 170);
    f.workbench->runs().endRun(TrainingEnd::Finished, QStringLiteral("finished"));
    f.workbench->runs().beginRun(testConfig(), 200);
    f.workbench->runs().addLosses(points, 170, 170);
    f.view.refresh();
    for (const auto& placed : f.chart->placedLabels()) {
        if (!placed.text.startsWith(QStringLiteral("earlier"))) continue;
        for (const StepMetrics& step : points) {
            const QPointF at = f.chart->toPixel({static_cast<double>(step.step), step.loss});
            EXPECT_FALSE(placed.box.contains(at))
                << step.step << ", the name is " << placed.box.width() << " wide";
        }
    }
}

TEST_P(NameOfARun, IsLeftOutWhereTheCurveIsEverywhere) {
    ViewFixture f(GetParam());
    f.view.resize(GetParam() == ViewSize::Compact ? QSize(340, 270) : QSize(960, 560));
    std::vector<StepMetrics> points;
    for (int i = 0; i < 200; ++i) points.push_back({i, i % 2 == 0 ? 0.001 : 10.0, i / 170.0});
    for (const std::int64_t layers : {16, 8}) {
        f.workbench->runs().beginRun(testConfig(layers), 200);
        f.workbench->runs().addLosses(points, 200, 170);
        f.workbench->runs().endRun(TrainingEnd::Finished, QStringLiteral("finished"));
    }
    f.view.refresh();
    for (const auto& placed : f.chart->placedLabels())
        EXPECT_FALSE(placed.text.startsWith(QStringLiteral("earlier"))) << placed.text.toStdString();
}

INSTANTIATE_TEST_SUITE_P(TrainingView, NameOfARun, ::testing::Values(ViewSize::Compact, ViewSize::Full));

TEST(TrainingView, TheLegendOfManyRunsOfOneModelLeavesTheCurveItsRoom) {
    ViewFixture f;
    f.theme.apply(*qApp);
    f.view.resize(950, 520);
    f.run(testConfig(), 150, QStringLiteral("finished"));
    f.view.refresh();
    QCoreApplication::processEvents();
    const double alone = f.chart->plotRect().height();
    RunConfig other = testConfig();
    other.seed = 5;
    f.run(other, 150, QStringLiteral("finished"));
    for (int run = 0; run < 3; ++run) f.run(testConfig(), 150, QStringLiteral("finished"));
    f.view.refresh();
    QCoreApplication::processEvents();
    EXPECT_GE(f.chart->plotRect().height(), alone - 1);
    const auto entries = child<LegendRow>(*f.chart, "legend")->entries();
    ASSERT_EQ(entries.size(), 5);
    EXPECT_EQ(entries[0].label, QStringLiteral("5. D 512 · L 8 · B 256 · fp32 · AdamW"));
    EXPECT_EQ(entries[1].label, QStringLiteral("4. as 5"));
    EXPECT_EQ(entries[3].label, QStringLiteral("2. Seed 5"));
}

TEST(TrainingView, TabGoesDownThePage) {
    ViewFixture f;
    for (int run = 0; run < 2; ++run) f.run(testConfig(), 50, QStringLiteral("finished"));
    f.view.refresh();
    const auto* metrics = child<QWidget>(f.view, "companions");
    QTest::mouseClick(child<QPushButton>(*metrics, "companions4"), Qt::LeftButton);
    QTest::mouseClick(child<QPushButton>(*metrics, "companions2"), Qt::LeftButton);
    QCoreApplication::processEvents();
    expectTabGoesDown(f.view);
}

TEST(TrainingView, AWindowOfTheMeanBelowAStepIsNotWrittenAsAFraction) {
    ViewFixture f;
    f.run(testConfig(), 5);
    f.view.refresh();
    EXPECT_EQ(f.label("smoothingWindow"), QStringLiteral("–"));
}

TEST(TrainingView, ALossThatIsNotANumberHasOneName) {
    ViewFixture f;
    f.workbench->runs().beginRun(testConfig(), 0);
    f.workbench->runs().addLosses({{0, -std::numeric_limits<double>::quiet_NaN(), 0}}, 1, 1);
    f.view.refresh();
    EXPECT_EQ(f.label("figureLoss"), QStringLiteral("not a number"));
    EXPECT_EQ(child<QLabel>(f.view, "figureLoss")->toolTip(), QStringLiteral("not a number"));
    const auto figure = makeKeyFigures(*f.workbench->scene(), f.workbench->runs().all().back().get()).back();
    EXPECT_EQ(figure.measured, QStringLiteral("not a number"));
    EXPECT_EQ(figure.difference, QStringLiteral("step 1")) << "steps done, as everywhere";
}

TEST(TrainingView, SecondsAxisShowsTrainingTime) {
    ViewFixture f;
    f.run(testConfig(), 500);
    f.view.setOptions({.axis = TrainingOptions::Axis::Seconds, .smoothing = 0});
    f.view.refresh();
    EXPECT_GE(f.chart->axis(ChartAxis::X).max, 4.99);
    EXPECT_LE(f.chart->axis(ChartAxis::X).max, 10);
    EXPECT_EQ(f.chart->axis(ChartAxis::X).unit, QStringLiteral("s"));
}

TEST(TrainingView, PointerAndKeyboardShowAPointWithoutHarm) {
    ViewFixture f;
    emit f.chart->hovered({5, 1}, {50, 50});  // nothing has run
    emit f.chart->keyPressed(Qt::Key_Left);
    f.run(testConfig(), 100);
    f.view.refresh();
    emit f.chart->hovered({50, 1}, {300, 200});
    for (const int key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_End, Qt::Key_PageUp,
                          Qt::Key_PageDown, Qt::Key_Escape})
        emit f.chart->keyPressed(key);
    emit f.chart->left();
}

TEST(TrainingView, CompactTellsLossRateAndTimeLeftInItsSubtitle) {
    ViewFixture f(ViewSize::Compact);
    f.run(testConfig(), 400, {}, 1000);
    f.view.refresh();
    const QString subtitle = child<Card>(f.view, "trainingCard")->subtitle();
    EXPECT_TRUE(subtitle.contains(QStringLiteral("100 steps/s"))) << subtitle.toStdString();
    EXPECT_TRUE(subtitle.contains(QStringLiteral("ETA 00:06"))) << subtitle.toStdString();
}

TEST(TrainingView, InteractiveWidgetsHaveNames) {
    ViewFixture f;
    for (const char* name : {"smoothing", "lossAxis", "lossChart"}) {
        const auto* widget = child<QWidget>(f.view, name);
        ASSERT_NE(widget, nullptr);
        EXPECT_FALSE(widget->accessibleName().isEmpty()) << name;
    }
}

}  // namespace
}  // namespace plumb::ui::test
