// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/runs_page.h"

#include "core/base/words.h"
#include "tests/ui/operations/operations_support.h"
#include "tests/ui/support.h"
#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/legend_row.h"
#include "ui/training/run_palette.h"
#include "ui/training/runs_model.h"
#include "ui/training/training_divergence.h"
#include "ui/training/training_view.h"
#include "ui/workbench/first_focus.h"

#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace plumb::ui::test {
namespace {

/// Three runs that have ended, each with a loss twice that of the one before it, on their page.
struct RunsFixture {
    RunsFixture() : workbench(testWorkbench(testConfig())), view({*workbench, theme}, ViewSize::Full) {
        for (const double level : {1.0, 2.0, 4.0}) {
            workbench->runs().beginRun(testConfig(), 0);
            std::vector<StepMetrics> points;
            for (std::int64_t i = 0; i < 20; ++i)
                points.push_back({i, level * std::exp(-0.1 * static_cast<double>(i)),
                                  0.1 / level * static_cast<double>(i)});
            workbench->runs().addLosses(points, 20, 10 * level);
            workbench->runs().endRun(TrainingEnd::Finished, QStringLiteral("finished"));
        }
        view.resize(1000, 600);
        view.show();
        view.showPage(TrainingView::Page::Runs);
        table = child<QTableView>(view, "runsTable");
    }
    [[nodiscard]] QModelIndex cell(int row, int column) const { return table->model()->index(row, column); }
    void choose(int row) { table->setCurrentIndex(cell(row, 0)); }
    [[nodiscard]] const TrainingRun& run(std::size_t index) { return *workbench->runs().all().at(index); }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints"), QStringLiteral("raise()"),
                            QStringLiteral("grabbing the keyboard")}};
    Theme theme;
    std::unique_ptr<Workbench> workbench;
    TrainingView view;
    QTableView* table = nullptr;
};

TEST(RunsPage, SaysHowARunEndedInTheLanguageOfTheWindow) {
    setWordsLanguage("zh_CN");
    RunRow row;
    row.outcome = QStringLiteral("stopped after 797 steps");
    const Theme theme;
    RunsModel model(theme);
    model.setRows({row});
    EXPECT_EQ(model.index(0, RunsModel::State).data().toString(), QStringLiteral("在 797 步之后停止"));
    EXPECT_EQ(model.index(0, RunsModel::State).data(Qt::ToolTipRole).toString(),
              QStringLiteral("在 797 步之后停止"));
    setWordsLanguage("en");
}

TEST(RunsPage, ListsTheRunsTheNewestFirstAndTheyAreNamedThere) {
    RunsFixture f;
    ASSERT_EQ(f.table->model()->rowCount(), 3);
    EXPECT_TRUE(f.table->model()->setData(f.cell(0, 0), QStringLiteral("  with  warm-up ")));
    EXPECT_EQ(f.run(2).look.name, "with warm-up");
    EXPECT_EQ(f.cell(0, 0).data().toString(), QStringLiteral("with warm-up"));
    f.view.refresh();
    auto* chart = child<ChartPanel>(f.view, "lossChart");
    EXPECT_TRUE(
        chart->findChild<LegendRow*>()->entries().first().label.contains(QStringLiteral("with warm-up")));
    // The name that it has by itself is none of its own.
    EXPECT_TRUE(f.table->model()->setData(f.cell(0, 0), f.run(2).title));
    EXPECT_TRUE(f.run(2).look.name.empty());
}

TEST(RunsPage, IsReachedByTabFromTheChoiceOfThePage) {
    RunsFixture f;
    f.choose(0);
    f.view.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&f.view));
    EXPECT_EQ(firstFocusOf(f.view), f.table);
    auto* const choice = child<QAbstractButton>(f.view, "trainingPage2");
    choice->setFocus();
    QStringList reached;
    for (int i = 0; i < 5; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        reached << QApplication::focusWidget()->objectName();
    }
    EXPECT_EQ(reached, QStringList({QStringLiteral("runsRename"), QStringLiteral("runsColor"),
                                    QStringLiteral("runsBaseline"), QStringLiteral("runsRemove"),
                                    QStringLiteral("runsTable")}))
        << reached.join(u' ').toStdString();
}

TEST(RunsPage, AMarkAndAColourDrawTheCurve) {
    RunsFixture f;
    EXPECT_TRUE(f.table->model()->setData(f.cell(1, 0), Qt::Unchecked, Qt::CheckStateRole));
    f.choose(2);
    auto* colors = child<QMenu>(f.view, "runsColors");
    emit colors->aboutToShow();
    ASSERT_EQ(colors->actions().size(), 1 + RunLook::kColors);
    colors->actions().at(3)->trigger();
    EXPECT_EQ(f.run(0).look.color, 3);
    f.view.refresh();
    auto* chart = child<ChartPanel>(f.view, "lossChart");
    EXPECT_FALSE(chart->lineIds().contains(QStringLiteral("run1")));
    EXPECT_EQ(chart->findChild<LegendRow*>()->entries().last().color, runColor(3));
    std::set<Category> all(kRunPalette.begin(), kRunPalette.end());
    EXPECT_EQ(all.size(), kRunPalette.size()) << "no colour twice";
}

