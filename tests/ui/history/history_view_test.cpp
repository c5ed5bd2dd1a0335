// SPDX-License-Identifier: GPL-3.0-or-later
// The tab of the history, driven as its users would.
#include "ui/history/history_view.h"

#include "core/base/words.h"
#include "tests/ui/history/history_support.h"
#include "tests/ui/pictures.h"
#include "tests/ui/shell/shell_fixture.h"
#include "ui/charts/chart_panel.h"
#include "ui/history/history.h"
#include "ui/history/history_model.h"
#include "ui/history/history_names.h"
#include "ui/history/history_record.h"
#include "ui/history/history_trend.h"
#include "ui/shell/document_tab.h"
#include "ui/widgets/card.h"
#include "ui/widgets/fix_button.h"
#include "ui/widgets/tone_label.h"

#include <QComboBox>
#include <QDir>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QUndoStack>

#include <gtest/gtest.h>

namespace plumb::ui {
namespace {

using test::child;
using test::Shell;
using test::waitFor;

/// A run of a real configuration, `number` minutes after the first.
KeptWork someWork(int number) {
    FinishedWork work;
    work.uid = QStringLiteral("work-%1").arg(number);
    work.kind = number % 3 == 0 ? HistoryKind::Profile : HistoryKind::Training;
    work.config.layers = number % 2 == 0 ? 4 : 8;
    work.target.machine.id = number % 4 == 3 ? "h200-sxm" : "local-cpu";
    work.target.machine.name = number % 4 == 3 ? "NVIDIA H200 SXM" : "Processor, 2 cores";
    work.target.machine.source = "calibrated 2026-11-20";
    work.began = 1'764'000'000'000 + std::int64_t{number} * 3'600'000;
    work.ended = work.began + 60'000;
    Result<Snapshot> made = makeSnapshot(work.config, work.target);
    EXPECT_TRUE(made.has_value()) << made.error().text();
    Reading reading = *made->predicted;
    reading.source = Source::Clock;
    reading.totals.seconds = 0.004 + 0.0001 * ((number * 7) % 11);
    reading.totals.spread = Spread{*reading.totals.seconds * 0.95, *reading.totals.seconds * 1.1};
    reading.totals.tier = Tier::Measured;
    reading.stepsMeasured = 20;
    work.measured = std::make_shared<const Reading>(std::move(reading));
    if (work.kind == HistoryKind::Training) {
        TrainingSeries series;
        for (int step = 0; step < 50; ++step)
            series.steps.push_back({.step = step, .loss = 1.0 / (step + number + 1), .seconds = step * 0.01});
        series.stepsDone = 50;
        series.outcome = "finished";
        work.training = series;
        work.stepsPerSecond = 100;
    }
    Result<KeptWork> result = kept(work);
    EXPECT_TRUE(result.has_value());
    result->entry.program = QStringLiteral("plumbline 0.%1.0 (abc1234)").arg(1 + number / 5);
    return *result;
}

struct HistoryViewTest : ::testing::Test {
    void fill(int count) {
        for (int i = 0; i < count; ++i)
            shell.window.session().kept.change(
                [made = someWork(i)](HistoryStore& store) { return store.put(made.entry, made.packed); });
    }
    HistoryView& show(int rows) {
        auto* view = qobject_cast<HistoryView*>(shell.window.views().showView(QStringLiteral("history")));
        EXPECT_TRUE(waitFor([&] { return table(*view).model()->rowCount() == rows; }));
        return *view;
    }
    static QTableView& table(const QWidget& view) { return *child<QTableView>(view, "historyTable"); }
    static void search(const QWidget& view, const char* text) {
        child<QLineEdit>(view, "historySearch")->setText(QString::fromUtf8(text));
    }
    static void trigger(HistoryView& view, const char* action) {
        QMenu menu;
        view.fillMenu(menu);
        child<QAction>(menu, action)->trigger();
    }
    void answer(const QString& text) {
        QInputDialog* dialog = nullptr;
        ASSERT_TRUE(waitFor([&] { return (dialog = shell.window.findChild<QInputDialog*>()) != nullptr; }));
        dialog->setTextValue(text);
        dialog->accept();
        QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
    }
    Shell shell;
};

TEST_F(HistoryViewTest, TeachesWhereNothingIsKeptAndFillsByItself) {
    HistoryView& view = show(0);
    EXPECT_TRUE(waitFor([&] { return child<ToneLabel>(view, "historyEmpty")->isVisible(); }));
    EXPECT_TRUE(
        child<ToneLabel>(view, "historyEmpty")->text().contains(QStringLiteral("Nothing is kept yet")));
    fill(1);
    EXPECT_TRUE(waitFor([&] { return table(view).model()->rowCount() == 1; }));
    EXPECT_FALSE(child<ToneLabel>(view, "historyEmpty")->isVisible());
    // Another window writes.
    const auto other = test::openHistory(shell.file("history.sqlite"));
    ASSERT_TRUE(other->put(someWork(2).entry, {}).has_value());
    EXPECT_TRUE(waitFor([&] { return table(view).model()->rowCount() == 2; }));
}

TEST_F(HistoryViewTest, OneLongConfigurationDrivesNoColumnOut) {
    shell.window.resize(1024, 768);
    fill(6);
    HistoryView& view = show(6);
    const auto gone = [&] {
        int hidden = 0;
        for (int column = 0; column < kHistoryColumns; ++column)
            if (table(view).isColumnHidden(column)) ++hidden;
        return hidden;
    };
    const int before = gone();
    KeptWork longer = someWork(7);
    longer.entry.title = QStringLiteral(
        "D 256 · L 4 · B 256 · fp8 · AdamW · micro-batch 64 · activations: fit (budget 1.00 GB)");
    shell.window.session().kept.change(
        [longer](HistoryStore& store) { return store.put(longer.entry, longer.packed); });
    ASSERT_TRUE(waitFor([&] { return table(view).model()->rowCount() == 7; }));
    QCoreApplication::processEvents();
    EXPECT_EQ(gone(), before);
    // What is gone is told beside the last title, and not over it.
    const QHeaderView& header = *table(view).horizontalHeader();
    if (const auto* sign = header.findChild<QLabel*>(QStringLiteral("goneColumns")); before > 0) {
        ASSERT_NE(sign, nullptr);
        EXPECT_GE(sign->x(), header.length());
        EXPECT_LE(sign->geometry().right(), header.viewport()->width());
    }
}

TEST_F(HistoryViewTest, OffersNoRunWhereNothingCanBeKept) {
    EXPECT_TRUE(child<QWidget>(show(0), "historyRun")->isVisible());
    Shell off;
    ASSERT_TRUE(QDir(off.folder.path()).mkpath(QStringLiteral("history.sqlite/blocked")));
    auto* view = off.window.views().showView(QStringLiteral("history"));
    ASSERT_TRUE(waitFor([&] { return !off.window.session().kept.whyOff().isEmpty(); }));
    EXPECT_TRUE(
        child<ToneLabel>(*view, "historyEmpty")->text().startsWith(QStringLiteral("The history is off")));
    EXPECT_FALSE(child<QWidget>(*view, "historyRun")->isVisible());
}

TEST_F(HistoryViewTest, PutsASlipOfTheSearchRight) {
    fill(2);
    HistoryView& view = show(2);
    search(view, "knd:training");
    auto* fix = child<FixButton>(view, "historyProblemFix");
    ASSERT_TRUE(fix->isVisible());
    EXPECT_EQ(fix->text(), QStringLiteral("Use kind:training"));
    QTest::mouseClick(fix, Qt::LeftButton);
    EXPECT_EQ(child<QLineEdit>(view, "historySearch")->text(), QStringLiteral("kind:training"));
    EXPECT_FALSE(fix->isVisible());
    EXPECT_FALSE(child<ToneLabel>(view, "historyProblem")->isVisible());
}

TEST_F(HistoryViewTest, NamesADeviceInTheWordsOfTheWindow) {
    fill(1);
    const auto* model = table(show(1)).model();
    const QModelIndex cell = model->index(0, static_cast<int>(HistoryColumn::Device));
    setWordsLanguage("zh_CN");
    const QString said = cell.data().toString(), tip = cell.data(Qt::ToolTipRole).toString();
    const Trend trend = trendOf(static_cast<const HistoryModel*>(model)->shown(), QStringLiteral("step_time"),
                                TrendGrouping::Device);
    setWordsLanguage("");
    EXPECT_EQ(trend.groups, QStringList{said});
    EXPECT_EQ(said, QStringLiteral("Processor，2 核"));
    EXPECT_TRUE(tip.contains(said)) << tip.toStdString();
}

TEST_F(HistoryViewTest, SaysWhichSearchFindsNothingAndClearsIt) {
    fill(3);
    HistoryView& view = show(3);
    const auto* nothing = child<QWidget>(view, "historyNothing");
    const auto trend = [&] { return child<ChartPanel>(view, "historyTrend")->emptyText(); };
    EXPECT_FALSE(nothing->isVisible());
    search(view, " peak<1MB");
    EXPECT_TRUE(nothing->isVisible());
    EXPECT_EQ(child<ToneLabel>(view, "historyNothingText")->text(),
              QStringLiteral("Nothing is found by the search \"peak<1MB\"."));
    EXPECT_EQ(trend(), QStringLiteral("The search leaves no run to show a trend of"));
    EXPECT_TRUE(table(view).viewport()->rect().contains(nothing->geometry()));
    QTest::mouseClick(child<QPushButton>(view, "historyClearSearch"), Qt::LeftButton);
    EXPECT_EQ(child<QLineEdit>(view, "historySearch")->text(), QString());
    EXPECT_EQ(table(view).model()->rowCount(), 3);
    EXPECT_FALSE(nothing->isVisible());
    EXPECT_EQ(trend(), QString());
}

TEST_F(HistoryViewTest, FindsSortsAndSaysWhatItDoesNotUnderstand) {
    fill(12);
    HistoryView& view = show(12);
    const auto* model = static_cast<const HistoryModel*>(table(view).model());
    EXPECT_EQ(model->row(0).uid, QStringLiteral("work-11")) << "the newest first";
    search(view, "kind:profile device:local");
    EXPECT_EQ(model->rowCount(), 3);
    search(view, "time<4.3ms");
    for (const HistoryEntry& entry : model->shown())
        EXPECT_LT(entry.figure(QStringLiteral("step_time"), true)->value, 0.0043);
    EXPECT_GT(model->rowCount(), 0);
    EXPECT_LT(model->rowCount(), 12);
    search(view, "lss<1");
    EXPECT_EQ(model->rowCount(), 12);
    EXPECT_TRUE(child<ToneLabel>(view, "historyProblem")->isVisible());
    search(view, "");
    EXPECT_FALSE(child<ToneLabel>(view, "historyProblem")->isVisible());
    table(view).sortByColumn(static_cast<int>(HistoryColumn::Loss), Qt::AscendingOrder);
    EXPECT_EQ(model->row(0).uid, QStringLiteral("work-11")) << "the lowest loss";
    EXPECT_EQ(model->row(11).kind, HistoryKind::Profile) << "what has none comes last";
    table(view).sortByColumn(static_cast<int>(HistoryColumn::Loss), Qt::DescendingOrder);
    EXPECT_EQ(model->row(0).uid, QStringLiteral("work-1"));
    EXPECT_EQ(model->row(11).kind, HistoryKind::Profile);
    EXPECT_EQ(table(view).model()->index(0, static_cast<int>(HistoryColumn::Steps)).data().toString(),
              QStringLiteral("50"));
}

TEST_F(HistoryViewTest, TagsNotesStarsAndRemovesWithUndo) {
    fill(4);
    HistoryView& view = show(4);
    table(view).selectRow(1);
    const std::int64_t id = view.selected().front().id;
    const auto entry = [&] {
        const auto* model = static_cast<const HistoryModel*>(table(view).model());
        return model->rowOf(id) < 0 ? HistoryEntry() : model->row(model->rowOf(id));
    };
    trigger(view, "historyFavourite");
    EXPECT_TRUE(waitFor([&] { return entry().isFavourite; }));
    trigger(view, "historyTags");
    answer(QStringLiteral(" best ,  two words,best"));
    EXPECT_TRUE(waitFor([&] {
        return entry().tags == QStringList{QStringLiteral("best"), QStringLiteral("two words")};
    }));
    ASSERT_EQ(view.selected().size(), 1U) << "the selection stays";
    EXPECT_EQ(view.selected().front().id, id);
    trigger(view, "historyNote");
    answer(QStringLiteral("the one"));
    EXPECT_TRUE(waitFor([&] { return entry().note == QStringLiteral("the one"); }));
    QTest::keyClick(&table(view), Qt::Key_Delete);
    EXPECT_TRUE(waitFor([&] { return table(view).model()->rowCount() == 3; }));
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("Undo")));
    shell.window.session().history.stack().undo();
    EXPECT_TRUE(waitFor([&] { return table(view).model()->rowCount() == 4; }));
    EXPECT_EQ(entry().note, QStringLiteral("the one"));
    EXPECT_EQ(shell.window.bannerText(), QStringLiteral("What was removed is back"));
    shell.window.session().history.stack().redo();
    EXPECT_TRUE(waitFor([&] { return table(view).model()->rowCount() == 3; }));
}

