// SPDX-License-Identifier: GPL-3.0-or-later
// Documents in tabs, driven as their users would.
#include "ui/shell/window_frame.h"

#include "tests/ui/shell/shell_fixture.h"
#include "ui/lab/lesson_panel.h"
#include "ui/planner/planner_view.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/document_tabs.h"
#include "ui/shell/shown_views.h"
#include "ui/shell/window_host.h"
#include "ui/theme/translations.h"
#include "ui/widgets/screen_room.h"

#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QTest>
#include <QtEndian>

namespace plumb::ui {
namespace {

using test::child;
using test::waitFor;

/// The program but its command line, against fake engines.
struct Windows {
    Windows() { begin(); }
    void begin() {
        host = std::make_unique<WindowHost>(settings, theme, translations);
        QObject::connect(host.get(), &WindowHost::pageMade, [](MainWindow* page) {
            page->engine().setCommand(test::fakeEngine(QStringLiteral("normal")));
        });
        page().engine().setCommand(test::fakeEngine(QStringLiteral("normal")));
        frame().show();
        frame().activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&frame()));
    }
    [[nodiscard]] WindowFrame& frame() { return host->frame(); }
    [[nodiscard]] MainWindow& page() { return host->window(); }
    [[nodiscard]] DocumentTabs& strip() { return *child<DocumentTabs>(frame(), "documentTabs"); }
    void trigger(const char* id) { page().actions().action(QString::fromLatin1(id))->trigger(); }
    [[nodiscard]] bool enabled(const char* id) {
        return page().actions().action(QString::fromLatin1(id))->isEnabled();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers) {
        QTest::keyClick(frame().focusWidget() != nullptr ? frame().focusWidget() : &page(), key, modifiers);
    }
    [[nodiscard]] QString file(const char* name) const { return folder.filePath(QString::fromLatin1(name)); }
    /// A file of a step with as many layers.
    [[nodiscard]] QString saved(const char* name, std::int64_t layers) {
        RunConfig config;
        config.layers = layers;
        Result<Snapshot> made = makeSnapshot(config, page().workbench().session()->whatIf.target);
        EXPECT_TRUE(made.has_value() && writeSnapshot(file(name).toStdString(), *made).has_value());
        return file(name);
    }
    [[nodiscard]] bool isOpen(const QString& path) {
        return waitFor([&] { return !page().document().opening() && page().document().path() == path; });
    }
    /// A note that no file has.
    void scribble() { page().workbench().marks.put({"not saved", {}}); }

    test::FailOnQtWarnings guard{{QStringLiteral("This plugin does not support")}};
    QTemporaryDir folder;
    const bool hasHistory =
        qputenv("PLUMBLINE_HISTORY", folder.filePath(QStringLiteral("history.sqlite")).toUtf8());
    Settings settings{folder.filePath(QStringLiteral("window.ini"))};
    Theme theme;
    Translations translations{*qApp};
    std::unique_ptr<WindowHost> host;
};

TEST(Tabs, AreThereWithTheSecondDocument) {
    Windows windows;
    EXPECT_TRUE(windows.strip().isHidden());
    EXPECT_TRUE(windows.enabled("file.newTab"));
    EXPECT_FALSE(windows.enabled("file.close"));
    EXPECT_FALSE(windows.enabled("file.nextTab"));
    windows.key(Qt::Key_T, Qt::ControlModifier);
    EXPECT_EQ(windows.frame().count(), 2);
    EXPECT_TRUE(windows.strip().isVisible());
    EXPECT_EQ(windows.frame().current(), 1);
    EXPECT_TRUE(windows.enabled("file.close"));
    windows.key(Qt::Key_W, Qt::ControlModifier);
    EXPECT_TRUE(waitFor([&] { return windows.frame().count() == 1; }));
    EXPECT_TRUE(windows.strip().isHidden());
    EXPECT_TRUE(windows.frame().isVisible());
}

