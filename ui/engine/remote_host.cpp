// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/remote_host.h"

#include "core/base/command_line.h"
#include "ui/theme/text.h"

#include <QRegularExpression>

namespace plumb::ui {
namespace {

constexpr int kMostPort = 65535;
constexpr qsizetype kFields = 5;

/// Words that ask nothing and notice within a quarter of a minute that the other side is gone.
const QStringList& connectionOptions() {
    static const QStringList options{QStringLiteral("-o"), QStringLiteral("BatchMode=yes"),
                                     QStringLiteral("-o"), QStringLiteral("ConnectTimeout=10"),
                                     QStringLiteral("-o"), QStringLiteral("ServerAliveInterval=5"),
                                     QStringLiteral("-o"), QStringLiteral("ServerAliveCountMax=3")};
    return options;
}

QStringList programFrom(const char* variable, const QString& otherwise) {
    const auto words = splitCommandLine(qEnvironmentVariable(variable).toStdString());
    if (!words.has_value() || words->empty()) return {otherwise};
    QStringList program;
    for (const std::string& word : *words) program << toText(word);
    return program;
}

QString quoted(const QString& word) { return toText(quotedWord(word.toStdString())); }

}  // namespace

QString copiedProgram() { return QStringLiteral(".local/share/plumbline/bin/plumbline-cli"); }

QString problemOf(const RemoteHost& host, const QStringList& otherNames) {
    // An entry that begins like an option would be one for ssh.
    static const QRegularExpression plain(QStringLiteral("^[^-\\s\\x00-\\x1f][^\\s\\x00-\\x1f]*$"));
    if (host.name.trimmed().isEmpty()) return tr("The host needs a name");
    if (otherNames.contains(host.name)) return tr("There is a host with the name %1 already").arg(host.name);
    if (!plain.match(host.host).hasMatch())
        return tr("The address “%1” is none that ssh could use: enter a name or a number without spaces")
            .arg(host.host);
    if (!host.user.isEmpty() && (!plain.match(host.user).hasMatch() || host.user.contains(QLatin1Char('@'))))
        return tr("“%1” is no name of a user").arg(host.user);
    if (host.port < 0 || host.port > kMostPort)
        return tr("The port %1 does not exist: enter one from 1 to %2, or none")
            .arg(host.port)
            .arg(kMostPort);
    if (host.path.startsWith(QLatin1Char('-')) || host.path.contains(QLatin1Char('\n')))
        return tr("“%1” is no path of a program").arg(host.path);
    return {};
}

std::optional<RemoteHost> repaired(const RemoteHost& host, const QStringList& otherNames) {
    RemoteHost better = host;
    for (int number = 2; otherNames.contains(better.name); ++number)
        better.name = QStringLiteral("%1 %2").arg(host.name).arg(number);
    if (better.name == host.name && (host.port < 0 || host.port > kMostPort)) better.port = 0;
    if (better == host || problemOf(better, otherNames) == problemOf(host, otherNames)) return std::nullopt;
    return better;
}

QStringList sshCommand(const RemoteHost& host) {
    QStringList words = programFrom("PLUMBLINE_SSH", QStringLiteral("ssh"));
    words << QStringLiteral("-T") << connectionOptions();
    if (host.port > 0) words << QStringLiteral("-p") << QString::number(host.port);
    if (!host.user.isEmpty()) words << QStringLiteral("-l") << host.user;
    return words << QStringLiteral("--") << host.host;
}

QStringList scpCommand(const RemoteHost& host) {
    QStringList words = programFrom("PLUMBLINE_SCP", QStringLiteral("scp"));
    words << QStringLiteral("-q") << connectionOptions();
    if (host.port > 0) words << QStringLiteral("-P") << QString::number(host.port);
    return words << QStringLiteral("--");
}

QString scpPlace(const RemoteHost& host, const QString& path) {
    const QString address = host.host.contains(QLatin1Char(':')) && !host.host.startsWith(QLatin1Char('['))
                                ? QLatin1Char('[') + host.host + QLatin1Char(']')
                                : host.host;
    const QString user = host.user.isEmpty() ? QString() : host.user + QLatin1Char('@');
    return user + address + QLatin1Char(':') + path;
}

QStringList engineCommandOn(const RemoteHost& host, const QString& program) {
    // What follows (--anew) is put behind it by ssh, with a space.
    return sshCommand(host) << quoted(program) + QStringLiteral(" engine --attach");
}

QString remedyFor(const RemoteHost& host, const QString& lastWords) {
    const QString port = host.port > 0 ? QStringLiteral("-p %1 ").arg(host.port) : QString();
    const QString login = port + (host.user.isEmpty() ? host.host : host.user + QLatin1Char('@') + host.host);
    if (lastWords.contains(QLatin1String("Host key verification failed")))
        return tr("Connect once in a terminal (ssh %1) and compare its key, which ssh then knows").arg(login);
    if (lastWords.contains(QLatin1String("Permission denied")))
        return tr("Load your key into the agent (ssh-add), and see that %1 accepts it").arg(host.host);
    return tr("See what ssh %1 says in a terminal").arg(login);
}

QStringList toTexts(const QList<RemoteHost>& hosts) {
    QStringList texts;
    for (const RemoteHost& host : hosts)
        texts << toText(
            joinCommandLine({host.name.toStdString(), host.host.toStdString(), host.user.toStdString(),
                             std::to_string(host.port), host.path.toStdString()}));
    return texts;
}

QList<RemoteHost> hostsFrom(const QStringList& texts) {
    QList<RemoteHost> hosts;
    QStringList names;
    for (const QString& text : texts) {
        const auto words = splitCommandLine(text.toStdString());
        if (!words.has_value() || static_cast<qsizetype>(words->size()) != kFields) continue;
        QStringList fields;
        for (const std::string& word : *words) fields << toText(word);
        const RemoteHost host{fields[0], fields[1], fields[2], fields[3].toInt(), fields[4]};
        if (!problemOf(host, names).isEmpty()) continue;
        names << host.name;
        hosts << host;
    }
    return hosts;
}

}  // namespace plumb::ui
