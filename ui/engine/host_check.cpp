// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/host_check.h"

#include "core/base/command_line.h"
#include "core/base/plain_text.h"
#include "core/base/program_version.h"
#include "ui/engine/engine_client.h"
#include "ui/theme/text.h"

#include <QFileInfo>
#include <QTimer>
#include <QVersionNumber>

#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <utility>

namespace plumb::ui {
namespace {

constexpr int kSshFailed = 255;
constexpr auto kNoProgram = "plumbline-cli";

QString quotedForShell(const QString& word) { return toText(quotedWord(word.toStdString())); }

/// Says facts of the host, a line each, and where plumbline-cli is.
QString lookScript(const RemoteHost& host) {
    QStringList places;
    if (!host.path.isEmpty()) places << quotedForShell(host.path);
    places << QLatin1String(kNoProgram) << copiedProgram();
    return QStringLiteral("echo arch=$(uname -m); echo libc=$(getconf GNU_LIBC_VERSION 2>/dev/null); "
                          "for p in %1; do f=$(command -v \"$p\") || continue; echo \"program=$f\"; "
                          "echo \"version=$(\"$f\" --version 2>&1 | head -n 1)\"; break; done")
        .arg(places.join(QLatin1Char(' ')));
}

/// The value of a line `key=value`; empty where there is none.
QString valueOf(const QString& output, const QString& key) {
    const QStringList lines = output.split(QLatin1Char('\n'));
    for (const QString& line : lines)
        if (line.startsWith(key + QLatin1Char('='))) return line.mid(key.size() + 1).trimmed();
    return {};
}

/// Why a program of this computer does not run there; empty: it should.
QString whyNoCopyTo(const QString& architecture, const QString& library) {
    utsname here{};
    ::uname(&here);
    if (architecture != QLatin1String(here.machine))
        return HostCheck::tr("its processor is %1 and the one here %2")
            .arg(architecture.isEmpty() ? HostCheck::tr("unknown") : architecture,
                 QLatin1String(here.machine));
    const QString there = library.section(QLatin1Char(' '), 1, 1);
    if (!library.startsWith(QLatin1String("glibc")))
        return HostCheck::tr("it has another C library than glibc");
    const QString ours = QLatin1String(::gnu_get_libc_version());
    if (QVersionNumber::fromString(there) < QVersionNumber::fromString(ours))
        return HostCheck::tr("its C library is glibc %1, older than %2 here").arg(there, ours);
    return {};
}

/// What a program said, in one line: its own ends of lines are no codes to be shown.
QString shortText(const QString& text) { return toText(plainLine(text.simplified().toStdString())); }

}  // namespace

void HostCheck::test(const RemoteHost& host) {
    cancel();
    m_host = host;
    lookThere();
}

void HostCheck::copyThere(const RemoteHost& host) {
    cancel();
    m_host = host;
    emit progressed(tr("Making a folder on %1…").arg(host.name));
    const QString folder = copiedProgram().section(QLatin1Char('/'), 0, -2);
    run(sshCommand(host) << QStringLiteral("mkdir -p ") + folder, [this](const Done& done) {
        if (done.code != 0) return failBySsh(done);
        const QString program = localEngineProgram();
        QStringList files{program};
        const QString module = QFileInfo(program).path() + QStringLiteral("/libplumbline_cuda.so");
        if (QFileInfo::exists(module)) files << module;
        copyFiles(files);
    });
}

void HostCheck::cancel() {
    m_report = {};
    endProcess();
}

void HostCheck::endProcess() {
    if (!m_process) return;
    QProcess* process = m_process.release();
    process->disconnect(this);
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    if (process->state() == QProcess::NotRunning) return process->deleteLater();
    process->kill();
    process->waitForFinished();
}

void HostCheck::run(const QStringList& words, Then then) {
    m_process = std::make_unique<QProcess>();
    QProcess* process = m_process.get();
    connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;
        fail(tr("%1 did not start (%2)").arg(process->program(), process->errorString()),
             tr("Install the client of OpenSSH"));
    });
    connect(process, &QProcess::finished, this, [this, process, then = std::move(then)](int code) {
        const QString errors = QString::fromUtf8(process->readAllStandardError());
        const Done done{process->exitStatus() == QProcess::NormalExit ? code : kSshFailed,
                        QString::fromUtf8(process->readAllStandardOutput()), shortText(errors)};
        endProcess();
        then(done);
    });
    process->setStandardInputFile(QProcess::nullDevice());
    process->start(words.first(), words.mid(1));
}