TEST(Tabs, KeepViewSelectionAndUndoOfEachDocument) {
    Windows windows;
    MainWindow& first = windows.page();
    first.views().goToTab(ViewStack::tabOf(QStringLiteral("memory")));
    RunConfig wide = first.workbench().config();
    wide.dim *= 2;
    ASSERT_TRUE(first.session().history.change(wide, QStringLiteral("dim")).has_value());
    first.workbench().selection().select(QStringLiteral("somewhere"));
    windows.trigger("file.newTab");
    MainWindow& second = windows.page();
    ASSERT_NE(&first, &second);
    EXPECT_EQ(second.workbench().config(), RunConfig{});
    EXPECT_FALSE(windows.enabled("edit.undo"));
    second.views().goToTab(ViewStack::tabOf(QStringLiteral("training")));
    windows.key(Qt::Key_Tab, Qt::ControlModifier);
    EXPECT_EQ(&windows.page(), &first);
    EXPECT_TRUE(first.isVisible() && !second.isVisible());
    EXPECT_EQ(first.views().currentTab(), ViewStack::tabOf(QStringLiteral("memory")));
    EXPECT_EQ(first.workbench().selection().op(), QStringLiteral("somewhere"));
    EXPECT_EQ(first.workbench().config(), wide);
    windows.key(Qt::Key_Z, Qt::ControlModifier);  // of the document that is looked at
    EXPECT_EQ(first.workbench().config(), RunConfig{});
    windows.key(Qt::Key_Backtab, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(&windows.page(), &second);
    EXPECT_EQ(second.views().currentTab(), ViewStack::tabOf(QStringLiteral("training")));
}

TEST(Tabs, SayNamePathAndWhetherADocumentIsSaved) {
    Windows windows;
    const QString path = windows.saved("a&b.plumb", 3);
    windows.page().openFile(path);
    ASSERT_TRUE(windows.isOpen(path));
    windows.trigger("file.newTab");
    DocumentTabs& strip = windows.strip();
    EXPECT_EQ(strip.tabText(0), QStringLiteral("a&&b.plumb"));
    EXPECT_EQ(strip.tabToolTip(0), path);
    EXPECT_EQ(strip.accessibleTabName(0), QStringLiteral("a&b.plumb"));
    windows.scribble();
    EXPECT_TRUE(strip.tabText(1).startsWith(QStringLiteral("• ")));
    EXPECT_TRUE(strip.tabToolTip(1).contains(QStringLiteral("Not saved")));
    EXPECT_TRUE(windows.frame().isWindowModified());
    windows.trigger("file.nextTab");
    EXPECT_FALSE(windows.frame().isWindowModified());
    EXPECT_TRUE(windows.frame().windowTitle().startsWith(QStringLiteral("a&b.plumb")));
}

TEST(Tabs, AskBeforeADocumentGoesThatNoFileHolds) {
    Windows windows;
    windows.trigger("file.newTab");
    windows.scribble();
    windows.trigger("file.newTab");
    const QPoint second = windows.strip().tabRect(1).center();
    QTest::mouseClick(&windows.strip(), Qt::MiddleButton, {}, second);
    EXPECT_EQ(windows.frame().current(), 1);  // where it is asked
    auto* question = child<QMessageBox>(windows.page(), "unsavedQuestion");
    QTest::mouseClick(question->button(QMessageBox::Cancel), Qt::LeftButton);
    EXPECT_EQ(windows.frame().count(), 3);
    auto* cross = qobject_cast<QPushButton*>(windows.strip().tabButton(1, QTabBar::RightSide));
    ASSERT_NE(cross, nullptr);
    QTest::mouseClick(cross, Qt::LeftButton);
    const auto again = windows.page().findChildren<QMessageBox*>(QStringLiteral("unsavedQuestion"));
    QTest::mouseClick(again.back()->button(QMessageBox::Cancel), Qt::LeftButton);
    EXPECT_EQ(windows.frame().count(), 3);
    QTest::mouseClick(&windows.strip(), Qt::MiddleButton, {}, windows.strip().tabRect(2).center());
    EXPECT_TRUE(waitFor([&] { return windows.frame().count() == 2; }));  // nothing is lost of it
    windows.frame().goTo(1);
    QTest::qWait(0);
    windows.trigger("file.close");
    const auto asked = windows.page().findChildren<QMessageBox*>(QStringLiteral("unsavedQuestion"));
    ASSERT_FALSE(asked.isEmpty());
    QTest::mouseClick(asked.back()->button(QMessageBox::Discard), Qt::LeftButton);
    EXPECT_TRUE(waitFor([&] { return windows.frame().count() == 1; }));
}

TEST(Tabs, AllAgreeBeforeTheWindowCloses) {
    Windows windows;
    windows.scribble();
    windows.trigger("file.newTab");
    windows.frame().close();
    EXPECT_TRUE(windows.frame().isVisible());
    EXPECT_EQ(windows.frame().current(), 0);
    auto* question = child<QMessageBox>(windows.page(), "unsavedQuestion");
    QTest::mouseClick(question->button(QMessageBox::Cancel), Qt::LeftButton);
    EXPECT_EQ(windows.frame().count(), 2);
    windows.page().workbench().marks.put({});
    windows.trigger("file.quit");
    EXPECT_TRUE(waitFor([&] { return !windows.frame().isVisible(); }));
}

TEST(Tabs, AreDraggedIntoAnotherOrder) {
    Windows windows;
    MainWindow& first = windows.page();
    windows.trigger("file.newTab");
    MainWindow& second = windows.page();
    windows.strip().moveTab(1, 0);
    EXPECT_EQ(&windows.frame().page(0), &second);
    EXPECT_EQ(&windows.frame().page(1), &first);
    EXPECT_EQ(&windows.page(), &second);
}

TEST(Tabs, MoveToAWindowOfTheirOwnWithWhatRunsInThem) {
    Windows windows;
    windows.trigger("file.newTab");
    MainWindow& moved = windows.page();
    moved.engine().start();
    ASSERT_TRUE(waitFor([&] { return moved.controller().chosen().whyNotRun().isEmpty(); }));
    WindowFrame* other = nullptr;
    QObject::connect(windows.host.get(), &WindowHost::windowMade, [&](WindowFrame* made) { other = made; });
    windows.trigger("file.tabToWindow");
    ASSERT_NE(other, nullptr);
    EXPECT_EQ(windows.frame().count(), 1);
    EXPECT_EQ(&other->currentPage(), &moved);
    EXPECT_TRUE(other->isVisible() && moved.isVisible());
    EXPECT_EQ(moved.engine().state(), EngineClient::State::Ready);
    EXPECT_EQ(windows.host->windowCount(), 2);
    other->close();
    EXPECT_TRUE(waitFor([&] { return windows.host->windowCount() == 1; }));
    EXPECT_TRUE(windows.frame().isVisible());
}

TEST(Tabs, ComeBackAtTheNextStartWhenThatIsWanted) {
    Windows windows;
    const QString a = windows.saved("a.plumb", 3);
    const QString b = windows.saved("b.plumb", 5);
    windows.page().openFile(a);
    ASSERT_TRUE(windows.isOpen(a));
    windows.frame().addPage({b});
    ASSERT_TRUE(windows.isOpen(b));
    windows.trigger("file.restoreTabs");
    windows.frame().close();
    ASSERT_TRUE(waitFor([&] { return !windows.frame().isVisible(); }));
    EXPECT_EQ(windows.settings.documents().open, (QStringList{a, b}));
    QFile::remove(a);

    windows.begin();
    windows.host->restore();
    ASSERT_TRUE(windows.isOpen(b));
    EXPECT_EQ(windows.page().workbench().config().layers, 5);
    EXPECT_EQ(windows.frame().count(), 1);
    EXPECT_TRUE(windows.page().bannerText().contains(a));
}

TEST(Tabs, KeepAPlanEach) {
    Windows windows;
    const QString a = windows.saved("a.plumb", 3);
    const QString b = windows.saved("b.plumb", 5);
    const QString c = windows.saved("c.plumb", 7);
    const auto planner = [&]() -> PlannerView& { return showPlanner(windows.page().views()); };
    const int cost = plannerQuestion(QStringLiteral("cost")), step = plannerQuestion(QStringLiteral("step"));
    windows.page().openFile(a);
    ASSERT_TRUE(windows.isOpen(a));
    planner().edits().setQuestion(cost);
    windows.frame().addPage({b});
    ASSERT_TRUE(windows.isOpen(b));
    EXPECT_EQ(planner().page(), cost) << "another document begins with the last plan";
    planner().edits().setQuestion(step);
    windows.frame().addPage({c});
    ASSERT_TRUE(windows.isOpen(c));  // nobody plans in it
    windows.frame().goTo(0);
    EXPECT_EQ(planner().page(), cost);
    for (const char* language : {"view.language.zh_CN", "view.language.en"}) {
        const QPointer<MainWindow> old(&windows.page());
        windows.trigger(language);
        ASSERT_TRUE(waitFor([&] { return old.isNull(); }));
        EXPECT_EQ(planner().page(), cost) << "the window was made anew";
    }
    windows.trigger("file.restoreTabs");
    for (int turn = 0; turn < 2; ++turn) {
        windows.frame().close();
        ASSERT_TRUE(waitFor([&] { return !windows.frame().isVisible(); }));
        windows.begin();
        windows.host->restore();
        ASSERT_TRUE(windows.isOpen(a));
        EXPECT_EQ(planner().page(), cost) << turn;
        if (turn == 0) continue;  // the second tab is not looked at, and keeps its plan all the same
        windows.frame().goTo(1);
        ASSERT_TRUE(windows.isOpen(b));
        EXPECT_EQ(planner().page(), step);
    }
}

TEST(Tabs, OfTheLastStartAreReadWhenTheyAreShown) {
    Windows windows;
    const QString a = windows.saved("a.plumb", 3);
    const QString b = windows.saved("b.plumb", 5);
    windows.settings.setDocuments({true, {a, b}, 0});
    windows.host->restore();
    ASSERT_TRUE(windows.isOpen(a));
    EXPECT_EQ(windows.frame().count(), 2);
    EXPECT_EQ(windows.frame().findChildren<MainWindow*>().size(), 1);
    EXPECT_EQ(windows.strip().tabText(1), QStringLiteral("b.plumb"));
    windows.frame().goTo(1);
    EXPECT_TRUE(windows.isOpen(b));
    EXPECT_EQ(windows.frame().findChildren<MainWindow*>().size(), 2);
}

TEST(Tabs, AreFoundByThePalette) {
    Windows windows;
    const QString a = windows.saved("a.plumb", 3);
    windows.settings.setDocuments({true, {a, windows.saved("other.plumb", 5)}, 0});
    windows.host->restore();
    ASSERT_TRUE(windows.isOpen(a));
    windows.trigger("view.search");
    auto* search = child<QLineEdit>(windows.page(), "paletteSearch");
    const auto* list = child<QListWidget>(windows.page(), "paletteList");
    QTest::keyClicks(search, QStringLiteral("other document"));
    EXPECT_EQ(list->item(0)->data(Qt::AccessibleTextRole).toString(),
              QStringLiteral("other.plumb, Open document"));
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(windows.frame().current(), 1);
    EXPECT_TRUE(windows.isOpen(windows.file("other.plumb")));
}

TEST(Tabs, SpeakAnotherLanguageWithoutLosingAnything) {
    Windows windows;
    windows.trigger("file.newTab");
    windows.scribble();
    windows.trigger("help.lessons");
    child<LessonPanel>(windows.page(), "lessonPanel")->setStep(2);
    windows.trigger("view.operations");
    const QPointer<MainWindow> old(&windows.page());
    windows.trigger("view.language.zh_CN");
    ASSERT_TRUE(waitFor([&] { return old.isNull(); }));
    const auto* const lesson = child<LessonPanel>(windows.page(), "lessonPanel");
    ASSERT_NE(lesson, nullptr) << "the lesson is gone";
    EXPECT_TRUE(lesson->isVisible());
    EXPECT_EQ(lesson->step(), 2);
    EXPECT_EQ(windows.page().views().currentTab(), ViewStack::tabOf(QStringLiteral("operations")));
    EXPECT_EQ(windows.frame().count(), 2);
    EXPECT_EQ(windows.page().workbench().marks.all().note, "not saved");
    EXPECT_EQ(windows.page().actions().action(QStringLiteral("file.open"))->text(),
              QStringLiteral("打开(&O)…"));
    EXPECT_EQ(windows.frame().current(), 1);
    const QPointer<MainWindow> chinese(&windows.page());
    windows.trigger("view.language.en");
    ASSERT_TRUE(waitFor([&] { return chinese.isNull(); }));
}

TEST(Tabs, AFileThatCannotBeReadLeavesNoneBehind) {
    Windows windows;
    windows.trigger("file.newTab");
    windows.frame().goTo(0);
    const auto open = [&](const QStringList& paths) {
        windows.trigger("file.openInTab");
        auto* const dialog = windows.frame().findChild<QFileDialog*>();
        emit dialog->filesSelected(paths);
        delete dialog;
    };
    QFile cut(windows.file("cut.plumb"));
    ASSERT_TRUE(cut.open(QIODevice::WriteOnly));
    cut.write("{\"format\": ");
    cut.close();
    const QString plan = windows.file("cut.plan.json");
    ASSERT_TRUE(QFile::copy(cut.fileName(), plan));
    QDir(windows.folder.path()).mkdir(QStringLiteral("empty"));
    for (const QString& path : {cut.fileName(), windows.file("gone.plumb"), plan, windows.file("empty")}) {
        open({path});
        EXPECT_TRUE(waitFor([&] { return windows.frame().count() == 2; })) << path.toStdString();
        EXPECT_EQ(windows.frame().current(), 0);
        EXPECT_TRUE(windows.page().bannerText().contains(QFileInfo(path).fileName()))
            << windows.page().bannerText().toStdString();
    }
    // One of several is enough for a tab.
    const QString good = windows.saved("good.plumb", 3);
    open({cut.fileName(), good});
    ASSERT_TRUE(windows.isOpen(good));
    QTest::qWait(0);
    EXPECT_EQ(windows.frame().count(), 3);
    EXPECT_TRUE(windows.page().bannerText().contains(QStringLiteral("cut.plumb")));
}

TEST(Screens, HoldAWindowThatWasPlacedOnOthers) {
    const QRect screen(0, 36, 1024, 732);
    EXPECT_EQ(onScreens({100, 100, 800, 600}, {screen}), QRect(100, 100, 800, 600));
    EXPECT_EQ(onScreens({50, 60, 1300, 900}, {screen}), screen);
    EXPECT_EQ(onScreens({3000, 2000, 800, 600}, {screen}), QRect(224, 168, 800, 600));
    EXPECT_EQ(onScreens({-500, -40, 800, 600}, {screen}), QRect(0, 36, 800, 600));
    // On the one of two that holds most of it, which may lie at the left.
    const QRect left(-1280, 36, 1280, 900);
    EXPECT_EQ(onScreens({-700, 100, 900, 600}, {screen, left}), QRect(-900, 100, 900, 600));
    EXPECT_EQ(onScreens({1, 2, 3, 4}, {}), QRect(1, 2, 3, 4));
}

TEST(Screens, HoldTheWindowOfALargerOneAtTheNextStart) {
    QTemporaryDir folder;
    Settings settings{folder.filePath(QStringLiteral("window.ini"))};
    Theme theme;
    QWidget before;
    const QRect room = before.screen()->availableGeometry();
    before.setGeometry(room.left() + 40, room.top() + 40, room.width() + 500, room.height() + 300);
    QByteArray saved = before.saveGeometry();
    settings.setWindowGeometry(saved);
    EXPECT_TRUE(room.contains(WindowFrame(settings, theme).geometry()));
    // As it was saved on a screen of twice the width, of which Qt takes nothing.
    constexpr int kScreenWidth = 46;  // its place in what is saved, four bytes
    qToBigEndian<qint32>(2 * room.width(), saved.data() + kScreenWidth);
    settings.setWindowGeometry(saved);
    const WindowFrame frame(settings, theme);
    EXPECT_TRUE(room.contains(frame.geometry())) << frame.width() << " x " << frame.height();
}

}  // namespace
}  // namespace plumb::ui
