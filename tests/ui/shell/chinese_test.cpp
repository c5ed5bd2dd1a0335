// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window in Chinese: whatever it shows in any view, nothing is left in English.
#include "core/machine/hardware_database.h"
#include "core/planner/evidence.h"
#include "core/planner/model.h"
#include "core/planner/scenario_file.h"
#include "tests/support/english_words.h"
#include "tests/ui/shell/filled_window.h"
#include "tests/ui/shell/window_texts.h"
#include "ui/planner/planner_edits.h"
#include "ui/widgets/screen_room.h"

#include <QDialog>
#include <QKeySequence>
#include <QLineEdit>
#include <QListWidget>
#include <QMap>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>

#include <gtest/gtest.h>

namespace plumb::ui::test {
namespace {

/// What is the same in every language: expressions over named dimensions, titles of publications, names of
/// models, of devices and of kernels, what a reader wrote, values of options.
bool isNameThere(const std::string& where) {
    static const QRegularExpression kThere(QStringLiteral(
        "plannerModel|plannerDevice|column [01] of QTableView evidenceRows|einsumPresets|tensorAdd|"
        "column [01] of QTableView einsumGradients|column 0 of QTableView bookmarksTable|"
        "column 0 of QTreeWidget traceTables|traceCanvas|devicesList|evidenceSource|optionForm"));
    return QString::fromStdString(where).contains(kThere);
}

/// What the fake engine, a recorded step and a scene of these tests say, and the one choice in its own words.
bool isOfNoLanguage(const QString& text) {
    static const QRegularExpression kOwn(QStringLiteral("^The window in English$|^English$|^Fake GPU"));
    return text.contains(kOwn);
}

/// Names within a text: of devices, their sources, models and publications, and what the files and the engine
/// of these tests say: operations and tensors of a recorded step, bookmarks, the fake device.
QString withoutNames(QString text) {
    static const QStringList kNames = [] {
        QStringList names{QStringLiteral("Fake CPU"), QStringLiteral("where the peak is"),
                          QStringLiteral("a range with a long title, as somebody writes it"),
                          QStringLiteral("of another step"), QStringLiteral("random number state")};
        for (const Machine& machine : HardwareDatabase::builtIn().machines) names << toText(machine.name);
        for (const planner::ModelPreset& preset : planner::modelPresets()) names << toText(preset.label);
        for (const planner::EvidenceSource& source : planner::Evidence::builtIn()->sources)
            names << toText(source.title) << toText(source.organisation);
        // A place of a told sentence has Chinese commas.
        for (const QString& name : QStringList(names))
            names << QString(name).replace(QStringLiteral(", "), QStringLiteral("，"));
        return names;
    }();
    static const QRegularExpression kBetween(QStringLiteral(
        "规格表：[^；）\\n]*|\\bIntel\\(R\\) Xeon\\(R\\) Processor(, \\d+ cores)?|not "
        "calibrated|（model）|NeMo Framework[^）]*|"
        "\\b([Dd]ecoder|addmm|mm|view|transpose|detach|embedding|div|norm|reduce|randint|blocks|stream|ids|"
        "loss|backward|optimizer|main|Kineto|goodput|usable|price|law|forward|recompute|AMD [\\w ]+ "
        "Processor)\\b"));
    for (const QString& name : kNames) text.replace(name, QStringLiteral(" "));
    return text.replace(kBetween, QStringLiteral(" "));
}

/// What nobody translated; empty: nothing.
QString englishOf(const QString& text) {
    if (isOfNoLanguage(text)) return {};
    return QString::fromStdString(plumb::test::englishIn(withoutNames(text).toStdString()));
}

TEST(ChineseWindow, SaysNothingInEnglish) {
    FilledWindow filled;
    ASSERT_TRUE(filled.fill());
    ASSERT_TRUE(filled.choose("view.language.zh_CN"));
    for (const QAction* action : filled.window().actions().all())
        textsOfAction(*action, [&](const QString& text, const std::string& where) {
            EXPECT_EQ(englishOf(text).toStdString(), "") << where << ": " << text.toStdString();
        });
    const qsizetype texts = filled.forEachText([](const QString& text, const std::string& where) {
        if (isNameThere(where)) return;
        EXPECT_EQ(englishOf(text).toStdString(), "") << where << ": " << text.left(300).toStdString();
    });
    EXPECT_GT(texts, 2000);
}

TEST(ChineseWindow, SaysNothingInEnglishOfAnyPlan) {
    FilledWindow filled;
    ASSERT_TRUE(filled.fill());
    ASSERT_TRUE(filled.choose("view.language.zh_CN"));
    filled.window().actions().action(QStringLiteral("view.planner"))->trigger();
    auto* const planner = qobject_cast<PlannerView*>(filled.window().views().currentView());
    ASSERT_NE(planner, nullptr);
    QSet<QString> seen;
    for (const char* model : {"llama-3-8b", "deepseek-v3", "bert-base", "gpt3-175b"}) {
        planner->edits().setModel(QString::fromLatin1(model));
        for (int page = 0; page < PlannerView::pageCount(); ++page) {
            planner->showPage(page);
            settle();
            ASSERT_TRUE(waitFor([planner] { return !planner->property(kBusyView).toBool(); }));
            settle();
            textsOf(*planner, [&](const QString& text, const std::string& where) {
                if (text.isEmpty() || seen.contains(text)) return;
                seen.insert(text);
                if (!isNameThere(where))
                    EXPECT_EQ(englishOf(text).toStdString(), "")
                        << model << ", page " << page << ", " << where << ": "
                        << text.left(400).toStdString();
            });
        }
    }
    EXPECT_GT(seen.size(), 500);
}

TEST(ChineseWindow, SaysNothingInEnglishWhileItCalibrates) {
    FilledWindow filled;
    ASSERT_TRUE(filled.choose("view.language.zh_CN"));
    filled.window().engine().setCommand(test::fakeEngine(QStringLiteral("calibrating")));
    filled.window().engine().start();
    QAction* const calibrate = filled.window().actions().action(QStringLiteral("run.calibrate"));
    ASSERT_TRUE(waitFor([&] { return calibrate->isEnabled(); }));
    calibrate->trigger();
    ASSERT_TRUE(waitFor([&] { return !filled.window().controller().work().progressText().isEmpty(); }));
    settle();
    EXPECT_EQ(englishOf(filled.window().controller().work().progressText()).toStdString(), "");
    textsOf(filled.window(), [&](const QString& text, const std::string& where) {
        if (!isNameThere(where))
            EXPECT_EQ(englishOf(text).toStdString(), "") << where << ": " << text.left(300).toStdString();
    });
}

/// The keys of a menu's entries that several have: "D: Copy, Delete". Menus below it are asked as well.
QStringList sharedKeys(const QMenu& menu) {
    QMap<QString, QStringList> entries;
    QStringList shared;
    for (const QAction* action : menu.actions()) {
        const QString key = QKeySequence::mnemonic(action->text()).toString();
        if (!key.isEmpty()) entries[key] << action->text();
        if (action->menu() != nullptr) shared += sharedKeys(*action->menu());
    }
    for (auto each = entries.cbegin(); each != entries.cend(); ++each)
        if (each->size() > 1)
            shared << menu.title() + QStringLiteral(" > ") + each.key() + QStringLiteral(": ") +
                          each->join(QStringLiteral(", "));
    return shared;
}

TEST(ChineseWindow, AndTheEnglishOneGiveEachKeyOfAMenuOnce) {
    FilledWindow filled;
    for (const char* language : {"view.language.en", "view.language.zh_CN"}) {
        ASSERT_TRUE(filled.choose(language)) << language;
        int menus = 0;
        QMenu bar;
        for (QAction* action : filled.window().findChild<QMenuBar*>()->actions()) {
            bar.addAction(action);
            menus += action->menu() != nullptr ? 1 : 0;
        }
        EXPECT_GE(menus, 6);
        EXPECT_EQ(sharedKeys(bar).join(u'\n').toStdString(), "") << language;
    }
    QMenu both(QStringLiteral("Menu"));
    both.addAction(QStringLiteral("&Copy"));
    both.addAction(QStringLiteral("复制 JSON(&C)"));
    EXPECT_EQ(sharedKeys(both).size(), 1);
}

/// What opens a dialog of its own.
constexpr const char* kDialogs[] = {"edit.preferences",  "planner.devices",       "help.shortcuts",
                                    "file.export",       "run.presets",           "run.hosts",
                                    "run.engineCommand", "help.welcome",          "help.about",
                                    "notes.add",         "run.pyTorchInterpreter"};

QDialog* shownDialog() {
    for (QWidget* const top : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<QDialog*>(top); dialog != nullptr && dialog->isVisible())
            return dialog;
    return nullptr;
}

TEST(ChineseWindow, SaysNothingInEnglishInDialogsWhichFitALowScreen) {
    FilledWindow filled;
    ASSERT_TRUE(filled.fill());
    ASSERT_TRUE(filled.choose("view.language.zh_CN"));
    constexpr QSize kLow(900, 560);  // of 600, with a title bar
    for (const char* id : kDialogs) {
        filled.window().actions().action(QString::fromLatin1(id))->trigger();
        ASSERT_TRUE(waitFor([] { return shownDialog() != nullptr; })) << id;
        const QPointer<QDialog> dialog(shownDialog());
        settle();
        textsOf(*dialog, [&](const QString& text, const std::string& where) {
            if (!isNameThere(where))
                EXPECT_EQ(englishOf(text).toStdString(), "")
                    << id << ", " << where << ": " << text.left(300).toStdString();
        });
        EXPECT_LE(dialog->width(), screenRoom(*dialog).width()) << id;
        EXPECT_LE(dialog->height(), screenRoom(*dialog).height()) << id;
        dialog->resize(kLow);
        settle();
        EXPECT_LE(dialog->width(), kLow.width()) << id;
        EXPECT_LE(dialog->height(), kLow.height()) << id;
        dialog->close();
        ASSERT_TRUE(waitFor([&] { return dialog.isNull() || !dialog->isVisible(); })) << id;
    }
}

TEST(ChineseWindow, SaysNothingInEnglishWherePlansAreCompared) {
    FilledWindow filled;
    ASSERT_TRUE(filled.choose("view.language.zh_CN"));
    const QTemporaryDir folder;
    QStringList paths;
    for (const std::int64_t tensor : {1, 3}) {
        planner::Scenario plan;
        plan.model = planner::findModel(tensor == 1 ? "llama-3-8b" : "llama-3-70b").value();
        plan.cluster.device = HardwareDatabase::builtIn().find("H100 SXM").value();
        plan.cluster.devices = 8;
        plan.parallel.tensor = tensor;  // by which 3 does not divide them
        plan.recipe.recompute = tensor == 1 ? planner::Recompute::None : planner::Recompute::Alternate;
        paths << folder.filePath(QStringLiteral("%1.plan.json").arg(tensor));
        ASSERT_TRUE(planner::writeScenario(paths.back().toStdString(), plan).has_value());
    }
    filled.window().openFiles(paths);
    ASSERT_TRUE(waitFor([] { return shownDialog() != nullptr; }));
    const QPointer<QDialog> dialog(shownDialog());
    settle();
    qsizetype texts = 0;
    textsOf(*dialog, [&](const QString& text, const std::string& where) {
        ++texts;
        if (!isNameThere(where))
            EXPECT_EQ(englishOf(text).toStdString(), "") << where << ": " << text.left(300).toStdString();
    });
    EXPECT_GT(texts, 60);
    dialog->close();
}

TEST(ChineseWindow, IsFoundByTheEnglishNameOfALanguage) {
    FilledWindow filled;
    const auto bestOf = [&](const char* typed) {
        filled.window().activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&filled.window()));
        filled.window().actions().action(QStringLiteral("view.search"))->trigger();
        QTest::keyClicks(child<QLineEdit>(filled.window(), "paletteSearch"), QString::fromLatin1(typed));
        auto* const list = child<QListWidget>(filled.window(), "paletteList");
        return list->count() == 0 ? QString() : list->item(0)->text();
    };
    for (const char* language : {"view.language.en", "view.language.zh_CN"}) {
        ASSERT_TRUE(filled.choose(language));
        EXPECT_TRUE(bestOf("chinese").contains(QStringLiteral("简体中文")))
            << bestOf("chinese").toStdString();
        EXPECT_TRUE(bestOf("english").contains(QStringLiteral("English"))) << bestOf("english").toStdString();
    }
}

TEST(ChineseWindow, SaysOfQtToo) {
    FilledWindow filled;
    ASSERT_TRUE(filled.choose("view.language.zh_CN"));
    EXPECT_EQ(QCoreApplication::translate("QKeySequenceEdit", "Press shortcut"),
              QStringLiteral("按下快捷键"));
}

TEST(ChineseWindow, KnowsEnglishFromNames) {
    for (const char* english :
         {"Peak memory", "Not known", "step time (median)", "<b>of the step</b>", "No, none", "29 % longer",
          "属于fair", "计算，energy and money", "again: 855"})
        EXPECT_NE(englishOf(QString::fromUtf8(english)), QString()) << english;
    for (const char* name : {"CUDA", "layer0.forward", "a.csv b.csv", "--layers N", "PyTorch",
                             "NVIDIA H100 SXM", "x.view(2, 3)", "12 GB", "每个 token", "退出(&X)"})
        EXPECT_EQ(englishOf(QString::fromUtf8(name)), QString()) << name;
}

}  // namespace
}  // namespace plumb::ui::test
