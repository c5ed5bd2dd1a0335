// SPDX-License-Identifier: GPL-3.0-or-later
// The window's part in the planner and in the device records: what needs its dialogs, settings and actions.
#include "ui/devices/devices_dialog.h"
#include "ui/planner/planner_view.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/dialogs.h"

#include <QStackedWidget>

namespace plumb::ui {

QWidget* MainWindow::makePlanner() {
    auto* view = new PlannerView({m_workbench, m_theme}, m_library, m_history.stack(),
                                 m_settings.plannerInputs(), m_stack);
    connect(view, &PlannerView::persistChanged, this,
            [this](const QByteArray& inputs) { m_settings.setPlannerInputs(inputs); });
    connect(view, &PlannerView::devicesWanted, this, &MainWindow::showDevices);
    connect(view, &PlannerView::configWanted, this, &MainWindow::askModelConfig);
    return view;
}

PlannerView& MainWindow::planner() {
    return *qobject_cast<PlannerView*>(showView(QStringLiteral("planner")));
}

void MainWindow::askModelConfig() {
    askOpenPath(*this, tr("Load a model's config.json"), m_settings.lastFolder(),
                tr("Model configurations (*.json);;All files (*)"),
                [this](const QString& path) { planner().loadConfig(path); });
}

void MainWindow::buildPlannerActions() {
    const auto keys = [](const char* text) { return QKeySequence(QLatin1String(text)); };
    m_actions->add({QStringLiteral("planner.next"), tr("&Next question"),
                    tr("Ask the planner the next question"), keys("Alt+Right")},
                   [this] { planner().nextQuestion(1); });
    m_actions->add({QStringLiteral("planner.previous"), tr("&Previous question"),
                    tr("Ask the planner the question before"), keys("Alt+Left")},
                   [this] { planner().nextQuestion(-1); });
    m_actions->add({QStringLiteral("planner.solve"), tr("&Solve for an input"),
                    tr("Change one input of the planner until the answer is what you want"),
                    keys("Ctrl+Alt+S")},
                   [this] { planner().focusSolve(); });
    m_actions->add({QStringLiteral("planner.loadConfig"),
                    tr("Load &config.json…"),
                    tr("Plan for the model of a Hugging Face config.json"),
                    {}},
                   [this] { askModelConfig(); });
    m_actions->add({QStringLiteral("planner.devices"), tr("&Devices…"),
                    tr("Look at the device records; add, edit, import and export your own"),
                    keys("Ctrl+Shift+D")},
                   [this] { showDevices(); });
    m_actions->add({QStringLiteral("planner.copyText"), tr("Copy the &answer"),
                    tr("Copy the planner's answer, its formula and its numbers as text"), keys("Ctrl+Alt+C")},
                   [this] { planner().copyText(); });
    m_actions->add({QStringLiteral("planner.copyJson"), tr("Copy the answer as &JSON"),
                    tr("Copy the planner's answer and every number behind it as JSON"), keys("Ctrl+Alt+J")},
                   [this] { planner().copyJson(); });
}

void MainWindow::showDevices() {
    if (!m_devicesDialog) {
        m_devicesDialog = new DevicesDialog(m_theme, m_library, this);
        connect(m_devicesDialog, &DevicesDialog::chosen, this, [this](const std::string& id) {
            // For what is looked at: the planner's device, or that of the run panel.
            if (auto* shown = qobject_cast<PlannerView*>(m_stack->currentWidget()))
                return shown->model().setDevice(id);
            const auto& devices = m_controller.devices();
            for (std::size_t i = 0; i < devices.size(); ++i)
                if (devices[i].target.machine.id == id && devices[i].enabled)
                    return m_controller.chooseDevice(static_cast<int>(i));
        });
    }
    m_library.reload();  // this machine may have been calibrated meanwhile
    m_devicesDialog->show();
    m_devicesDialog->raise();
    m_devicesDialog->activateWindow();
}

}  // namespace plumb::ui
