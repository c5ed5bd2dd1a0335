// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace plumb::ui {

/// A computer on which engines run, reached by ssh. Keys are the agent's and the host's key is ssh's: none of
/// either is kept or asked for here.
struct RemoteHost {
    QString name;  ///< as the window calls it: "gpu-box"
    QString host;  ///< as ssh calls it: a name, an address, or an entry of ~/.ssh/config
    QString user;  ///< empty: what ssh takes
    int port = 0;  ///< 0: what ssh takes
    QString path;  ///< of plumbline-cli there; empty: that of PATH, else the one that was copied there
    bool operator==(const RemoteHost&) const = default;
};

/// Where a program that was copied to a host lies, from the home there.
[[nodiscard]] QString copiedProgram();

/// Why the host cannot be used as it was entered, as a sentence without full stop; empty: it can.
[[nodiscard]] QString problemOf(const RemoteHost& host, const QStringList& otherNames = {});
/// The host without the first thing that problemOf() says of it; empty where only who enters it knows.
[[nodiscard]] std::optional<RemoteHost> repaired(const RemoteHost& host, const QStringList& otherNames);

/// ssh with its options, up to and with the host; the command that it runs there follows as one word. Nothing
/// is asked: what needs an answer fails with ssh's message. PLUMBLINE_SSH names another program, with
/// options.
[[nodiscard]] QStringList sshCommand(const RemoteHost& host);
/// scp in the same way, without files (PLUMBLINE_SCP).
[[nodiscard]] QStringList scpCommand(const RemoteHost& host);
/// `path` on the host as scp calls it.
[[nodiscard]] QString scpPlace(const RemoteHost& host, const QString& path);

/// The engine command that attaches to the engine of `program` on the host.
[[nodiscard]] QStringList engineCommandOn(const RemoteHost& host, const QString& program);

/// What ssh's last words mean for the user, as a remedy without full stop.
[[nodiscard]] QString remedyFor(const RemoteHost& host, const QString& lastWords);

// As they are kept in the settings: one text a host; what cannot be read is left out.
[[nodiscard]] QStringList toTexts(const QList<RemoteHost>& hosts);
[[nodiscard]] QList<RemoteHost> hostsFrom(const QStringList& texts);

}  // namespace plumb::ui
