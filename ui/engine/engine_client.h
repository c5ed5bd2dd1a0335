// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "ui/engine/ended_engines.h"
#include "ui/engine/engine_attachment.h"
#include "ui/engine/engine_process.h"
#include "ui/engine/engine_watch.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

namespace plumb::ui {

/// The plumbline-cli of this window: beside it, else in PATH.
[[nodiscard]] QString localEngineProgram();

/// The engine as the window sees it: starts it, sends commands, hands out events, survives its end. All
/// signals come on the thread of the client. Every way in which a process can end gives exactly one ended().
class EngineClient final : public QObject {
    Q_OBJECT
public:
    using EventPtr = EngineProcess::EventPtr;
    enum class State {
        Off,
        Starting,
        Ready,
        Lost  ///< the connection is; the engine goes on, and is tried again
    };

    explicit EngineClient(QObject* parent = nullptr);
    /// Asks a running engine to quit and kills it when it has not after a moment, or after the time that one
    /// has to save (see EndedEngines), which is waited for; none is left.
    ~EngineClient() override;

    /// Program and arguments, see splitCommandLine(). Empty: plumbline-cli beside this program, else in PATH,
    /// `engine`. What cannot be read is said when an engine is started by it.
    void setCommand(const QString& command);
    /// Name of the host on which the engine runs; empty: this computer.
    void setPlace(const QString& place) { m_place = place; }
    [[nodiscard]] QString place() const { return m_place; }
    [[nodiscard]] QStringList commandLine() const { return m_command; }
    /// How long an engine that begins may say nothing before late(), and before it is given up.
    void setHelloTimeouts(int late, int givenUp) {
        m_lateTimer.setInterval(late);
        m_helloTimer.setInterval(givenUp);
    }

    void start();  ///< nothing when there is one
    /// Starts anew without ended() of a running one, which ends on its own and is killed when it does not.
    void restart();
    /// Tries the lost connection again now.
    void reconnect();
    /// Ends it in the same way, without another.
    void end();
    /// The engine trains with checkpoints: told to end, it writes the last state first.
    [[nodiscard]] bool keepsCheckpoints() const { return m_keeper != 0; }
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] qint64 processId() const { return m_process.processId(); }
    /// Whether the engine, alive, answers.
    [[nodiscard]] EngineWatch& watch() { return m_watch; }
    /// Engines before this one that have not ended yet.
    [[nodiscard]] EndedEngines& endedEngines() { return m_endedEngines; }

    /// Sends a command and returns its id, or 0 when no engine is ready. While the connection is lost the
    /// command waits for it.
    std::int64_t send(const decltype(protocol::Command::body)& body);

signals:
    void stateChanged(plumb::ui::EngineClient::State state);
    void eventArrived(const plumb::ui::EngineClient::EventPtr& event);
    /// It has not said hello yet and is waited for on; one sentence without full stop.
    void late(const QString& sentence);
    /// As ended(), but the engine goes on and the connection is tried again after so many milliseconds.
    void connectionLost(const QString& reason, int retryMs);
    /// A message that cannot be used was refused; the engine goes on, unless a hundred in a row are refused.
    void messageRefused(const QString& reason);
    /// The process is gone or was given up; one sentence without full stop ("The engine ended (signal 9)").
    void ended(const QString& reason);

private:
    void setState(State state);
    void startProcess(const QStringList& more = {});
    void connectProcess(const QStringList& more = {});
    void takeHello(const protocol::Hello& hello);
    void lose(const QString& reason);
    void takeEvent(const EventPtr& event);
    void takeRefusal(const QString& reason, bool isCutShort);
    void takeEnd(const QString& reason);
    void sayLate();
    void giveUp(const QString& reason);
    void forgetProcess();
    void shutDown(EndedEngines::Ending ending);
    [[nodiscard]] EndedEngines::Ending endingOfProcess() const;

    QString m_place;
    QStringList m_command;
    QString m_commandProblem;  ///< why the command that was set cannot be read
    EngineProcess m_process;
    EngineWatch m_watch;
    EndedEngines m_endedEngines;  ///< goes first: the last of them are waited for
    QTimer m_lateTimer, m_helloTimer, m_retryTimer;
    EngineAttachment m_attachment;
    QStringList m_startedBy;  ///< the command of the engine that runs
    bool m_takenOver = false;
    std::int64_t m_keeper = 0;  ///< id of the training that keeps checkpoints; 0: there is none
    State m_state = State::Off;
    std::int64_t m_lastId = 0;
    int m_refusedInARow = 0;
};

}  // namespace plumb::ui
