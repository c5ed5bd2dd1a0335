// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace plumb::ui {

class ActionRegistry;
class Settings;
struct Session;

/// Which engine runs, and on which devices it can.
class EngineActions final : public QObject {
    Q_OBJECT
public:
    EngineActions(ActionRegistry& actions, Session& session, Settings& settings, QWidget& window);

private:
    /// `problem`: why `typed` could not be used; empty when it is asked for the first time.
    void askCommand(const QString& typed, const QString& problem = {});
    void askInterpreter();

    Session& m_session;
    Settings& m_settings;
    QWidget& m_window;
};

}  // namespace plumb::ui
