// SPDX-License-Identifier: GPL-3.0-or-later
// The run panel's recipe: precision, recomputation, and the options that are made from the table.
#include "core/model/names.h"
#include "core/model/rank_choices.h"
#include "tests/ui/run/panel_fixture.h"
#include "tests/ui/support.h"
#include "ui/engine/cpu_ranks.h"
#include "ui/run/option_form.h"
#include "ui/run/run_panel.h"
#include "ui/run/save_form.h"
#include "ui/theme/theme.h"
#include "ui/widgets/segmented_control.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <gtest/gtest.h>

namespace plumb::ui {
namespace {

using test::child;
using test::Panel;

QByteArray editorOf(std::string_view option) {
    return QByteArray(option.data(), static_cast<qsizetype>(option.size())) + "Option";
}

TEST(RunPanelRecipe, EveryPrecisionIsOneClickAndOnlyNarrowOnesAskForAMasterCopy) {
    Panel panel;
    for (std::size_t i = 0; i < kPrecisionNames.size(); ++i) {
        panel.press(("precision" + std::to_string(i)).c_str());
        EXPECT_EQ(panel.config().precision, kPrecisionNames.at(i).first);
        const bool narrow = dtypeSize(panel.config().weightDtype()) < 4;
        EXPECT_EQ(child<QCheckBox>(panel.panel, "masterWeights")->isEnabled(), narrow) << i;
        EXPECT_EQ(child<QCheckBox>(panel.panel, "fp32Gradients")->isEnabled(), narrow) << i;
        EXPECT_EQ(child<QCheckBox>(panel.panel, "fp32Gradients")->isChecked(), !narrow) << i;
    }
    child<QCheckBox>(panel.panel, "fp32Gradients")->click();
    EXPECT_EQ(panel.config().gradientPrecision, GradientPrecision::Fp32);
    panel.history.stack().undo();
    EXPECT_EQ(panel.config().gradientPrecision, GradientPrecision::Same);
}

TEST(RunPanelRecipe, AnotherPrecisionThanTheDevicesOwnSaysSoBesideItsChoice) {
    Panel panel;
    EXPECT_EQ(panel.sentence("precisionNote"), QString());
    panel.press("precision1");
    EXPECT_TRUE(panel.sentence("precisionNote").contains(QStringLiteral("emulated")));
    panel.press("precision2");
    EXPECT_EQ(panel.sentence("precisionNote"), QStringLiteral("bf16 multiplied in fp32 on the CPU"));
}

TEST(RunPanelRecipe, EveryOptimizerCanBeChosenAndGivesUpTheSettingsItLacks) {
    Panel panel;
    auto* box = child<QComboBox>(panel.panel, "optimizer");
    ASSERT_EQ(box->count(), static_cast<int>(kOptimizerNames.size()));
    RunConfig everything = panel.config();
    for (const Setting setting : kEnumerators<Setting>)
        everything.settings[setting] = settingDefault(Optimizer::Momentum, setting) ? 0.5 : 0.25;
    for (const auto& [optimizer, name] : kOptimizerNames) {
        const RunConfig changed = withOptimizer(everything, optimizer);
        for (const Setting setting : kEnumerators<Setting>)
            EXPECT_EQ(changed.settings[setting].has_value(), settingDefault(optimizer, setting).has_value())
                << name << " " << static_cast<int>(setting);
    }
    // In the window: beta1 of AdamW is also Adam's, SGD has none.
    panel.type("beta1Option", QStringLiteral("0.8"));
    panel.choose("optimizer", QStringLiteral("Adam"));
    EXPECT_EQ(panel.config().setting(Setting::Beta1), 0.8);
    for (const auto& [optimizer, name] : kOptimizerNames) {
        box->setCurrentIndex(static_cast<int>(optimizer));
        emit box->activated(static_cast<int>(optimizer));
        EXPECT_EQ(panel.config().optimizer, optimizer) << name << " was refused";
    }
    panel.choose("optimizer", QStringLiteral("SGD"));
    EXPECT_EQ(panel.sentence("panelError"), QString());
    EXPECT_FALSE(child<QLineEdit>(panel.panel, "beta1Option")->isVisible());
}

TEST(RunPanelRecipe, EveryOptionOfTheTableIsReachableAndShownExactlyWhereItHasAMeaning) {
    Panel panel;
    panel.press("advancedButton");
    int checked = 0;
    for (const Optimizer optimizer :
         {Optimizer::Sgd, Optimizer::Momentum, Optimizer::Adagrad, Optimizer::RmsProp, Optimizer::Adafactor})
        for (const Schedule schedule : {Schedule::Constant, Schedule::Cosine, Schedule::Step})
            for (const Precision precision : {Precision::Fp32, Precision::Fp16}) {
                const RunConfig config{.precision = precision, .optimizer = optimizer, .schedule = schedule};
                EXPECT_TRUE(panel.workbench.show(config).has_value());
                for (const OptionInfo& info : runOptions()) {
                    const auto* editor =
                        panel.panel.findChild<QWidget*>(QString::fromLatin1(editorOf(info.name)));
                    if (!editor) continue;
                    ++checked;
                    EXPECT_EQ(editor->isVisible(), optionApplies(config, info.name)) << info.name;
                    EXPECT_FALSE(editor->parentWidget()->toolTip().isEmpty()) << info.name;
                    EXPECT_FALSE(editor->accessibleName().isEmpty()) << info.name;
                }
            }
    EXPECT_GT(checked, 30 * 20);
    for (const char* name : {"weight-decay", "clip-norm", "lr-schedule", "init", "noise", "loss-scale",
                             "data-format", "vocabulary"})
        EXPECT_NE(panel.panel.findChild<QWidget*>(QString::fromLatin1(editorOf(name))), nullptr) << name;
}

TEST(RunPanelRecipe, AnEmptyFieldMeansTheDefaultAndARefusedOneSaysWhyAtItself) {
    Panel panel;
    panel.press("advancedButton");
    panel.type("beta2Option", QStringLiteral("0.5"));
    EXPECT_EQ(panel.config().setting(Setting::Beta2), 0.5);
    EXPECT_TRUE(child<QPushButton>(panel.panel, "advancedButton")->text().contains(u'1')) << "one is changed";
    for (const char* text : {"1.5", "nan", "banana", "1e999", "-1"}) {
        panel.type("beta2Option", QString::fromLatin1(text));
        EXPECT_EQ(panel.config().setting(Setting::Beta2), 0.5) << text;
        EXPECT_FALSE(panel.sentence("beta2OptionError").isEmpty()) << text;
        EXPECT_EQ(child<QLineEdit>(panel.panel, "beta2Option")->text(), QString::fromLatin1(text));
        EXPECT_FALSE(panel.panel.commitEntries()) << text;
    }
    panel.type("beta2Option", QString());
    EXPECT_EQ(panel.config().setting(Setting::Beta2), 0.999);
    EXPECT_EQ(panel.sentence("beta2OptionError"), QString());
    EXPECT_TRUE(panel.panel.commitEntries());
    for (const OptionInfo& info : runOptions()) {
        const RunConfig back = withDefault(panel.config(), info.name);
        EXPECT_TRUE(validate(back).has_value()) << info.name;
    }
}

TEST(RunPanelRecipe, WhatIsWrongInTheFoldedPartIsShownWhenSomethingStarts) {
    Panel panel;
    panel.press("advancedButton");
    child<QLineEdit>(panel.panel, "weight-decayOption")->setFocus();
    panel.type("weight-decayOption", QStringLiteral("-3"));
    panel.press("advancedButton");
    EXPECT_FALSE(child<OptionForm>(panel.panel, "optionForm")->isVisible());
    EXPECT_FALSE(panel.panel.commitEntries());
    EXPECT_TRUE(child<OptionForm>(panel.panel, "optionForm")->isVisible());
    QTest::keyClick(child<QLineEdit>(panel.panel, "weight-decayOption"), Qt::Key_Escape);
    EXPECT_TRUE(panel.panel.commitEntries());
    EXPECT_EQ(panel.sentence("weight-decayOptionError"), QString());
}

TEST(RunPanelRecipe, ARefusedEntryKeepsItsSentenceAndIsShownToWhoWantsToRun) {
    Panel panel;
    panel.panel.resize(panel.panel.width(), 400);
    panel.type("steps", QStringLiteral("99999999999999999999"));
    const QString why = panel.sentence("inputError");
    ASSERT_FALSE(why.isEmpty());
    QCoreApplication::processEvents();
    auto* const line = child<QLabel>(panel.panel, "inputError");
    EXPECT_FALSE(line->visibleRegion().isEmpty()) << "below the fold";
    panel.type("seed", QStringLiteral("5"));
    EXPECT_EQ(panel.sentence("inputError"), why) << "the other field still holds what was refused";
    QWidget* shown = nullptr;
    QObject::connect(&panel.panel, &RunPanel::entryRefused, [&](QWidget* field) { shown = field; });
    child<QPushButton>(panel.panel, "advancedButton")->setFocus();
    EXPECT_FALSE(panel.panel.commitEntries());
    EXPECT_EQ(shown, child<QLineEdit>(panel.panel, "steps"));
    EXPECT_EQ(panel.panel.focusWidget(), shown);
    panel.type("steps", QStringLiteral("7"));
    EXPECT_EQ(panel.sentence("inputError"), QString());
    EXPECT_TRUE(panel.panel.commitEntries());
}

TEST(RunPanelRecipe, TabGoesThroughTheAdvancedOptionsFromTheTopDown) {
    Panel panel;
    panel.press("advancedButton");
    panel.panel.resize(panel.panel.width(), 3000);
    QCoreApplication::processEvents();
    const auto* const form = child<OptionForm>(panel.panel, "optionForm");
    int before = -1, count = 0;
    for (QWidget* at = form->nextInFocusChain(); at != form; at = at->nextInFocusChain()) {
        if (!form->isAncestorOf(at) || !at->isVisible() || (at->focusPolicy() & Qt::TabFocus) == 0) continue;
        const int top = at->mapTo(form, QPoint()).y();
        EXPECT_GE(top, before) << at->objectName().toStdString();
        before = top;
        ++count;
    }
    EXPECT_GT(count, 5);
}

TEST(RunPanelRecipe, ARefusalCallsOptionsAsTheirFieldsAreCalled) {
    Panel panel;
    panel.press("advancedButton");
    panel.type("beta1Option", QStringLiteral("2"));
    EXPECT_TRUE(panel.sentence("beta1OptionError").contains(QStringLiteral("β₁ ")))
        << panel.sentence("beta1OptionError").toStdString();
    EXPECT_FALSE(panel.sentence("beta1OptionError").contains(QStringLiteral("beta1")));
}

TEST(RunPanelRecipe, AnOptionIsTakenBackByUndo) {
    Panel panel;
    panel.press("advancedButton");
    panel.choose("lr-scheduleOption", QStringLiteral("cosine"));
    EXPECT_EQ(panel.config().schedule, Schedule::Cosine);
    panel.type("min-lrOption", QStringLiteral("1e-5"));
    EXPECT_EQ(panel.config().minimumLearningRate, 1e-5);
    panel.history.stack().undo();
    panel.history.stack().undo();
    EXPECT_EQ(panel.config(), RunConfig{});
    EXPECT_EQ(child<QComboBox>(panel.panel, "lr-scheduleOption")->currentText(), QStringLiteral("constant"));
    EXPECT_FALSE(child<QLineEdit>(panel.panel, "min-lrOption")->isVisible());
}

TEST(RunPanelRecipe, RecomputePoliciesBeginWhereTheyMakeSense) {
    Panel panel;
    RunConfig config;
    config.layers = 17;
    EXPECT_TRUE(panel.workbench.show(config).has_value());
    panel.press("checkpoint1");
    EXPECT_EQ(panel.config().recompute, (RecomputePolicy{RecomputePolicy::Kind::Every, 5, 0}));
    panel.press("checkpoint2");
    EXPECT_EQ(panel.config().recompute.kind, RecomputePolicy::Kind::Sqrt);
    panel.press("checkpoint3");
    EXPECT_EQ(panel.config().recompute.kind, RecomputePolicy::Kind::None);
    EXPECT_FALSE(child<QLineEdit>(panel.panel, "checkpointBudget")->isVisible());
    panel.press("checkpoint4");
    ASSERT_EQ(panel.config().recompute.kind, RecomputePolicy::Kind::Fit);
    const Bytes memory = panel.workbench.scene()->whatIf.machine().memoryBytes.value_or(0);
    constexpr Bytes kGiB = Bytes{1} << 30U;
    ASSERT_GE(memory, 8 * kGiB) << "of the machine that tests this";
    EXPECT_EQ(panel.config().recompute.budgetBytes, memory / kGiB * kGiB) << "a size that a person reads";
    EXPECT_TRUE(child<QLineEdit>(panel.panel, "checkpointBudget")->isVisible());
    panel.press("checkpoint0");
    EXPECT_EQ(panel.config().recompute, RecomputePolicy{});
}

TEST(RunPanelRecipe, KeepsNoEveryKthLayerOfFewerThanKAndSaysSo) {
    Panel panel;
    RunConfig config;
    config.layers = 4;
    ASSERT_TRUE(panel.workbench.show(config).has_value());
    panel.press("checkpoint1");
    panel.type("checkpointEveryField", QStringLiteral("99"));
    EXPECT_EQ(panel.config().recompute.interval, 2);
    EXPECT_TRUE(panel.sentence("checkpointEveryError").contains(QStringLiteral("at most")))
        << panel.sentence("checkpointEveryError").toStdString();
    EXPECT_EQ(child<QLineEdit>(panel.panel, "checkpointEveryField")->text(), QStringLiteral("99"));
    panel.type("checkpointEveryField", QStringLiteral("4"));
    EXPECT_EQ(panel.config().recompute.interval, 4);
    EXPECT_EQ(panel.sentence("checkpointEveryError"), QString());
}

TEST(RunPanelRecipe, ABudgetIsTypedAsPeopleWriteItAndATooSmallOneIsRefusedAtTheField) {
    Panel panel;
    panel.press("checkpoint4");
    panel.type("checkpointBudget", QStringLiteral("64 MiB"));
    EXPECT_EQ(panel.config().recompute.budgetBytes, Bytes{64} << 20U);
    EXPECT_EQ(child<QLineEdit>(panel.panel, "checkpointBudget")->text(), QStringLiteral("64Mi"));
    for (const char* text : {"1", "nothing", "-5G", "0"}) {
        panel.type("checkpointBudget", QString::fromLatin1(text));
        EXPECT_FALSE(panel.sentence("checkpointError").isEmpty()) << text;
        EXPECT_EQ(panel.config().recompute.budgetBytes, Bytes{64} << 20U) << text;
    }
    QTest::keyClick(child<QLineEdit>(panel.panel, "checkpointBudget"), Qt::Key_Escape);
    EXPECT_EQ(panel.sentence("checkpointError"), QString());
    EXPECT_EQ(child<QLineEdit>(panel.panel, "checkpointBudget")->text(), QStringLiteral("64Mi"));
}

TEST(RunPanelRecipe, TrainingCheckpointsGoWithTheNextRunByAbsolutePath) {
    Panel panel;
    panel.press("advancedButton");
    EXPECT_FALSE(child<QLineEdit>(panel.panel, "saveEvery")->isVisible()) << "nothing is saved";
    QString asked;
    QObject::connect(&panel.panel, &RunPanel::folderWanted,
                     [&](const QString& title, const RunPanel::UsePath& use) {
                         asked = title;
                         use(QStringLiteral("some/folder"));
                     });
    child<QPushButton>(panel.panel, "saveFolderButton")->click();
    EXPECT_TRUE(asked.contains(QStringLiteral("checkpoints")));
    EXPECT_TRUE(QString::fromStdString(panel.controller.next().checkpoints().folder).startsWith(u'/'));
    panel.type("saveEvery", QStringLiteral("1k"));
    panel.type("keepLast", QStringLiteral("5"));
    EXPECT_EQ(panel.controller.next().checkpoints().saveEvery, 1000);
    EXPECT_EQ(panel.controller.next().checkpoints().keepLast, 5);
    panel.type("keepLast", QStringLiteral("0"));
    EXPECT_EQ(panel.controller.next().checkpoints().keepLast, 5);
    EXPECT_TRUE(panel.sentence("saveError").contains(QStringLiteral("at least 1")));
    EXPECT_FALSE(panel.panel.commitEntries()) << "what is shown as wrong must not start";
    QTest::keyClick(child<QLineEdit>(panel.panel, "keepLast"), Qt::Key_Escape);
    EXPECT_TRUE(panel.panel.commitEntries());
    auto* form = child<SaveForm>(panel.panel, "saveForm");
    form->chooseResume(QStringLiteral("some/folder"));
    EXPECT_TRUE(panel.controller.next().resumeFrom().endsWith(QStringLiteral("some/folder")));
    child<QPushButton>(panel.panel, "resumeFromClear")->click();
    child<QPushButton>(panel.panel, "saveFolderClear")->click();
    EXPECT_TRUE(panel.controller.next().resumeFrom().isEmpty());
    EXPECT_TRUE(panel.controller.next().checkpoints().folder.empty());
    EXPECT_EQ(panel.history.stack().count(), 0) << "files belong to the session, not to the configuration";
}

TEST(RunPanelRecipe, DevicesAreSharedByTheRanksOfTheirEntryAndTheListFollowsTheirNumber) {
    Panel p;
    auto& box = *child<QComboBox>(p.panel, "device");
    const QString alone = box.currentText();
    const std::vector<std::int64_t> offered = offeredRanks(p.controller.devices().current());
    for (const std::int64_t ranks : offered) EXPECT_GE(box.findText(cpuRanksText(ranks)), 0) << ranks;
    EXPECT_LT(box.findText(cpuRanksText(64)), 0) << "there are not so many cores";
    // Any number that is chosen elsewhere has an entry, and it is the one that is shown.
    ASSERT_TRUE(p.history.change(withRanks(p.config(), 64), QStringLiteral("ranks")).has_value());
    EXPECT_EQ(box.currentText(), cpuRanksText(64));
    EXPECT_EQ(child<QLineEdit>(p.panel, "data-parallelOption")->text(), QStringLiteral("64"));
    p.choose("device", alone);
    EXPECT_EQ(p.config().parallel.data, 1);
    EXPECT_EQ(box.currentText(), alone);
    EXPECT_LT(box.findText(cpuRanksText(64)), 0);
    p.history.stack().undo();
    EXPECT_EQ(box.currentText(), cpuRanksText(64));
    if (!offered.empty()) {
        p.choose("device", cpuRanksText(offered.front()));
        EXPECT_EQ(p.config().parallel.data, offered.front());
    }
    // A device of a data sheet is one.
    const int sheet = box.findText(QStringLiteral("H100"), Qt::MatchContains);
    ASSERT_GE(sheet, 0);
    p.choose("device", box.itemText(sheet));
    EXPECT_EQ(p.config().parallel.data, 1);
    EXPECT_EQ(box.currentIndex(), box.findText(box.itemText(box.currentIndex())));
    EXPECT_TRUE(box.currentText().contains(QStringLiteral("H100")));
}

TEST(RunPanelRecipe, ARefusedNumberOfRanksLeavesTheDeviceAsItWas) {
    Panel p;
    ASSERT_TRUE(p.history.change(withBatch(p.config(), 97), QStringLiteral("batch")).has_value());
    auto& box = *child<QComboBox>(p.panel, "device");
    const QString alone = box.currentText();
    const std::vector<std::int64_t> offered = offeredRanks(p.controller.devices().current());
    if (offered.empty()) GTEST_SKIP() << "one core";
    p.choose("device", cpuRanksText(offered.front()));
    EXPECT_EQ(p.config().parallel.data, 1);
    EXPECT_EQ(box.currentText(), alone);
    EXPECT_TRUE(p.sentence("deviceError").contains(QStringLiteral("97")))
        << p.sentence("deviceError").toStdString();
}

TEST(SizeText, ReadsBackAsExactlyTheSameSize) {
    for (const std::int64_t size : {std::int64_t{1}, std::int64_t{999}, std::int64_t{1000},
                                    std::int64_t{1024}, std::int64_t{25'300'000'000}, std::int64_t{24} << 30,
                                    (std::int64_t{24} << 30) + 1, std::int64_t{3} << 40}) {
        const auto read = parseSize(sizeText(size).toStdString());
        ASSERT_TRUE(read.has_value()) << sizeText(size).toStdString();
        EXPECT_EQ(*read, size);
    }
    EXPECT_EQ(sizeText(std::int64_t{24} << 30), QStringLiteral("24Gi"));
}

}  // namespace
}  // namespace plumb::ui