void HostCheck::lookThere() {
    emit progressed(tr("Connecting to %1…").arg(m_host.name));
    run(sshCommand(m_host) << QStringLiteral("sh -c ") + quotedForShell(lookScript(m_host)),
        [this](const Done& done) { takeLook(done); });
}

void HostCheck::takeLook(const Done& done) {
    if (done.code == kSshFailed) return failBySsh(done);
    m_whyNoCopy = whyNoCopyTo(valueOf(done.output, QStringLiteral("arch")),
                              valueOf(done.output, QStringLiteral("libc")));
    m_report.canCopy = m_whyNoCopy.isEmpty();
    m_report.program = valueOf(done.output, QStringLiteral("program"));
    m_report.version = valueOf(done.output, QStringLiteral("version"));
    const QString remedy = m_report.canCopy
                               ? tr("Copy this version there")
                               : tr("Build Plumbline there: this program does not run on %1, since %2")
                                     .arg(m_host.name, m_whyNoCopy);
    if (m_report.program.isEmpty())
        return fail(tr("There is no plumbline-cli on %1, neither in PATH nor copied there").arg(m_host.name),
                    remedy);
    if (m_report.version != toText(programVersion()))
        return fail(tr("The engine on %1 is %2, and this window is %3")
                        .arg(m_host.name, shortText(m_report.version), toText(programVersion())),
                    remedy);
    listDevices();
}

void HostCheck::listDevices() {
    emit progressed(tr("Asking the engine on %1 for its devices…").arg(m_host.name));
    run(sshCommand(m_host) << quotedForShell(m_report.program) + QStringLiteral(" engine </dev/null"),
        [this](const Done& done) { takeDevices(done); });
}

void HostCheck::takeDevices(const Done& done) {
    if (done.code == kSshFailed) return failBySsh(done);
    const QStringList lines = done.output.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString& line : lines) {
        const Result<protocol::Event> event = protocol::parseEvent(line.toStdString());
        const auto* list = event.has_value() ? std::get_if<protocol::DeviceList>(&event->body) : nullptr;
        if (list == nullptr) continue;
        m_report.devices = list->devices;
        return end();
    }
    fail(tr("The engine on %1 did not list its devices (%2)")
             .arg(m_host.name, done.lastWords.isEmpty() ? shortText(done.output) : done.lastWords),
         tr("Run %1 devices there").arg(m_report.program));
}

void HostCheck::copyFiles(const QStringList& files) {
    if (files.isEmpty()) return checkCopy();
    const QString name = QFileInfo(files.first()).fileName();
    emit progressed(
        tr("Copying %1 (%2) to %3…").arg(name, bytesText(QFileInfo(files.first()).size()), m_host.name));
    // Under another name first: a program that runs cannot be written over.
    const QString target = copiedProgram().section(QLatin1Char('/'), 0, -2) + QLatin1Char('/') + name;
    run(scpCommand(m_host) << files.first() << scpPlace(m_host, target + QStringLiteral(".new")),
        [this, files, target](const Done& copied) {
            if (copied.code != 0) return failBySsh(copied);
            run(sshCommand(m_host) << QStringLiteral("mv -f %1.new %1 && chmod 755 %1").arg(target),
                [this, files](const Done& moved) {
                    if (moved.code != 0) return failBySsh(moved);
                    copyFiles(files.mid(1));
                });
        });
}

void HostCheck::checkCopy() {
    emit progressed(tr("Starting the copy on %1…").arg(m_host.name));
    run(sshCommand(m_host) << copiedProgram() + QStringLiteral(" --version"), [this](const Done& done) {
        if (done.code == kSshFailed) return failBySsh(done);
        if (done.code != 0)
            return fail(tr("The copy does not run on %1 (%2)").arg(m_host.name, done.lastWords),
                        tr("Install the libraries that it names, or build Plumbline there"));
        m_host.path = copiedProgram();
        lookThere();
    });
}

void HostCheck::end() {
    endProcess();
    emit finished(std::exchange(m_report, {}));
}

void HostCheck::fail(const QString& problem, const QString& remedy) {
    m_report.problem = problem;
    m_report.remedy = remedy;
    end();
}

void HostCheck::failBySsh(const Done& done) {
    fail(done.lastWords.isEmpty() ? tr("%1 cannot be reached").arg(m_host.name)
                                  : tr("%1 cannot be reached (%2)").arg(m_host.name, done.lastWords),
         remedyFor(m_host, done.lastWords));
}

}  // namespace plumb::ui