TEST(RunsPage, TheOthersSayHowFarTheyAreFromTheBaseline) {
    RunsFixture f;
    f.choose(2);
    auto* button = child<QPushButton>(f.view, "runsBaseline");
    button->click();
    EXPECT_TRUE(f.run(0).look.isBaseline);
    const QStringList expected{QStringLiteral("+300 %"), QStringLiteral("+100 %"), QStringLiteral("–")};
    for (int row = 0; row < 3; ++row) {
        EXPECT_EQ(f.cell(row, RunsModel::LossDifference).data().toString(), expected[row]);
        EXPECT_EQ(f.cell(row, RunsModel::RateDifference).data().toString(), expected[row]);
    }
    f.choose(0);
    button->click();
    EXPECT_FALSE(f.run(0).look.isBaseline) << "one alone";
    EXPECT_EQ(f.cell(1, RunsModel::LossDifference).data().toString(), QStringLiteral("−50.0 %"));
    button->click();
    EXPECT_EQ(f.cell(1, RunsModel::LossDifference).data().toString(), QStringLiteral("–"));
}

TEST(RunsPage, ARunIsRemovedWhenAskedTwiceAndNotWhileItGoesOn) {
    RunsFixture f;
    f.choose(1);
    child<QPushButton>(f.view, "runsRemove")->click();
    auto* question = child<QMessageBox>(f.view, "runsQuestion");
    ASSERT_EQ(f.workbench->runs().all().size(), 3U);
    for (QAbstractButton* button : question->buttons())
        if (question->buttonRole(button) == QMessageBox::DestructiveRole) button->click();
    ASSERT_EQ(f.workbench->runs().all().size(), 2U);
    EXPECT_EQ(f.table->model()->rowCount(), 2);
    f.workbench->runs().beginRun(testConfig(), 0);
    f.view.refresh();
    f.choose(0);
    EXPECT_FALSE(child<QPushButton>(f.view, "runsRemove")->isEnabled());
}

TEST(RunsPage, ItsControlsHaveNames) {
    RunsFixture f;
    for (const QWidget* widget : child<QWidget>(f.view, "runsPage")->findChildren<QPushButton*>())
        EXPECT_FALSE(widget->objectName().isEmpty());
    EXPECT_FALSE(f.table->accessibleName().isEmpty());
}

TEST(TrainingAxis, StepsAreWholeHoweverFewThereAre) {
    for (const std::int64_t steps : {1, 2, 3, 7, 50}) {
        RunsFixture f;
        f.workbench->runs().replace({}, false);
        f.workbench->runs().beginRun(testConfig(), 0);
        for (std::int64_t i = 0; i < steps; ++i) f.workbench->runs().addLosses({{i, 1.0, 0.1}}, i + 1, 10);
        f.view.showPage(TrainingView::Page::Curves);
        f.view.refresh();
        for (const AxisTick& tick : axisTicks(child<ChartPanel>(f.view, "lossChart")->axis(ChartAxis::X), 8))
            EXPECT_EQ(tick.value, std::floor(tick.value)) << steps;
    }
}

TEST(TrainingNotice, SaysThatALossDivergesWithWhatToTryAndIsSilentElse) {
    RunsFixture f;
    const auto* notice = child<QLabel>(f.view, "trainingNotice");
    f.view.refresh();
    EXPECT_TRUE(notice->isHidden());
    RunConfig config = testConfig();
    config.learningRate = 0.3;
    f.workbench->runs().beginRun(config, 0);
    f.workbench->runs().addLosses({{0, 1.0, 0.1}, {1, std::numeric_limits<double>::infinity(), 0.2}}, 2, 10);
    f.view.refresh();
    EXPECT_FALSE(notice->isHidden());
    EXPECT_TRUE(notice->text().contains(QStringLiteral("step 2"))) << notice->text().toStdString();
    EXPECT_TRUE(notice->text().contains(QStringLiteral("0.10 instead of 0.30")))
        << notice->text().toStdString();
    f.workbench->runs().beginRun(config, 0);
    f.view.refresh();
    EXPECT_TRUE(notice->isHidden()) << "another run";
}

TEST(TrainingNotice, AdviceFollowsWhatTheRunHasNotTried) {
    TrainingRun run;
    run.config = testConfig();
    const QStringList plain = divergenceAdvice(run);
    run.config.clipNorm = 1;
    run.config.warmUpSteps = 100;
    EXPECT_LT(divergenceAdvice(run).size(), plain.size());
    run.config.precision = Precision::Fp16;
    EXPECT_TRUE(divergenceAdvice(run).join(u' ').contains(QStringLiteral("bf16")));
    run.recorded = std::make_shared<const RecordedLosses>();
    EXPECT_EQ(divergenceAdvice(run).size(), 1) << "of a recording nothing is known";
}

}  // namespace
}  // namespace plumb::ui::test
