// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/planner_actions.h"

#include "ui/devices/devices_dialog.h"
#include "ui/planner/planner_view.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/session.h"
#include "ui/shell/view_stack.h"
#include "ui/widgets/dialogs.h"

namespace plumb::ui {

PlannerActions::PlannerActions(ActionRegistry& actions, Session& session, ViewStack& views, Theme& theme,
                               Settings& settings, QWidget& window)
    : QObject(&window),
      m_session(session),
      m_views(views),
      m_theme(theme),
      m_settings(settings),
      m_window(window) {
    actions.add({QStringLiteral("planner.next"), tr("&Next question"),
                 tr("Ask the planner the next question"), keys("Alt+Right")},
                [this] { m_views.planner().nextQuestion(1); });
    actions.add({QStringLiteral("planner.previous"), tr("&Previous question"),
                 tr("Ask the planner the question before"), keys("Alt+Left")},
                [this] { m_views.planner().nextQuestion(-1); });
    actions.add({QStringLiteral("planner.solve"), tr("&Solve for an input"),
                 tr("Change one input of the planner until the answer is what you want"), keys("Ctrl+Alt+S")},
                [this] { m_views.planner().focusSolve(); });
    actions.add({QStringLiteral("planner.loadConfig"),
                 tr("Load &config.json…"),
                 tr("Plan for the model of a Hugging Face config.json"),
                 {}},
                [this] { askModelConfig(); });
    actions.add({QStringLiteral("planner.devices"), tr("&Devices…"),
                 tr("Look at the device records; add, edit, import and export your own"),
                 keys("Ctrl+Shift+D")},
                [this] { showDevices(); });
    actions.add({QStringLiteral("planner.copyText"), tr("Copy the &answer"),
                 tr("Copy the planner's answer, its formula and its numbers as text"), keys("Ctrl+Alt+C")},
                [this] { m_views.planner().copyText(); });
    actions.add({QStringLiteral("planner.copyJson"), tr("Copy the answer as &JSON"),
                 tr("Copy the planner's answer and every number behind it as JSON"), keys("Ctrl+Alt+J")},
                [this] { m_views.planner().copyJson(); });
    connect(&views, &ViewStack::devicesWanted, this, &PlannerActions::showDevices);
    connect(&views, &ViewStack::modelConfigWanted, this, &PlannerActions::askModelConfig);
}

void PlannerActions::askModelConfig() {
    askOpenPath(m_window, tr("Load a model's config.json"), m_settings.lastFolder(),
                tr("Model configurations (*.json);;All files (*)"),
                [this](const QString& path) { m_views.planner().edits().loadConfig(path); });
}

void PlannerActions::showDevices() {
    if (!m_devices) {
        m_devices = new DevicesDialog(m_theme, m_session.library, &m_window);
        connect(m_devices, &DevicesDialog::chosen, this, &PlannerActions::chooseDevice);
    }
    m_session.library.reload();  // this machine may have been calibrated meanwhile
    m_devices->show();
    m_devices->raise();
    m_devices->activateWindow();
}

void PlannerActions::chooseDevice(const std::string& id) {
    if (auto* shown = qobject_cast<PlannerView*>(m_views.currentWidget()))
        return shown->edits().setDevice(id);
    DeviceChoices& devices = m_session.controller.devices();
    for (std::size_t i = 0; i < devices.all().size(); ++i)
        if (devices.all()[i].target.machine.id == id && devices.all()[i].enabled)
            return devices.choose(static_cast<int>(i));
}

}  // namespace plumb::ui
