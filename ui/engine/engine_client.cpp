// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/engine_client.h"

#include "core/base/command_line.h"
#include "core/base/plain_text.h"
#include "ui/theme/text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace plumb::ui {
namespace {

constexpr int kLateMs = 5000;
constexpr int kHelloTimeoutMs = 30000;      // an engine behind ssh has a log-in to make
constexpr int kPatienceSeconds = 3;         // for an engine elsewhere to end before it is killed
constexpr int kPatienceToSaveSeconds = 62;  // longer than it gives itself, see kPatienceToSave
constexpr int kRefusalsInARow = 100;        // one now and then is survived

QString durationText(int milliseconds) { return quantityText(milliseconds / 1000.0, "s"); }

/// As it is typed, for what is said of it.
QString commandText(const QStringList& command) { return command.join(QLatin1Char(' ')); }

}  // namespace

/// A source tree has the programs in folders of their own, an installation has them side by side.
QString localEngineProgram() {
    const QString name = QStringLiteral("plumbline-cli");
    const QDir here(QCoreApplication::applicationDirPath());
    for (const QString& place : {here.filePath(name), here.filePath(QStringLiteral("../cli/") + name)})
        if (QFileInfo(place).isExecutable()) return QDir::cleanPath(place);
    const QString inPath = QStandardPaths::findExecutable(name);
    return inPath.isEmpty() ? name : inPath;
}

EngineClient::EngineClient(QObject* parent) : QObject(parent) {
    setCommand(QString());
    m_helloTimer.setSingleShot(true);
    m_helloTimer.setInterval(kHelloTimeoutMs);
    connect(&m_helloTimer, &QTimer::timeout, this, [this] {
        const QString waited = durationText(m_helloTimer.interval());
        if (m_state == State::Lost) return lose(tr("No answer within %1").arg(waited));
        giveUp(tr("The engine did not answer within %1: check the engine command (%2)")
                   .arg(waited, commandText(m_command)));
    });
    m_retryTimer.setSingleShot(true);
    connect(&m_retryTimer, &QTimer::timeout, this, &EngineClient::reconnect);
    m_lateTimer.setSingleShot(true);
    m_lateTimer.setInterval(kLateMs);
    connect(&m_lateTimer, &QTimer::timeout, this, &EngineClient::sayLate);
    connect(&m_process, &EngineProcess::eventArrived, this, &EngineClient::takeEvent);
    connect(&m_process, &EngineProcess::messageRefused, this, &EngineClient::takeRefusal);
    connect(&m_process, &EngineProcess::failed, this,
            [this](const QString& reason) { m_state == State::Lost ? lose(reason) : giveUp(reason); });
    connect(&m_process, &EngineProcess::ended, this, &EngineClient::takeEnd);
}

EngineClient::~EngineClient() { shutDown(endingOfProcess()); }

void EngineClient::setCommand(const QString& command) {
    const Result<std::vector<std::string>> words = splitCommandLine(command.toStdString());
    m_commandProblem = words.has_value() ? QString() : coreText(words.error().text());
    m_command.clear();
    if (!words.has_value()) return;
    for (const std::string& word : *words) m_command << toText(word);
    if (m_command.isEmpty()) m_command = {localEngineProgram(), QStringLiteral("engine")};
}

void EngineClient::setState(State state) {
    if (m_state == state) return;
    m_state = state;
    emit stateChanged(state);
}

void EngineClient::start() {
    if (m_state == State::Off) startProcess();
}

void EngineClient::restart() {
    // One that outlives its connection is ended by the next one, however it hangs.
    const bool outlives = m_attachment.isAttached() && m_command == m_startedBy;
    const int seconds = keepsCheckpoints() ? kPatienceToSaveSeconds : kPatienceSeconds;
    shutDown(outlives ? EndedEngines::Ending::Hangs : endingOfProcess());
    startProcess(outlives ? QStringList{QStringLiteral("--anew"), QStringLiteral("--patience"),
                                        QString::number(seconds)}
                          : QStringList());
}

void EngineClient::reconnect() {
    if (m_state != State::Lost) return;
    m_retryTimer.stop();
    m_helloTimer.start();
    connectProcess();
}

void EngineClient::startProcess(const QStringList& more) {
    m_refusedInARow = 0;
    m_takenOver = false;
    setState(State::Starting);
    if (!m_commandProblem.isEmpty())
        return giveUp(tr("The engine command cannot be read (%1)").arg(m_commandProblem));
    m_helloTimer.start();
    m_lateTimer.start();
    connectProcess(more);
}

void EngineClient::connectProcess(const QStringList& more) {
    if (std::unique_ptr<QProcess> process = m_process.release())
        m_endedEngines.take(std::move(process), EndedEngines::Ending::Hangs);
    m_startedBy = m_state == State::Lost ? m_startedBy : m_command;
    if (!m_process.start(m_startedBy + more)) return;
    m_process.write({++m_lastId, m_attachment.hello()});
}

std::int64_t EngineClient::send(const decltype(protocol::Command::body)& body) {
    if (m_state != State::Ready && m_state != State::Lost) return 0;
    protocol::Command command;
    command.id = ++m_lastId;
    command.body = body;
    m_attachment.sent(command);
    if (m_state == State::Ready) {
        m_process.write(command);
        m_watch.sent(body);
    }
    if (const auto* run = std::get_if<protocol::Run>(&body); run && !run->checkpoints.folder.empty())
        m_keeper = command.id;
    return command.id;
}

