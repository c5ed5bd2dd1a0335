// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/remote_files.h"
#include "ui/engine/remote_host.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>

namespace plumb::ui {

class ActionRegistry;
class HostsDialog;
class Settings;
struct Session;

/// The hosts on which engines run, and files that such an engine wrote.
class HostActions final : public QObject {
    Q_OBJECT
public:
    HostActions(ActionRegistry& actions, Session& session, Settings& settings, QWidget& window);

    /// A step that the engine recorded, here: fetched first where the engine is on a host.
    void openRecorded(const QString& path);

signals:
    void fileFetched(const QString& path);  ///< to be opened
    void noticed(const QString& message);
    void failed(const plumb::Error& error);

private:
    void showHosts();
    void useHost(const RemoteHost& host);
    /// The engine of the settings is the one that is started next.
    void applyEngine();
    [[nodiscard]] std::optional<RemoteHost> usedHost() const;
    void fetchCheckpoint();
    void refresh();

    ActionRegistry& m_actions;
    Session& m_session;
    Settings& m_settings;
    QWidget& m_window;
    RemoteFiles m_files;
    QString m_toOpen;  ///< the file that is opened once it is here
};

}  // namespace plumb::ui
