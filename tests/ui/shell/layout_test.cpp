// SPDX-License-Identifier: GPL-3.0-or-later
// Views out of their tabs and parts of other sizes, by hand and at the next start.
#include "tests/ui/shell/shell_fixture.h"
#include "ui/lab/lesson_panel.h"
#include "ui/shell/layout_actions.h"
#include "ui/shell/picture_exporter.h"
#include "ui/shell/view_dock.h"
#include "ui/shell/window_frame.h"
#include "ui/shell/window_host.h"
#include "ui/theme/scaled.h"
#include "ui/theme/translations.h"
#include "ui/widgets/highlight_ring.h"
#include "ui/workbench/first_focus.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSplitter>
#include <QTest>
#include <QWindow>

#include <cstdlib>

namespace plumb::ui {
namespace {

using test::child;
using test::Shell;
using test::waitFor;

int tabOf(const char* id) { return ViewStack::tabOf(QString::fromLatin1(id)); }

ViewDock* dockIn(MainWindow& window, const char* id) {
    return window.findChild<ViewDock*>(QString::fromLatin1(id) + QStringLiteral("Dock"));
}

/// A window on settings that others used before.
struct Opened {
    explicit Opened(Settings& settings, Theme& theme) : window(settings, theme) {
        window.engine().setCommand(test::fakeEngine(QStringLiteral("normal")));
        window.show();
    }
    MainWindow window;
};

struct Layout : Shell {
    Layout() {
        window.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    }
    [[nodiscard]] ViewDock* dock(const char* id) { return dockIn(window, id); }
    void goTo(const char* id) { window.views().goToTab(tabOf(id)); }
    [[nodiscard]] bool isKept(const QStringList& outside) {
        return waitFor([&] { return settings.layout().outside == outside; });
    }
};

TEST(Layout, AViewOutOfItsTabIsInSightWhileAnotherIs) {
    Layout layout;
    ViewStack& views = layout.window.views();
    layout.goTo("memory");
    QWidget* const memory = views.currentView();
    layout.trigger("view.dockRight");
    ASSERT_NE(layout.dock("memory"), nullptr);
    EXPECT_TRUE(layout.dock("memory")->isAncestorOf(memory));
    EXPECT_EQ(views.currentTab(), tabOf("memory"));
    EXPECT_EQ(views.shownTab(), tabOf("overview"));
    layout.goTo("roofline");
    EXPECT_TRUE(memory->isVisible());
    EXPECT_TRUE(views.currentView()->isVisible());
    EXPECT_EQ(views.viewAt(tabOf("memory")), memory);
    // Beside each other, each with a good part of the room.
    const int room = memory->window()->width();
    EXPECT_GT(memory->width(), room / 5);
    EXPECT_GT(views.currentView()->width(), room / 5);
    layout.trigger("view.dockBelow");
    layout.goTo("timeline");
    EXPECT_TRUE(memory->isVisible() && views.viewAt(tabOf("roofline"))->isVisible());
    EXPECT_TRUE(layout.isKept({QStringLiteral("memory"), QStringLiteral("roofline")}));
}

TEST(Layout, TheTabOfAViewOutsideLeadsToIt) {
    Layout layout;
    layout.goTo("memory");
    layout.trigger("view.detach");
    ViewDock* const dock = layout.dock("memory");
    ASSERT_NE(dock, nullptr);
    EXPECT_TRUE(dock->isFloating() && dock->isVisible());
    EXPECT_TRUE(layout.window.actions().action(QStringLiteral("view.detach"))->isChecked());
    EXPECT_TRUE(layout.enabled("view.putBack"));
    layout.goTo("operations");
    EXPECT_TRUE(layout.enabled("view.detach"));
    EXPECT_FALSE(layout.window.actions().action(QStringLiteral("view.detach"))->isChecked());
    EXPECT_FALSE(layout.enabled("view.putBack"));
    EXPECT_EQ(layout.window.views().shownTab(), tabOf("operations"));
    QTest::mouseClick(child<QPushButton>(layout.window, "memoryTab"), Qt::LeftButton);
    EXPECT_EQ(layout.window.views().currentTab(), tabOf("memory"));
    EXPECT_EQ(layout.window.views().shownTab(), tabOf("operations"));
    EXPECT_TRUE(waitFor([&] { return dock->isActiveWindow(); }));
    EXPECT_TRUE(dock->isAncestorOf(QApplication::focusWidget()));
}

TEST(Layout, TheViewThatIsWorkedInIsTheCurrentOne) {
    Layout layout;
    layout.goTo("memory");
    layout.trigger("view.dockRight");
    layout.goTo("operations");
    QPushButton& tab = *child<QPushButton>(layout.window, "memoryTab");
    EXPECT_FALSE(tab.isChecked());
    QTest::mouseClick(firstFocusOf(*layout.window.views().viewAt(tabOf("memory"))), Qt::LeftButton);
    EXPECT_EQ(layout.window.views().currentTab(), tabOf("memory"));
    EXPECT_TRUE(tab.isChecked());
    QWidget& operations = *firstFocusOf(*layout.window.views().viewAt(tabOf("operations")));
    operations.setFocus();  // by nobody
    EXPECT_EQ(layout.window.views().currentTab(), tabOf("memory"));
    QTest::keyClick(&operations, Qt::Key_Down);
    EXPECT_EQ(layout.window.views().currentTab(), tabOf("operations"));
}

TEST(Layout, TheMarkedTabIsOfTheViewInTheWindowAndNotOfOneElsewhere) {
    Layout layout;
    const auto marked = [&](const char* id) {
        return child<QPushButton>(layout.window, (std::string(id) + "Tab").c_str())->isChecked();
    };
    layout.goTo("memory");
    layout.trigger("view.detach");
    EXPECT_EQ(layout.window.views().currentTab(), tabOf("memory"));
    EXPECT_TRUE(marked("overview") && !marked("memory"));
    layout.trigger("view.dockRight");
    EXPECT_TRUE(marked("memory")) << "beside the others it is in the window";
    layout.trigger("view.detach");
    EXPECT_TRUE(marked("overview"));
    layout.trigger("view.putBack");
    EXPECT_TRUE(marked("memory"));
}

TEST(Layout, NoOperationIsChosenByTakingAViewOut) {
    Layout layout;
    layout.goTo("memory");
    layout.trigger("view.dockRight");
    layout.goTo("overview");
    const OpSelection& chosen = layout.window.workbench().selection();
    EXPECT_EQ(chosen.op(), QString());
    layout.trigger("view.detach");
    QCoreApplication::processEvents();
    EXPECT_EQ(chosen.op(), QString());
    layout.trigger("view.putBack");
    QCoreApplication::processEvents();
    EXPECT_EQ(chosen.op(), QString());
}

TEST(Layout, ClosingTheWindowOfAViewPutsItBack) {
    Layout layout;
    layout.goTo("memory");
    QWidget* const memory = layout.window.views().currentView();
    layout.trigger("view.detach");
    layout.goTo("training");
    layout.dock("memory")->close();
    EXPECT_TRUE(waitFor([&] { return layout.window.views().shownTab() == tabOf("memory"); }));
    EXPECT_EQ(layout.window.views().currentView(), memory);
    EXPECT_TRUE(memory->isVisible());
    EXPECT_TRUE(waitFor([&] { return layout.dock("memory") == nullptr; }));
    EXPECT_TRUE(layout.isKept({}));
    EXPECT_TRUE(layout.enabled("view.detach"));
}

TEST(Layout, TheKeyThatTakesAViewOutPutsItBackFromItsWindow) {
    Layout layout;
    layout.goTo("memory");
    QWidget* const memory = layout.window.views().currentView();
    const auto press = [](QWidget* where) {
        QTest::keyClick(where, Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    };
    press(&layout.window);
    ViewDock* const dock = layout.dock("memory");
    ASSERT_NE(dock, nullptr);
    ASSERT_TRUE(dock->isFloating());
    ASSERT_TRUE(waitFor([&] { return dock->isActiveWindow(); }));
    press(firstFocusOf(*memory));
    EXPECT_TRUE(waitFor([&] { return layout.dock("memory") == nullptr; }));
    EXPECT_EQ(layout.window.views().shownTab(), tabOf("memory"));
    EXPECT_TRUE(memory->isVisible());
}

TEST(Layout, OneViewStays) {
    Layout layout;
    for (int tab = 0; tab < ViewStack::tabCount(); ++tab) {
        if (!layout.window.views().isThere(tab)) continue;
        layout.window.views().goToTab(tab);
        if (layout.enabled("view.dockRight")) layout.trigger("view.dockRight");
    }
    int inside = 0;
    for (int tab = 0; tab < ViewStack::tabCount(); ++tab)
        if (layout.window.views().isThere(tab) && !layout.window.views().isLent(tab)) ++inside;
    EXPECT_EQ(inside, 1);
    EXPECT_LT(layout.window.minimumSizeHint().height(), scaled(560)) << "they would make the window larger";
    EXPECT_LT(layout.window.minimumSizeHint().width(), scaled(900));
    EXPECT_FALSE(layout.window.views().isLent(layout.window.views().shownTab()));
}

TEST(Layout, AViewOfAnOpenedFileGoesWithIt) {
    Layout layout;
    const QString trace = QStringLiteral(PLUMB_TEST_DATA "/trace/cuda.json.gz");
    layout.window.openFile(trace);
    ASSERT_TRUE(waitFor([&] { return layout.window.views().isThere(tabOf("trace")); }));
    layout.goTo("trace");
    layout.trigger("view.dockRight");
    ASSERT_NE(layout.dock("trace"), nullptr);
    layout.trigger("file.close");
    EXPECT_FALSE(layout.window.views().isThere(tabOf("trace")));
    EXPECT_TRUE(waitFor([&] { return layout.dock("trace") == nullptr; }));
    EXPECT_EQ(layout.window.views().currentTab(), layout.window.views().shownTab());
    EXPECT_TRUE(layout.window.views().currentView()->isVisible());
}

TEST(Layout, TheNextStartHasItAgain) {
    Layout layout;
    layout.goTo("memory");
    layout.trigger("view.dockBelow");
    layout.goTo("roofline");
    layout.trigger("view.detach");
    layout.goTo("training");
    ASSERT_TRUE(layout.isKept({QStringLiteral("memory"), QStringLiteral("roofline")}));
    layout.window.close();
    Opened later(layout.settings, layout.theme);
    ViewDock* const memory = dockIn(later.window, "memory");
    ViewDock* const roofline = dockIn(later.window, "roofline");
    ASSERT_TRUE(memory != nullptr && roofline != nullptr);
    EXPECT_FALSE(memory->isFloating());
    EXPECT_TRUE(roofline->isFloating());
    EXPECT_TRUE(memory->isVisible());
    EXPECT_FALSE(roofline->isVisible()) << "before the window that it is to lie above";
    EXPECT_TRUE(waitFor([&] { return roofline->isVisible(); }));
    EXPECT_TRUE(waitFor([&] {
        return later.window.isActiveWindow() && later.window.views().currentTab() == tabOf("training");
    }));
    EXPECT_TRUE(later.window.views().currentView()->isVisible());
    // Below.
    const QPoint at = memory->mapTo(&later.window, QPoint());
    EXPECT_GT(at.y(), later.window.height() / 3);
}

TEST(Layout, TakesWhateverLiesInTheSettings) {
    Shell shell;
    shell.settings.setLayout({{QStringLiteral("memory"), QStringLiteral("memory"), QStringLiteral("trace"),
                               QStringLiteral("nothing like it")},
                              QByteArray("garbage"),
                              {{QStringLiteral("overviewRows-below"), {1, 2, 3, 4}}}});
    Opened later(shell.settings, shell.theme);
    EXPECT_NE(dockIn(later.window, "memory"), nullptr);
    EXPECT_EQ(later.window.findChildren<ViewDock*>().size(), 1);
    EXPECT_TRUE(later.window.views().viewAt(tabOf("memory"))->isVisible());
}

TEST(Layout, PartsKeepTheSizesThatTheyWereGiven) {
    Layout layout;
    layout.goTo("memory");
    auto& splitter = *child<QSplitter>(layout.window, "memorySplitter");
    const QList<int> before = splitter.sizes();
    constexpr int kBy = 60;
    QWidget* const handle = splitter.handle(1);
    QTest::mousePress(handle, Qt::LeftButton, {}, handle->rect().center());
    QTest::mouseMove(handle, handle->rect().center() - QPoint(0, kBy));
    QTest::mouseRelease(handle, Qt::LeftButton, {}, handle->rect().center() - QPoint(0, kBy));
    const QList<int> wanted = splitter.sizes();
    ASSERT_NE(wanted, before);
    layout.window.close();
    Opened later(layout.settings, layout.theme);
    later.window.resize(layout.window.size());
    later.window.views().goToTab(tabOf("memory"));
    QCoreApplication::processEvents();
    const QList<int> found = child<QSplitter>(later.window, "memorySplitter")->sizes();
    EXPECT_LT(std::abs(found[0] - wanted[0]), kBy / 5);
}

TEST(Layout, PartsThatAViewLaysOutItselfKeepTheirSizesToo) {
    Layout layout;
    LayoutSettings wanted;
    wanted.shares.insert(QStringLiteral("overviewAbove-below"), {300, 500});
    layout.settings.setLayout(wanted);
    Opened narrow(layout.settings, layout.theme);
    narrow.window.resize(scaled(700), scaled(2400));  // where the cards stand below each other
    auto& parts = *child<QSplitter>(narrow.window, "overviewAbove");
    ASSERT_TRUE(waitFor([&] { return parts.orientation() == Qt::Vertical; }));
    EXPECT_TRUE(waitFor([&] { return parts.sizes()[1] > parts.sizes()[0] + scaled(40); }))
        << parts.sizes()[0] << ' ' << parts.sizes()[1];
}

TEST(Layout, EveryPartingOfAViewHasAName) {
    Layout layout;
    QStringList names;
    for (int tab = 0; tab < ViewStack::tabCount(); ++tab)
        for (const QSplitter* splitter : layout.window.views().madeViewAt(tab).findChildren<QSplitter*>())
            names << splitter->objectName();
    EXPECT_GE(names.size(), 8);
    EXPECT_FALSE(names.contains(QString()));
    EXPECT_EQ(names.removeDuplicates(), 0);
}

TEST(Layout, PicturesShowEachViewWhereItIsAmongTheOthers) {
    Layout layout;
    layout.goTo("memory");
    layout.trigger("view.dockRight");
    layout.goTo("roofline");
    ASSERT_TRUE(layout.isKept({QStringLiteral("memory")}));
    PictureExporter exporter(layout.window.views(), layout.window.viewArea(), nullptr);
    QSignalSpy finished(&exporter, &PictureExporter::finished);
    // A folder that cannot be made ends it soon.
    exporter.exportTo(layout.write("taken", {}) + QStringLiteral("/pictures"));
    EXPECT_FALSE(layout.window.views().isLent(tabOf("memory")));
    ASSERT_TRUE(waitFor([&] { return !finished.isEmpty(); }));
    ASSERT_NE(layout.dock("memory"), nullptr);
    EXPECT_TRUE(layout.dock("memory")->isVisible());
    EXPECT_EQ(layout.window.views().currentTab(), tabOf("roofline"));
    layout.window.hide();  // which keeps at once what changed
    EXPECT_EQ(layout.settings.layout().outside, QStringList{QStringLiteral("memory")});
}

TEST(Layout, TheMenuOfATabTakesItsViewOut) {
    Layout layout;
    layout.goTo("overview");
    auto& tab = *child<QPushButton>(layout.window, "operationsTab");
    emit tab.customContextMenuRequested(tab.rect().center());
    auto* const menu = child<QMenu>(layout.window, "viewTabMenu");
    ASSERT_NE(menu, nullptr);
    EXPECT_TRUE(menu->isVisible());
    EXPECT_EQ(layout.window.views().currentTab(), tabOf("operations"));
    menu->actions().at(1)->trigger();
    menu->close();
    EXPECT_NE(layout.dock("operations"), nullptr);
}

/// The program but its command line.
struct Program {
    Program() {
        QObject::connect(&host, &WindowHost::pageMade, [](MainWindow* page) {
            page->engine().setCommand(test::fakeEngine(QStringLiteral("normal")));
        });
        page().engine().setCommand(test::fakeEngine(QStringLiteral("normal")));
        host.frame().show();
        host.frame().activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&host.frame()));
    }
    [[nodiscard]] MainWindow& page() { return host.window(); }
    void trigger(const char* id) { page().actions().action(QString::fromLatin1(id))->trigger(); }

