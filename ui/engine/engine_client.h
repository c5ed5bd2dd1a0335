// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QThread>
#include <QTimer>

#include <memory>

namespace plumb::ui {

class EventParser;
struct EventBatch;

/// The engine process as the window sees it: starts it, sends commands, hands out events, survives its end.
///
/// Output is read and parsed on a thread of its own, because a reading of a deep network is a megabyte of
/// JSON, and no faster than the window takes the events: an engine that says too much waits. All signals come
/// on the thread of the client. Every way in which a process can end gives exactly one ended().
class EngineClient final : public QObject {
    Q_OBJECT
public:
    using EventPtr = std::shared_ptr<const protocol::Event>;
    enum class State { Off, Starting, Ready };

    explicit EngineClient(QObject* parent = nullptr);
    /// Asks a running engine to quit and kills it when it has not after a moment, or after the time that one
    /// has to save (see saving()), which is waited for; none is left.
    ~EngineClient() override;

    /// Program and arguments as in a shell. Empty: plumbline-cli beside this program, else in PATH, `engine`.
    void setCommand(const QString& command);
    [[nodiscard]] QStringList commandLine() const { return m_command; }
    void setHelloTimeout(int milliseconds) { m_helloTimer.setInterval(milliseconds); }

    /// How long a pause, a resumption or a stop may wait for its answer before silent().
    void setAnswerTimeout(int milliseconds) { m_answerTimer.setInterval(milliseconds); }
    /// How long a training that was faster may say nothing before silent().
    void setSilenceTimeout(int milliseconds) { m_silenceMs = milliseconds; }
    /// How long an engine that was asked to quit may take, when it has nothing to save, before it is killed.
    void setQuitTimeout(int milliseconds) { m_quitMs = milliseconds; }

    void start();  ///< nothing when it is starting or ready
    /// Starts anew without ended() of a running one, which ends on its own and is killed when it does not.
    void restart();
    /// Ends it in the same way, without another.
    void end();
    /// The engine trains with checkpoints: told to end, it writes the last state first.
    [[nodiscard]] bool keepsCheckpoints() const { return m_keeper != 0; }
    /// Engines of such trainings that were told to end and have not yet; saved() says when the last has.
    [[nodiscard]] bool saving() const { return m_saving > 0; }
    void killSaving();  ///< what they write is lost, and the checkpoints of before stay
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] qint64 processId() const { return m_process ? m_process->processId() : 0; }

    /// Sends a command and returns its id, or 0 when no engine is ready.
    std::int64_t send(const decltype(protocol::Command::body)& body);

signals:
    void stateChanged(plumb::ui::EngineClient::State state);
    void eventArrived(const plumb::ui::EngineClient::EventPtr& event);
    /// A message that cannot be used was refused; the engine goes on, unless a hundred in a row are refused.
    void messageRefused(const QString& reason);
    /// The engine lives but does not answer, for so long; nothing is done about it. Once, until answering().
    void silent(int milliseconds);
    void answering();
    /// The process is gone or was given up; one sentence without full stop ("The engine ended (signal 9)").
    void ended(const QString& reason);
    void saved();

private:
    void setState(State state);
    void startProcess();
    void write(const protocol::Command& command);
    void takeBatch(int generation, const std::shared_ptr<const EventBatch>& batch);
    void takeEvent(const EventPtr& event);
    void takeRefusal(const QString& reason);
    void takeEnd(int generation);
    void giveUp(const QString& reason);
    void watch(const protocol::Event& event);
    void fallSilent(bool command, int milliseconds);
    void stopTimers();
    void closePipe();
    void shutDown();

    QStringList m_command;
    std::unique_ptr<QProcess> m_process;
    QThread m_thread;
    EventParser* m_parser = nullptr;
    QTimer m_helloTimer;
    QTimer m_answerTimer;
    QTimer m_silenceTimer;
    QElapsedTimer m_sinceEvent;
    qint64 m_longestGapMs = 0;  ///< between two events of the training
    int m_silenceMs;
    int m_quitMs;
    std::int64_t m_keeper = 0;  ///< id of the training that keeps checkpoints; 0: there is none
    int m_saving = 0;           ///< processes that may still write the last state of theirs
    bool m_training = false;
    bool m_commandWaits = false;  ///< silent() was said of a command
    bool m_silent = false;        ///< silent() was said of a training
    QString m_endReason;
    QByteArray m_errorOutput;  ///< tail of what the engine wrote to its standard error
    State m_state = State::Off;
    std::int64_t m_lastId = 0;
    int m_refusedInARow = 0;
    int m_generation = 0;  ///< counts processes: what an earlier one said late is dropped
};

}  // namespace plumb::ui
