// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/side_panel.h"

#include "core/base/entry_at.h"
#include "tests/ui/shell/shell_fixture.h"
#include "ui/lab/lesson_panel.h"
#include "ui/run/key_figures.h"
#include "ui/run/run_panel.h"
#include "ui/theme/scaled.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/highlight_ring.h"
#include "ui/workbench/first_focus.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>
#include <QTextBrowser>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace plumb::ui {
namespace {

using test::child;
using test::Shell;
using test::waitFor;

constexpr int kNarrow = 1000, kWide = 1700, kHeight = 700;

struct Sized : Shell {
    explicit Sized(int width) { resizeTo(width); }
    void resizeTo(int width) {
        window.resize(scaled(width), scaled(kHeight));
        QCoreApplication::processEvents();
    }
    [[nodiscard]] SidePanel& side() { return *child<SidePanel>(window, "sidePanel"); }
    [[nodiscard]] QWidget& panel() { return *child<QWidget>(window, "runPanel"); }
    [[nodiscard]] QWidget& rail() { return *child<QWidget>(window, "sideRail"); }
    [[nodiscard]] QAction& fold() { return *window.actions().action(QStringLiteral("view.panel")); }
    [[nodiscard]] int leftOfViews() { return window.viewArea().mapTo(&window, QPoint()).x(); }
};

TEST(SidePanelTest, StandsBesideTheViewsInAWideWindowAndIsARailInANarrowOne) {
    Sized shell(kWide);
    EXPECT_TRUE(shell.panel().isVisible());
    EXPECT_FALSE(shell.rail().isVisible());
    EXPECT_EQ(shell.leftOfViews(), shell.panel().width());
    EXPECT_TRUE(shell.fold().isChecked());
    shell.resizeTo(kNarrow);
    EXPECT_FALSE(shell.panel().isVisible());
    EXPECT_TRUE(shell.rail().isVisible());
    EXPECT_EQ(shell.leftOfViews(), shell.rail().width());
    shell.resizeTo(kWide);
    EXPECT_TRUE(shell.panel().isVisible());
}

TEST(SidePanelTest, LiesOverTheViewsOfANarrowWindowUntilSomethingElseIsClicked) {
    Sized shell(kNarrow);
    const int left = shell.leftOfViews();
    QTest::mouseClick(child<QPushButton>(shell.window, "unfoldPanel"), Qt::LeftButton);
    EXPECT_TRUE(shell.panel().isVisible());
    EXPECT_EQ(shell.leftOfViews(), left) << "the views move";
    shell.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&shell.window));
    QTest::mouseClick(&shell.panel(), Qt::LeftButton, {}, QPoint(3, 3));
    EXPECT_TRUE(shell.panel().isVisible());
    QTest::mouseClick(&shell.window.viewArea(), Qt::LeftButton, {}, QPoint(shell.panel().width() + 40, 3));
    EXPECT_FALSE(shell.panel().isVisible());
}

TEST(SidePanelTest, LiesOverTheViewsWithTheKeyboardUntilEscape) {
    Sized shell(kNarrow);
    shell.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&shell.window));
    shell.trigger("view.memory");
    QTest::keyClick(&shell.window, Qt::Key_F4);
    EXPECT_TRUE(shell.panel().isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    EXPECT_FALSE(shell.panel().isVisible());
    QTest::keyClick(&shell.window, Qt::Key_F4);
    firstFocusOf(*shell.window.views().currentView())->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    EXPECT_FALSE(shell.panel().isVisible()) << "the view behind it has the keyboard";
    QTest::mouseClick(child<QPushButton>(shell.window, "runHeadingRail"), Qt::LeftButton);
    EXPECT_TRUE(shell.panel().isAncestorOf(QApplication::focusWidget()));
}