TEST_F(HistoryViewTest, TheNoteOfSeveralIsTheirCommonOneOrSaysThatTheyDiffer) {
    fill(3);
    HistoryView& view = show(3);
    QUndoStack& undo = shell.window.session().history.stack();
    const auto notes = [&] {
        QStringList all;
        for (const HistoryEntry& entry : static_cast<const HistoryModel*>(table(view).model())->shown())
            all << entry.note;
        return all.join(u'|');
    };
    const auto ask = [&] {
        trigger(view, "historyNote");
        QInputDialog* dialog = nullptr;
        EXPECT_TRUE(waitFor([&] { return (dialog = shell.window.findChild<QInputDialog*>()) != nullptr; }));
        return dialog;
    };
    const auto enter = [&](QInputDialog* dialog) {
        dialog->accept();
        QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
    };
    table(view).selectRow(1);
    trigger(view, "historyNote");
    answer(QStringLiteral("mine"));
    ASSERT_TRUE(waitFor([&] { return notes() == QStringLiteral("|mine|"); }));
    const int before = undo.count();

    table(view).selectAll();
    QInputDialog* dialog = ask();
    EXPECT_EQ(dialog->textValue(), QString());
    EXPECT_TRUE(dialog->labelText().contains(QStringLiteral("3 entries differ")))
        << dialog->labelText().toStdString();
    enter(dialog);
    shell.window.session().kept.settle();
    EXPECT_EQ(undo.count(), before) << "nothing was typed, nothing is changed";

    trigger(view, "historyNote");
    answer(QStringLiteral("of all"));
    ASSERT_TRUE(waitFor([&] { return notes() == QStringLiteral("of all|of all|of all"); }));
    dialog = ask();
    EXPECT_EQ(dialog->textValue(), QStringLiteral("of all"));
    enter(dialog);
    shell.trigger("edit.undo");
    EXPECT_TRUE(waitFor([&] { return notes() == QStringLiteral("|mine|"); })) << notes().toStdString();
    shell.trigger("edit.redo");
    EXPECT_TRUE(waitFor([&] { return notes() == QStringLiteral("of all|of all|of all"); }));
}

