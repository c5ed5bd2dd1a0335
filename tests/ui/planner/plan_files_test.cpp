// SPDX-License-Identifier: GPL-3.0-or-later
// Plans as files in the planner, and whether what is planned fits.
#include "core/io/file.h"
#include "core/planner/measured.h"
#include "core/planner/scenario_file.h"
#include "core/snapshot/snapshot.h"
#include "tests/ui/planner/planner_support.h"
#include "ui/charts/chart_panel.h"
#include "ui/planner/plan_comparison_dialog.h"
#include "ui/planner/planner_text.h"
#include "ui/theme/translations.h"
#include "ui/widgets/tone_label.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTableWidget>

namespace plumb::ui::test {
namespace {

using planner::Input;
using planner::Output;

class PlanFilesTest : public PlannerViewTest {
protected:
    QString path(const char* name) { return QString::fromStdString(folder.file(name)); }
    const planner::Scenario& scenario() { return model().inputs().scenario; }
    planner::Scenario drawnLlama() {
        planner::Scenario s;
        s.model = planner::findModel("llama-3-8b").value();
        auto own = *s.model.transformer();
        own.layers = 30;
        s.model.kind = own;
        s.model.name = "Llama of 30 layers";
        s.cluster.device = HardwareDatabase::builtIn().find("H100 SXM").value();
        s.cluster.devices = 64;
        s.workload.tokens = 1e12;
        s.recipe.stateBytes = 3;
        s.recipe.name = "own states";
        s.given[Input::Mfu] = planner::Range{0.3, 0.35, 0.4};
        return s;
    }
    void expectPlan(const planner::Scenario& s) {
        for (const Output output : {Output::Days, Output::StepSeconds, Output::MemoryPerDevice})
            EXPECT_EQ(*planner::evaluate(output, scenario()), *planner::evaluate(output, s));
        EXPECT_EQ(scenario().given[Input::Mfu]->low, s.given[Input::Mfu]->low);
    }
};

TEST_F(PlanFilesTest, WhatWasSavedIsThereAgainAfterOpening) {
    make();
    edits().setModel(QStringLiteral("llama-3-70b"));
    edits().setRecipe(QStringLiteral("fp32-sgd"));
    type("devices", "512");
    type("mfu", "45 %");
    const planner::Scenario before = scenario();
    ASSERT_TRUE(view->savePlan(path("a.plan.json")).has_value());
    edits().setModel(QStringLiteral("llama-3-8b"));
    type("devices", "8");
    ASSERT_TRUE(edits().openPlan(path("a.plan.json")).has_value());
    expectPlan(before);
    EXPECT_EQ(model().inputs().model, QStringLiteral("llama-3-70b")) << "a preset is known again";
    EXPECT_EQ(model().inputs().recipe, QStringLiteral("fp32-sgd"));
    EXPECT_EQ(scenario().cluster.device->id, before.cluster.device->id);
}

TEST_F(PlanFilesTest, HoldWhatWasTypedAndNoDefaultsOfOtherQuestions) {
    make();
    model().setInputs(PlannerInputs::standard(library->known()));
    ASSERT_TRUE(scenario().workload.days > 0 && scenario().workload.tokensPerSecond > 0);
    const auto saved = [this] {
        EXPECT_TRUE(view->savePlan(path("a.plan.json")).has_value());
        return planner::readScenario(folder.file("a.plan.json")).value().workload;
    };
    EXPECT_TRUE(saved().days == 0 && saved().tokensPerSecond == 0);
    edits().setQuestion(plannerQuestion(QStringLiteral("utilisation")));
    EXPECT_TRUE(saved().days == 0 && saved().tokensPerSecond > 0) << "the question goes by it";
    edits().enter(Input::Days, QStringLiteral("20 d"));
    EXPECT_EQ(saved().days, 20);
}

TEST_F(PlanFilesTest, AFileThatWasJustSavedDiffersInNothing) {
    make();
    model().setInputs(PlannerInputs::standard(library->known()));
    const auto differing = [&] {
        std::vector<planner::NamedScenario> plans{
            {"file", planner::readScenario(folder.file("a.plan.json")).value()}};
        plans.insert(plans.begin(), {"here", planBeside(plans, model().inputs())});
        const auto compared = planner::comparePlans(plans).value();
        QStringList labels;
        for (const auto& rows : {compared.inputs, compared.answers})
            for (const planner::ComparedRow& row : rows)
                if (row.differs) labels << toText(row.label);
        return labels.join(QLatin1Char(';')).toStdString();
    };
    for (const char* saved : {"time", "utilisation", "devices"}) {
        ask(saved);
        ASSERT_TRUE(view->savePlan(path("a.plan.json")).has_value());
        for (const char* compared : {"time", "utilisation", "devices"}) {
            ask(compared);
            EXPECT_EQ(differing(), "") << "saved in " << saved << ", compared in " << compared;
        }
    }
    edits().enter(Input::Days, QStringLiteral("20 d"));
    EXPECT_EQ(differing(), "time to spend") << "that was typed";
}

TEST_F(PlanFilesTest, WhatAPlanDoesNotGiveIsNotGivenInTheNextSessionEither) {
    make();
    planner::Scenario s = drawnLlama();
    s.workload.tokens = 0;
    ASSERT_TRUE(planner::writeScenario(folder.file("a.plan.json"), s).has_value());
    ASSERT_TRUE(edits().openPlan(path("a.plan.json")).has_value());
    ASSERT_EQ(scenario().workload.tokens, 0);
    const QByteArray saved = toBytes(model().inputs());
    make(saved);
    EXPECT_EQ(scenario().workload.tokens, 0);
    EXPECT_EQ(toBytes(model().inputs()), saved);
}

TEST_F(PlanFilesTest, SettingsAreTheSameInEveryLanguage) {
    make();
    edits().setModel(QStringLiteral("llama-3-8b"));
    planner::Adaptation lora = scenario().adaptation;
    planner::chooseMethod(lora, planner::FineTuning::Lora);
    edits().setAdaptation(lora);
    const QByteArray english = toBytes(model().inputs());
    Translations translations(*qApp);
    translations.use(Language::SimplifiedChinese);
    EXPECT_EQ(toBytes(model().inputs()), english);
    make(english);
    EXPECT_EQ(toBytes(model().inputs()), english);
    translations.use(Language::English);
}

TEST_F(PlanFilesTest, OpeningIsOneStepToUndo) {
    make();
    const double before = answered();
    ASSERT_TRUE(planner::writeScenario(folder.file("a.plan.json"), drawnLlama()).has_value());
    ASSERT_TRUE(edits().openPlan(path("a.plan.json")).has_value());
    EXPECT_NE(answered(), before);
    EXPECT_TRUE(history.stack().undoText().contains(QStringLiteral("plan")));
    history.stack().undo();
    EXPECT_EQ(answered(), before);
    EXPECT_EQ(model().inputs().model, QString::fromLatin1(PlannerInputs::kCount));
    history.stack().redo();
    expectPlan(drawnLlama());
}

TEST_F(PlanFilesTest, AModelAndARecipeOfTheirOwnAreShownAndKept) {
    make();
    ASSERT_TRUE(planner::writeScenario(folder.file("a.plan.json"), drawnLlama()).has_value());
    ASSERT_TRUE(edits().openPlan(path("a.plan.json")).has_value());
    EXPECT_EQ(child<QComboBox>(*view, "plannerModel")->currentText(), QStringLiteral("Llama of 30 layers"));
    EXPECT_TRUE(
        child<QComboBox>(*view, "plannerRecipe")->currentText().contains(QStringLiteral("own states")));
    // The next session has it still.
    const QByteArray saved = toBytes(model().inputs());
    make(saved);
    expectPlan(drawnLlama());
    EXPECT_EQ(child<QComboBox>(*view, "plannerModel")->currentText(), QStringLiteral("Llama of 30 layers"));
    // Another choice takes their places.
    edits().setModel(QStringLiteral("llama-3-70b"));
    edits().setRecipe(QStringLiteral("mixed-adamw"));
    EXPECT_EQ(child<QComboBox>(*view, "plannerModel")->findData(QString::fromLatin1(PlannerInputs::kPlan)),
              -1);
    EXPECT_EQ(child<QComboBox>(*view, "plannerRecipe")->findData(QString::fromLatin1(PlannerInputs::kPlan)),
              -1);
}

TEST_F(PlanFilesTest, ADeepLinearModelOfAPlanIsNotThatOfTheRunPanel) {
    make();
    planner::Scenario s = drawnLlama();
    RunConfig config;
    config.dim = 512;
    config.layers = 7;
    planner::chooseLinear(s, config);
    ASSERT_TRUE(planner::writeScenario(folder.file("a.plan.json"), s).has_value());
    ASSERT_TRUE(edits().openPlan(path("a.plan.json")).has_value());
    ASSERT_NE(scenario().model.linear(), nullptr);
    EXPECT_EQ(scenario().model.linear()->layers, 7);
    RunConfig other = workbench.config();
    other.layers = 3;
    ASSERT_TRUE(workbench.show(other).has_value());
    EXPECT_EQ(scenario().model.linear()->layers, 7) << "it does not follow the run panel";
    edits().setModel(QString::fromLatin1(PlannerInputs::kLinear));
    EXPECT_EQ(scenario().model.linear()->layers, 3);
    edits().setModel(QStringLiteral("llama-3-8b"));
    EXPECT_EQ(scenario().parallel.sharding, planner::Sharding::Weights);
}

TEST_F(PlanFilesTest, ADeviceWithOtherFiguresStaysThatOfThePlan) {
    make();
    planner::Scenario s = drawnLlama();
    s.cluster.device->memoryBytes = 96'000'000'000;
    ASSERT_TRUE(planner::writeScenario(folder.file("a.plan.json"), s).has_value());
    ASSERT_TRUE(edits().openPlan(path("a.plan.json")).has_value());
    RunConfig other = workbench.config();
    other.layers = 3;
    ASSERT_TRUE(workbench.show(other).has_value());  // when devices are looked up again
    EXPECT_EQ(scenario().cluster.device->memoryBytes, 96'000'000'000);
    EXPECT_EQ(child<QComboBox>(*view, "plannerDevice")->currentIndex(), -1);
    EXPECT_TRUE(
        child<QComboBox>(*view, "plannerDevice")->placeholderText().contains(QStringLiteral("of the plan")));
    ASSERT_TRUE(view->savePlan(path("b.plan.json")).has_value());
    EXPECT_EQ(planner::readScenario(folder.file("b.plan.json"))->cluster.device->id, s.cluster.device->id)
        << "the id of the record is not lost";
    make(toBytes(model().inputs()));
    EXPECT_EQ(scenario().cluster.device->memoryBytes, 96'000'000'000) << "in the next session too";
}

TEST_F(PlanFilesTest, AFileThatIsNoneChangesNothing) {
    make();
    const double before = answered();
    ASSERT_TRUE(
        writeFileAtomically(folder.file("a.plan.json"), "{\"format\": \"plumbline.plan\"}").has_value());
    const auto opened = edits().openPlan(path("a.plan.json"));
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(answered(), before);
    EXPECT_EQ(history.stack().count(), 0);
    EXPECT_FALSE(view->savePlan(path("no/such/folder/a.plan.json")).has_value());
}

TEST_F(PlanFilesTest, NoTimeStandsWithoutTheWordThatItDoesNotFit) {
    make();
    edits().setModel(QStringLiteral("llama-3-70b"));
    type("devices", "8");
    for (const char* question : {"time", "cost", "step", "memory"}) {
        ask(question);
        const auto* verdict = child<ToneLabel>(*view, "plannerVerdict");
        ASSERT_TRUE(verdict->isVisible()) << question;
        EXPECT_TRUE(verdict->text().startsWith(QStringLiteral("DOES NOT FIT: ")))
            << verdict->text().toStdString();
        EXPECT_EQ(verdict->tone(), ColorRole::Bad);
        const bool isTime = planner::needsMemory(model().question().output);
        EXPECT_EQ(text("plannerRange").contains(QStringLiteral("does not fit")), isTime) << question;
        for (const auto& [output, shown] : model().results().figures)
            EXPECT_EQ(shown.contains(QStringLiteral("does not fit")), planner::needsMemory(output))
                << planner::info(output).key;
        const QJsonObject document = QJsonDocument::fromJson(plannerJson(model())).object();
        EXPECT_EQ(document[QStringLiteral("fits")].toBool(true), false) << question;
        EXPECT_GT(document[QStringLiteral("needed_bytes")].toDouble(),
                  document[QStringLiteral("available_bytes")].toDouble());
        EXPECT_TRUE(plannerText(model()).contains(QStringLiteral("DOES NOT FIT")));
    }
    type("devices", "512");
    type("tensor", "8");
    const auto* verdict = child<ToneLabel>(*view, "plannerVerdict");
    EXPECT_TRUE(verdict->text().startsWith(QStringLiteral("Fits: "))) << verdict->text().toStdString();
    EXPECT_EQ(verdict->tone(), ColorRole::Good);
    ask("optimal");
    EXPECT_FALSE(verdict->isVisible());
}

TEST_F(PlanFilesTest, ConventionsStandWithTheAnswer) {
    make();
    EXPECT_TRUE(text("plannerNotes").contains(QStringLiteral("ZeRO 3, FSDP")))
        << text("plannerNotes").toStdString();
    EXPECT_TRUE(plannerText(model()).contains(QStringLiteral("conventions: ")));
}

TEST_F(PlanFilesTest, TheTableSaysWhyTheOthersLose) {
    make();
    edits().setModel(QStringLiteral("llama-3-8b"));
    ask("make-it-fit");
    type("devices", "8");
    ASSERT_TRUE(settled());
    const auto* table = child<QTableWidget>(*view, "plannerTable");
    ASSERT_GT(table->rowCount(), 1);
    const int last = table->columnCount() - 1;
    EXPECT_EQ(table->item(0, last)->text().trimmed(), QString());
    for (int row = 1; row < table->rowCount(); ++row)
        EXPECT_FALSE(table->item(row, last)->text().trimmed().isEmpty()) << row;
}

TEST_F(PlanFilesTest, AnAnswerIsDrawnOverAnInput) {
    make();
    edits().setModel(QStringLiteral("llama-3-70b"));
    ask("step");
    ASSERT_TRUE(settled());
    const planner::Sweep& sweep = model().explorer().explored().sweep;
    EXPECT_EQ(sweep.outputs, std::vector{Output::StepSeconds});
    EXPECT_EQ(sweep.axis.input, Input::Devices);
    ASSERT_GT(sweep.rows.size(), 5U);
    auto* chart = child<ChartPanel>(*view, "plannerSweep");
    EXPECT_TRUE(chart->isVisible());
    EXPECT_TRUE(chart->emptyText().isEmpty()) << chart->emptyText().toStdString();
    // A point stands where each answer is.
    for (std::size_t i = 0; i < sweep.rows.size(); ++i) {
        const auto& answer = sweep.rows[i].answers.front();
        if (!answer) continue;
        EXPECT_EQ(chart->markAt(chart->toPixel({sweep.rows[i].value, answer->expected}), 2),
                  static_cast<int>(i));
    }
    ask("utilisation");
    ASSERT_TRUE(settled());
    EXPECT_FALSE(chart->emptyText().isEmpty()) << "no throughput is known";
}

TEST_F(PlanFilesTest, TimeIsDrawnAgainstMemoryWhereThereIsAChoice) {
    make();
    edits().setModel(QStringLiteral("llama-3-8b"));
    type("devices", "8");
    auto* chart = child<ChartPanel>(*view, "plannerFront");
    EXPECT_FALSE(chart->isVisible());
    ask("make-it-fit");
    ASSERT_TRUE(settled());
    ASSERT_TRUE(chart->isVisible());
    EXPECT_TRUE(chart->emptyText().isEmpty()) << chart->emptyText().toStdString();
    const auto& front = model().explorer().explored().shardings.front;
    ASSERT_GT(front.size(), 2U);
    EXPECT_TRUE(chart->markAt(chart->toPixel({front[0].memoryBytes, front[0].stepSeconds}), 2).has_value());
    edits().setModel(QString::fromLatin1(PlannerInputs::kCount));
    ASSERT_TRUE(settled());
    EXPECT_FALSE(chart->emptyText().isEmpty()) << "a mere number can be spread in no way";
}

TEST_F(PlanFilesTest, PlansSideBySideSetOffWhatDiffers) {
    planner::Scenario a = drawnLlama(), b = a;
    b.cluster.devices = 128;
    auto compared = planner::comparePlans({{"a", a}, {"b", b}});
    ASSERT_TRUE(compared.has_value());
    auto* dialog = new PlanComparisonDialog(theme, *std::move(compared), nullptr);
    dialog->show();
    const auto* inputs = child<QTableWidget>(*dialog, "planComparisonInputs");
    EXPECT_EQ(inputs->item(0, 0)->text(), QStringLiteral("devices"));
    EXPECT_EQ(inputs->item(0, 1)->text(), QStringLiteral("64"));
    EXPECT_EQ(inputs->item(0, 2)->text(), QStringLiteral("128"));
    EXPECT_GT(inputs->item(0, 0)->font().weight(), inputs->item(inputs->rowCount() - 1, 0)->font().weight());
    const auto* answers = child<QTableWidget>(*dialog, "planComparisonAnswers");
    EXPECT_EQ(answers->columnCount(), 4);
    QStringList labels;
    for (int row = 0; row < answers->rowCount(); ++row) labels << answers->item(row, 0)->text().trimmed();
    for (const char* label :
         {"memory per device", "step time", "MFU by the step model", "price of the devices"})
        EXPECT_TRUE(labels.contains(QString::fromLatin1(label))) << label;
    constexpr QSize kRoom(1600, 760);
    dialog->resize(kRoom);
    QCoreApplication::processEvents();
    for (const QTableWidget* table : {inputs, answers})
        for (int row = 0; row < table->rowCount(); ++row)
            for (int column = 0; column < table->columnCount(); ++column)
                EXPECT_GE(table->columnWidth(column),
                          table->sizeHintForIndex(table->model()->index(row, column)).width())
                    << table->item(row, column)->text().toStdString();
    delete dialog;
}

TEST_F(PlanFilesTest, AMeasuredStepIsPlannedFromAndKeptForTheNextSession) {
    RunConfig config;
    config.dim = 64;
    config.layers = 3;
    config.batch = 32;
    Target target{HardwareDatabase::builtIn().find("H100 SXM").value(), {}};
    target.traits = traitsFor(target.machine.backend, target.machine.computeCapability);
    Snapshot snapshot = makeSnapshot(config, target).value();
    make();
    const QString file = path("step.plumb");
    ASSERT_TRUE(writeSnapshot(file.toStdString(), snapshot).has_value());
    EXPECT_FALSE(edits().useMeasurement(file).has_value()) << "nothing was measured";
    snapshot.measured = snapshot.predicted;
    snapshot.measured->source = Source::Clock;
    const double seconds = 1.5 * *snapshot.predicted->totals.seconds;
    snapshot.measured->totals = {};
    snapshot.measured->totals.seconds = seconds;
    ASSERT_TRUE(writeSnapshot(file.toStdString(), snapshot).has_value());
    const Result<void> used = edits().useMeasurement(file);
    ASSERT_TRUE(used.has_value()) << used.error().text();
    EXPECT_NEAR(*planner::evaluate(Output::StepSeconds, scenario()), seconds, 1e-9 * seconds);
    EXPECT_TRUE(history.stack().undoText().contains(QStringLiteral("measurement")));
    // Another batch is answered from there, in this session and in the next one.
    edits().enter(Input::Batch, QStringLiteral("64"));
    const double carried = *planner::evaluate(Output::StepSeconds, scenario());
    EXPECT_TRUE(planner::restsOnMeasurement(scenario()));
    EXPECT_GT(carried, seconds);
    const QByteArray saved = toBytes(model().inputs());
    make(saved);
    EXPECT_EQ(*planner::evaluate(Output::StepSeconds, scenario()), carried);
    edits().reset();
    EXPECT_FALSE(planner::restsOnMeasurement(scenario()));
    EXPECT_LT(*planner::evaluate(Output::StepSeconds, scenario()), carried);
}

}  // namespace
}  // namespace plumb::ui::test
