// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/engine_actions.h"

#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/session.h"
#include "ui/widgets/dialogs.h"

#include <QWidget>

namespace plumb::ui {

EngineActions::EngineActions(ActionRegistry& actions, Session& session, Settings& settings, QWidget& window)
    : QObject(&window), m_session(session), m_settings(settings), m_window(window) {
    actions.add({QStringLiteral("run.rescanDevices"),
                 tr("Look for &devices again"),
                 tr("Ask the engine again which devices it can run on"),
                 {}},
                [this] { m_session.controller.engineDevices().rescan(); });
    actions.add({QStringLiteral("run.restartEngine"),
                 tr("Restart the &engine"),
                 tr("End the engine process and start a new one"),
                 {}},
                [this] { m_session.controller.restartEngine(); });
    actions.add({QStringLiteral("run.engineCommand"),
                 tr("Engine co&mmand…"),
                 tr("Use another engine, for example one on a server through ssh"),
                 {}},
                [this] { askCommand(); });
}

void EngineActions::askCommand() {
    askText(m_window, tr("Engine command"),
            tr("Program and arguments, for example: ssh host plumbline-cli engine\nEmpty: the engine of this "
               "computer"),
            m_settings.engineCommand(), [this](const QString& command) {
                m_settings.setEngineCommand(command);
                m_session.engine.setCommand(command);
                m_session.engine.restart();
            });
}

}  // namespace plumb::ui