TEST_F(HistoryViewTest, UndoTakesBackTagsAndStarsAndNotASettingOfThePanel) {
    fill(2);
    HistoryView& view = show(2);
    RunConfig config = shell.window.workbench().config();
    config.dim = 64;
    ASSERT_TRUE(shell.window.session().history.change(config, QStringLiteral("dim")).has_value());
    const auto said = [&] {
        QStringList all;
        for (const HistoryEntry& entry : static_cast<const HistoryModel*>(table(view).model())->shown())
            all << entry.tags.join(u',') + (entry.isFavourite ? QStringLiteral("*") : QString());
        return all.join(u'|');
    };
    table(view).selectRow(0);
    trigger(view, "historyTags");
    answer(QStringLiteral("old"));
    ASSERT_TRUE(waitFor([&] { return said() == QStringLiteral("old|"); }));
    table(view).selectAll();
    trigger(view, "historyTags");
    answer(QStringLiteral("old, new"));
    ASSERT_TRUE(waitFor([&] { return said() == QStringLiteral("new,old|new,old"); }));
    trigger(view, "historyFavourite");
    ASSERT_TRUE(waitFor([&] { return said() == QStringLiteral("new,old*|new,old*"); }));
    for (const char* const back : {"new,old|new,old", "old|", "|"}) {
        shell.trigger("edit.undo");
        EXPECT_TRUE(waitFor([&] { return said() == QString::fromLatin1(back); })) << said().toStdString();
        EXPECT_EQ(shell.window.workbench().config().dim, 64);
    }
}

