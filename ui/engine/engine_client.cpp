// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/engine_client.h"

#include "core/base/program_version.h"
#include "core/engine/patience.h"
#include "core/snapshot/snapshot.h"
#include "ui/engine/event_parser.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <unistd.h>

namespace plumb::ui {
namespace {

constexpr int kHelloTimeoutMs = 15000;  // an engine behind ssh has a log-in to make
constexpr int kQuitTimeoutMs = 2000;
constexpr int kFarewellMs = 300;  // the window is going: long enough to quit between two steps
/// Longer than the engine gives itself, so that it is its own end that comes.
constexpr int kSaveTimeoutMs = static_cast<int>(protocol::kPatienceToSave.count()) + kQuitTimeoutMs;
constexpr auto kSaves = "saves";  // property of a process
constexpr int kAnswerTimeoutMs = 5000;
constexpr int kSilenceTimeoutMs = 10000;
constexpr int kGapsOfSilence = 3;  // a training of slow steps may be silent for longer
constexpr qsizetype kErrorTailBytes = 4096;
constexpr int kRefusalsInARow = 100;  // one now and then is survived

/// A source tree has the programs in folders of their own, an installation has them side by side.
QString findCli() {
    const QString name = QStringLiteral("plumbline-cli");
    const QDir here(QCoreApplication::applicationDirPath());
    for (const QString& place : {here.filePath(name), here.filePath(QStringLiteral("../cli/") + name)})
        if (QFileInfo(place).isExecutable()) return QDir::cleanPath(place);
    const QString inPath = QStandardPaths::findExecutable(name);
    return inPath.isEmpty() ? name : inPath;
}

QString lastLine(const QByteArray& output) {
    const QList<QByteArray> lines = output.trimmed().split('\n');
    return lines.isEmpty() ? QString() : QString::fromUtf8(lines.last()).trimmed();
}

}  // namespace

EngineClient::EngineClient(QObject* parent)
    : QObject(parent), m_silenceMs(kSilenceTimeoutMs), m_quitMs(kQuitTimeoutMs) {
    setCommand(QString());
    m_answerTimer.setSingleShot(true);
    m_answerTimer.setInterval(kAnswerTimeoutMs);
    connect(&m_answerTimer, &QTimer::timeout, this, [this] { fallSilent(true, m_answerTimer.interval()); });
    m_silenceTimer.setSingleShot(true);
    connect(&m_silenceTimer, &QTimer::timeout, this,
            [this] { fallSilent(false, m_silenceTimer.interval()); });
    m_helloTimer.setSingleShot(true);
    m_helloTimer.setInterval(kHelloTimeoutMs);
    connect(&m_helloTimer, &QTimer::timeout, this, [this] {
        giveUp(tr("The engine did not answer within %1 s").arg(m_helloTimer.interval() / 1000.0));
    });
    m_parser = new EventParser;
    m_parser->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_parser, &QObject::deleteLater);
    connect(m_parser, &EventParser::parsed, this, &EngineClient::takeBatch);
    connect(m_parser, &EventParser::ended, this, &EngineClient::takeEnd);
    m_thread.setObjectName(QStringLiteral("engine events"));
    m_thread.start();
}

EngineClient::~EngineClient() {
    shutDown();
    const QDeadlineTimer farewell(std::min(kFarewellMs, m_quitMs));
    const QDeadlineTimer lastSave(kSaveTimeoutMs);
    const QList<QProcess*> processes = findChildren<QProcess*>();
    for (QProcess* process : processes) {
        process->disconnect(this);
        const QDeadlineTimer& deadline = process->property(kSaves).toBool() ? lastSave : farewell;
        process->waitForFinished(static_cast<int>(deadline.remainingTime()));
        process->kill();
    }
    for (QProcess* killed : processes) killed->waitForFinished(kQuitTimeoutMs);
    m_thread.quit();
    m_thread.wait();
}

