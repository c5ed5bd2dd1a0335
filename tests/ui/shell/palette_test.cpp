// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/findings/findings.h"
#include "core/lab/lesson.h"
#include "tests/ui/shell/shell_fixture.h"
#include "ui/findings/findings_model.h"
#include "ui/history/history_names.h"
#include "ui/history/history_record.h"
#include "ui/lab/dtype_page.h"
#include "ui/lab/einsum_page.h"
#include "ui/lab/lab_view.h"
#include "ui/lab/lesson_panel.h"
#include "ui/lab/tensor_page.h"
#include "ui/manual/manual_window.h"
#include "ui/planner/planner_view.h"
#include "ui/run/run_settings.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/shown_views.h"
#include "ui/theme/text.h"
#include "ui/theme/translations.h"
#include "ui/widgets/finding_text.h"

#include <QLineEdit>
#include <QListWidget>
#include <QTest>

namespace plumb::ui {
namespace {

using test::child;
using test::Shell;
using test::waitFor;

/// The window with the palette open, driven by keys alone.
struct OpenPalette {
    explicit OpenPalette(const char* typed = "") {
        shell.window.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&shell.window));
        type(typed);
    }
    void type(const char* text) {
        shell.trigger("view.search");
        QTest::keyClicks(search(), QString::fromUtf8(text));
    }
    QLineEdit* search() { return child<QLineEdit>(shell.window, "paletteSearch"); }
    QListWidget* list() { return child<QListWidget>(shell.window, "paletteList"); }
    [[nodiscard]] QString best() {
        return list()->count() == 0 ? QString() : list()->item(0)->data(Qt::AccessibleTextRole).toString();
    }
    void enter() { QTest::keyClick(search(), Qt::Key_Return); }
    [[nodiscard]] const RunConfig& config() { return shell.window.workbench().config(); }

    Shell shell;
};

TEST(Palette, FindsAViewAndGoesThere) {
    OpenPalette palette("memo");
    EXPECT_EQ(palette.best(), QStringLiteral("Memory, View"));
    palette.enter();
    EXPECT_EQ(palette.shell.window.views().currentTab(), ViewStack::tabOf(QStringLiteral("memory")));
    EXPECT_TRUE(palette.list()->window()->isHidden());
}

TEST(Palette, SaysWhenNothingAnswers) {
    OpenPalette palette("xyzzy");
    ASSERT_EQ(palette.list()->count(), 1);
    EXPECT_EQ(palette.list()->item(0)->text(), QStringLiteral("Nothing answers “xyzzy”"));
    palette.enter();
    EXPECT_TRUE(palette.list()->isVisible()) << "there is nothing to run";
}

TEST(Palette, FindsAnActionByEnglishWordsInAnotherLanguage) {
    Translations translations(*qApp);
    translations.use(Language::SimplifiedChinese);
    {
        OpenPalette palette("memory");
        EXPECT_TRUE(palette.best().startsWith(QStringLiteral("显存"))) << palette.best().toStdString();
        palette.type("dock right");
        EXPECT_TRUE(palette.best().startsWith(QStringLiteral("显示在右侧"))) << palette.best().toStdString();
        palette.type("history");
        EXPECT_EQ(palette.best(), QStringLiteral("历史记录，视图"));
        palette.type("notes");
        EXPECT_EQ(palette.best(), QStringLiteral("备注，视图"));
    }
    translations.use(Language::English);
}

TEST(Palette, IsReachedByBothShortcutsWhichNothingElseHas) {
    Shell shell;
    const QList<QKeySequence> keys =
        shell.window.actions().action(QStringLiteral("view.search"))->shortcuts();
    EXPECT_TRUE(keys.contains(QKeySequence(QStringLiteral("Ctrl+K"))));
    EXPECT_TRUE(keys.contains(QKeySequence(QStringLiteral("Ctrl+Shift+P"))));
    QList<QKeySequence> all;
    for (const QAction* action : shell.window.actions().all()) all += action->shortcuts();
    for (const QKeySequence& one : all) EXPECT_EQ(all.count(one), 1) << one.toString().toStdString();
}