TEST_F(HistoryViewTest, KeysMeanTheRowWithTheFrameAndTheNextOneIsChosenAfterARemoval) {
    fill(4);
    HistoryView& view = show(4);
    const auto uid = [&] { return view.selected().empty() ? QString() : view.selected().front().uid; };
    table(view).clearSelection();
    table(view).selectionModel()->setCurrentIndex(table(view).model()->index(1, 0),
                                                  QItemSelectionModel::NoUpdate);
    ASSERT_EQ(uid(), QString());
    QTest::keyClick(&table(view), Qt::Key_Delete);
    ASSERT_TRUE(waitFor([&] { return table(view).model()->rowCount() == 3; }));
    EXPECT_EQ(uid(), QStringLiteral("work-1")) << "what followed work-2";
    QTest::keyClick(&table(view), Qt::Key_Delete);
    ASSERT_TRUE(waitFor([&] { return table(view).model()->rowCount() == 2; }));
    EXPECT_EQ(uid(), QStringLiteral("work-0"));
}

TEST_F(HistoryViewTest, TheOnlyEntryIsChosenWhereKeysLeadToTheTable) {
    fill(1);
    HistoryView& view = show(1);
    shell.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&shell.window));
    child<QLineEdit>(view, "historySearch")->setFocus();
    table(view).clearSelection();
    ASSERT_TRUE(view.selected().empty());
    table(view).setFocus(Qt::TabFocusReason);
    EXPECT_EQ(view.selected().size(), 1U);
}