void EngineClient::setCommand(const QString& command) {
    m_command = QProcess::splitCommand(command);
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
    const int generation = ++m_generation;
    m_endReason.clear();
    m_errorOutput.clear();
    m_refusedInARow = 0;
    m_process = std::make_unique<QProcess>();
    QProcess* process = m_process.get();
    EventParser* parser = m_parser;
    // A pipe of our own, because QProcess reads without limit whatever arrives; a full pipe makes the engine
    // wait instead.
    std::array<int, 2> pipe{-1, -1};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
        const QString why = qt_error_string();
        setState(State::Starting);
        return giveUp(tr("The engine did not start (no pipe: %1)").arg(why));
    }
    ::fcntl(pipe[0], F_SETFL, O_NONBLOCK);
    process->setProcessChannelMode(QProcess::ForwardedOutputChannel);
    process->setChildProcessModifier([out = pipe[1]] { ::dup2(out, STDOUT_FILENO); });
    QMetaObject::invokeMethod(
        parser, [parser, generation, in = pipe[0]] { parser->begin(generation, in); }, Qt::QueuedConnection);

    connect(process, &QProcess::readyReadStandardError, this, [this, process] {
        m_errorOutput = (m_errorOutput + process->readAllStandardError()).right(kErrorTailBytes);
    });
    connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;  // every other end comes as finished()
        giveUp(tr("The engine did not start (%1): %2").arg(m_command.value(0), process->errorString()));
    });
    connect(process, &QProcess::finished, this,
            [this, process, parser, generation](int code, QProcess::ExitStatus status) {
                m_errorOutput = (m_errorOutput + process->readAllStandardError()).right(kErrorTailBytes);
                if (m_endReason.isEmpty())
                    m_endReason = status == QProcess::CrashExit
                                      ? tr("The engine ended (signal %1)").arg(code)
                                      : tr("The engine ended (exit code %1)").arg(code);
                // What it said last is still in the pipe or in the parser; takeEnd() follows it.
                QMetaObject::invokeMethod(parser, [parser, generation] { parser->finish(generation); });
            });
    setState(State::Starting);
    m_helloTimer.start();
    process->start(m_command.value(0), m_command.mid(1), QIODevice::ReadWrite);
    ::close(pipe[1]);                        // the child has its own
    if (generation != m_generation) return;  // it did not start
    protocol::Command hello;
    hello.id = ++m_lastId;
    hello.body = protocol::Hello{protocol::kVersion, programVersion()};
    write(hello);
}

void EngineClient::write(const protocol::Command& command) {
    if (!m_process || m_process->state() == QProcess::NotRunning) return;
    const std::string line = protocol::encode(command) + '\n';
    m_process->write(line.data(), static_cast<qint64>(line.size()));
}

std::int64_t EngineClient::send(const decltype(protocol::Command::body)& body) {
    if (m_state != State::Ready) return 0;
    protocol::Command command;
    command.id = ++m_lastId;
    command.body = body;
    write(command);
    const bool awaited = std::holds_alternative<protocol::Pause>(body) ||
                         std::holds_alternative<protocol::Resume>(body) ||
                         std::holds_alternative<protocol::Stop>(body);
    if (awaited && !m_answerTimer.isActive()) m_answerTimer.start();
    if (const auto* run = std::get_if<protocol::Run>(&body); run && !run->checkpoints.folder.empty())
        m_keeper = command.id;
    return command.id;
}

void EngineClient::takeBatch(int generation, const std::shared_ptr<const EventBatch>& batch) {
    for (const EventBatch::Item& item : batch->items) {
        // Whoever hears of an event may end the process.
        if (generation != m_generation) return;
        if (item.event)
            takeEvent(item.event);
        else
            takeRefusal(item.refusal);
    }
    EventParser* parser = m_parser;
    QMetaObject::invokeMethod(parser, [parser, generation] { parser->proceed(generation); });
}

void EngineClient::takeEvent(const EventPtr& event) {
    m_refusedInARow = 0;
    if (const auto* hello = std::get_if<protocol::Hello>(&event->body)) {
        if (hello->version != protocol::kVersion)
            return giveUp(
                tr("The engine speaks protocol version %1 and this window version %2: use an engine of the "
                   "same release")
                    .arg(hello->version)
                    .arg(protocol::kVersion));
        m_helloTimer.stop();
        if (m_state == State::Starting) setState(State::Ready);
        return;
    }
    if (m_state == State::Starting)
        return giveUp(tr("The engine did not say hello first: check the engine command (%1)")
                          .arg(m_command.join(QLatin1Char(' '))));
    const int generation = m_generation;
    watch(*event);
    if (generation == m_generation) emit eventArrived(event);
}