    test::FailOnQtWarnings guard{{QStringLiteral("This plugin does not support")}};
    QTemporaryDir folder;
    const bool hasHistory =
        qputenv("PLUMBLINE_HISTORY", folder.filePath(QStringLiteral("history.sqlite")).toUtf8());
    Settings settings{folder.filePath(QStringLiteral("window.ini"))};
    Theme theme;
    Translations translations{*qApp};
    WindowHost host{settings, theme, translations};
};

TEST(Layout, ALessonPointsAtAViewInItsOwnWindow) {
    Layout layout;
    layout.goTo("memory");
    layout.trigger("view.detach");
    layout.trigger("help.lessons");
    emit child<LessonPanel>(layout.window, "lessonPanel")->pointed({QStringLiteral("tensorFilter")});
    const auto* ring = layout.dock("memory")->findChild<HighlightRing*>(QStringLiteral("highlightRing"));
    ASSERT_NE(ring, nullptr);
    EXPECT_TRUE(ring->isVisible());
    layout.trigger("view.putBack");
    ASSERT_TRUE(waitFor([&] { return layout.dock("memory") == nullptr; }));
    emit child<LessonPanel>(layout.window, "lessonPanel")->pointed({QStringLiteral("tensorFilter")});
    EXPECT_TRUE(child<HighlightRing>(layout.window, "highlightRing")->isVisible());
}

TEST(Layout, ALessonHasTheKeyboardAndGivesItToWhatItShows) {
    Layout layout;
    layout.window.window()->resize(1024, 768);  // where the panel lies over the views
    layout.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&layout.window));
    layout.trigger("help.lessons");
    auto* const next = child<QPushButton>(layout.window, "lessonNext");
    EXPECT_TRUE(waitFor([&] { return next->hasFocus(); }, 2000));
    child<QPushButton>(layout.window, "lessonShow")->click();
    const QWidget* const focused = QApplication::focusWidget();
    ASSERT_NE(focused, nullptr);
    const auto* dim = child<QWidget>(*child<QWidget>(layout.window, "runPanel"), "dim");
    EXPECT_TRUE(dim == focused || dim->isAncestorOf(focused)) << focused->objectName().toStdString();
}