TEST(Palette, AppliesAPreset) {
    OpenPalette palette("micro-batches");
    EXPECT_EQ(palette.best(), QStringLiteral("Large batch in micro-batches, Preset"));
    palette.enter();
    EXPECT_EQ(palette.config().microBatch, 512);
    palette.shell.trigger("edit.undo");
    EXPECT_EQ(palette.config(), RunConfig{});
}

TEST(Palette, AsksThePlannerAndChoosesADevice) {
    OpenPalette palette("training cost");
    EXPECT_EQ(palette.best(), QStringLiteral("What does the training cost?, Planner"));
    palette.enter();
    EXPECT_EQ(showPlanner(palette.shell.window.views()).page(), plannerQuestion(QStringLiteral("cost")));
    palette.type("h200");
    EXPECT_TRUE(palette.best().contains(QStringLiteral("H200"))) << palette.best().toStdString();
    palette.enter();
    EXPECT_NE(palette.shell.window.workbench().session()->whatIf.machine().name.find("H200"),
              std::string::npos);
}

TEST(Palette, GoesToASettingOfTheRunPanel) {
    OpenPalette palette("batch");
    EXPECT_EQ(palette.best(), QStringLiteral("Batch B, Setting"));
    palette.enter();
    EXPECT_TRUE(waitFor([&] { return child<QLineEdit>(palette.shell.window, "batchField")->hasFocus(); }));
    palette.type("weight decay");
    EXPECT_EQ(palette.best(), QStringLiteral("Weight decay, Setting"));
    palette.enter();
    auto* field = child<QLineEdit>(palette.shell.window, "weight-decayOption");
    EXPECT_TRUE(waitFor([&] { return field->hasFocus(); })) << "the advanced settings unfold";
}

TEST(Palette, FindsEverySettingThatHasAMeaningAndItsControl) {
    Shell shell;
    for (const RunSetting& setting : runSettings(shell.window.workbench().config())) {
        const QString name = controlOf(setting.option);
        bool found = false;
        for (const char* suffix : {"Field", "", "Option"})
            found = found || shell.window.findChild<QWidget*>(name + QLatin1String(suffix)) != nullptr;
        EXPECT_TRUE(found) << setting.option;
        EXPECT_FALSE(setting.title.isEmpty());
    }
}

TEST(Palette, SetsASettingAndUndoTakesItBack) {
    OpenPalette palette("batch 512");
    EXPECT_EQ(palette.best(), QStringLiteral("Set Batch B to 512, Setting"));
    const RunConfig before = palette.config();
    palette.enter();
    EXPECT_EQ(palette.config().batch, 512);
    palette.shell.trigger("edit.undo");
    EXPECT_EQ(palette.config(), before);
    palette.type("precision bf16");
    palette.enter();
    EXPECT_EQ(palette.config().precision, Precision::Bf16);
    palette.type(numberStyle().decimal == "," ? "batch 1.024" : "batch 1,024");
    palette.enter();
    EXPECT_EQ(palette.config().batch, 1024);
    palette.type("batch many");
    EXPECT_FALSE(palette.best().startsWith(QStringLiteral("Set"))) << "a value that cannot be";
}

TEST(Palette, SetsTheStepsOfTheRunBeforeThoseOfTheWarmUp) {
    OpenPalette palette("steps 60");
    EXPECT_EQ(palette.best(), QStringLiteral("Set Steps to 60, Setting"));
    const RunConfig before = palette.config();
    palette.enter();
    EXPECT_EQ(child<QLineEdit>(palette.shell.window, "steps")->text(), QStringLiteral("60"));
    EXPECT_EQ(palette.config(), before) << "the warm-up stays";
    palette.type("steps many");
    EXPECT_FALSE(palette.best().startsWith(QStringLiteral("Set")));
    palette.type("steps");
    EXPECT_EQ(palette.best(), QStringLiteral("Steps, Setting"));
    palette.enter();
    EXPECT_TRUE(waitFor([&] { return child<QLineEdit>(palette.shell.window, "steps")->hasFocus(); }));
}

