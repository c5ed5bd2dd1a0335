// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/shell/dialog_walk.h"
#include "tests/ui/shell/filled_window.h"
#include "tests/ui/shell/shell_fixture.h"
#include "tests/ui/shell/shell_walk.h"
#include "ui/manual/manual_window.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/in_sight.h"
#include "ui/widgets/wheel_guard.h"

#include <QApplication>
#include <QComboBox>
#include <QImage>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <set>
#include <string>

namespace plumb::ui {
namespace {

using test::FilledWindow;
using test::forEachTab;
using test::nameOf;
using test::Shell;

/// Whether the widget took it.
bool turnWheel(QWidget& widget, int angle) {
    const QPointF at = QRectF(widget.rect()).center();
    QWheelEvent wheel(at, widget.mapToGlobal(at), {}, {0, angle}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &wheel);
    return wheel.isAccepted();
}

/// What the wheel could change.
QVariant valueOf(const QWidget& widget) {
    if (const auto* slider = qobject_cast<const QAbstractSlider*>(&widget)) return slider->value();
    if (const auto* box = qobject_cast<const QComboBox*>(&widget)) return box->currentIndex();
    if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(&widget)) return spin->text();
    return {};
}

TEST(Wheel, ChangesNoSliderSpinBoxOrComboBoxWithoutFocusInAnyView) {
    Shell shell;
    std::set<QWidget*> turned;
    forEachTab(shell.window, [&](const std::string& tab) {
        for (QWidget* widget : shell.window.findChildren<QWidget*>()) {
            if (!WheelGuard::isGuarded(*widget) || !widget->isVisible() || widget->hasFocus()) continue;
            const QVariant before = valueOf(*widget);
            turnWheel(*widget, 240);
            turnWheel(*widget, -360);
            EXPECT_EQ(valueOf(*widget), before) << nameOf(*widget) << " of " << tab;
            EXPECT_EQ(widget->focusPolicy() & Qt::WheelFocus & ~Qt::StrongFocus, 0)
                << nameOf(*widget) << " takes the focus by the wheel";
            turned.insert(widget);
        }
    });
    EXPECT_GE(turned.size(), 15U);
}

TEST(Wheel, ChangesTheOneThatHasTheFocusAndLeavesTheOthersToWhatIsAroundThem) {
    WheelGuard guard(*qApp);
    QWidget window;
    QSlider slider(Qt::Horizontal, &window);
    QSlider other(Qt::Horizontal, &window);
    other.move(0, 40);
    window.show();
    window.activateWindow();
    slider.setFocus();
    ASSERT_TRUE(test::waitFor([&] { return slider.hasFocus(); }));
    EXPECT_TRUE(turnWheel(slider, 240));
    EXPECT_NE(slider.value(), 0);
    EXPECT_FALSE(turnWheel(other, 240)) << "the wheel over another one is for what is around it";
    EXPECT_EQ(other.value(), 0);
}

QImage pictureAround(QWidget& window, const QWidget& widget) {
    constexpr int kAround = 4;
    const QRect at = QRect(widget.mapTo(&window, QPoint()), widget.size())
                         .adjusted(-kAround, -kAround, kAround, kAround)
                         .intersected(window.rect());
    return window.grab(at).toImage();
}

/// Fails for each control of what the window shows that looks the same with the keyboard and without it.
/// Those that were `seen` are left out.
void expectFocusIsVisible(QWidget& window, const QWidget& part, std::set<QWidget*>& seen,
                          const std::string& where) {
    for (QWidget* widget : part.findChildren<QWidget*>()) {
        if ((widget->focusPolicy() & Qt::TabFocus) == 0 || !widget->isVisible() || !widget->isEnabled() ||
            widget->visibleRegion().isEmpty() || widget->focusProxy() != nullptr)
            continue;
        if (!seen.insert(widget).second) continue;
        bringIntoSight(*widget);
        QCoreApplication::processEvents();
        if (!widget->isVisible()) continue;  // Cancel goes when the work is done
        widget->clearFocus();
        widget->setFocus(Qt::TabFocusReason);
        const QImage with = pictureAround(window, *widget);
        widget->clearFocus();
        EXPECT_TRUE(with != pictureAround(window, *widget)) << nameOf(*widget) << " of " << where;
    }
}

/// From now on the keyboard is used in this window.
void useKeyboard(QWidget& window) {
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    window.setAttribute(Qt::WA_KeyboardFocusChange);  // as Tab does
}

class FocusOf : public testing::TestWithParam<Theme::Look> {};

// As people see it: the same place of the window with the keyboard there and elsewhere.
TEST_P(FocusOf, EveryControlOfEveryViewIsVisible) {
    FilledWindow filled;
    filled.theme.apply(*qApp);
    filled.theme.setLook(GetParam());
    ASSERT_TRUE(filled.fill());
    QWidget& frame = *filled.window().window();
    useKeyboard(frame);
    std::set<QWidget*> seen;
    const auto look = [&](const std::string& page) {
        expectFocusIsVisible(frame, filled.window(), seen, page);
    };
    filled.forEachPage(look);
    ASSERT_TRUE(filled.record(true));
    filled.forEachPage(look);
    EXPECT_GE(seen.size(), 200U);
    filled.theme.setLook({});
}

TEST_P(FocusOf, EveryControlOfEveryDialogIsVisible) {
    Shell shell;
    shell.theme.apply(*qApp);
    shell.theme.setLook(GetParam());
    ASSERT_TRUE(shell.ready());
    useKeyboard(shell.window);
    std::set<QWidget*> seen;
    test::forEachDialog(shell, [&](QDialog& dialog) {
        useKeyboard(dialog);
        seen.clear();  // what is gone has left its address to others
        expectFocusIsVisible(dialog, dialog, seen, nameOf(dialog));
        for (auto* pages : dialog.findChildren<QTabWidget*>())
            for (int page = 0; page < pages->count(); ++page) {
                pages->setCurrentIndex(page);
                expectFocusIsVisible(dialog, dialog, seen, nameOf(dialog));
            }
    });
    shell.trigger("help.manual");
    for (QWidget* window : QApplication::topLevelWidgets()) {
        if (qobject_cast<ManualWindow*>(window) == nullptr) continue;
        useKeyboard(*window);
        seen.clear();
        expectFocusIsVisible(*window, *window, seen, "the manual");
        EXPECT_GE(seen.size(), 3U);
        window->close();
    }
    shell.theme.setLook({});
}

/// The part of the widget that nothing it stands in cuts off.
QRect seenOf(const QWidget& widget) {
    QRect seen(widget.mapTo(widget.window(), QPoint()), widget.size());
    for (const QWidget* outer = widget.parentWidget(); outer != nullptr; outer = outer->parentWidget())
        seen &= QRect(outer->mapTo(widget.window(), QPoint()), outer->size());
    return seen;
}

// In a window for a small screen most views are higher than their page. A step comes from one control of it,
// or from the tabs and the status strip around it.
TEST(Keyboard, TabLeadsNowhereOutOfSight) {
    FilledWindow filled;
    ASSERT_TRUE(filled.fill());
    MainWindow& window = filled.window();
    QWidget& frame = *window.window();
    frame.resize(1024, 560);
    frame.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&frame));
    std::set<std::string> hidden;
    std::size_t steps = 0;
    forEachTab(window, [&](const std::string& tab) {
        std::set<QWidget*> seen;
        for (;;) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QCoreApplication::processEvents();
            QWidget* const focused = QApplication::focusWidget();
            if (!seen.insert(focused).second) break;
            ++steps;
            const int least = std::min(focused->height(), window.height() / 4);
            if (seenOf(*focused).height() < least) hidden.insert(nameOf(*focused) + " of " + tab);
        }
    });
    for (const std::string& each : hidden) ADD_FAILURE() << each;
    EXPECT_GE(steps, 200U);
}

INSTANTIATE_TEST_SUITE_P(Themes, FocusOf,
                         testing::Values(Theme::Look{.mode = Theme::Mode::Light},
                                         Theme::Look{.mode = Theme::Mode::Dark},
                                         Theme::Look{.mode = Theme::Mode::Dark, .highContrast = true}));

}  // namespace
}  // namespace plumb::ui
