// SPDX-License-Identifier: GPL-3.0-or-later
// Notes and bookmarks of a document, driven as its users would.
#include "ui/notes/notes_view.h"

#include "core/snapshot/snapshot.h"
#include "tests/ui/shell/shell_fixture.h"
#include "ui/notes/note_edit.h"
#include "ui/operations/operations_model.h"
#include "ui/operations/operations_view.h"
#include "ui/shell/mark_actions.h"
#include "ui/theme/text.h"
#include "ui/workbench/marked_ops.h"

#include "test_paths.h"

#include <QInputDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTableView>
#include <QTest>

namespace plumb::ui {
namespace {

using test::child;
using test::Shell;

/// A window with bookmarks, which are set as its user sets them.
struct Marked {
    Marked() {
        shell.window.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&shell.window));
    }
    [[nodiscard]] Workbench& workbench() { return shell.window.workbench(); }
    [[nodiscard]] const Marks& marks() { return workbench().marks.all(); }
    [[nodiscard]] QString op(int at) { return toText(workbench().scene()->whatIf.step->opId(at)); }
    [[nodiscard]] QString view() {
        return QString::fromLatin1(
            ViewStack::views()[static_cast<std::size_t>(shell.window.views().currentTab())].id);
    }
    void go(const char* view) { shell.window.views().goToTab(ViewStack::tabOf(QLatin1String(view))); }
    /// Marks what is chosen in this view; an empty title leaves the one that is proposed.
    void mark(const char* view, int first, int last, const QString& title) {
        go(view);
        workbench().selection().select(op(first));
        workbench().selection().range().select(last > first ? std::optional(OpSpan{first, last})
                                                            : std::nullopt);
        shell.trigger("notes.add");
        auto* question = shell.window.findChild<QInputDialog*>();
        ASSERT_NE(question, nullptr);
        if (!title.isEmpty()) question->setTextValue(title);
        question->accept();
        delete question;
    }
    [[nodiscard]] QTableView& table() {
        go("notes");
        return *child<QTableView>(shell.window, "bookmarksTable");
    }

    Shell shell;
};

TEST(Bookmark, KeepsTheViewAndWhatIsChosenAndLeadsThere) {
    Marked window;
    window.mark("memory", 3, 3, QStringLiteral("the peak"));
    window.mark("operations", 1, 4, {});
    ASSERT_EQ(window.marks().bookmarks.size(), 2U);
    EXPECT_EQ(window.marks().bookmarks[0],
              (Bookmark{"the peak", "memory", window.op(3).toStdString(), "", {}}));
    const Bookmark& range = window.marks().bookmarks[1];
    EXPECT_EQ(range.op, window.op(1).toStdString());
    EXPECT_EQ(range.lastOp, window.op(4).toStdString());
    EXPECT_FALSE(range.title.empty());

    window.workbench().selection().select({});
    window.workbench().selection().range().clear();
    QTableView& table = window.table();
    EXPECT_EQ(table.model()->rowCount(), 2);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                      table.visualRect(table.model()->index(1, 0)).center());
    EXPECT_EQ(window.view(), QStringLiteral("operations"));
    EXPECT_EQ(window.workbench().selection().range().span(), (OpSpan{1, 4}));
    window.shell.trigger("notes.next");  // from the last one to the first
    EXPECT_EQ(window.view(), QStringLiteral("memory"));
    EXPECT_EQ(window.workbench().selection().op(), window.op(3));
    EXPECT_FALSE(window.workbench().selection().range().span().has_value());
    window.shell.trigger("notes.previous");
    EXPECT_EQ(window.view(), QStringLiteral("operations"));
}

TEST(Bookmark, IsTakenAwayByTheKeysThatSetItAndHadBackByUndo) {
    Marked window;
    window.mark("memory", 3, 3, QStringLiteral("the peak"));
    window.mark("memory", 4, 4, QStringLiteral("after it"));
    window.workbench().selection().select(window.op(3));
    window.shell.trigger("notes.add");
    EXPECT_EQ(window.shell.window.findChild<QInputDialog*>(), nullptr);
    ASSERT_EQ(window.marks().bookmarks.size(), 1U);
    EXPECT_EQ(window.marks().bookmarks[0].title, "after it");
    EXPECT_TRUE(window.shell.window.bannerText().contains(QStringLiteral("the peak")));
    window.shell.trigger("edit.undo");
    EXPECT_EQ(window.marks().bookmarks.size(), 2U);
}