TEST(SidePanelTest, LeavesTheNoticeAndTheKeyFiguresInSight) {
    Sized shell(kNarrow);
    const auto settle = [] {
        for (int round = 0; round < 4; ++round) QCoreApplication::processEvents();  // layouts in layouts
    };
    const auto at = [&](const char* name) {
        const auto* part = child<QWidget>(shell.window, name);
        return QRect(part->mapTo(&shell.window, QPoint()), part->size());
    };
    settle();
    const QRect rail = at("sideRail"), views = at("viewArea");
    child<Banner>(shell.window, "banner")
        ->showMessage(Banner::Kind::Error, QStringLiteral("The connection to box was lost."));
    settle();
    EXPECT_EQ(at("sideRail"), rail) << "what is pressed moves";
    EXPECT_EQ(at("viewArea").topLeft(), views.topLeft());
    EXPECT_GT(at("banner").top(), at("viewArea").bottom());
    EXPECT_LT(at("banner").bottom(), at("statusStrip").top());
    EXPECT_FALSE(at("banner").intersects(at("keyFigures")));
    shell.trigger("view.panel");
    settle();
    ASSERT_TRUE(shell.panel().isVisible());
    EXPECT_GT(at("banner").left(), at("runPanel").right());
    for (const char* read : {"banner", "keyFigures"})
        EXPECT_FALSE(at("runPanel").intersects(at(read))) << read;
    for (const auto* tile : child<QWidget>(shell.window, "keyFigures")->findChildren<KeyFigureTile*>())
        EXPECT_GE(tile->width(), tile->minimumSizeHint().width()) << tile->figure().id.toStdString();
    EXPECT_LE(at("runPanel").bottom(), at("statusStrip").top());
    shell.trigger("view.panel");
    settle();
    EXPECT_EQ(at("sideRail"), rail);
    EXPECT_GT(at("banner").left(), rail.right());
    EXPECT_LT(at("keyFigures").left(), at("runPanel").right());
}

TEST(SidePanelTest, SaysHowItIsFoldedWhereItLiesOverTheViews) {
    Sized shell(kNarrow);
    auto* const ways = child<QLabel>(shell.panel(), "waysToFold");
    shell.trigger("view.panel");
    QCoreApplication::processEvents();
    EXPECT_TRUE(ways->isVisible());
    EXPECT_TRUE(child<QWidget>(shell.window, "panelShade")->isVisible());
    for (const char* beside : {"presetsButton", "foldPanel"}) {
        const auto* other = child<QPushButton>(shell.panel(), beside);
        const QRect there(other->mapTo(&shell.panel(), QPoint()), other->size());
        EXPECT_FALSE(ways->geometry().intersects(there)) << beside;
    }
    shell.resizeTo(kWide);
    EXPECT_TRUE(shell.panel().isVisible());
    EXPECT_FALSE(ways->isVisible());
    EXPECT_FALSE(child<QWidget>(shell.window, "panelShade")->isVisible());
}

TEST(SidePanelTest, StaysWhileALessonSpeaksOfItAndGivesWayToWhatItSpeaksOfNext) {
    Sized shell(kNarrow);
    shell.trigger("view.memory");
    shell.trigger("help.lessons");
    auto* const lesson = child<LessonPanel>(shell.window, "lessonPanel");
    emit lesson->pointed({QStringLiteral("dim")});
    ASSERT_TRUE(shell.panel().isVisible());
    const QRect place = lesson->geometry();
    QTest::mouseClick(child<QTextBrowser>(*lesson, "lessonText")->viewport(), Qt::LeftButton);
    EXPECT_TRUE(shell.panel().isVisible()) << "somebody who reads on needs it still";
    child<Banner>(shell.window, "banner")->showMessage(Banner::Kind::Error, QStringLiteral("Something."));
    for (int round = 0; round < 4; ++round) QCoreApplication::processEvents();
    EXPECT_EQ(lesson->geometry(), place);
    emit lesson->pointed({child<QWidget>(shell.window, "keyFigures")->children().front()->objectName()});
    EXPECT_TRUE(shell.panel().isVisible()) << "the key figures stand beside it";
    emit lesson->pointed({QStringLiteral("tensorFilter")});
    EXPECT_FALSE(shell.panel().isVisible());
}

