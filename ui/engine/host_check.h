// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "ui/engine/remote_host.h"

#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <vector>

namespace plumb::ui {

/// What a look at a host found.
struct HostReport {
    QString program;  ///< path of plumbline-cli there; empty: none was found
    QString version;  ///< of that program: "plumbline 0.1.0 (abc1234)"
    std::vector<protocol::DeviceEntry> devices;
    QString problem;       ///< why no engine of this version runs there; empty: one does
    QString remedy;        ///< what to do about it
    bool canCopy = false;  ///< this version can be copied there
    [[nodiscard]] bool works() const { return problem.isEmpty(); }
};

/// Looks whether a host can be reached and has an engine of this version, and copies one there. One thing at
/// a time; it can be cancelled. GUI thread only.
class HostCheck final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    ~HostCheck() override { cancel(); }

    void test(const RemoteHost& host);
    /// Copies the program of this window there, with its CUDA module, then tests.
    void copyThere(const RemoteHost& host);
    /// No more is heard of it.
    void cancel();
    [[nodiscard]] bool running() const { return m_process != nullptr; }

signals:
    void progressed(const QString& step);
    void finished(const plumb::ui::HostReport& report);

private:
    struct Done {
        int code = 0;
        QString output, lastWords;
    };
    using Then = std::function<void(const Done&)>;
    void run(const QStringList& words, Then then);
    void lookThere();
    void takeLook(const Done& done);
    void listDevices();
    void takeDevices(const Done& done);
    void copyFiles(const QStringList& files);
    void checkCopy();
    void end();
    void fail(const QString& problem, const QString& remedy);
    void failBySsh(const Done& done);
    void endProcess();

    RemoteHost m_host;
    HostReport m_report;
    QString m_whyNoCopy;  ///< empty: architecture and C library agree
    std::unique_ptr<QProcess> m_process;
};

}  // namespace plumb::ui