TEST_F(HistoryViewTest, ALongNoteHidesNoColumn) {
    fill(4);
    shell.window.resize(1280, 800);
    HistoryView& view = show(4);
    const auto hidden = [&] {
        int count = 0;
        for (int column = 0; column < kHistoryColumns; ++column)
            count += table(view).isColumnHidden(column) ? 1 : 0;
        return count;
    };
    const int before = hidden();
    table(view).selectRow(0);
    trigger(view, "historyNote");
    const QString note = QStringLiteral("the learning rate was too high here, so the loss never came down");
    answer(note);
    constexpr int kTags = static_cast<int>(HistoryColumn::Tags);
    ASSERT_TRUE(waitFor([&] { return table(view).model()->index(0, kTags).data().toString() == note; }));
    EXPECT_FALSE(table(view).isColumnHidden(kTags));
    EXPECT_GT(table(view).columnWidth(kTags), 80);
    EXPECT_EQ(hidden(), before);
    EXPECT_LE(table(view).horizontalHeader()->length(), table(view).viewport()->width());
}

TEST_F(HistoryViewTest, OpensOneAsItWasWithoutAFileOfItsOwn) {
    fill(4);
    HistoryView& view = show(4);
    table(view).selectRow(0);
    QTest::keyClick(&table(view), Qt::Key_Return);
    Workbench& workbench = shell.window.workbench();
    ASSERT_TRUE(waitFor([&] { return workbench.session()->measured.has_value(); }));
    EXPECT_EQ(workbench.config().layers, 8);
    EXPECT_EQ(workbench.measurements().back().reading->totals.seconds,
              someWork(3).entry.figure(QStringLiteral("step_time"), true)->value);
    EXPECT_EQ(shell.window.document().path(), QString()) << "saving asks where";
    EXPECT_EQ(shell.window.tab().name(), historyName(someWork(3).entry));
    EXPECT_TRUE(shell.window.windowTitle().startsWith(shell.window.tab().name()));
    EXPECT_FALSE(shell.window.document().isModified()) << "it is kept";
}

TEST_F(HistoryViewTest, ComparesThoseThatAreSelectedTheOldestFirst) {
    fill(5);
    HistoryView& view = show(5);
    auto* const compare = child<QPushButton>(view, "historyCompare");
    table(view).selectRow(0);
    EXPECT_FALSE(compare->isEnabled());
    table(view).selectAll();
    EXPECT_TRUE(compare->isEnabled());
    compare->click();
    ASSERT_TRUE(waitFor([&] { return shell.window.compared().comparison() != nullptr; }));
    ASSERT_EQ(shell.window.compared().steps().size(), 5U);
    EXPECT_NE(shell.window.compared().steps().front().label.find("L 4"), std::string::npos);
}