TEST(SidePanelTest, LetsALessonPointAtTheRunButtonOfTheRail) {
    Sized shell(kNarrow);
    shell.trigger("help.lessons");
    shell.side().uncoverViews();
    emit child<LessonPanel>(shell.window, "lessonPanel")->pointed({QStringLiteral("run.run")});
    const auto rings = shell.window.findChildren<HighlightRing*>();
    const auto* const button = child<QWidget>(shell.rail(), "runRail");
    EXPECT_TRUE(std::ranges::any_of(rings, [&](const auto* ring) { return ring->target() == button; }));
}

TEST(KeyFigures, SayInALowWindowWhichOfTheNumbersIsWhich) {
    Sized shell(kNarrow);
    auto* const figures = child<QWidget>(shell.window, "keyFigures");
    const auto tiles = figures->findChildren<KeyFigureTile*>();
    shell.window.resize(scaled(kNarrow), scaled(600));
    QCoreApplication::processEvents();
    int bottom = 0;
    for (const auto* tile : tiles) bottom = std::max(bottom, tile->geometry().bottom() + 1);
    ASSERT_GT(figures->height(), bottom) << "room for the words";
    const QImage words =
        figures->grab(QRect(0, bottom, figures->width(), figures->height() - bottom)).toImage();
    std::set<QRgb> colours;
    for (int y = 0; y < words.height(); ++y)
        for (int x = 0; x < words.width(); ++x) colours.insert(words.pixel(x, y));
    // Thin letters have no pixel of their own colour alone, but some that are near it.
    const auto hasLetters = [&](ColorRole role) {
        constexpr int kNear = 100;
        const QRgb wanted = shell.theme.color(role).rgb();
        return std::ranges::any_of(colours, [&](QRgb colour) {
            return std::abs(qRed(colour) - qRed(wanted)) + std::abs(qGreen(colour) - qGreen(wanted)) +
                       std::abs(qBlue(colour) - qBlue(wanted)) <
                   kNear;
        });
    };
    EXPECT_TRUE(hasLetters(ColorRole::Predicted));
    EXPECT_TRUE(hasLetters(ColorRole::Measured));
}

TEST(SidePanelTest, LeavesTheKeysOfALessonToTheLesson) {
    Sized shell(kWide);
    shell.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&shell.window));
    shell.trigger("help.lessons");
    const auto* const lesson = child<LessonPanel>(shell.window, "lessonPanel");
    QTest::keyClick(child<QPushButton>(*lesson, "lessonNext"), Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(lesson->step(), 1);
    EXPECT_NE(shell.window.views().currentTab(), ViewStack::tabOf(QStringLiteral("planner")));
}

TEST(SidePanelTest, GoesAwayFromOverTheViewsWithTheKeyOfAView) {
    Sized shell(kNarrow);
    shell.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&shell.window));
    QTest::keyClick(&shell.window, Qt::Key_F4);
    ASSERT_TRUE(shell.panel().isVisible());
    QTest::keyClick(&shell.window, Qt::Key_2, Qt::ControlModifier);
    EXPECT_FALSE(shell.panel().isVisible());
    EXPECT_FALSE(shell.fold().isChecked());
    EXPECT_TRUE(shell.window.views().currentView()->isAncestorOf(QApplication::focusWidget()));
    shell.resizeTo(kWide);
    shell.trigger("view.operations");
    EXPECT_TRUE(shell.panel().isVisible()) << "beside the views it stays";
}