TEST(Palette, ReadsANumberAsTheFieldsOfThePanelDo) {
    OpenPalette palette("learning rate 0,005");
    EXPECT_EQ(palette.best(), QStringLiteral("Set Learning rate to %1, Setting").arg(localText("0.005")));
    palette.enter();
    EXPECT_EQ(palette.config().effectiveLearningRate(), 0.005);
    for (const char* typed : {"batch 2048", "batch 2 048"}) {
        palette.type("batch 512");
        palette.enter();
        palette.type(typed);
        palette.enter();
        EXPECT_EQ(palette.config().batch, 2048) << typed;
    }
    // Where the comma is the decimal mark, the point parts groups, and no list is read a second time.
    const NumberStyle before = numberStyle();
    setNumberStyle({.decimal = ","});
    palette.type("learning rate 0,25");
    EXPECT_EQ(palette.best(), QStringLiteral("Set Learning rate to 0,25, Setting"));
    palette.enter();
    EXPECT_EQ(palette.config().effectiveLearningRate(), 0.25);
    palette.type("batch 1.024");
    palette.enter();
    EXPECT_EQ(palette.config().batch, 1024);
    palette.type("batch 1,024");
    palette.enter();
    EXPECT_EQ(palette.config().batch, 1024) << "of a whole number there is one reading";
    palette.type("learning rate 2.048");
    EXPECT_EQ(palette.best(), QStringLiteral("Set Learning rate to 2,048, Setting"));
    EXPECT_EQ(palette.list()->item(1)->data(Qt::AccessibleTextRole).toString(),
              QStringLiteral("Set Learning rate to 2048, Setting"))
        << "either is offered";
    palette.type("batch 1,5k");
    palette.enter();
    EXPECT_EQ(palette.config().batch, 1500);
    setNumberStyle(before);
}

TEST(Palette, FindsOperationsAndTensorsOfTheStep) {
    OpenPalette palette("layer 3 backward weight");
    EXPECT_TRUE(palette.best().startsWith(QStringLiteral("layer 3 ·"))) << palette.best().toStdString();
    palette.enter();
    EXPECT_EQ(palette.shell.window.views().currentTab(), ViewStack::tabOf(QStringLiteral("operations")));
    EXPECT_TRUE(palette.shell.window.workbench().selection().op().contains(QStringLiteral("layer3")));
    const Step& step = *palette.shell.window.workbench().scene()->whatIf.step;
    const QString name = toText(step.tensorName(0));
    palette.type((name + QStringLiteral(" tensor")).toUtf8().constData());
    EXPECT_EQ(palette.best(), name + QStringLiteral(", Tensor"));
    palette.enter();
    EXPECT_EQ(palette.shell.window.views().currentTab(), ViewStack::tabOf(QStringLiteral("memory")));
    EXPECT_EQ(child<QLineEdit>(palette.shell.window, "tensorFilter")->text(), name);
}

TEST(Palette, OpensLessonsAndRecentFiles) {
    OpenPalette palette;
    const lab::Lesson& last = lab::builtInLessons().back();
    palette.type(last.title.c_str());
    EXPECT_EQ(palette.best(), toText(last.title) + QStringLiteral(", Lesson"));
    palette.enter();
    const auto panels = palette.shell.window.findChildren<LessonPanel*>();
    ASSERT_EQ(panels.size(), 1);
    EXPECT_EQ(panels.front()->lesson(), static_cast<int>(lab::builtInLessons().size()) - 1);
    ASSERT_TRUE(palette.shell.save(palette.shell.file("of-yesterday.plumb")));
    palette.type("yesterday");
    EXPECT_EQ(palette.best(), QStringLiteral("of-yesterday.plumb, Recent file"));
    palette.enter();
    EXPECT_TRUE(waitFor([&] { return !palette.shell.window.document().opening(); }));
}

