// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QThread>

#include <memory>

namespace plumb::ui {

class EventParser;
struct EventBatch;

/// The process of an engine and its output, one after the other; a process that was released is heard no
/// more.
///
/// Output is read and parsed on a thread of its own, because a reading of a deep network is a megabyte of
/// JSON, and no faster than the window takes the events: an engine that says too much waits. All signals come
/// on the thread of this object.
class EngineProcess final : public QObject {
    Q_OBJECT
public:
    using EventPtr = std::shared_ptr<const protocol::Event>;

    EngineProcess();
    ~EngineProcess() override;  ///< Pre: the process was released

    /// False when it did not start, which failed() has said.
    bool start(const QStringList& command);
    void write(const protocol::Command& command);
    /// What it still says counts no more. Null when there is none.
    [[nodiscard]] std::unique_ptr<QProcess> release();
    /// The last line that it wrote to its standard error; empty: none.
    [[nodiscard]] QString lastErrorLine() const;
    [[nodiscard]] qint64 processId() const { return m_process ? m_process->processId() : 0; }
    /// Counts processes: another one means that this one was released or replaced.
    [[nodiscard]] int generation() const { return m_generation; }

signals:
    void eventArrived(const plumb::ui::EngineProcess::EventPtr& event);
    void messageRefused(const QString& reason, bool isCutShort);
    void failed(const QString& reason);
    /// It has ended by itself, after the last of its events; one sentence without full stop.
    void ended(const QString& reason);

private:
    void connectProcess();
    void takeBatch(int generation, const std::shared_ptr<const EventBatch>& batch);
    void takeEnd(int generation);

    std::unique_ptr<QProcess> m_process;
    QThread m_thread;
    EventParser* m_parser = nullptr;
    QString m_endReason;
    QByteArray m_errorOutput;  ///< tail of what the engine wrote to its standard error
    int m_generation = 0;
};

}  // namespace plumb::ui