TEST(SidePanelTest, IsFoldedByItsActionAndRemembersIt) {
    Sized shell(kWide);
    shell.trigger("view.panel");
    EXPECT_FALSE(shell.panel().isVisible());
    EXPECT_FALSE(shell.fold().isChecked());
    EXPECT_FALSE(shell.settings.isPanelUnfolded());
    shell.resizeTo(kNarrow);
    shell.trigger("view.panel");
    EXPECT_TRUE(shell.panel().isVisible());
    EXPECT_FALSE(shell.settings.isPanelUnfolded()) << "over the views is not beside them";
    shell.resizeTo(kWide);
    EXPECT_FALSE(shell.panel().isVisible());
    QTest::mouseClick(child<QPushButton>(shell.window, "unfoldPanel"), Qt::LeftButton);
    EXPECT_TRUE(shell.panel().isVisible());
    QTest::mouseClick(child<QPushButton>(shell.panel(), "foldPanel"), Qt::LeftButton);
    EXPECT_FALSE(shell.panel().isVisible());
}

TEST(SidePanelTest, ScrollsNothingUnderTheButtonThatFoldsIt) {
    Sized shell(kNarrow);
    shell.trigger("view.panel");
    const auto isFree = [&](const char* panel) {
        auto& shown = *child<QWidget>(shell.window, panel);
        const QRect fold = child<QPushButton>(shown, "foldPanel")->geometry();
        const auto* scrolled = shown.findChild<QScrollArea*>();
        return !QRect(scrolled->mapTo(&shown, QPoint()), scrolled->size()).intersects(fold);
    };
    EXPECT_TRUE(isFree("runPanel"));
    EXPECT_FALSE(child<QPushButton>(shell.panel(), "presetsButton")->visibleRegion().isEmpty());
    shell.window.openFile(QStringLiteral(PLUMB_TEST_DATA "/step/decoder.plumb"));
    ASSERT_TRUE(waitFor([&] { return shell.window.workbench().recording() != nullptr; }));
    shell.trigger("view.panel");
    QCoreApplication::processEvents();
    EXPECT_TRUE(isFree("recordingPanel"));
}

TEST(SidePanelTest, HasTheNoticeSayWhileItIsFoldedWhatItWouldSay) {
    Sized shell(kWide);
    auto& panel = *child<RunPanel>(shell.window, "runPanel");
    const std::int64_t dim = shell.window.workbench().config().dim;
    const auto change = [&] { panel.enter("dim", QStringLiteral("64")); };
    panel.enter("dim", QStringLiteral("100000000"));
    change();
    shell.trigger("edit.undo");
    EXPECT_EQ(shell.window.bannerText(), QString()) << "it stands in the panel";
    shell.resizeTo(kNarrow);
    panel.enter("dim", QStringLiteral("100000000"));
    EXPECT_EQ(shell.window.workbench().config().dim, dim);
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("63 bits")))
        << shell.window.bannerText().toStdString();
    change();
    EXPECT_EQ(shell.window.bannerText(), QString()) << "of other settings";
    shell.trigger("edit.undo");
    EXPECT_TRUE(shell.window.bannerText().startsWith(QStringLiteral("Taken back: ")))
        << shell.window.bannerText().toStdString();
}

TEST(SidePanelTest, IsNotThereWhereItSaysNothingOfTheView) {
    Sized shell(kWide);
    for (const char* view : {"planner", "lab", "history"}) {
        shell.trigger((std::string("view.") + view).c_str());
        EXPECT_FALSE(shell.panel().isVisible()) << view;
        EXPECT_FALSE(shell.rail().isVisible()) << view;
        EXPECT_FALSE(shell.enabled("view.panel")) << view;
        QCoreApplication::processEvents();
        EXPECT_EQ(shell.leftOfViews(), 0) << view;
    }
    shell.trigger("view.memory");
    EXPECT_TRUE(shell.panel().isVisible());
}

TEST(SidePanelTest, LeadsFromTheRailToASectionOfThePanel) {
    Sized shell(kNarrow);
    QTest::mouseClick(child<QPushButton>(shell.window, "runHeadingRail"), Qt::LeftButton);
    EXPECT_TRUE(shell.panel().isVisible());
    EXPECT_FALSE(child<QWidget>(shell.panel(), "runHeading")->visibleRegion().isEmpty());
}