TEST(Palette, FindsRunsOfTheHistoryAndOpensThem) {
    OpenPalette palette;
    FinishedWork work;
    work.uid = QStringLiteral("one");
    work.config.layers = 77;
    work.target = palette.shell.window.workbench().session()->whatIf.target;
    work.began = 1'764'000'000'000;
    Result<Snapshot> made = makeSnapshot(work.config, work.target);
    ASSERT_TRUE(made.has_value());
    work.measured = std::make_shared<const Reading>(*made->predicted);
    const Result<KeptWork> run = kept(work);
    ASSERT_TRUE(run.has_value());
    palette.type("77");
    ASSERT_FALSE(palette.best().contains(QStringLiteral("History")));
    palette.shell.window.session().kept.change(
        [&run](HistoryStore& store) { return store.put(run->entry, run->packed); });
    palette.shell.window.session().kept.settle();
    palette.type("L 77 history");
    const QString name = historyName(run->entry) + QStringLiteral(", History");
    ASSERT_TRUE(waitFor([&] { return palette.best() == name; })) << palette.best().toStdString();
    palette.enter();
    EXPECT_TRUE(waitFor([&] { return palette.config().layers == 77; }));
}

TEST(Palette, GoesToWhatTheRulesNoticeOfTheStep) {
    OpenPalette palette("h200");  // whose ceilings are known
    palette.enter();
    const Findings all = findingsOf(shownStep(palette.shell.window.workbench()));
    ASSERT_FALSE(all.found.empty());
    const Finding& finding = all.found.front();
    const QString sentence = sentenceText(finding.sentence);
    palette.type(
        (sentence.section(QLatin1Char(' '), 0, 2) + QStringLiteral(" finding")).toUtf8().constData());
    ASSERT_TRUE(waitFor([&] { return palette.best() == sentence + QStringLiteral(", Finding"); }))
        << palette.best().toStdString();
    palette.enter();
    EXPECT_EQ(palette.shell.window.views().currentTab(), ViewStack::tabOf(toText(finding.view)));
    EXPECT_EQ(palette.shell.window.workbench().selection().op(), toText(finding.opId));
}

TEST(Palette, OpensTheManualAtASection) {
    OpenPalette palette("plain sum manual");
    EXPECT_EQ(palette.best(), QStringLiteral("Plain sum, Manual"));
    palette.enter();
    const auto& windows = QApplication::topLevelWidgets();
    const auto manual = std::ranges::find_if(windows, [](QWidget* one) {
        return qobject_cast<ManualWindow*>(one) != nullptr && one->isVisible();
    });
    ASSERT_NE(manual, windows.end());
    EXPECT_EQ(qobject_cast<ManualWindow*>(*manual)->place(),
              (ManualPlace{QStringLiteral("memory"), QStringLiteral("plainMemory")}));
}

TEST(Palette, ShowsExamplesOfTheLabWhichUndoTakesBack) {
    OpenPalette palette("every second column lab");
    EXPECT_EQ(palette.best(), QStringLiteral("Every second column of a slice, Lab"));
    palette.enter();
    auto& lab = *palette.shell.window.findChild<LabView*>();
    EXPECT_EQ(palette.shell.window.views().currentTab(), ViewStack::tabOf(QStringLiteral("lab")));
    EXPECT_EQ(lab.page(), 1);
    EXPECT_EQ(lab.tensors().input().steps, QStringLiteral("[1:, ::2]"));
    palette.type("infinity in fp16 lab");
    palette.enter();
    EXPECT_EQ(lab.page(), 0);
    EXPECT_EQ(lab.dtypes().input().text, QStringLiteral("70000"));
    palette.type("attention scores lab");
    palette.enter();
    EXPECT_EQ(lab.page(), 2);
    EXPECT_TRUE(lab.einsum().input().text.contains(QStringLiteral("query key")));
    const QString neighbours = child<QLineEdit>(lab, "blockNeighbours")->text();
    palette.type("neighbours outlier lab");
    palette.enter();
    EXPECT_NE(child<QLineEdit>(lab, "blockNeighbours")->text(), neighbours);
    for (int i = 0; i < 4; ++i) palette.shell.trigger("edit.undo");
    EXPECT_EQ(child<QLineEdit>(lab, "blockNeighbours")->text(), neighbours);
    EXPECT_NE(lab.tensors().input().steps, QStringLiteral("[1:, ::2]"));
}

