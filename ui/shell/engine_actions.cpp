// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/engine_actions.h"

#include "core/base/command_line.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/session.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"
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
                [this] { m_session.engine.restart(); });
    actions.add({QStringLiteral("run.engineCommand"),
                 tr("Engine co&mmand…"),
                 tr("Use another engine, for example one on a server through ssh"),
                 {}},
                [this] { askCommand(m_settings.engine().command); });
    actions.add({QStringLiteral("run.pyTorchInterpreter"),
                 tr("PyTorch &interpreter…"),
                 tr("Choose the Python whose PyTorch is offered as a device beside the built-in trainer"),
                 {}},
                [this] { askInterpreter(); });
}

void EngineActions::askCommand(const QString& typed, const QString& problem) {
    const QString question = tr("Program and arguments, for example: ssh host plumbline-cli engine\n"
                                "Empty: the engine of this computer");
    askText(m_window, tr("Engine command"),
            problem.isEmpty() ? question : QStringLiteral("%1\n\n%2").arg(problem, question), typed,
            [this](const QString& command) {
                const auto words = splitCommandLine(command.toStdString());
                if (!words.has_value()) return askCommand(command, errorSentence(words.error()));
                EngineSettings engine = m_settings.engine();
                engine.command = command;
                engine.host.clear();
                m_session.engine.setPlace({});
                m_settings.setEngine(engine);
                m_session.engine.setCommand(command);
                m_session.engine.restart();
            });
}

void EngineActions::askInterpreter() {
    askText(m_window, tr("PyTorch interpreter"),
            tr("Python with torch and plumbline (pip install ./python), on the machine of the engine\nEmpty: "
               "what PLUMBLINE_PYTHON says, else python3"),
            m_settings.engine().pyTorchInterpreter, [this](const QString& path) {
                EngineSettings engine = m_settings.engine();
                engine.pyTorchInterpreter = path.trimmed();
                m_settings.setEngine(engine);
                m_session.controller.engineDevices().lookForPyTorch(engine.pyTorchInterpreter);
            });
}

}  // namespace plumb::ui