TEST(SidePanelTest, RunsAndStopsFromTheRail) {
    Sized shell(kNarrow);
    ASSERT_TRUE(shell.ready());
    auto* run = child<QPushButton>(shell.window, "runRail");
    ASSERT_TRUE(waitFor([&] { return run->isEnabled(); }));
    QTest::mouseClick(run, Qt::LeftButton);
    auto* pause = child<QPushButton>(shell.window, "pauseRail");
    EXPECT_TRUE(waitFor([&] { return pause->isVisible() && !run->isVisible(); }));
    const QImage running = pause->grab().toImage();
    QTest::mouseClick(pause, Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return pause->accessibleName() == QStringLiteral("Resume"); }));
    EXPECT_NE(pause->grab().toImage(), running) << "one that waits looks like one that runs";
    QTest::mouseClick(pause, Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return pause->accessibleName() == QStringLiteral("Pause"); }));
    EXPECT_EQ(pause->grab().toImage(), running);
    QTest::mouseClick(child<QPushButton>(shell.window, "stopRail"), Qt::LeftButton);
    EXPECT_TRUE(waitFor([&] { return run->isVisible() && !pause->isVisible(); }));
}

// Whatever the width: what is shown has its room, what is not shown is in a list, and the current view is
// shown.
TEST(TopBarTest, ShowsOrListsEveryViewAndCutsNothing) {
    Sized shell(kWide);
    for (const int width : {700, 900, 1024, 1280, 1700, 2400}) {
        shell.resizeTo(width);
        for (const char* view : {"overview", "history"}) {
            shell.trigger((std::string("view.") + view).c_str());
            QCoreApplication::processEvents();
            auto* more = child<QPushButton>(shell.window, "moreTabs");
            emit more->menu()->aboutToShow();
            int listed = static_cast<int>(more->menu()->actions().size());
            EXPECT_EQ(more->isVisible(), listed > 0);
            int shown = 0, there = 0;
            for (int tab = 0; tab < ViewStack::tabCount(); ++tab) {
                if (!shell.window.views().isThere(tab)) continue;
                ++there;
                const QByteArray name = QByteArray(entryAt(ViewStack::views(), tab).id) + "Tab";
                shown += child<QPushButton>(shell.window, name.constData())->isVisible() ? 1 : 0;
            }
            EXPECT_EQ(shown + listed, there) << width;
            EXPECT_TRUE(child<QPushButton>(shell.window, (std::string(view) + "Tab").c_str())->isVisible());
            const auto* bar = child<QWidget>(shell.window, "topBar");
            for (const QPushButton* button : bar->findChildren<QPushButton*>()) {
                if (!button->isVisible()) continue;
                EXPECT_GE(button->width(), button->sizeHint().width())
                    << width << ' ' << button->objectName().toStdString();
                const QRect at(button->mapTo(bar, QPoint()), button->size());
                EXPECT_TRUE(bar->rect().contains(at)) << width << ' ' << button->objectName().toStdString();
            }
        }
    }
}

TEST(TopBarTest, HasTheMenusBehindAButtonWhereTheirBarHasNoRoom) {
    Sized shell(kNarrow);
    auto* button = child<QPushButton>(shell.window, "menuButton");
    ASSERT_TRUE(button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    const auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_NE(menu, nullptr);
    EXPECT_GE(menu->actions().size(), 6);
    for (const QAction* each : menu->actions()) EXPECT_NE(each->menu(), nullptr);
    QApplication::activePopupWidget()->close();
    shell.resizeTo(2400);
    EXPECT_FALSE(button->isVisible());
}

TEST(TopBarTest, TheKeyOfTheMenusLetsTheArrowsGoOn) {
    Sized shell(kNarrow);
    shell.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&shell.window));
    QTest::keyClick(&shell.window, Qt::Key_F10);
    const auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_NE(menu, nullptr);
    EXPECT_EQ(menu->activeAction(), menu->actions().front());
    QApplication::activePopupWidget()->close();
}

