// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/host_actions.h"

#include "core/base/command_line.h"
#include "ui/hosts/hosts_dialog.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/session.h"
#include "ui/theme/text.h"
#include "ui/widgets/dialogs.h"

#include <QDir>
#include <QFileInfo>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace plumb::ui {

HostActions::HostActions(ActionRegistry& actions, Session& session, Settings& settings, QWidget& window)
    : QObject(&window), m_actions(actions), m_session(session), m_settings(settings), m_window(window) {
    actions.add({QStringLiteral("run.hosts"),
                 tr("&Hosts…"),
                 tr("Run on another computer by ssh: add, test and choose hosts"),
                 {}},
                [this] { showHosts(); });
    actions.add({QStringLiteral("run.fetchCheckpoint"),
                 tr("&Fetch the newest checkpoint…"),
                 tr("Copy the newest checkpoint of the training from the host to this computer"),
                 {}},
                [this] { fetchCheckpoint(); });
    connect(&m_files, &RemoteFiles::failed, this, &HostActions::failed);
    connect(&m_files, &RemoteFiles::fetched, this, [this](const QString& path) {
        if (path == m_toOpen) return emit fileFetched(path);
        emit noticed(tr("Fetched %1").arg(path));
    });
    connect(&session.controller, &RunController::changed, this, &HostActions::refresh);
    if (!settings.engine().host.isEmpty() && session.engine.state() == EngineClient::State::Off)
        applyEngine();
    refresh();
}

void HostActions::refresh() {
    m_actions.enable("run.fetchCheckpoint",
                     usedHost() && m_session.controller.work().newestCheckpoint().has_value());
}

std::optional<RemoteHost> HostActions::usedHost() const {
    const QString name = m_settings.engine().host;
    const QList<RemoteHost> hosts = m_settings.hosts();
    const auto found = std::ranges::find(hosts, name, &RemoteHost::name);
    return name.isEmpty() || found == hosts.end() ? std::nullopt : std::optional(*found);
}

void HostActions::applyEngine() {
    const std::optional<RemoteHost> host = usedHost();
    m_session.engine.setPlace(host ? host->name : QString());
    if (!host) return m_session.engine.setCommand(m_settings.engine().command);
    std::vector<std::string> words;
    const QString program = host->path.isEmpty() ? QStringLiteral("plumbline-cli") : host->path;
    for (const QString& word : engineCommandOn(*host, program)) words.push_back(word.toStdString());
    m_session.engine.setCommand(toText(joinCommandLine(words)));
}

void HostActions::useHost(const RemoteHost& host) {
    EngineSettings engine = m_settings.engine();
    engine.host = host.name;
    m_settings.setEngine(engine);
    applyEngine();
    m_session.engine.restart();
}

void HostActions::showHosts() {
    m_settings.save();  // reads, too: the hosts that another window has added are listed
    const QList<RemoteHost> there = m_settings.hosts();
    auto* dialog = new HostsDialog(there, m_settings.engine().host, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &HostsDialog::changed, this, [this, dialog, before = there]() mutable {
        m_settings.setHosts(dialog->hosts(), std::exchange(before, dialog->hosts()));
    });
    connect(dialog, &HostsDialog::useWanted, this, &HostActions::useHost);
    dialog->show();
}

void HostActions::fetchCheckpoint() {
    const std::optional<RemoteHost> host = usedHost();
    const auto& checkpoint = m_session.controller.work().newestCheckpoint();
    if (!host || !checkpoint) return;
    const QString path = toText(checkpoint->path);
    const QString name = QFileInfo(path).fileName();
    askSavePath(m_window, tr("Fetch the newest checkpoint"), QDir(m_settings.lastFolder()).filePath(name),
                tr("Training checkpoints (*.safetensors)"), QStringLiteral("safetensors"),
                [this, host, path](const QString& target) { m_files.fetch(*host, path, target); });
}

void HostActions::openRecorded(const QString& path) {
    const std::optional<RemoteHost> host = usedHost();
    if (!host) return emit fileFetched(path);
    m_toOpen = QDir(m_settings.lastFolder()).filePath(QFileInfo(path).fileName());
    m_files.fetch(*host, path, m_toOpen);
}

}  // namespace plumb::ui