TEST(Palette, KeepsTheMarkWhereMoreIsFound) {
    Theme theme;
    CommandPalette palette(theme, nullptr);
    QStringList titles{QStringLiteral("one b"), QStringLiteral("one c")};
    palette.setSources({{[&](std::vector<PaletteEntry>& entries) {
                            for (const QString& title : titles)
                                entries.push_back({title, QStringLiteral("Action"), {}, {}, [] {}});
                        }},
                        {},
                        {}});
    palette.popUp();
    QTest::keyClicks(child<QLineEdit>(palette, "paletteSearch"), QStringLiteral("one"));
    auto* list = child<QListWidget>(palette, "paletteList");
    list->setCurrentRow(1);
    titles.prepend(QStringLiteral("one a"));
    palette.refresh();
    ASSERT_EQ(list->count(), 3);
    EXPECT_EQ(list->currentItem()->text(), QStringLiteral("one c"));
}

TEST(Palette, ShowsNothingOfOneEntryInTheNext) {
    Theme theme;
    const auto secondRow = [&](const QString& first) {
        CommandPalette palette(theme, nullptr);
        palette.setSources(
            {{[&](std::vector<PaletteEntry>& entries) {
                 for (const QString& title : {first, QStringLiteral("the second, since it is longer")})
                     entries.push_back({title, QStringLiteral("Action"), {}, {}, [] {}});
             }},
             {},
             {}});
        palette.popUp();
        auto* list = child<QListWidget>(palette, "paletteList");
        const QImage all = list->viewport()->grab().toImage();
        const QRect row = list->visualItemRect(list->item(1));
        const qreal scale = all.devicePixelRatio();
        return all.copy(QRectF(row.topLeft() * scale, row.size() * scale).toAlignedRect());
    };
    EXPECT_EQ(secondRow(QStringLiteral("iiiiii")), secondRow(QStringLiteral("MMMMMM")));
}

TEST(Palette, OffersWhatWasTakenLastAndTheViewsBeforeAWordIsTyped) {
    OpenPalette palette;
    EXPECT_EQ(palette.best(), QStringLiteral("Overview, View"));
    palette.type("dark theme");
    palette.enter();
    palette.type("memory");
    palette.enter();
    palette.type("");
    EXPECT_EQ(palette.best(), QStringLiteral("Memory, View"));
    EXPECT_EQ(palette.list()->item(1)->text(), QStringLiteral("Dark theme"));
    EXPECT_EQ(palette.list()->item(2)->text(), QStringLiteral("Overview"));
}

TEST(FindInThisView, GoesToTheSearchOfTheViewInFrontWhereverTheFocusIs) {
    OpenPalette window;
    QTest::keyClick(window.search(), Qt::Key_Escape);
    struct {
        const char *view, *field;
    } const searched[]{{"view.memory", "tensorFilter"},
                       {"view.operations", "operationsFilter"},
                       {"view.history", "historySearch"}};
    for (const auto& [view, field] : searched) {
        window.shell.trigger(view);
        QTest::keyClick(&window.shell.window, Qt::Key_F, Qt::ControlModifier);
        EXPECT_TRUE(child<QWidget>(window.shell.window, field)->hasFocus()) << field;
    }
    window.shell.trigger("view.overview");
    child<QLineEdit>(window.shell.window, "batchField")->setFocus();
    QTest::keyClick(&window.shell.window, Qt::Key_F, Qt::ControlModifier);
    EXPECT_TRUE(window.list()->isVisible()) << "where a view has none";
}

TEST(Palette, IsWorkedByKeysAlone) {
    OpenPalette palette("export");
    ASSERT_GT(palette.list()->count(), 2);
    QTest::keyClick(palette.search(), Qt::Key_Down);
    EXPECT_EQ(palette.list()->currentRow(), 1);
    QTest::keyClick(palette.search(), Qt::Key_Up);
    QTest::keyClick(palette.search(), Qt::Key_Up);
    EXPECT_EQ(palette.list()->currentRow(), palette.list()->count() - 1) << "it goes round";
    QTest::keyClick(palette.search(), Qt::Key_PageUp);
    QTest::keyClick(palette.search(), Qt::Key_PageUp);
    QTest::keyClick(palette.search(), Qt::Key_Escape);
    EXPECT_TRUE(palette.list()->window()->isHidden());
}

}  // namespace
}  // namespace plumb::ui