void EngineClient::takeEvent(const EventPtr& event) {
    m_refusedInARow = 0;
    if (const auto* hello = std::get_if<protocol::Hello>(&event->body)) {
        if (event->id != 0)  // an engine's own has none: this is the window's, come back
            return giveUp(
                tr("This is no engine of Plumbline, since it repeats what it is told: check the engine "
                   "command (%1)")
                    .arg(commandText(m_command)));
        if (hello->version != protocol::kVersion)
            return giveUp(
                tr("The engine is of another release (%1), which speaks version %2 of the protocol, and this "
                   "window version %3: install the same Plumbline on both sides")
                    .arg(toText(plainLine(hello->program)))
                    .arg(hello->version)
                    .arg(protocol::kVersion));
        return takeHello(*hello);
    }
    if (m_state != State::Ready)
        return giveUp(tr("The engine did not say hello first: check the engine command (%1)")
                          .arg(commandText(m_command)));
    if (std::holds_alternative<protocol::TakenOver>(event->body)) m_takenOver = true;
    m_attachment.heard(*event);
    const auto* state = std::get_if<protocol::State>(&event->body);
    const bool idle = std::holds_alternative<protocol::Finished>(event->body) ||
                      (state && state->state == protocol::EngineState::Idle);
    if (idle && event->id == m_keeper) m_keeper = 0;
    const int generation = m_process.generation();
    m_watch.heard(*event);
    if (generation == m_process.generation()) emit eventArrived(event);
}

void EngineClient::takeHello(const protocol::Hello& hello) {
    m_helloTimer.stop();
    m_lateTimer.stop();
    if (m_state == State::Ready) return;
    if (!m_attachment.isOf(hello))
        return giveUp(tr("The engine has ended while the connection to it was lost"));
    m_lastId = std::max(m_lastId, hello.lastCommand);
    for (const protocol::Command& command : m_attachment.attach(hello)) {
        m_process.write(command);
        m_watch.sent(command.body);
    }
    setState(State::Ready);
}

void EngineClient::lose(const QString& reason) {
    m_helloTimer.stop();
    m_watch.reset();
    if (std::unique_ptr<QProcess> process = m_process.release())
        m_endedEngines.take(std::move(process), EndedEngines::Ending::Hangs);
    const int delay = m_attachment.nextDelayMs();
    m_retryTimer.start(delay);
    setState(State::Lost);
    emit connectionLost(reason, delay);
}

void EngineClient::takeRefusal(const QString& reason, bool isCutShort) {
    // Before the hello it is not our engine at all: a shell's greeting, another program, another version.
    if (m_state != State::Ready)
        return giveUp(tr("This is no engine of Plumbline, since its first message cannot be used (%1): check "
                         "the engine command (%2)")
                          .arg(reason, commandText(m_command)));
    // A served engine says it again from its journal when the connection is back.
    if (isCutShort && m_attachment.isAttached()) return;
    if (++m_refusedInARow >= kRefusalsInARow)
        return giveUp(tr("The engine was ended: %1 of its messages in a row cannot be used (%2)")
                          .arg(m_refusedInARow)
                          .arg(reason));
    emit messageRefused(reason);
}

void EngineClient::sayLate() {
    const QString waited = durationText(m_lateTimer.interval()), most = durationText(m_helloTimer.interval());
    const QString said = m_process.lastErrorLine();
    emit late(said.isEmpty()
                  ? tr("The engine has said nothing for %1 and is waited for until %2 have passed: check the "
                       "engine command (%3) where it stays silent")
                        .arg(waited, most, commandText(m_command))
                  : tr("The engine has not answered for %1 and is waited for until %2 have passed; it last "
                       "said: %3")
                        .arg(waited, most, toText(plainLine(said.toStdString()))));
}

void EngineClient::takeEnd(const QString& reason) {
    if (m_state == State::Off) return;
    if (m_attachment.isAttached() && !m_takenOver) return lose(reason);
    forgetProcess();
    setState(State::Off);
    emit ended(m_takenOver ? tr("Another window is attached to this engine now") : reason);
}

void EngineClient::giveUp(const QString& reason) {
    if (m_state == State::Off) return;
    forgetProcess();
    if (std::unique_ptr<QProcess> process = m_process.release())
        m_endedEngines.take(std::move(process), EndedEngines::Ending::Hangs);
    setState(State::Off);
    emit ended(reason);
}

void EngineClient::forgetProcess() {
    m_helloTimer.stop();
    m_lateTimer.stop();
    m_retryTimer.stop();
    m_attachment.reset();
    m_watch.reset();
    m_keeper = 0;
}

void EngineClient::end() {
    if (m_state != State::Off) shutDown(endingOfProcess());
}

EndedEngines::Ending EngineClient::endingOfProcess() const {
    using Ending = EndedEngines::Ending;
    if (m_attachment.isAttached()) return Ending::Away;  // what it has to save it saves by itself
    // One that writes a large state may well not have answered.
    if (keepsCheckpoints()) return Ending::Saves;
    return m_watch.isSilent() ? Ending::Hangs : Ending::Quits;
}

void EngineClient::shutDown(EndedEngines::Ending ending) {
    using Ending = EndedEngines::Ending;
    forgetProcess();
    if (ending != Ending::Hangs) {
        protocol::Command quit;
        quit.id = ++m_lastId;
        quit.body = protocol::Quit{};
        m_process.write(quit);
    }
    // Nothing that this process still says counts.
    if (std::unique_ptr<QProcess> process = m_process.release())
        m_endedEngines.take(std::move(process), ending);
    setState(State::Off);
}

}  // namespace plumb::ui