TEST_F(HistoryViewTest, EntriesWhoseSnapshotWentAreNeitherOpenedNorCompared) {
    fill(2);
    shell.window.session().kept.change([](HistoryStore& store) {
        HistoryEntry entry = someWork(1).entry;
        return store.put(entry, {});
    });
    HistoryView& view = show(2);
    table(view).selectAll();
    EXPECT_FALSE(child<QPushButton>(view, "historyCompare")->isEnabled());
    table(view).selectRow(0);
    EXPECT_FALSE(child<QPushButton>(view, "historyOpen")->isEnabled());
}

TEST_F(HistoryViewTest, TheTrendFollowsTheTableAndTheTableTheTrend) {
    fill(12);
    HistoryView& view = show(12);
    auto* chart = child<ChartPanel>(view, "historyTrend");
    const auto dots = [&] { return child<Card>(view, "historyTrendCard")->subtitle(); };
    EXPECT_TRUE(waitFor([&] { return dots() == QStringLiteral("12 runs"); }));
    search(view, "kind:training");
    EXPECT_EQ(dots(), QStringLiteral("8 runs"));
    auto* figure = child<QComboBox>(view, "historyFigure");
    search(view, "");
    figure->setCurrentIndex(figure->findData(QStringLiteral("loss")));
    EXPECT_EQ(dots(), QStringLiteral("8 runs")) << "profiles have no loss";
    figure->setCurrentIndex(figure->findData(QStringLiteral("hold_out_loss")));
    EXPECT_FALSE(chart->emptyText().isEmpty());
    figure->setCurrentIndex(figure->findData(QStringLiteral("step_time")));
    emit chart->keyPressed(Qt::Key_Home);
    ASSERT_EQ(view.selected().size(), 1U);
    EXPECT_EQ(view.selected().front().uid, QStringLiteral("work-0")) << "the oldest";
    emit chart->keyPressed(Qt::Key_Right);
    EXPECT_EQ(view.selected().front().uid, QStringLiteral("work-1"));
}

TEST(HistoryTrend, GroupsByConfigurationOrDeviceAndKnowsWhatWasMeasured) {
    std::vector<HistoryEntry> entries;
    for (int i = 5; i >= 0; --i) entries.push_back(someWork(i).entry);
    std::erase_if(entries[0].figures, [](const HistoryFigure& figure) { return figure.isMeasured; });
    const Trend time = trendOf(entries, QStringLiteral("peak_memory"), TrendGrouping::Configuration);
    ASSERT_EQ(time.points.size(), 6U);
    EXPECT_EQ(time.groups.size(), 2);
    EXPECT_EQ(time.programs, (QStringList{QStringLiteral("0.1.0"), QStringLiteral("0.2.0")}));
    EXPECT_TRUE(time.points[0].isMeasured);
    EXPECT_FALSE(time.points[5].isMeasured) << "the newest is predicted only";
    EXPECT_EQ(time.points[0].group, time.points[2].group);
    EXPECT_NE(time.points[0].group, time.points[1].group);
    const Trend byDevice = trendOf(entries, QStringLiteral("step_time"), TrendGrouping::Device);
    EXPECT_EQ(byDevice.groups.size(), 2);
    ASSERT_EQ(byDevice.points.size(), 5U) << "no ceilings, no prediction";
    EXPECT_LT(byDevice.least, byDevice.points[0].value);
    EXPECT_TRUE(trendOf({}, QStringLiteral("loss"), TrendGrouping::Device).points.empty());
}