TEST(Layout, ResetArrangesAllAsAtFirst) {
    Program program;
    MainWindow* const before = &program.page();
    before->views().goToTab(tabOf("memory"));
    program.trigger("view.detach");
    LayoutSettings layout = program.settings.layout();
    layout.shares.insert(QStringLiteral("memorySplitter-below"), {1, 1000});
    program.settings.setLayout(layout);
    program.settings.setPanelUnfolded(false);
    program.trigger("view.resetLayout");
    ASSERT_TRUE(waitFor([&] { return &program.page() != before; }));
    EXPECT_EQ(program.settings.layout(), LayoutSettings{});
    EXPECT_TRUE(program.settings.isPanelUnfolded());
    EXPECT_TRUE(program.page().findChildren<ViewDock*>().isEmpty());
    EXPECT_EQ(program.page().views().currentTab(), tabOf("memory"));
    EXPECT_TRUE(program.page().views().currentView()->isVisible());
}

TEST(Layout, WindowsOfADocumentAreThereWhileItIsShown) {
    Program program;
    MainWindow& first = program.page();
    first.views().goToTab(tabOf("memory"));
    program.trigger("view.detach");
    ViewDock* const dock = dockIn(first, "memory");
    ASSERT_NE(dock, nullptr);
    EXPECT_TRUE(dock->isVisible());
    program.host.frame().addPage();
    EXPECT_FALSE(dock->isVisible());
    program.host.frame().goTo(0);
    EXPECT_TRUE(dock->isVisible());
    EXPECT_EQ(program.settings.layout().outside, QStringList{QStringLiteral("memory")});
}

