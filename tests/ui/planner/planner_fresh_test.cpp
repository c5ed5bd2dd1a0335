// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody sees who opens the planner for the first time: every page has its answer.
#include "tests/ui/pictures.h"
#include "tests/ui/planner/planner_support.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/painted_chart.h"
#include "ui/charts/split_bar.h"
#include "ui/planner/planner_text.h"
#include "ui/theme/error_text.h"
#include "ui/theme/translations.h"
#include "ui/widgets/card.h"

#include <QPushButton>
#include <QTableView>

namespace plumb::ui::test {
namespace {

class PlannerFreshTest : public PlannerViewTest {
protected:
    /// What is empty of the page that is shown, one line for each.
    [[nodiscard]] QStringList emptyStates() {
        QStringList empty;
        const auto add = [&](const QWidget* of, const QString& text) {
            if (of->isVisible() && !text.isEmpty()) empty << of->objectName() + QStringLiteral(": ") + text;
        };
        for (const auto* chart : view->findChildren<ChartPanel*>()) add(chart, chart->emptyText());
        for (const auto* chart : view->findChildren<PaintedChart*>()) add(chart, chart->emptyText());
        for (const auto* table : view->findChildren<QTableView*>())
            add(table, table->model()->rowCount() == 0 ? QStringLiteral("no row") : QString());
        const auto* problem = child<QLabel>(*view, "plannerProblem");
        add(problem, problem->text());
        return empty;
    }
    /// What is missing of the answers to the question that is shown.
    [[nodiscard]] QStringList missing() {
        const PlannerResults& results = model().results();
        QStringList missing;
        if (!results.answer) missing << QStringLiteral("no answer");
        const bool hasCharts = model().question().charts != PlannerQuestion::Charts::None;
        if (hasCharts && !results.memory) missing << results.memoryProblem;
        if (hasCharts && !results.step && !results.token) missing << results.stepProblem;
        if (results.figures.size() != model().question().figures.size())
            missing << QStringLiteral("only %1 of %2 figures")
                           .arg(results.figures.size())
                           .arg(model().question().figures.size());
        if (results.verdict && !results.verdict->fits()) missing << QStringLiteral("it does not fit");
        return missing;
    }
};

TEST_F(PlannerFreshTest, OpensOnARealModelOnOneNodeThatItFits) {
    makeFresh();
    const planner::Scenario& scenario = model().inputs().scenario;
    EXPECT_EQ(model().inputs().model, QStringLiteral("llama-3-8b"));
    EXPECT_NE(scenario.model.transformer(), nullptr);
    ASSERT_TRUE(scenario.cluster.device.has_value());
    EXPECT_EQ(scenario.cluster.device->id, "h100-sxm5-80gb");
    EXPECT_EQ(scenario.cluster.devices, 8);
    ask("memory");
    ASSERT_TRUE(model().results().verdict.has_value());
    EXPECT_TRUE(model().results().verdict->fits());
    EXPECT_EQ(
        plannerInputsFrom(toBytes(model().inputs()), library->known(), RunConfig{}).scenario.workload.batch,
        scenario.workload.batch);
}

TEST_F(PlannerFreshTest, NoPageShowsAnEmptyState) {
    makeFresh();
    for (int page = 0; page < PlannerView::pageCount(); ++page) {
        QTest::mouseClick(child<QPushButton>(*view, ("plannerQuestion" + std::to_string(page)).c_str()),
                          Qt::LeftButton);
        ASSERT_EQ(view->page(), page);
        ASSERT_TRUE(waitFor([&] { return !view->property(kBusyView).toBool(); }, 60000)) << page;
        QCoreApplication::processEvents();
        const std::string name = view->isEvidenceShown() ? "evidence" : model().question().key.toStdString();
        EXPECT_EQ(emptyStates().join(u'|').toStdString(), "") << name;
        if (!view->isEvidenceShown()) {
            EXPECT_EQ(missing().join(u'|').toStdString(), "") << name;
        }
        const QImage shot = picture(*view, QStringLiteral("fresh-") + QString::fromStdString(name));
        EXPECT_FALSE(shot.isNull());
    }
}

TEST_F(PlannerFreshTest, TheWalkFindsWhatAMereCountCannotShow) {
    make();
    ask("step");
    ASSERT_TRUE(settled());
    EXPECT_TRUE(emptyStates().join(u'|').contains(QStringLiteral("plannerTime")))
        << emptyStates().join(u'|').toStdString();
    EXPECT_FALSE(missing().isEmpty());
}

TEST_F(PlannerFreshTest, ARefusalNamesControlsOfThePanelAndNoOption) {
    EXPECT_EQ(forWindow(QStringLiteral("no model is given: give --recipe and --devices (--model)")),
              QStringLiteral("No model is given: give recipe and devices."));
    Translations translations(*qApp);
    translations.use(Language::SimplifiedChinese);
    const Error refused = badInput("BERT base is an encoder: it writes no tokens and keeps no cache",
                                   "choose a decoder (--model)");
    ASSERT_TRUE(errorSentence(refused).contains(QStringLiteral("（--model）")))
        << errorSentence(refused).toStdString();
    EXPECT_FALSE(forWindow(refused).contains(QStringLiteral("model"))) << forWindow(refused).toStdString();
    EXPECT_EQ(forWindow(QStringLiteral("请给出 --recipe")), QStringLiteral("请给出配方。"));
    EXPECT_EQ(forWindow(QStringLiteral("请给出 --batch 147")), QStringLiteral("请给出批大小 147。"));
}

TEST_F(PlannerFreshTest, AnAnswerOfDevicesThatTheBatchCannotBeSharedBySaysSo) {
    makeFresh();
    EXPECT_TRUE(text("plannerVerdict").startsWith(QStringLiteral("Fits")));
    edits().enter(planner::Input::Devices, QStringLiteral("49"));
    ASSERT_TRUE(model().results().answer.has_value());
    EXPECT_TRUE(child<QLabel>(*view, "plannerVerdict")->isVisible());
    EXPECT_TRUE(
        text("plannerVerdict").startsWith(QStringLiteral("Cannot run so: Batch 128 cannot be divided")))
        << text("plannerVerdict").toStdString();
    EXPECT_TRUE(plannerText(model()).contains(text("plannerVerdict")));
    // A server shares no batch of a training.
    ask("serve");
    EXPECT_FALSE(text("plannerVerdict").startsWith(QStringLiteral("Cannot")) &&
                 child<QLabel>(*view, "plannerVerdict")->isVisible());
}

TEST_F(PlannerFreshTest, SolvesForDevicesThatCanShareTheBatch) {
    makeFresh();
    child<QLineEdit>(*view, "plannerTarget")->setText(QStringLiteral("30 d"));
    choose("plannerUnknown",
           child<QComboBox>(*view, "plannerUnknown")->findData(static_cast<int>(planner::Input::Devices)));
    child<QPushButton>(*view, "plannerSolve")->setEnabled(true);
    QTest::mouseClick(child<QPushButton>(*view, "plannerSolve"), Qt::LeftButton);
    EXPECT_EQ(model().inputs().scenario.cluster.devices, 64);
    EXPECT_TRUE(text("plannerVerdict").startsWith(QStringLiteral("Fits")))
        << text("plannerVerdict").toStdString();
    EXPECT_TRUE(text("plannerSolved").contains(QStringLiteral("at 32, the next that is possible")))
        << text("plannerSolved").toStdString();
}

TEST_F(PlannerFreshTest, ChartsAreOfWhatTheQuestionIsAbout) {
    makeFresh();
    const auto* memory = child<ChartPanel>(*view, "plannerMemory");
    const auto* time = child<SplitBar>(*view, "plannerTime");
    const auto* map = child<QWidget>(*view, "plannerMap");
    const auto cardOf = [](const QWidget* chart) {
        const QWidget* at = chart;
        while (qobject_cast<const Card*>(at) == nullptr) at = at->parentWidget();
        return qobject_cast<const Card*>(at);
    };
    for (const PlannerQuestion& question : plannerQuestions()) {
        ask(question.key.toLatin1().constData());
        ASSERT_TRUE(settled());
        using Charts = PlannerQuestion::Charts;
        const std::string key = question.key.toStdString();
        EXPECT_EQ(memory->isVisible(), question.charts != Charts::None) << key;
        EXPECT_EQ(time->isVisible(), question.charts != Charts::None) << key;
        EXPECT_EQ(map->isVisible(), question.charts == Charts::Training) << key;
        EXPECT_TRUE(child<QWidget>(*view, "plannerTornado")->isVisible()) << key;
        EXPECT_TRUE(child<QWidget>(*view, "plannerSweep")->isVisible()) << key;
        // Whatever is drawn of memory is what the answer says of it.
        if (memory->isVisible() && model().results().verdict) {
            EXPECT_NEAR(model().results().memory->worst().total(), model().results().verdict->needed.expected,
                        16)
                << key;
        }
    }
    ask("serve");
    ASSERT_TRUE(settled());
    EXPECT_EQ(cardOf(time)->title(), QStringLiteral("Time per output token"));
    double sum = 0;
    for (const SplitBar::Part& part : time->parts()) sum += part.size;
    EXPECT_NEAR(sum, answered(), 1e-9 * sum);
    EXPECT_EQ(model().explorer().explored().sweep.axis.input, planner::Input::Requests);
    EXPECT_FALSE(cardOf(child<QWidget>(*view, "plannerSweep"))->subtitle().contains(QStringLiteral("map")));
    // Its row is its own where nothing stands beside it.
    ask("step");
    ASSERT_TRUE(settled());
    QCoreApplication::processEvents();
    EXPECT_EQ(cardOf(time)->title(), QStringLiteral("Time of one step"));
    EXPECT_GT(cardOf(child<QWidget>(*view, "plannerSweep"))->width(), 1.8 * cardOf(time)->width());
}

TEST_F(PlannerFreshTest, WhatWasSavedTakesNothingFromTheFreshPlanner) {
    // A batch, days or a throughput that somebody left out stay out.
    make();
    const planner::Workload& workload = model().inputs().scenario.workload;
    EXPECT_EQ(workload.batch, 0);
    EXPECT_EQ(workload.sequence, 0);
    EXPECT_EQ(workload.days, 0);
    EXPECT_EQ(workload.tokensPerSecond, 0);
    EXPECT_EQ(model().inputs().scenario.recipe.recompute, planner::Recompute::None);
}

}  // namespace
}  // namespace plumb::ui::test
