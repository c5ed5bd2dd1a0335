// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every dialog of the window.
#include "ui/widgets/dialogs.h"

#include "tests/ui/shell/dialog_walk.h"
#include "ui/lab/lesson_panel.h"

#include <QPushButton>
#include <QToolButton>

namespace plumb::ui::test {
namespace {

/// Buttons that Tab leads to, cut off from what they do.
QList<QAbstractButton*> idleButtons(const QWidget& dialog) {
    QList<QAbstractButton*> buttons;
    for (QAbstractButton* button : dialog.findChildren<QAbstractButton*>()) {
        const bool acts =
            qobject_cast<QPushButton*>(button) != nullptr || qobject_cast<QToolButton*>(button) != nullptr;
        if (!acts || !button->isVisible() || !button->isEnabled()) continue;
        if ((button->focusPolicy() & Qt::TabFocus) == 0 || button->window() != dialog.window()) continue;
        QObject::disconnect(button, &QAbstractButton::clicked, nullptr, nullptr);
        buttons << button;
    }
    return buttons;
}

void expectEnterPressesWhatHasTheFocus(QWidget& dialog) {
    const QList<QAbstractButton*> buttons = idleButtons(dialog);
    EXPECT_FALSE(buttons.isEmpty()) << nameOf(dialog);
    QAbstractButton* pressed = nullptr;
    for (QAbstractButton* button : buttons)
        QObject::connect(button, &QAbstractButton::clicked, button, [&pressed, button] { pressed = button; });
    for (QAbstractButton* button : buttons)
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
            pressed = nullptr;
            button->setFocus(Qt::TabFocusReason);
            QTest::keyClick(button, key, key == Qt::Key_Enter ? Qt::KeypadModifier : Qt::NoModifier);
            EXPECT_EQ(pressed, button)
                << nameOf(*button) << " (" << button->text().toStdString() << ") in " << nameOf(dialog)
                << " was not pressed, but " << (pressed ? nameOf(*pressed) : std::string("nothing"));
        }
}

TEST(Dialogs, EnterPressesAButtonOfTheWindowToo) {
    Shell shell;
    shell.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&shell.window));
    shell.trigger("help.lessons");
    auto* lessons = shell.window.findChild<LessonPanel*>();
    ASSERT_NE(lessons, nullptr);
    expectEnterPressesWhatHasTheFocus(*lessons);
}

TEST(Dialogs, EnterPressesTheButtonThatHasTheKeyboard) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    shell.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&shell.window));
    forEachDialog(shell, [](QDialog& dialog) { expectEnterPressesWhatHasTheFocus(dialog); });
}

}  // namespace
}  // namespace plumb::ui::test