TEST(Bookmark, IsRenamedDeletedAndHadBackByKeys) {
    Marked window;
    window.mark("memory", 2, 2, QStringLiteral("first"));
    window.mark("memory", 5, 5, QStringLiteral("second"));
    QTableView& table = window.table();
    table.selectRow(0);
    table.setFocus();
    QTest::keyClick(&table, Qt::Key_F2);
    auto* editor = table.findChild<QLineEdit*>();
    ASSERT_NE(editor, nullptr);
    editor->setText(QStringLiteral("再计算 & more"));
    QTest::keyClick(editor, Qt::Key_Return);
    EXPECT_EQ(window.marks().bookmarks[0].title, QStringLiteral("再计算 & more").toStdString());
    QTest::keyClick(&table, Qt::Key_Delete);
    ASSERT_EQ(window.marks().bookmarks.size(), 1U);
    EXPECT_EQ(window.marks().bookmarks[0].title, "second");
    window.shell.trigger("edit.undo");
    ASSERT_EQ(window.marks().bookmarks.size(), 2U);
    window.shell.trigger("edit.undo");
    EXPECT_EQ(window.marks().bookmarks[0].title, "first");
    window.shell.trigger("edit.redo");
    window.shell.trigger("edit.redo");
    EXPECT_EQ(window.marks().bookmarks.size(), 1U);
    for (int i = 0; i < 4; ++i) window.shell.trigger("edit.undo");
    EXPECT_TRUE(window.marks().bookmarks.empty());
    EXPECT_FALSE(child<QWidget>(window.shell.window, "bookmarksNone")->isHidden());
    EXPECT_FALSE(window.shell.enabled("notes.next"));
}

TEST(Bookmark, TheOnlyOneIsChosenWhereKeysLeadToTheTable) {
    Marked window;
    window.mark("memory", 2, 2, QStringLiteral("first"));
    QTableView& table = window.table();
    child<NoteEdit>(window.shell.window, "noteEdit")->setFocus();
    table.clearSelection();
    EXPECT_FALSE(child<QPushButton>(window.shell.window, "bookmarkRemove")->isEnabled());
    table.setFocus(Qt::TabFocusReason);
    EXPECT_TRUE(child<QPushButton>(window.shell.window, "bookmarkRemove")->isEnabled());
    QTest::keyClick(&table, Qt::Key_Delete);
    EXPECT_TRUE(window.marks().bookmarks.empty());
}