TEST(TopBarTest, OpensAMenuBehindTheButtonByItsLetter) {
    Sized shell(kNarrow);
    shell.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&shell.window));
    const auto* file = shell.window.actions().action(QStringLiteral("file.new"));
    const auto openMenu = [] { return qobject_cast<QMenu*>(QApplication::activePopupWidget()); };
    const auto closeMenus = [&] {
        while (openMenu() != nullptr) openMenu()->close();
        shell.window.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&shell.window));
    };
    QTest::keyClick(&shell.window, Qt::Key_F, Qt::AltModifier);
    ASSERT_NE(openMenu(), nullptr);
    EXPECT_EQ(openMenu()->activeAction(), file) << "the arrows go on from its first entry";
    closeMenus();
    shell.resizeTo(2400);
    QTest::keyClick(&shell.window, Qt::Key_F, Qt::AltModifier);
    ASSERT_NE(openMenu(), nullptr) << "the bar hears it alone";
    EXPECT_EQ(openMenu()->activeAction(), file);
    closeMenus();
    shell.resizeTo(kNarrow);
    QTest::keyClick(&shell.window, Qt::Key_F, Qt::AltModifier);
    ASSERT_NE(openMenu(), nullptr);
    closeMenus();
}

// A size hint goes to the window manager, and every part of the window is laid out again.
TEST(StatusStripTest, LeavesTheLeastSizeOfTheWindowAsItIsWhileATrainingGoesOn) {
    Sized shell(kNarrow);
    const auto* speed = child<QLabel>(shell.window, "speed");
    for (const std::int64_t wanted : {0, 8'000'000}) {
        TrainingRuns& runs = shell.window.workbench().runs();
        runs.beginRun(shell.window.workbench().config(), wanted);
        std::set<int> widths;
        std::set<QString> texts;
        for (std::int64_t step = 1; step < 8'000'000; step = step * 3 + 1)
            for (const double perSecond : {0.0, 0.731, 4.44, 111.0, 1'234.0, 88'800.0}) {
                runs.addLosses({{step, 0.5, static_cast<double>(step)}}, step, perSecond);
                for (int round = 0; round < 3; ++round)
                    QCoreApplication::processEvents();  // layouts in layouts
                widths.insert(shell.window.minimumSizeHint().width());
                texts.insert(speed->text());
                EXPECT_GE(speed->width(), speed->sizeHint().width()) << speed->text().toStdString();
            }
        EXPECT_EQ(widths.size(), 1U) << wanted;
        EXPECT_GT(texts.size(), 50U);
        runs.endRun(endOf("finished"), QStringLiteral("finished"));
    }
    EXPECT_EQ(speed->minimumWidth(), 0);
}

TEST(StatusStripTest, SetsNothingOntoWhatTheEngineDoes) {
    Sized shell(kNarrow);
    shell.window.workbench().runs().beginRun(shell.window.workbench().config(), 0);
    protocol::Event event;
    event.body = protocol::Progress{"fp32 steps", 1, 3};
    emit shell.window.engine().eventArrived(std::make_shared<const protocol::Event>(event));
    for (int round = 0; round < 3; ++round) QCoreApplication::processEvents();  // layouts in layouts
    const QRect engine = child<QLabel>(shell.window, "engineState")->geometry();
    EXPECT_GT(engine.width(), 0);
    for (const char* name : {"engineProgress", "speed"}) {
        const auto* beside = child<QWidget>(shell.window, name);
        ASSERT_TRUE(beside->isVisible()) << name;
        EXPECT_GT(beside->x(), engine.right()) << name;
    }
}

TEST(TopBarTest, AWindowIsShownAsLowAsItWasMade) {
    test::FailOnQtWarnings guard{{QStringLiteral("This plugin does not support")}};
    const QTemporaryDir folder;
    Settings settings(folder.filePath(QStringLiteral("window.ini")));
    Theme theme;
    MainWindow window(settings, theme);
    const QSize low(1000, 560);
    window.resize(low);
    window.show();
    QCoreApplication::processEvents();
    EXPECT_EQ(window.size(), low);
}

}  // namespace
}  // namespace plumb::ui
