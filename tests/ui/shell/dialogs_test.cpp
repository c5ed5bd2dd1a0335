// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every dialog of the window.
#include "ui/widgets/dialogs.h"

#include "core/machine/hardware_database.h"
#include "core/planner/scenario_file.h"
#include "tests/ui/shell/shell_fixture.h"
#include "tests/ui/shell/shell_walk.h"
#include "ui/lab/lesson_panel.h"
#include "ui/run/proof_dialog.h"

#include <QApplication>
#include <QDialog>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <set>

namespace plumb::ui::test {
namespace {

QList<QDialog*> openDialogs() {
    QList<QDialog*> dialogs;
    for (QWidget* window : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<QDialog*>(window);
            dialog != nullptr && dialog->isVisible() && dialog->windowType() != Qt::Popup)
            dialogs << dialog;
    return dialogs;
}

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

QStringList twoPlans(const Shell& shell) {
    planner::Scenario s;
    s.model = planner::findModel("llama-3-8b").value();
    s.cluster.device = HardwareDatabase::builtIn().find("H100 SXM").value();
    QStringList paths;
    for (const char* name : {"a.plan.json", "b.plan.json"}) {
        paths << shell.file(name);
        EXPECT_TRUE(planner::writeScenario(paths.back().toStdString(), s).has_value());
    }
    return paths;
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
    std::set<std::string> seen;
    const auto look = [&] {
        for (QDialog* dialog : openDialogs()) {
            const QPointer<QDialog> there(dialog);
            dialog->activateWindow();
            EXPECT_TRUE(QTest::qWaitForWindowActive(dialog)) << nameOf(*dialog);
            seen.insert(nameOf(*dialog));
            expectEnterPressesWhatHasTheFocus(*dialog);
            if (there) dialog->close();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
    };
    // Whatever asks for more before it does something, and what is only shown.
    for (QAction* action : shell.window.actions().all()) {
        const QString id = action->objectName();
        const bool isPage = id == QLatin1String("help.welcome") || id == QLatin1String("help.shortcuts") ||
                            id == QLatin1String("help.about") || id == QLatin1String("run.presets");
        if (!action->isEnabled() || !(isPage || action->text().contains(QStringLiteral("…")))) continue;
        action->trigger();
        QCoreApplication::processEvents();
        look();
    }
    shell.window.openFiles(twoPlans(shell));
    look();
    shell.window.workbench().marks.put({"in no file", {}});
    shell.trigger("file.new");  // asks before that goes
    look();
    ProofDialog proof(shell.theme, shell.window.workbench(), shell.window.controller());
    proof.show();
    look();
    for (const char* name : {"welcome", "shortcutSheet", "preferencesDialog", "exportDialog", "hostsDialog",
                             "presetsDialog", "devicesDialog", "unsavedQuestion", "proofDialog",
                             "QFileDialog", "QInputDialog", "PlanComparisonDialog"}) {
        bool isSeen = false;
        for (const std::string& dialog : seen) isSeen = isSeen || dialog.find(name) != std::string::npos;
        EXPECT_TRUE(isSeen) << name;
    }
}

}  // namespace
}  // namespace plumb::ui::test
