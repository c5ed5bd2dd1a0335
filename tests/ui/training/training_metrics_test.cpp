// SPDX-License-Identifier: GPL-3.0-or-later
// The curves below that of the loss, as data and in the view.
#include "ui/training/training_metrics.h"

#include "core/machine/local_cpu.h"
#include "tests/ui/operations/operations_support.h"
#include "tests/ui/support.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/hover_card.h"
#include "ui/theme/theme.h"
#include "ui/training/training_companions.h"
#include "ui/training/training_view.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace plumb::ui::test {
namespace {

std::vector<StepMetrics> points(std::int64_t count, bool scaled) {
    std::vector<StepMetrics> all;
    for (std::int64_t i = 0; i < count; ++i) {
        StepMetrics point{.step = i,
                          .loss = 1.0 / static_cast<double>(i + 1),
                          .seconds = 0.02 * static_cast<double>(i + 1),
                          .stepSeconds = 0.02,
                          .gradientNorm = 3,
                          .updateRatio = 1e-3,
                          .learningRate = 1e-3};
        if (scaled) point.lossScale = i < 2 ? 65536 : 32768;
        point.skipped = scaled && i == 1;
        if (point.skipped) point.gradientNorm = kNotKnown;
        all.push_back(point);
    }
    return all;
}

struct MetricsFixture {
    explicit MetricsFixture(const RunConfig& config)
        : workbench(testWorkbench(config)), view({*workbench, theme}, ViewSize::Full) {
        view.resize(1000, 800);
        view.show();
    }
    void run(const RunConfig& config, std::int64_t steps) {
        workbench->runs().beginRun(config, 0);
        workbench->runs().addLosses(points(steps, config.scalesLoss()), steps, 50,
                                    config.scalesLoss() ? 1 : 0);
        view.refresh();
    }
    ChartPanel* chart(const char* name) { return child<ChartPanel>(view, name); }
    void press(const char* name) { QTest::mouseClick(child<QPushButton>(view, name), Qt::LeftButton); }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    std::unique_ptr<Workbench> workbench;
    TrainingView view;
};

RunConfig fp16Config() {
    RunConfig config = testConfig();
    config.precision = Precision::Fp16;
    return config;
}

TEST(TrainingMetrics, RatesOfAStepAreThoseOfCoreForItsSeconds) {
    TrainingRun run;
    run.config = testConfig();
    run.target = Target{localCpu(), cpuTraits()};
    run.target->machine.peakFlopPerSecond = {{Dtype::Fp32, 1e12}};
    run.step = std::make_shared<const StepPlan>(planStep(run.config, cpuTraits()).value());
    StepMetrics point;
    point.stepSeconds = 0.25;
    EXPECT_DOUBLE_EQ(metricValue(point, Metric::SamplesPerSecond, run),
                     static_cast<double>(run.config.batch) / 0.25);
    const auto useful = static_cast<double>(run.step->matmulFlops - run.step->recomputedFlops);
    EXPECT_DOUBLE_EQ(metricValue(point, Metric::Mfu, run), useful / 0.25 / 1e12 * 100);
    run.target->machine.peakFlopPerSecond.clear();
    EXPECT_TRUE(std::isnan(metricValue(point, Metric::Mfu, run))) << "no peak, no share of it";
    run.step = nullptr;
    EXPECT_TRUE(std::isnan(metricValue(point, Metric::SamplesPerSecond, run)));
}

TEST(TrainingMetrics, AnMfuThatNoMachineReachesHasNoNumber) {
    EXPECT_EQ(metricText(41.5, Metric::Mfu), QStringLiteral("41.5 %"));
    EXPECT_EQ(metricText(1139, Metric::Mfu), QStringLiteral("> 100 %"));
}

TEST(TrainingMetrics, AnMfuThatNoMachineReachesIsCutAtTheWholeAndTheChartSaysWhy) {
    MetricsFixture f(testConfig());
    Machine slow = f.workbench->scene()->whatIf.machine();
    f.press("companions5");
    f.workbench->runs().beginRun(testConfig(), 0, Target{slow, cpuTraits()});
    f.workbench->runs().addLosses(points(20, false), 20, 50);
    f.view.refresh();
    const auto saysWhy = [&] {
        f.view.grab();
        const auto labels = f.chart("mfuChart")->placedLabels();
        return std::ranges::any_of(labels, [](const ChartPanel::PlacedText& label) {
            return label.text.contains(QStringLiteral("calibrate"));
        });
    };
    EXPECT_FALSE(saysWhy());
    f.workbench->runs().endRun(TrainingEnd::Finished, QStringLiteral("finished"));
    slow.peakFlopPerSecond = {{Dtype::Fp32, 1e6}};
    f.workbench->runs().beginRun(testConfig(), 0, Target{slow, cpuTraits()});
    f.workbench->runs().addLosses(points(20, false), 20, 50);
    f.view.refresh();
    const TrainingRun& run = *f.workbench->runs().all().back();
    ASSERT_GT(metricValue(run.history.last(), Metric::Mfu, run), 1000) << "the value itself is kept";
    EXPECT_LE(f.chart("mfuChart")->axis(ChartAxis::Y).max, 120);
    EXPECT_TRUE(saysWhy());
}

TEST(TrainingMetrics, WhatIsNotKnownIsAGapAndADash) {
    TrainingRun run;
    run.config = testConfig();
    for (const Metric metric : kAllMetrics) {
        EXPECT_TRUE(std::isnan(metricValue(StepMetrics{}, metric, run))) << metricInfo(metric).id;
        EXPECT_EQ(metricText(kNotKnown, metric), QStringLiteral("–"));
        EXPECT_FALSE(metricInfo(metric).toolTip.isEmpty());
    }
    StepMetrics skipped;
    skipped.skipped = true;
    skipped.updateRatio = 0;
    EXPECT_TRUE(std::isnan(metricValue(skipped, Metric::UpdateRatio, run))) << "nothing was updated";
}

TEST(TrainingMetrics, CurvesStandBelowTheLossOnTheSameAxisAndLineUp) {
    MetricsFixture f(testConfig());
    f.run(testConfig(), 200);
    for (int i : {1, 2, 5}) f.press(("companions" + std::to_string(i)).c_str());
    QCoreApplication::processEvents();
    f.view.grab();
    const ChartPanel* loss = f.chart("lossChart");
    int lowest = 0;
    for (const char* name : {"gradientNormChart", "updateRatioChart", "learningRateChart",
                             "samplesPerSecondChart", "mfuChart"}) {
        const ChartPanel* chart = f.chart(name);
        ASSERT_TRUE(chart->isVisible()) << name;
        EXPECT_EQ(chart->axis(ChartAxis::X).max, loss->axis(ChartAxis::X).max) << name;
        EXPECT_EQ(chart->plotRect().left(), loss->plotRect().left()) << name;
        lowest += chart->axis(ChartAxis::X).ticks ? 1 : 0;
    }
    EXPECT_EQ(lowest, 1) << "one horizontal axis, at the bottom";
    EXPECT_TRUE(f.chart("mfuChart")->axis(ChartAxis::X).ticks);
    EXPECT_FALSE(loss->axis(ChartAxis::X).ticks);
    for (int i : {0, 1, 2, 4, 5}) f.press(("companions" + std::to_string(i)).c_str());
    EXPECT_TRUE(loss->axis(ChartAxis::X).ticks) << "alone, the loss has its axis again";
    EXPECT_FALSE(child<TrainingCompanions>(f.view, "trainingCompanions")->isVisible());
}

TEST(TrainingMetrics, TheLossScaleIsOfferedForFp16AloneAndSkippedStepsAreMarkedAndCounted) {
    MetricsFixture f(testConfig());
    f.run(testConfig(), 50);
    EXPECT_FALSE(child<QPushButton>(f.view, "companions3")->isVisible());
    EXPECT_EQ(f.view.findChild<QLabel*>(QStringLiteral("figureSkipped")), nullptr);
    f.workbench->runs().endRun(TrainingEnd::Finished, QStringLiteral("finished"));
    f.run(fp16Config(), 50);
    ASSERT_TRUE(child<QPushButton>(f.view, "companions3")->isVisible());
    f.press("companions3");
    QCoreApplication::processEvents();
    f.view.grab();
    EXPECT_EQ(child<QLabel>(f.view, "figureSkipped")->text(), QStringLiteral("1"));
    EXPECT_EQ(child<QLabel>(f.view, "figureScale")->text(), metricText(32768, Metric::LossScale));
    ChartPanel* chart = f.chart("lossScaleChart");
    EXPECT_TRUE(chart->markAt(chart->toPixel({1, 65536})).has_value());
    EXPECT_FALSE(chart->markAt(chart->toPixel({30, 32768})).has_value());
}

TEST(TrainingMetrics, ARunThatSkipsMostOfItsStepsSaysWhatToDo) {
    MetricsFixture f(fp16Config());
    f.workbench->runs().beginRun(fp16Config(), 0);
    f.workbench->runs().addLosses(points(30, true), 30, 50, 15);
    f.view.refresh();
    EXPECT_TRUE(child<QLabel>(f.view, "trainingNote")->isHidden());
    f.workbench->runs().addLosses({}, 30, 50, 30);
    f.view.refresh();
    EXPECT_TRUE(child<QLabel>(f.view, "trainingNote")->text().contains(QStringLiteral("30 of 30 steps")));
    f.press("trainingPage1");
    EXPECT_TRUE(child<QLabel>(f.view, "trainingNote")->isHidden());
}

TEST(TrainingMetrics, TheCardSaysEveryValueOfAStepWithItsUnitWhereverThePointerIs) {
    MetricsFixture f(fp16Config());
    f.run(fp16Config(), 20);
    for (const char* name : {"lossChart", "gradientNormChart"}) {
        emit f.chart(name)->hovered({10, 1}, {200, 40});
        const HoverCard* shown = nullptr;
        for (const HoverCard* card : f.view.findChildren<HoverCard*>())
            if (card->isVisible()) shown = card;
        ASSERT_NE(shown, nullptr) << name;
        QStringList names;
        QString text;
        for (const auto& row : shown->content().rows) {
            names << row.name;
            text += row.values.join(u' ') + u'\n';
        }
        for (const char* row : {"loss", "gradient norm", "update / weights", "learning rate", "loss scale",
                                "samples/s", "step time"})
            EXPECT_TRUE(names.contains(QString::fromLatin1(row))) << name << ": " << row;
        EXPECT_TRUE(text.contains(QStringLiteral("ms"))) << "the step time has a unit";
        emit f.chart(name)->left();
    }
    emit f.chart("lossChart")->hovered({1, 1}, {200, 40});
    bool said = false;
    for (const HoverCard* card : f.view.findChildren<HoverCard*>())
        said |= card->content().footer.contains(QStringLiteral("Skipped"));
    EXPECT_TRUE(said);
}

TEST(TrainingMetrics, AnEmptyCurveSaysWhatToDo) {
    MetricsFixture f(testConfig());
    RunConfig config = testConfig();
    f.press("companions5");
    f.workbench->runs().beginRun(config, 0, Target{localCpu(), cpuTraits()});  // no ceilings
    f.workbench->runs().addLosses(points(5, false), 5, 50);
    f.view.refresh();
    EXPECT_TRUE(f.chart("mfuChart")->emptyText().contains(QStringLiteral("calibrate")))
        << f.chart("mfuChart")->emptyText().toStdString();
}

}  // namespace
}  // namespace plumb::ui::test
