// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/step_ceiling.h"
#include "tests/ui/planner/planner_support.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/heat_map.h"
#include "ui/charts/split_bar.h"
#include "ui/charts/tornado_chart.h"
#include "ui/planner/planner_text.h"
#include "ui/theme/text.h"
#include "ui/theme/translations.h"
#include "ui/widgets/fix_button.h"

#include <QClipboard>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableWidget>
#include <QToolButton>

namespace plumb::ui::test {
namespace {

using planner::Input;

TEST_F(PlannerViewTest, AnswersTheLecturesQuestion) {
    make();
    EXPECT_EQ(model().inputs().scenario.model.parameters(), 70e9);
    type("mfu", "0.5");
    EXPECT_NEAR(answered(), 143.93, 0.15);
    EXPECT_TRUE(text("plannerValue").startsWith(QStringLiteral("143.9")))
        << text("plannerValue").toStdString();
    EXPECT_TRUE(text("plannerRange").contains(QStringLiteral("from ")));
    EXPECT_LT(model().results().answer->value.low, answered());
    EXPECT_GT(model().results().answer->value.high, answered());
    EXPECT_FALSE(text("plannerFormula").isEmpty());
    EXPECT_TRUE(text("plannerNumbers").contains(QStringLiteral("1024")))
        << text("plannerNumbers").toStdString();
    EXPECT_TRUE(note("mfu").contains(QStringLiteral("given"))) << note("mfu").toStdString();
}

TEST_F(PlannerViewTest, FindsTheLargestModelThatFits) {
    make();
    ask("fit");
    type("devices", "8");
    type("bytes-per-parameter", "16");
    EXPECT_NEAR(answered(), 40.0e9, 1);
    type("bytes-per-parameter", "12 B");
    EXPECT_NEAR(answered(), 53.333e9, 0.001e9);
    QTest::mouseClick(child<QToolButton>(*view, "planner-bytes-per-parameterReset"), Qt::LeftButton);
    EXPECT_NEAR(answered(), 40.0e9, 1) << "mixed AdamW has 16";
}

TEST_F(PlannerViewTest, TrainsAdaptersOrPartsOfTheModel) {
    make();
    ask("memory");
    EXPECT_FALSE(child<QWidget>(*view, "plannerMethod")->isEnabled());  // a mere number has no matrices
    edits().setModel(QStringLiteral("llama-2-7b"));
    type("devices", "1");
    EXPECT_FALSE(child<QLineEdit>(*view, "plannerTargets")->isVisible());
    const double full = answered();
    child<QPushButton>(*view, "plannerMethod1")->click();
    const auto& adaptation = [&]() -> const planner::Adaptation& {
        return model().inputs().scenario.adaptation;
    };
    EXPECT_EQ(adaptation().method, planner::FineTuning::Lora);
    EXPECT_EQ(child<QLineEdit>(*view, "plannerTargets")->text(), QStringLiteral("q,v"));
    const double lora = answered();
    EXPECT_LT(lora, full / 3);
    child<QPushButton>(*view, "plannerMethod2")->click();
    EXPECT_LT(answered(), lora);  // though all matrices keep their inputs
    type("rank", "64");
    EXPECT_EQ(adaptation().rank, 64);
    const auto enter = [&](const char* name, const char* text) {
        auto* field = child<QLineEdit>(*view, name);
        field->selectAll();
        QTest::keyClicks(field, QString::fromUtf8(text));
        QTest::keyClick(field, Qt::Key_Return);
    };
    enter("plannerTargets", "k,o");
    EXPECT_EQ(planner::targetsText(adaptation()), "k,o");
    enter("plannerTargets", "nonsense");
    EXPECT_EQ(planner::targetsText(adaptation()), "k,o");
    EXPECT_TRUE(text("plannerModelNote").contains(QStringLiteral("nonsense")))
        << text("plannerModelNote").toStdString();
    enter("plannerFrozen", "layers:0-7");
    EXPECT_EQ(adaptation().frozenLayers, 8);
    const PlannerInputs kept = plannerInputsFrom(toBytes(model().inputs()), library->known(), RunConfig{});
    EXPECT_EQ(kept.scenario.adaptation, adaptation());
    history.stack().undo();
    EXPECT_EQ(adaptation().frozenLayers, 0);
    edits().setModel(QString::fromLatin1(PlannerInputs::kCount));
    EXPECT_TRUE(adaptation().trainsAll());
}

TEST_F(PlannerViewTest, ExpectsTheLossOfPublishedLawsAndSaysThatItExtrapolates) {
    make();
    ask("loss");
    type("parameters", "70e9");
    type("tokens", "1.4e12");
    // Besiroglu et al. 2024: 1.8172 + 482.01/N^0.3478 + 2085.43/D^0.3658, by hand.
    EXPECT_NEAR(answered(), 1.9739, 2e-4);
    ASSERT_TRUE(model().results().answer);
    const auto& notes = model().results().answer->notes;
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes.front().find("extrapolation"), std::string::npos) << notes.front();
}

TEST_F(PlannerViewTest, BeginsEveryQuestionWithItsAnswer) {
    make();
    view->resize(900, 420);
    ask("loss");
    QScrollBar* const bar = child<QScrollArea>(*view, "plannerScroll")->verticalScrollBar();
    ASSERT_GT(bar->maximum(), 0);
    bar->setValue(bar->maximum());
    view->nextQuestion(1);
    EXPECT_EQ(bar->value(), 0);
    bar->setValue(bar->maximum());
    type("tokens", "1.4e12");
    EXPECT_EQ(bar->value(), bar->maximum()) << "of the same question it stays where it is";
}

TEST_F(PlannerViewTest, SaysAtTheFieldWhatIsWrong) {
    make();
    const double before = answered();
    type("mfu", "120 %");
    EXPECT_TRUE(note("mfu").contains(QStringLiteral("above 100 %"))) << note("mfu").toStdString();
    EXPECT_TRUE(note("mfu").contains(QStringLiteral("peak is dense"))) << "with likely causes";
    EXPECT_EQ(answered(), before) << "nothing is computed from it";
    EXPECT_EQ(child<QLineEdit>(*view, "planner-mfuField")->text(), QStringLiteral("120 %"));
    QTest::keyClick(child<QLineEdit>(*view, "planner-mfuField"), Qt::Key_Escape);
    type("mfu", "40 %");
    EXPECT_FALSE(note("mfu").contains(QStringLiteral("above")));
    type("tokens", "many");
    EXPECT_TRUE(note("tokens").contains(QStringLiteral("not a number")));
    type("tokens", "1T");
    EXPECT_EQ(model().inputs().scenario.workload.tokens, 1e12);
    type("devices", "0");
    EXPECT_FALSE(note("devices").isEmpty());
}

TEST_F(PlannerViewTest, OffersTheNumberThatPutsARefusalRight) {
    make();
    const auto fix = [&](const char* key) {
        return child<FixButton>(*view, (std::string("planner-") + key + "NoteFix").c_str());
    };
    type("devices", "0");
    ASSERT_TRUE(fix("devices")->isVisible());
    EXPECT_EQ(fix("devices")->text(), QStringLiteral("Use 1"));
    QTest::mouseClick(fix("devices"), Qt::LeftButton);
    EXPECT_EQ(model().inputs().scenario.cluster.devices, 1);
    EXPECT_EQ(child<QLineEdit>(*view, "planner-devicesField")->text(), QStringLiteral("1"));
    EXPECT_FALSE(fix("devices")->isVisible());
    history.stack().undo();
    EXPECT_EQ(model().inputs().scenario.cluster.devices, 1024) << "one step";
    for (const char* text : {"many", "120 %"}) {
        type("mfu", text);
        EXPECT_FALSE(fix("mfu")->isVisible()) << text;
    }
    QTest::keyClick(child<QLineEdit>(*view, "planner-mfuField"), Qt::Key_Escape);
    // What is taken, but makes a plan that cannot be.
    makeFresh();
    ask("step");
    type("tensor", "7");
    ASSERT_FALSE(model().results().problem.isEmpty());
    ASSERT_TRUE(fix("tensor")->isVisible()) << note("tensor").toStdString();
    QTest::mouseClick(fix("tensor"), Qt::LeftButton);
    EXPECT_EQ(model().results().problem, QString());
    // A slip in a list of parts.
    edits().setModel(QStringLiteral("llama-3-8b"));
    auto* frozen = child<QLineEdit>(*view, "plannerFrozen");
    frozen->setFocus();
    frozen->selectAll();
    QTest::keyClicks(frozen, QStringLiteral("embedings"));
    QTest::keyClick(frozen, Qt::Key_Return);
    auto* meant = child<FixButton>(*view, "plannerModelNoteFix");
    ASSERT_TRUE(meant->isVisible()) << text("plannerModelNote").toStdString();
    EXPECT_EQ(meant->text(), QStringLiteral("Use embeddings"));
    QTest::mouseClick(meant, Qt::LeftButton);
    EXPECT_EQ(edits().modelProblem(), QString());
    EXPECT_EQ(frozen->text(), QStringLiteral("embeddings"));
}

TEST_F(PlannerViewTest, ShowsAUtilisationAboveAllAsAnError) {
    make();
    ask("utilisation");
    EXPECT_FALSE(model().results().answer.has_value()) << "no throughput is known yet";
    EXPECT_TRUE(child<QLabel>(*view, "plannerProblem")->isVisible());
    EXPECT_FALSE(note("tokens-per-second").isEmpty()) << "the sentence stands at the field too";
    type("tokens-per-second", "1e6");
    EXPECT_GT(answered(), 0.2);
    type("tokens-per-second", "1e9");
    EXPECT_FALSE(model().results().answer.has_value());
    EXPECT_TRUE(text("plannerProblem").contains(QStringLiteral("above 100 %")))
        << text("plannerProblem").toStdString();
}

TEST_F(PlannerViewTest, SaysHowFastAServerAnswers) {
    make();
    ask("serve");
    edits().setDevice("h100-sxm5-80gb");
    edits().setModel(QStringLiteral("llama-3-8b"));
    const double alone = answered();
    ASSERT_GT(alone, 0) << text("plannerProblem").toStdString();
    type("requests", "64");
    EXPECT_GT(answered(), alone);
    const double many = answered();
    type("weight-bits", "4");
    EXPECT_LT(answered(), many);
    type("prompt", "100000");
    EXPECT_FALSE(model().results().answer.has_value()) << "the prompt is longer than the context";
    EXPECT_FALSE(note("prompt").isEmpty());
}

TEST_F(PlannerViewTest, NamesADtypeThatTheDeviceHasNot) {
    make();
    edits().setDevice("v100-sxm2-16gb");  // no bf16
    EXPECT_FALSE(model().results().answer.has_value());
    EXPECT_TRUE(text("plannerProblem").contains(QStringLiteral("bf16")))
        << text("plannerProblem").toStdString();
    EXPECT_TRUE(text("plannerDeviceNote").contains(QStringLiteral("no bf16 peak")));
}

TEST_F(PlannerViewTest, AQuestionIsNoStepToUndo) {
    make();
    for (const char* question : {"memory", "cost", "time"}) ask(question);
    EXPECT_EQ(history.stack().count(), 0);
    type("devices", "8");
    ask("memory");
    ASSERT_EQ(history.stack().count(), 1);
    history.stack().undo();
    EXPECT_EQ(model().inputs().scenario.cluster.devices, 1024);
    EXPECT_EQ(model().question().key, QStringLiteral("time")) << "where it was changed";
}

TEST_F(PlannerViewTest, CountsParametersInOneManner) {
    make();
    edits().setModel(QStringLiteral("llama-3-8b"));
    ask("fit");
    type("devices", "8");
    ASSERT_TRUE(settled());
    const QString count = QStringLiteral("8.03e9");
    EXPECT_TRUE(text("plannerModelNote").startsWith(count)) << text("plannerModelNote").toStdString();
    EXPECT_EQ(text("plannerFigureValue"), count);
    EXPECT_TRUE(text("plannerValue").endsWith(QStringLiteral("e9"))) << text("plannerValue").toStdString();
}

TEST_F(PlannerViewTest, ADeepLinearModelIsTrainedOnSamplesAndHasItsNameInTheLanguage) {
    make();
    edits().setModel(QString::fromLatin1(PlannerInputs::kLinear));
    PlannerInputs inputs = model().inputs();
    inputs.scenario.workload.tokens = 0;
    inputs.scenario.cluster.devices = 1;
    model().setInputs(inputs);
    EXPECT_TRUE(text("plannerProblem").startsWith(QStringLiteral("Training samples")))
        << text("plannerProblem").toStdString();
    ask("step");
    ASSERT_TRUE(settled());
    const QString summary = child<SplitBar>(*view, "plannerTime")->accessibleDescription();
    EXPECT_FALSE(summary.contains(QStringLiteral("token"))) << summary.toStdString();
    Translations translations(*qApp);
    translations.use(Language::SimplifiedChinese);
    EXPECT_TRUE(modelText(model().inputs().scenario.model).contains(QStringLiteral("层")))
        << modelText(model().inputs().scenario.model).toStdString();
    planner::ModelSpec named = planner::findModel("llama-3-8b").value();
    named.name = "memory";
    EXPECT_EQ(modelText(named), QStringLiteral("memory")) << "of a file: as it is called there";
    translations.use(Language::English);
}

TEST_F(PlannerViewTest, SolvesForAnUnknown) {
    make();
    type("mfu", "0.5");
    choose("plannerUnknown",
           child<QComboBox>(*view, "plannerUnknown")->findData(static_cast<int>(Input::Devices)));
    QTest::keyClicks(child<QLineEdit>(*view, "plannerTarget"), QStringLiteral("30 d"));
    QTest::mouseClick(child<QPushButton>(*view, "plannerSolve"), Qt::LeftButton);
    EXPECT_EQ(model().inputs().scenario.cluster.devices, 4913);
    EXPECT_LE(answered(), 30);
    EXPECT_TRUE(text("plannerSolved").contains(QStringLiteral("devices")));
    history.stack().undo();
    EXPECT_EQ(model().inputs().scenario.cluster.devices, 1024);
    EXPECT_EQ(text("plannerSolved"), QString()) << "it spoke of what is taken back";
    auto* target = child<QLineEdit>(*view, "plannerTarget");
    QTest::keyClick(target, Qt::Key_Return);
    EXPECT_NE(text("plannerSolved"), QString());
    QTest::keyClick(target, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_NE(target->text(), QStringLiteral("30 d"));
    EXPECT_EQ(text("plannerSolved"), QString()) << "it does not belong to what the field says now";
    history.stack().undo();
    EXPECT_NEAR(answered(), 143.93, 0.15);
    history.stack().redo();
    EXPECT_EQ(model().inputs().scenario.cluster.devices, 4913);
}

TEST_F(PlannerViewTest, StacksTheMemoryOfAPresetBelowTheCapacity) {
    make();
    ask("memory");
    edits().setModel(QStringLiteral("llama-3-8b"));
    ASSERT_EQ(edits().modelProblem(), QString());
    type("devices", "8");
    ASSERT_TRUE(model().results().memory.has_value()) << model().results().memoryProblem.toStdString();
    EXPECT_NEAR(model().results().memory->worst().total(), answered(), 16);
    auto* chart = child<ChartPanel>(*view, "plannerMemory");
    EXPECT_TRUE(chart->emptyText().isEmpty());
    QStringList placed;
    (void)chart->grab();
    for (const auto& label : chart->placedLabels()) placed << label.text;
    if (answered() > 10e9) {
        EXPECT_TRUE(placed.contains(QStringLiteral("capacity 80.0 GB"))) << placed.join(u'|').toStdString();
    }
    ASSERT_TRUE(model().results().step.has_value()) << model().results().stepProblem.toStdString();
    double sum = 0;
    for (const auto& part : child<SplitBar>(*view, "plannerTime")->parts()) sum += part.size;
    EXPECT_NEAR(sum, model().results().step->total(), 1e-9 * sum);
}

TEST_F(PlannerViewTest, ACapacityFarAboveLeavesTheMemoryItsChart) {
    make();
    type("devices", "1024");
    ASSERT_TRUE(model().results().memory.has_value());
    const double most = model().results().memory->worst().total();
    ASSERT_GT(*model().results().capacity, 8 * most);
    EXPECT_LT(child<ChartPanel>(*view, "plannerMemory")->axis(ChartAxis::Y).max, 2.5 * most);
}

TEST_F(PlannerViewTest, ShowsWhatMattersMostFirst) {
    make();
    ASSERT_TRUE(settled());
    auto* tornado = child<TornadoChart>(*view, "plannerTornado");
    const auto& bars = tornado->content().bars;
    ASSERT_GE(bars.size(), 4);
    for (qsizetype i = 1; i < bars.size(); ++i)
        EXPECT_LE(std::abs(bars[i].atHigh - bars[i].atLow),
                  std::abs(bars[i - 1].atHigh - bars[i - 1].atLow) + 1e-9);
    (void)tornado->grab();
    for (qsizetype i = 0; i < 3; ++i) EXPECT_TRUE(QRectF(tornado->rect()).contains(tornado->barRect(i)));
    // Down, Enter: the field of the widest bar gets the focus.
    tornado->setFocus();
    QTest::keyClick(tornado, Qt::Key_Down);
    ASSERT_NE(tornado->cardShown(), nullptr);
    EXPECT_EQ(tornado->cardShown()->title, bars[0].label);
}

TEST_F(PlannerViewTest, TakesTheValuesOfAMapsCell) {
    make();
    ask("memory");
    edits().setModel(QStringLiteral("llama-3-8b"));
    type("devices", "64");
    ASSERT_TRUE(settled());
    ASSERT_TRUE(model().explorer().map().has_value()) << model().explorer().mapProblem().toStdString();
    auto* map = child<HeatMap>(*view, "plannerMap");
    (void)map->grab();
    const auto& made = *model().explorer().map();
    int fits = 0, possible = 0;
    for (const auto& cell : made.cells) {
        fits += cell.fits ? 1 : 0;
        possible += cell.possible ? 1 : 0;
    }
    EXPECT_GT(possible, 10);
    EXPECT_GT(fits, 0);
    EXPECT_LT(fits, possible) << "large micro-batches do not fit";
    EXPECT_GE(map->content().currentX, 0);
    EXPECT_GE(map->content().currentY, 0);
    const int x = map->content().currentX + 1;
    const int y = map->content().currentY + 1;
    QTest::mouseClick(map, Qt::LeftButton, {}, map->cellRect(x, y).center().toPoint());
    EXPECT_EQ(model().inputs().scenario.cluster.devices, 128);
    EXPECT_EQ(model().inputs().scenario.parallel.microBatch, 2);
    history.stack().undo();
    EXPECT_EQ(model().inputs().scenario.cluster.devices, 64);
    EXPECT_EQ(model().inputs().scenario.parallel.microBatch, 1);
}

TEST_F(PlannerViewTest, CancelsTheLongWork) {
    make();
    edits().setModel(QStringLiteral("llama-3-8b"));
    ASSERT_TRUE(model().explorer().progress().has_value());
    QTest::keyClick(child<HeatMap>(*view, "plannerMap"), Qt::Key_Escape);
    EXPECT_FALSE(model().explorer().progress().has_value());
    QTest::qWait(200);
    EXPECT_FALSE(model().explorer().progress().has_value());
    EXPECT_TRUE(model().results().answer.has_value()) << "the answer stays";
}

TEST_F(PlannerViewTest, WhatWasBegunGoesOnWhenItIsLookedAtAgain) {
    make();
    edits().setModel(QStringLiteral("llama-3-8b"));
    ASSERT_TRUE(model().explorer().progress().has_value());
    view->hide();
    EXPECT_FALSE(model().explorer().progress().has_value());
    view->show();
    EXPECT_TRUE(model().explorer().progress().has_value());
    ASSERT_TRUE(settled());
    EXPECT_TRUE(child<HeatMap>(*view, "plannerMap")->emptyText().isEmpty());
    EXPECT_FALSE(child<TornadoChart>(*view, "plannerTornado")->content().bars.isEmpty());
    view->hide();
    view->show();
    EXPECT_FALSE(model().explorer().progress().has_value()) << "what is done is not done again";
}

TEST_F(PlannerViewTest, ListsWaysToMakeItFitAndTakesOne) {
    make();
    ask("make-it-fit");
    edits().setModel(QStringLiteral("llama-3-8b"));
    type("devices", "8");
    ASSERT_TRUE(settled());
    auto* table = child<QTableWidget>(*view, "plannerTable");
    ASSERT_TRUE(table->isVisible());
    ASSERT_GT(table->rowCount(), 0);
    EXPECT_EQ(table->item(0, 0)->text(), QStringLiteral("yes"));
    const planner::ParallelLayout layout = model().explorer().explored().shardings.plans.front().layout;
    emit table->cellActivated(0, 0);
    EXPECT_EQ(model().inputs().scenario.parallel, layout);
    EXPECT_TRUE(text("plannerTableNote").contains(QStringLiteral("micro-batch")));
    Translations translations(*qApp);
    translations.use(Language::SimplifiedChinese);
    ASSERT_TRUE(settled());
    emit model().explorer().changed();
    ASSERT_GT(table->rowCount(), 0);
    for (int row = 0; row < table->rowCount(); ++row)
        EXPECT_NE(table->item(row, 1)->text(), QStringLiteral("none")) << row;
}

TEST_F(PlannerViewTest, ComparesAllDevicesThisMachineAndOwnOnesAmongThem) {
    Machine own{.name = "Basement card",
                .memoryBytes = 96'000'000'000,
                .bandwidthBytesPerSecond = 3e12,
                .peakFlopPerSecond = {{Dtype::Bf16, 500e12}}};
    ASSERT_TRUE(library->put(renamedApart(own, library->known().all())));
    make();
    ask("devices");
    ASSERT_TRUE(settled());
    auto* table = child<QTableWidget>(*view, "plannerTable");
    QStringList names;
    for (int row = 0; row < table->rowCount(); ++row) names << table->item(row, 0)->text();
    EXPECT_TRUE(names.contains(QStringLiteral("Basement card")));
    EXPECT_EQ(names.size(), static_cast<qsizetype>(library->known().all().size()));
    emit table->cellActivated(static_cast<int>(names.indexOf(QStringLiteral("Basement card"))), 0);
    EXPECT_EQ(model().inputs().scenario.cluster.device->id, "basement-card");
    // The device is edited elsewhere: the answer follows.
    own = *library->find("basement-card");
    own.memoryBytes = 48'000'000'000;
    ASSERT_TRUE(library->put(own));
    EXPECT_EQ(model().inputs().scenario.cluster.device->memoryBytes, 48'000'000'000);
}

TEST_F(PlannerViewTest, FollowsTheDeepLinearModelOfTheRunPanel) {
    make();
    ask("memory");
    edits().setModel(QString::fromLatin1(PlannerInputs::kLinear));
    RunConfig config = workbench.config();
    config.dim = 512;
    config.layers = 6;
    EXPECT_TRUE(workbench.show(config).has_value());
    ASSERT_NE(model().inputs().scenario.model.linear(), nullptr);
    EXPECT_EQ(model().inputs().scenario.model.linear()->dim, 512);
    EXPECT_EQ(model().inputs().recipe, QString::fromLatin1(PlannerInputs::kOfModel));
}

TEST_F(PlannerViewTest, TrainsTheDeepLinearModelByTheChosenRecipe) {
    make();
    ask("memory");
    edits().setModel(QString::fromLatin1(PlannerInputs::kLinear));
    type("devices", "1");
    const double adamw = answered();
    edits().setRecipe(QStringLiteral("fp32-sgd"));
    EXPECT_LT(answered(), adamw);
    ASSERT_NE(model().inputs().scenario.model.linear(), nullptr);
    EXPECT_EQ(model().inputs().scenario.model.linear()->optimizer, Optimizer::Sgd);
    // The run panel's sizes change under it, the recipe stays.
    RunConfig config = workbench.config();
    config.dim *= 2;
    EXPECT_TRUE(workbench.show(config).has_value());
    EXPECT_EQ(model().inputs().scenario.model.linear()->dim, config.dim);
    EXPECT_EQ(model().inputs().scenario.model.linear()->optimizer, Optimizer::Sgd);
    EXPECT_EQ(model().inputs().recipe, QStringLiteral("fp32-sgd"));
    edits().setRecipe(QStringLiteral("mixed-adamw8bit"));
    EXPECT_TRUE(text("plannerModelNote").contains(QStringLiteral("8-bit")))
        << text("plannerModelNote").toStdString();
    EXPECT_EQ(model().inputs().recipe, QStringLiteral("fp32-sgd"));
}

TEST_F(PlannerViewTest, SaysWhatIsWrongWithAConfig) {
    make();
    const std::string path = folder.file("config.json");
    const double before = model().inputs().scenario.model.parameters();
    putFile(path, R"({"model_type": "perceptron"})");
    view->edits().loadConfig(QString::fromStdString(path));
    EXPECT_TRUE(text("plannerModelNote").contains(QStringLiteral("perceptron")))
        << text("plannerModelNote").toStdString();
    EXPECT_EQ(model().inputs().scenario.model.parameters(), before);
    view->edits().loadConfig(QString::fromStdString(folder.file("missing.json")));
    EXPECT_TRUE(text("plannerModelNote").contains(QStringLiteral("missing.json")));
    putFile(
        path,
        R"({"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
        "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256,
        "max_position_embeddings": 8192, "tie_word_embeddings": false, "attention_bias": false,
        "mlp_bias": false, "hidden_act": "silu", "rms_norm_eps": 1e-5})");
    view->edits().loadConfig(QString::fromStdString(path));
    EXPECT_EQ(edits().modelProblem(), QString());
    EXPECT_EQ(model().inputs().scenario.model.parameters(), 8030261248);
}

TEST_F(PlannerViewTest, CopiesTheAnswer) {
    make();
    view->copyText();
    const QString copied = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(copied.contains(text("plannerValue"))) << copied.toStdString();
    EXPECT_TRUE(copied.contains(text("plannerNumbers")));
    view->copyJson();
    const QJsonObject json = QJsonDocument::fromJson(QGuiApplication::clipboard()->text().toUtf8()).object();
    EXPECT_EQ(json.value(QStringLiteral("question")).toString(), QStringLiteral("time"));
    EXPECT_NEAR(json.value(QStringLiteral("days")).toObject().value(QStringLiteral("expected")).toDouble(),
                answered(), 1e-9);
    EXPECT_TRUE(json.value(QStringLiteral("inputs")).toObject().contains(QStringLiteral("mfu")));
}

TEST_F(PlannerViewTest, ComesBackAsItWas) {
    make();
    QByteArray saved;
    QObject::connect(view.get(), &PlannerView::persistChanged, view.get(),
                     [&](const QByteArray& bytes) { saved = bytes; });
    ask("memory");
    edits().setModel(QStringLiteral("llama-3-8b"));
    edits().setDevice("h200-sxm-141gb");
    choose("plannerRecompute", static_cast<int>(planner::Recompute::Full));
    planner::ParallelLayout layout = model().inputs().scenario.parallel;
    layout.sharding = planner::Sharding::Gradients;
    edits().setParallel(layout);
    type("devices", "16");
    type("fragmentation", "0.01:0.03:0.06");
    const double before = answered();
    ASSERT_FALSE(saved.isEmpty());
    make(saved);
    EXPECT_EQ(answered(), before);
    EXPECT_EQ(toBytes(model().inputs()), saved);
    for (const char* damaged :
         {"", "{", "[]", R"({"version":1,"model":"no such","device":"none","given":{"devices":[1]}})"}) {
        make(damaged);
        EXPECT_TRUE(model().results().answer.has_value()) << damaged;
    }
}

TEST_F(PlannerViewTest, SaysOfATransformerWhatItsSizeAllowsAndWhatWasPublished) {
    make();
    edits().setModel(QStringLiteral("llama-3-70b"));
    ask("step");
    ASSERT_TRUE(model().results().step.has_value());
    const auto expected = planner::judgeStepMfu(model().inputs().scenario, model().results().step->mfu);
    ASSERT_GE(expected.size(), 3U);
    for (const std::string& sentence : expected)
        EXPECT_TRUE(text("plannerNotes").contains(capitalised(sentence))) << sentence;
    const QString published = QStringLiteral("of the training nearest in size");
    EXPECT_TRUE(text("plannerNotes").contains(published));
    EXPECT_TRUE(plannerText(model()).contains(published));
    ask("utilisation");
    type("tokens-per-second", "400000");
    ASSERT_TRUE(model().results().answer.has_value());
    EXPECT_TRUE(text("plannerNotes").contains(QStringLiteral("below 20 % poor")));
    EXPECT_TRUE(text("plannerNotes").contains(published));
    ask("time");
    EXPECT_FALSE(text("plannerNotes").contains(published)) << "nobody asks for an MFU";
}

TEST_F(PlannerViewTest, EveryQuestionHasAnAnswerOrSaysWhatIsMissing) {
    make();
    for (const char* preset : {"count", "llama-3-8b", "linear"}) {
        edits().setModel(QString::fromLatin1(preset));
        for (int i = 0; i < static_cast<int>(plannerQuestions().size()); ++i) {
            edits().setQuestion(i);
            const bool has = model().results().answer.has_value();
            EXPECT_EQ(child<QLabel>(*view, "plannerValue")->isVisible(), has);
            EXPECT_EQ(child<QLabel>(*view, "plannerProblem")->isVisible(), !has);
            if (!has) {
                EXPECT_GT(text("plannerProblem").size(), 20);
            }
        }
    }
}

}  // namespace
}  // namespace plumb::ui::test
