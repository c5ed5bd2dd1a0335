// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/engine_client.h"

#include "core/base/command_line.h"
#include "core/base/plain_text.h"
#include "core/base/program_version.h"
#include "ui/theme/text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

#include <memory>
#include <string>
#include <vector>

namespace plumb::ui {
namespace {

constexpr int kLateMs = 5000;
constexpr int kHelloTimeoutMs = 30000;  // an engine behind ssh has a log-in to make
constexpr int kRefusalsInARow = 100;    // one now and then is survived

/// A source tree has the programs in folders of their own, an installation has them side by side.
QString findCli() {
    const QString name = QStringLiteral("plumbline-cli");
    const QDir here(QCoreApplication::applicationDirPath());
    for (const QString& place : {here.filePath(name), here.filePath(QStringLiteral("../cli/") + name)})
        if (QFileInfo(place).isExecutable()) return QDir::cleanPath(place);
    const QString inPath = QStandardPaths::findExecutable(name);
    return inPath.isEmpty() ? name : inPath;
}

QString durationText(int milliseconds) { return quantityText(milliseconds / 1000.0, "s"); }

}  // namespace

EngineClient::EngineClient(QObject* parent) : QObject(parent) {
    setCommand(QString());
    m_helloTimer.setSingleShot(true);
    m_helloTimer.setInterval(kHelloTimeoutMs);
    connect(&m_helloTimer, &QTimer::timeout, this, [this] {
        giveUp(tr("The engine did not answer within %1: check the engine command (%2)")
                   .arg(durationText(m_helloTimer.interval()), m_command.join(QLatin1Char(' '))));
    });
    m_lateTimer.setSingleShot(true);
    m_lateTimer.setInterval(kLateMs);
    connect(&m_lateTimer, &QTimer::timeout, this, &EngineClient::sayLate);
    connect(&m_process, &EngineProcess::eventArrived, this, &EngineClient::takeEvent);
    connect(&m_process, &EngineProcess::messageRefused, this, &EngineClient::takeRefusal);
    connect(&m_process, &EngineProcess::failed, this, &EngineClient::giveUp);
    connect(&m_process, &EngineProcess::ended, this, &EngineClient::takeEnd);
}

EngineClient::~EngineClient() { shutDown(); }

void EngineClient::setCommand(const QString& command) {
    const Result<std::vector<std::string>> words = splitCommandLine(command.toStdString());
    m_commandProblem = words.has_value() ? QString() : coreText(words.error().text());
    m_command.clear();
    if (!words.has_value()) return;
    for (const std::string& word : *words) m_command << toText(word);
    if (m_command.isEmpty()) m_command = {findCli(), QStringLiteral("engine")};
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
    shutDown();
    startProcess();
}

void EngineClient::startProcess() {
    m_refusedInARow = 0;
    setState(State::Starting);
    if (!m_commandProblem.isEmpty())
        return giveUp(tr("The engine command cannot be read (%1)").arg(m_commandProblem));
    m_helloTimer.start();
    m_lateTimer.start();
    if (!m_process.start(m_command)) return;
    protocol::Command hello;
    hello.id = ++m_lastId;
    hello.body = protocol::Hello{protocol::kVersion, programVersion()};
    m_process.write(hello);
}

std::int64_t EngineClient::send(const decltype(protocol::Command::body)& body) {
    if (m_state != State::Ready) return 0;
    protocol::Command command;
    command.id = ++m_lastId;
    command.body = body;
    m_process.write(command);
    m_watch.sent(body);
    if (const auto* run = std::get_if<protocol::Run>(&body); run && !run->checkpoints.folder.empty())
        m_keeper = command.id;
    return command.id;
}

void EngineClient::takeEvent(const EventPtr& event) {
    m_refusedInARow = 0;
    if (const auto* hello = std::get_if<protocol::Hello>(&event->body)) {
        if (hello->version != protocol::kVersion)
            return giveUp(
                tr("The engine is of another release (%1), which speaks version %2 of the protocol, and this "
                   "window version %3: install the same Plumbline on both sides")
                    .arg(toText(plainLine(hello->program)))
                    .arg(hello->version)
                    .arg(protocol::kVersion));
        m_helloTimer.stop();
        m_lateTimer.stop();
        if (m_state == State::Starting) setState(State::Ready);
        return;
    }
    if (m_state == State::Starting)
        return giveUp(tr("The engine did not say hello first: check the engine command (%1)")
                          .arg(m_command.join(QLatin1Char(' '))));
    const auto* state = std::get_if<protocol::State>(&event->body);
    const bool idle = std::holds_alternative<protocol::Finished>(event->body) ||
                      (state && state->state == protocol::EngineState::Idle);
    if (idle && event->id == m_keeper) m_keeper = 0;
    const int generation = m_process.generation();
    m_watch.heard(*event);
    if (generation == m_process.generation()) emit eventArrived(event);
}

void EngineClient::takeRefusal(const QString& reason) {
    // Before the hello it is not our engine at all: a shell's greeting, another program, another version.
    if (m_state == State::Starting)
        return giveUp(tr("This is no engine of Plumbline, since its first message cannot be used (%1): check "
                         "the engine command (%2)")
                          .arg(reason, m_command.join(QLatin1Char(' '))));
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
                        .arg(waited, most, m_command.join(QLatin1Char(' ')))
                  : tr("The engine has not answered for %1 and is waited for until %2 have passed; it last "
                       "said: %3")
                        .arg(waited, most, toText(plainLine(said.toStdString()))));
}

void EngineClient::takeEnd(const QString& reason) {
    if (m_state == State::Off) return;
    forgetProcess();
    setState(State::Off);
    emit ended(reason);
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
    m_watch.reset();
    m_keeper = 0;
}

void EngineClient::end() {
    if (m_state != State::Off) shutDown();
}

void EngineClient::shutDown() {
    using Ending = EndedEngines::Ending;
    // One that writes a large state may well not have answered.
    const Ending ending = keepsCheckpoints()   ? Ending::Saves
                          : m_watch.isSilent() ? Ending::Hangs
                                               : Ending::Quits;
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
