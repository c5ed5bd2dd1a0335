// SPDX-License-Identifier: GPL-3.0-or-later
// Every dialog of the window, one after the other.
#pragma once

#include "core/machine/hardware_database.h"
#include "core/planner/scenario_file.h"
#include "tests/ui/shell/shell_fixture.h"
#include "tests/ui/shell/shell_walk.h"
#include "ui/run/proof_dialog.h"

#include <QApplication>
#include <QDialog>
#include <QPointer>
#include <QTest>

#include <functional>
#include <set>
#include <string>

namespace plumb::ui::test {

inline QList<QDialog*> openDialogs() {
    QList<QDialog*> dialogs;
    for (QWidget* window : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<QDialog*>(window);
            dialog != nullptr && dialog->isVisible() && dialog->windowType() != Qt::Popup)
            dialogs << dialog;
    return dialogs;
}

inline QStringList twoPlans(const Shell& shell) {
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

/// Calls `look` with each dialog that an action of the window opens, and with those that something else does,
/// in front of all; and closes it. Fails where one that is known was not among them.
inline void forEachDialog(Shell& shell, const std::function<void(QDialog& dialog)>& look) {
    std::set<std::string> seen;
    const auto lookAtAll = [&] {
        for (QDialog* dialog : openDialogs()) {
            const QPointer<QDialog> there(dialog);
            dialog->activateWindow();
            EXPECT_TRUE(QTest::qWaitForWindowActive(dialog)) << nameOf(*dialog);
            seen.insert(nameOf(*dialog));
            look(*dialog);
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
        lookAtAll();
    }
    shell.window.openFiles(twoPlans(shell));
    lookAtAll();
    shell.window.workbench().marks.put({"in no file", {}});
    shell.trigger("file.new");  // asks before that goes
    lookAtAll();
    ProofDialog proof(shell.theme, shell.window.workbench(), shell.window.controller());
    proof.show();
    lookAtAll();
    for (const char* name : {"welcome", "shortcutSheet", "preferencesDialog", "exportDialog", "hostsDialog",
                             "presetsDialog", "devicesDialog", "unsavedQuestion", "proofDialog",
                             "QFileDialog", "QInputDialog", "PlanComparisonDialog"}) {
        bool isSeen = false;
        for (const std::string& dialog : seen) isSeen = isSeen || dialog.find(name) != std::string::npos;
        EXPECT_TRUE(isSeen) << name;
    }
}

}  // namespace plumb::ui::test
