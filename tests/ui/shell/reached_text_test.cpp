// SPDX-License-Identifier: GPL-3.0-or-later
// Texts below the last control of what is scrolled come into sight with the keyboard alone.
#include "tests/ui/shell/shell_fixture.h"
#include "ui/theme/scaled.h"

#include <QApplication>
#include <QLabel>
#include <QTest>

namespace plumb::ui {
namespace {

using test::child;
using test::Shell;

/// A window as low as a small screen, with the keyboard.
struct LowWindow : Shell {
    LowWindow() {
        window.resize(scaled(1024), scaled(640));
        window.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    }
    static bool isWhole(const QWidget& part) {
        return part.visibleRegion().boundingRect().size() == part.size();
    }
    /// Whether Tab, from where the keyboard is, shows the whole text before it has gone round.
    [[nodiscard]] bool reaches(const QLabel& text) {
        for (int i = 0; i < 60; ++i) {
            for (int round = 0; round < 3; ++round) QCoreApplication::processEvents();
            if (isWhole(text)) return true;
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        return false;
    }
};

TEST(ReachedText, IsTheSumBelowTheTensors) {
    LowWindow low;
    low.trigger("view.memory");
    const auto* const sum = child<QLabel>(low.window, "plainMemory");
    ASSERT_TRUE(sum->isVisible());
    EXPECT_FALSE(low.isWhole(*sum)) << "there is room for it: this tests nothing";
    EXPECT_TRUE(low.reaches(*sum));
}

TEST(ReachedText, AreTheNotesOfARecordedStep) {
    LowWindow low;
    ASSERT_TRUE(low.open(QStringLiteral(PLUMB_TEST_DATA "/step/decoder.plumb")));
    low.trigger("view.panel");
    const auto* const notes = child<QLabel>(*child<QWidget>(low.window, "recordingPanel"), "recordingNotes");
    ASSERT_TRUE(notes->isVisible());
    EXPECT_NE(notes->focusPolicy() & Qt::TabFocus, 0) << "whatever the room of this screen";
    EXPECT_TRUE(low.reaches(*notes));
}

}  // namespace
}  // namespace plumb::ui
