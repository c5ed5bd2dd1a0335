// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/ended_engines.h"

#include "core/engine/patience.h"

#include <QDeadlineTimer>
#include <QTimer>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kQuitTimeoutMs = 2000;
constexpr int kFarewellMs = 300;  // the window is going: long enough to quit between two steps
/// Longer than the engine gives itself, so that it is its own end that comes.
constexpr int kSaveTimeoutMs = static_cast<int>(protocol::kPatienceToSave.count()) + kQuitTimeoutMs;
constexpr auto kSaves = "saves";  // property of a process
constexpr auto kAway = "away";

}  // namespace

EndedEngines::EndedEngines() : m_quitMs(kQuitTimeoutMs) {}

EndedEngines::~EndedEngines() {
    const QDeadlineTimer farewell(std::min(kFarewellMs, m_quitMs));
    const QDeadlineTimer farAway(m_quitMs);
    const QDeadlineTimer lastSave(kSaveTimeoutMs);
    const QList<QProcess*> processes = findChildren<QProcess*>();
    for (QProcess* process : processes) {
        process->disconnect(this);
        const QDeadlineTimer& deadline = process->property(kSaves).toBool()  ? lastSave
                                         : process->property(kAway).toBool() ? farAway
                                                                             : farewell;
        process->waitForFinished(static_cast<int>(deadline.remainingTime()));
        process->kill();
    }
    for (QProcess* killed : processes) killed->waitForFinished(kQuitTimeoutMs);
}

void EndedEngines::take(std::unique_ptr<QProcess> process, Ending ending) {
    QProcess* ended = process.release();
    ended->setParent(this);
    // This may run inside one of its signals, and a killed process is gone only when it says so.
    connect(ended, &QProcess::finished, ended, &QObject::deleteLater);
    if (ended->state() == QProcess::NotRunning) return ended->deleteLater();
    if (ending == Ending::Hangs) return ended->kill();
    ended->closeWriteChannel();
    ended->closeReadChannel(QProcess::StandardError);
    ended->setProperty(kAway, ending == Ending::Away);
    if (ending == Ending::Saves) {
        ended->setProperty(kSaves, true);
        ++m_saving;
        connect(ended, &QProcess::finished, this, [this] {
            if (--m_saving == 0) emit saved();
        });
    }
    QTimer::singleShot(ending == Ending::Saves ? kSaveTimeoutMs : m_quitMs, ended, &QProcess::kill);
}

void EndedEngines::killSaving() {
    const QList<QProcess*> processes = findChildren<QProcess*>();
    for (QProcess* process : processes)
        if (process->property(kSaves).toBool()) process->kill();
}

}  // namespace plumb::ui