// The window manager keeps it above that one, if it is told of that one.
TEST(Layout, TheWindowOfAViewBelongsToTheWindowOfItsDocument) {
    Program program;
    program.page().views().goToTab(tabOf("memory"));
    program.trigger("view.detach");
    ASSERT_TRUE(waitFor([&] { return !program.settings.layout().docks.isEmpty(); }));
    WindowHost later(program.settings, program.theme, program.translations);
    later.window().engine().setCommand(test::fakeEngine(QStringLiteral("normal")));
    later.frame().show();
    MainWindow& page = later.window();
    const ViewDock* const dock = dockIn(page, "memory");
    ASSERT_NE(dock, nullptr);
    ASSERT_TRUE(waitFor([&] { return dock->isFloating() && dock->isVisible(); }));
    EXPECT_EQ(dock->windowHandle()->transientParent(), later.frame().windowHandle());
    later.frame().addPage();
    later.frame().goTo(0);
    page.actions().action(QStringLiteral("file.tabToWindow"))->trigger();
    ASSERT_TRUE(waitFor([&] { return page.window() != &later.frame() && dock->isVisible(); }));
    EXPECT_EQ(dock->windowHandle()->transientParent(), page.window()->windowHandle());
}

TEST(Layout, AnotherLanguageKeepsThatOfEachDocument) {
    Program program;
    program.page().views().goToTab(tabOf("memory"));
    program.trigger("view.dockRight");
    program.host.frame().addPage();
    program.page().views().goToTab(tabOf("roofline"));
    program.trigger("view.putBack");
    for (ViewDock* dock : program.page().findChildren<ViewDock*>()) dock->close();
    ASSERT_TRUE(waitFor([&] { return program.page().findChildren<ViewDock*>().isEmpty(); }));
    MainWindow* const before = &program.page();
    program.trigger("view.language.zh_CN");
    ASSERT_TRUE(waitFor([&] { return &program.page() != before; }));
    EXPECT_TRUE(program.page().findChildren<ViewDock*>().isEmpty());
    program.host.frame().goTo(0);
    EXPECT_NE(dockIn(program.page(), "memory"), nullptr);
    program.trigger("view.language.en");
    ASSERT_TRUE(waitFor([&] {
        return dockIn(program.page(), "memory") != nullptr &&
               dockIn(program.page(), "memory")->windowTitle() == QStringLiteral("Memory");
    }));
}

TEST(Layout, AnotherLanguageKeepsIt) {
    Program program;
    MainWindow* const before = &program.page();
    before->views().goToTab(tabOf("memory"));
    program.trigger("view.dockRight");
    program.trigger("view.language.zh_CN");
    ASSERT_TRUE(waitFor([&] { return &program.page() != before; }));
    ViewDock* const dock = dockIn(program.page(), "memory");
    ASSERT_NE(dock, nullptr);
    EXPECT_TRUE(dock->isVisible());
    EXPECT_NE(dock->windowTitle(), QStringLiteral("Memory"));
    program.trigger("view.language.en");
    ASSERT_TRUE(waitFor([&] {
        return dockIn(program.page(), "memory") != nullptr &&
               dockIn(program.page(), "memory")->windowTitle() == QStringLiteral("Memory");
    }));
}

}  // namespace
}  // namespace plumb::ui
