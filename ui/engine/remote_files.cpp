// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/remote_files.h"

#include "core/base/plain_text.h"
#include "ui/theme/text.h"

#include <QFile>

#include <cstdio>
#include <utility>

namespace plumb::ui {

void RemoteFiles::fetch(const RemoteHost& host, const QString& path, const QString& target) {
    cancel();
    m_part = target + QStringLiteral(".part");
    m_process = std::make_unique<QProcess>();
    QProcess* process = m_process.get();
    const auto fail = [this, host, path](const QString& reason) {
        release().release()->deleteLater();
        QFile::remove(std::exchange(m_part, {}));
        emit failed({ErrorCode::Io,
                     tr("%1 of %2 was not fetched (%3)").arg(path, host.name, reason).toStdString(),
                     remedyFor(host, reason).toStdString()});
    };
    connect(process, &QProcess::errorOccurred, this, [process, fail](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) fail(process->errorString());
    });
    connect(process, &QProcess::finished, this, [this, process, fail, target](int code) {
        // In one line: the ends of scp's own lines are no codes to be shown.
        const std::string said =
            QString::fromUtf8(process->readAllStandardError()).simplified().toStdString();
        if (code != 0 || process->exitStatus() != QProcess::NormalExit) return fail(toText(plainLine(said)));
        if (std::rename(QFile::encodeName(m_part).constData(), QFile::encodeName(target).constData()) != 0)
            return fail(qt_error_string());
        release().release()->deleteLater();
        m_part.clear();
        emit fetched(target);
    });
    const QStringList words = scpCommand(host) << scpPlace(host, path) << m_part;
    process->setStandardInputFile(QProcess::nullDevice());
    process->start(words.first(), words.mid(1));
}

std::unique_ptr<QProcess> RemoteFiles::release() {
    if (m_process) m_process->disconnect(this);
    return std::move(m_process);
}

void RemoteFiles::cancel() {
    if (const std::unique_ptr<QProcess> process = release()) {
        process->kill();
        process->waitForFinished();
    }
    if (!m_part.isEmpty()) QFile::remove(std::exchange(m_part, {}));
}

}  // namespace plumb::ui
