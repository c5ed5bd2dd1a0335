// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/engine/remote_host.h"

#include <QObject>
#include <QProcess>
#include <QString>

#include <memory>

namespace plumb::ui {

/// Fetches what an engine wrote on its host: checkpoints, snapshots, traces. One file at a time. GUI thread
/// only.
class RemoteFiles final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    ~RemoteFiles() override { cancel(); }

    /// Copies `path` of the host to the file `target`, which appears whole or not at all. Where another one
    /// is under way, that is cancelled.
    void fetch(const RemoteHost& host, const QString& path, const QString& target);
    void cancel();
    [[nodiscard]] bool running() const { return m_process != nullptr; }

signals:
    void fetched(const QString& target);
    void failed(const plumb::Error& error);

private:
    [[nodiscard]] std::unique_ptr<QProcess> release();

    std::unique_ptr<QProcess> m_process;
    QString m_part;  ///< the file while it is incomplete
};

}  // namespace plumb::ui