TEST_F(HistoryViewTest, TakesLimitsAsPeopleWriteThem) {
    fill(6);
    HistoryView& view = show(6);
    auto* const more = child<QMenu>(view, "historyMoreMenu");
    const auto question = [&] {
        QMessageBox* box = nullptr;
        EXPECT_TRUE(waitFor([&] { return (box = shell.window.findChild<QMessageBox*>()) != nullptr; }));
        return box;
    };
    child<QAction>(*more, "historyMostEntries")->trigger();
    answer(QStringLiteral("4"));
    EXPECT_TRUE(question()->text().contains(QStringLiteral("no favourites: 2, with snapshots of ")))
        << question()->text().toStdString();
    question()->button(QMessageBox::Cancel)->click();
    QCoreApplication::sendPostedEvents(question(), QEvent::DeferredDelete);
    shell.window.session().kept.settle();
    EXPECT_EQ(table(view).model()->rowCount(), 6);
    child<QAction>(*more, "historyMostEntries")->trigger();
    answer(QStringLiteral("4"));
    for (QAbstractButton* button : question()->buttons())
        if (button->text() == QStringLiteral("Remove them")) button->click();
    EXPECT_TRUE(waitFor([&] { return table(view).model()->rowCount() == 4; }));
    EXPECT_TRUE(waitFor([&] {
        return shell.window.bannerText().contains(QStringLiteral("Entries removed: 2, with snapshots of"));
    })) << shell.window.bannerText().toStdString();
    shell.trigger("edit.undo");
    EXPECT_TRUE(waitFor([&] { return table(view).model()->rowCount() == 6; }));
    shell.window.session().kept.settle();  // the bound comes back as well
    child<QAction>(*more, "historyMostBytes")->trigger();
    answer(QStringLiteral("2 GB"));
    auto* const usage = child<ToneLabel>(view, "historyUsage");
    EXPECT_TRUE(waitFor([&] { return usage->text().endsWith(QStringLiteral("of 2.00 GB")); }))
        << usage->text().toStdString();
    child<QAction>(*more, "historyMostBytes")->trigger();
    answer(QStringLiteral("much"));
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("at least 1 MB")))
        << shell.window.bannerText().toStdString();
}

TEST_F(HistoryViewTest, KeepsALimitThatWasGivenJustBeforeTheOther) {
    fill(2);
    HistoryView& view = show(2);
    auto* const more = child<QMenu>(view, "historyMoreMenu");
    child<QAction>(*more, "historyMostBytes")->trigger();
    answer(QStringLiteral("2 GB"));
    child<QAction>(*more, "historyMostEntries")->trigger();
    answer(QStringLiteral("4000"));
    const auto bounds = [&] {
        std::optional<HistoryBounds> found;
        shell.window.session().kept.ask(
            &view, [](HistoryStore& store) { return store.usage(); },
            [&](const HistoryUsage& usage) { found = usage.bounds; });
        EXPECT_TRUE(waitFor([&] { return found.has_value(); }));
        return found.value_or(HistoryBounds());
    };
    EXPECT_TRUE(waitFor([&] { return bounds().entries == 4000; }));
    EXPECT_EQ(bounds().bytes, 2'000'000'000);
    shell.trigger("edit.undo");
    EXPECT_EQ(bounds().entries, HistoryBounds::kEntries);
    EXPECT_EQ(bounds().bytes, 2'000'000'000);
}

TEST_F(HistoryViewTest, PicturesInBothThemes) {
    HistoryView& view = show(0);
    shell.window.resize(1024, 768);
    EXPECT_TRUE(waitFor([&] { return child<ToneLabel>(view, "historyEmpty")->isVisible(); }));
    test::picture(shell.window, QStringLiteral("history-empty"));
    fill(24);
    (void)show(24);
    shell.window.session().kept.change([](HistoryStore& store) {
        return store.changeTags({3, 4, 9}, {QStringLiteral("baseline")}, {});
    });
    shell.window.session().kept.change(
        [](HistoryStore& store) { return store.say({5}, HistoryStore::Said::Favourite, true); });
    shell.window.session().kept.settle();
    table(view).selectRow(3);
    for (const QSize& size : {QSize(1600, 1000), QSize(1024, 768)})
        test::inBothThemes([&](Theme& theme) {
            shell.theme.setMode(theme.mode());
            shell.window.resize(size);
            const QImage image = test::picture(
                shell.window, QStringLiteral("history-%1-%2").arg(test::themeName(theme)).arg(size.width()));
            EXPECT_GT(test::coloursIn(image), 20);
        });
}

}  // namespace
}  // namespace plumb::ui
