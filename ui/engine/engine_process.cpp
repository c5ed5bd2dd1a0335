// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/engine_process.h"

#include "ui/engine/event_parser.h"

#include <array>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace plumb::ui {
namespace {

constexpr qsizetype kErrorTailBytes = 4096;

}  // namespace

EngineProcess::EngineProcess() : m_parser(new EventParser) {
    m_parser->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_parser, &QObject::deleteLater);
    connect(m_parser, &EventParser::parsed, this, &EngineProcess::takeBatch);
    connect(m_parser, &EventParser::ended, this, &EngineProcess::takeEnd);
    m_thread.setObjectName(QStringLiteral("engine events"));
    m_thread.start();
}

EngineProcess::~EngineProcess() {
    m_thread.quit();
    m_thread.wait();
}

bool EngineProcess::start(const QStringList& command) {
    const int generation = ++m_generation;
    m_endReason.clear();
    m_errorOutput.clear();
    m_process = std::make_unique<QProcess>();
    QProcess* process = m_process.get();
    EventParser* parser = m_parser;
    // A pipe of our own, because QProcess reads without limit whatever arrives; a full pipe makes the engine
    // wait instead.
    std::array<int, 2> pipe{-1, -1};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
        emit failed(tr("The engine did not start (no pipe: %1)").arg(qt_error_string()));
        return false;
    }
    ::fcntl(pipe[0], F_SETFL, O_NONBLOCK);
    process->setProcessChannelMode(QProcess::ForwardedOutputChannel);
    process->setChildProcessModifier([out = pipe[1]] { ::dup2(out, STDOUT_FILENO); });
    QMetaObject::invokeMethod(
        parser, [parser, generation, in = pipe[0]] { parser->begin(generation, in); }, Qt::QueuedConnection);
    connectProcess();
    process->start(command.value(0), command.mid(1), QIODevice::ReadWrite);
    ::close(pipe[1]);  // the child has its own
    return generation == m_generation;
}

void EngineProcess::connectProcess() {
    QProcess* process = m_process.get();
    const auto takeErrorOutput = [this, process] {
        m_errorOutput = (m_errorOutput + process->readAllStandardError()).right(kErrorTailBytes);
    };
    connect(process, &QProcess::readyReadStandardError, this, takeErrorOutput);
    connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;  // every other end comes as finished()
        emit failed(tr("The engine did not start (%1): %2").arg(process->program(), process->errorString()));
    });
    connect(process, &QProcess::finished, this,
            [this, takeErrorOutput, parser = m_parser,
             generation = m_generation](int code, QProcess::ExitStatus status) {
                takeErrorOutput();
                if (m_endReason.isEmpty())
                    m_endReason = status == QProcess::CrashExit
                                      ? tr("The engine ended (signal %1)").arg(code)
                                      : tr("The engine ended (exit code %1)").arg(code);
                // What it said last is still in the pipe or in the parser; takeEnd() follows it.
                QMetaObject::invokeMethod(parser, [parser, generation] { parser->finish(generation); });
            });
}

QString EngineProcess::lastErrorLine() const {
    const QList<QByteArray> lines = m_errorOutput.trimmed().split('\n');
    return QString::fromUtf8(lines.last()).trimmed();
}

void EngineProcess::write(const protocol::Command& command) {
    if (!m_process || m_process->state() == QProcess::NotRunning) return;
    const std::string line = protocol::encode(command) + '\n';
    m_process->write(line.data(), static_cast<qint64>(line.size()));
}

std::unique_ptr<QProcess> EngineProcess::release() {
    ++m_generation;
    EventParser* parser = m_parser;
    QMetaObject::invokeMethod(parser, [parser] { parser->close(); });
    if (m_process) m_process->disconnect(this);
    return std::move(m_process);
}

void EngineProcess::takeBatch(int generation, const std::shared_ptr<const EventBatch>& batch) {
    for (const EventBatch::Item& item : batch->items) {
        // Whoever hears of an event may end the process.
        if (generation != m_generation) return;
        if (item.event)
            emit eventArrived(item.event);
        else
            emit messageRefused(item.refusal, item.isCutShort);
    }
    EventParser* parser = m_parser;
    QMetaObject::invokeMethod(parser, [parser, generation] { parser->proceed(generation); });
}

void EngineProcess::takeEnd(int generation) {
    if (generation != m_generation) return;
    const QString said = lastErrorLine();
    emit ended(said.isEmpty() ? m_endReason : tr("%1: %2").arg(m_endReason, said));
}

}  // namespace plumb::ui