TEST(Note, IsOneStepOfTheDocumentsUndoWhileItIsTyped) {
    Marked window;
    window.go("notes");
    auto* note = child<NoteEdit>(window.shell.window, "noteEdit");
    note->setFocus();
    QTest::keyClicks(note, QStringLiteral("why so slow?"));
    EXPECT_EQ(window.marks().note, "why so slow?");
    QTest::keyClick(note, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(window.marks().note, "");
    EXPECT_EQ(note->toPlainText(), QString());
    window.shell.trigger("edit.redo");
    EXPECT_EQ(note->toPlainText(), QStringLiteral("why so slow?"));
}

TEST(Undo, SaysInAViewWithoutTheSettingsWhichOfThemItTakesBack) {
    Marked window;
    RunConfig config = window.workbench().config();
    config.layers = 7;
    ASSERT_TRUE(window.shell.window.session().history.change(config, QStringLiteral("layers")).has_value());
    window.go("notes");
    window.shell.trigger("edit.undo");
    EXPECT_EQ(window.shell.window.bannerText(), QStringLiteral("Taken back: layers"));
    window.shell.trigger("edit.redo");
    EXPECT_EQ(window.shell.window.bannerText(), QStringLiteral("Made again: layers"));
    window.go("memory");
    window.shell.trigger("edit.undo");
    EXPECT_EQ(window.shell.window.bannerText(), QStringLiteral("Made again: layers")) << "it is seen";
}

TEST(Note, EndsWhereAFileTakesNoMoreAndSaysSo) {
    Marked window;
    window.go("notes");
    auto* note = child<NoteEdit>(window.shell.window, "noteEdit");
    auto* said = child<QWidget>(window.shell.window, "noteCut");
    note->setPlainText(QString(30'000, QChar(0x6d4b)));  // three bytes each
    EXPECT_EQ(window.marks().note.size(), kMostNoteBytes / 3 * 3);
    EXPECT_TRUE(said->isVisible());
    EXPECT_EQ(toText(window.marks().note), note->toPlainText());
    note->setPlainText(QStringLiteral("short"));
    EXPECT_FALSE(said->isVisible());
}

TEST(Marks, AreSavedWithTheDocumentAndComeBack) {
    Marked window;
    EXPECT_FALSE(window.shell.window.document().isModified());
    window.mark("memory", 2, 6, QStringLiteral("here"));
    window.go("notes");
    QTest::keyClicks(child<NoteEdit>(window.shell.window, "noteEdit"), QStringLiteral("look"));
    EXPECT_TRUE(window.shell.window.document().isModified());
    EXPECT_TRUE(window.shell.window.isWindowModified());
    const Marks written = window.marks();
    const QString path = window.shell.file("marked.plumb");
    ASSERT_TRUE(window.shell.save(path));
    EXPECT_FALSE(window.shell.window.document().isModified());
    const Result<Snapshot> read = readSnapshot(path.toStdString());
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->note, "look");
    EXPECT_EQ(read->bookmarks, written.bookmarks);
    EXPECT_TRUE(holdingOf(*read).contains(QStringLiteral("1 bookmark")));

    window.shell.trigger("file.new");
    EXPECT_EQ(window.marks(), Marks());
    EXPECT_FALSE(window.shell.window.document().isModified());
    ASSERT_TRUE(window.shell.open(path));
    EXPECT_EQ(window.marks(), written);
    EXPECT_FALSE(window.shell.window.document().isModified());
    EXPECT_FALSE(window.shell.enabled("edit.undo"));  // of the document of before
}

TEST(Marks, AreFoundByThePaletteAndFlaggedInOperations) {
    Marked window;
    window.mark("operations", 2, 3, QStringLiteral("a rare place"));
    auto* operations = child<OperationsView>(window.shell.window, "operationsView");
    const OperationsModel& model = operations->model();
    const auto markAt = [&](int op) {
        return model.indexOfOp(window.op(op)).data(OperationsModel::MarkRole).toString();
    };
    EXPECT_EQ(markAt(2), QStringLiteral("a rare place"));
    EXPECT_EQ(markAt(3), QStringLiteral("a rare place"));
    EXPECT_EQ(markAt(4), QString());
    EXPECT_EQ(model.indexOfOp(window.op(2)).parent().data(OperationsModel::MarkRole).toString(),
              QStringLiteral("a rare place"));
    window.go("memory");
    window.shell.trigger("view.search");
    auto* search = child<QLineEdit>(window.shell.window, "paletteSearch");
    QTest::keyClicks(search, QStringLiteral("rare pl"));
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(window.view(), QStringLiteral("operations"));
    window.shell.trigger("edit.undo");
    EXPECT_EQ(markAt(2), QString());
}

TEST(Marks, OfOperationsThatAreNotThereSayItAndLeadToTheView) {
    Marked window;
    Marks marks;
    marks.bookmarks = {{"gone", "memory", "layer999.nothing", "", {}},
                       {"newer", "a view of tomorrow", "", "", {}}};
    window.workbench().marks.replace(marks);
    EXPECT_TRUE(markedOps(window.workbench()).empty());
    QTableView& table = window.table();
    EXPECT_TRUE(table.model()->index(0, 2).data().toString().contains(QStringLiteral("not in this step")));
    table.selectRow(1);
    QTest::keyClick(&table, Qt::Key_Return);
    EXPECT_EQ(window.view(), QStringLiteral("notes"));
    EXPECT_TRUE(window.shell.window.bannerText().contains(QStringLiteral("a view of tomorrow")));
    table.selectRow(0);
    QTest::keyClick(&table, Qt::Key_Return);
    EXPECT_EQ(window.view(), QStringLiteral("memory"));
}

TEST(Marks, StayBehindARecordedStep) {
    Marked window;
    window.mark("memory", 2, 2, QStringLiteral("mine"));
    ASSERT_TRUE(window.shell.open(QStringLiteral(PLUMB_TEST_DATA "/step/decoder.plumb")));
    EXPECT_FALSE(window.shell.window.views().isThere(ViewStack::tabOf(QStringLiteral("notes"))));
    EXPECT_FALSE(window.shell.enabled("notes.add"));
    EXPECT_TRUE(markedOps(window.workbench()).empty());
    EXPECT_EQ(window.marks().bookmarks.size(), 1U);
}

TEST(MarkEdits, CutTextBetweenCharacters) {
    const QString text = QString(4, QChar(0x6d4b));
    EXPECT_EQ(cutText(text, 12), text.toStdString());
    EXPECT_EQ(cutText(text, 11), text.left(3).toStdString());
    EXPECT_EQ(cutText(text, 2), "");
}

}  // namespace
}  // namespace plumb::ui