void EngineClient::watch(const protocol::Event& event) {
    const auto* state = std::get_if<protocol::State>(&event.body);
    const bool finished = std::holds_alternative<protocol::Finished>(event.body);
    const bool answer = state || finished || std::holds_alternative<protocol::ErrorEvent>(event.body);
    const bool idle = finished || (state && state->state == protocol::EngineState::Idle);
    if (idle && event.id == m_keeper) m_keeper = 0;
    if (state || finished) {
        m_training = state && state->state == protocol::EngineState::Running;
        m_longestGapMs = 0;
        m_silenceTimer.stop();
    } else if (m_training) {  // how long the first step takes is not known
        m_longestGapMs = std::max(m_longestGapMs, m_sinceEvent.elapsed());
        m_silenceTimer.start(
            static_cast<int>(std::max<qint64>(m_silenceMs, kGapsOfSilence * m_longestGapMs)));
    }
    m_sinceEvent.start();
    const bool wasSilent = m_silent || m_commandWaits;
    m_silent = false;
    if (answer) {
        m_answerTimer.stop();
        m_commandWaits = false;
    }
    if (wasSilent && !m_commandWaits) emit answering();
}

void EngineClient::fallSilent(bool command, int milliseconds) {
    const bool said = m_silent || m_commandWaits;
    (command ? m_commandWaits : m_silent) = true;
    if (!said) emit silent(milliseconds);
}

void EngineClient::stopTimers() {
    m_helloTimer.stop();
    m_answerTimer.stop();
    m_silenceTimer.stop();
    m_training = m_commandWaits = m_silent = false;
    m_keeper = 0;
}

void EngineClient::takeRefusal(const QString& reason) {
    // Before the hello it is not our engine at all: a shell's greeting, another program, another version.
    if (m_state == State::Starting)
        return giveUp(tr("The engine's first message cannot be used (%1): check the engine command (%2)")
                          .arg(reason, m_command.join(QLatin1Char(' '))));
    if (++m_refusedInARow >= kRefusalsInARow)
        return giveUp(tr("The engine was ended: %1 of its messages in a row cannot be used (%2)")
                          .arg(m_refusedInARow)
                          .arg(reason));
    emit messageRefused(reason);
}

void EngineClient::takeEnd(int generation) {
    if (generation != m_generation || m_state == State::Off) return;
    stopTimers();
    const QString said = lastLine(m_errorOutput);
    const QString reason = said.isEmpty() ? m_endReason : tr("%1: %2").arg(m_endReason, said);
    setState(State::Off);
    emit ended(reason);
}

void EngineClient::giveUp(const QString& reason) {
    if (m_state == State::Off) return;
    stopTimers();
    ++m_generation;  // nothing that this process still says counts
    closePipe();
    if (m_process) {
        m_process->disconnect(this);
        // This may run inside one of its signals, and a killed process is gone only when it says so.
        QProcess* process = m_process.release();
        process->setParent(this);
        connect(process, &QProcess::finished, process, &QObject::deleteLater);
        if (process->state() == QProcess::NotRunning) process->deleteLater();
        process->kill();
    }
    setState(State::Off);
    emit ended(reason);
}

void EngineClient::closePipe() {
    EventParser* parser = m_parser;
    QMetaObject::invokeMethod(parser, [parser] { parser->close(); });
}

void EngineClient::end() {
    if (m_state != State::Off) shutDown();
}

void EngineClient::killSaving() {
    const QList<QProcess*> processes = findChildren<QProcess*>();
    for (QProcess* process : processes)
        if (process->property(kSaves).toBool()) process->kill();
}

void EngineClient::shutDown() {
    const bool saves = keepsCheckpoints();
    // One that writes a large state may well not have answered.
    const bool hangs = !saves && (m_silent || m_commandWaits);
    stopTimers();
    ++m_generation;
    closePipe();
    if (m_process) {
        m_process->disconnect(this);
        protocol::Command quit;
        quit.id = ++m_lastId;
        quit.body = protocol::Quit{};
        if (!hangs) write(quit);
        // It ends in its own time: the window neither waits for it nor hears of it any more.
        QProcess* process = m_process.release();
        process->setParent(this);
        connect(process, &QProcess::finished, process, &QObject::deleteLater);
        if (process->state() == QProcess::NotRunning) {
            process->deleteLater();
        } else if (hangs) {
            process->kill();
        } else {
            process->closeWriteChannel();
            process->closeReadChannel(QProcess::StandardError);
            if (saves) {
                process->setProperty(kSaves, true);
                ++m_saving;
                connect(process, &QProcess::finished, this, [this] {
                    if (--m_saving == 0) emit saved();
                });
            }
            QTimer::singleShot(saves ? kSaveTimeoutMs : m_quitMs, process, &QProcess::kill);
        }
    }
    setState(State::Off);
}

}  // namespace plumb::ui
