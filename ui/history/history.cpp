// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history.h"

#include "core/io/data_folder.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QSemaphore>

#include <chrono>
#include <utility>

namespace plumb::ui {
namespace {

/// Entries that were removed can be had back for so long.
constexpr std::chrono::milliseconds kRemovedKept = std::chrono::hours(24);

QString homePath() {
    const std::string folder = dataFolder();
    return folder.empty() ? QString() : QDir(toText(folder)).filePath(QStringLiteral("history.sqlite"));
}

}  // namespace

/// Lives on the thread; the store is made, used and closed there alone.
class History::Worker final : public QObject {
public:
    std::unique_ptr<HistoryStore> store;
    bool isTried = false;  ///< to open it
};

QString History::usualPath() {
    const QString asked = qEnvironmentVariable("PLUMBLINE_HISTORY");
    if (asked == QLatin1String("off")) return {};
    return asked.isEmpty() ? homePath() : asked;
}

History::History(QString path, QObject* parent)
    : QObject(parent), m_path(std::move(path)), m_worker(std::make_unique<Worker>()) {
    if (m_path.isEmpty())
        m_whyOff =
            qEnvironmentVariable("PLUMBLINE_HISTORY") == QLatin1String("off")
                ? tr("The history is off, because PLUMBLINE_HISTORY says so")
                : tr("The history is off: there is no home folder to keep it in; let PLUMBLINE_HISTORY "
                     "name a file");
    m_worker->moveToThread(&m_thread);
}

History::~History() {
    if (!m_thread.isRunning()) return;
    QMetaObject::invokeMethod(
        m_worker.get(),
        [this] {
            m_worker->store.reset();
            m_thread.quit();
        },
        Qt::QueuedConnection);
    m_thread.wait();
}

void History::post(std::function<void(HistoryStore*)> work) {
    if (m_path.isEmpty()) return;
    if (!m_thread.isRunning()) m_thread.start();
    QMetaObject::invokeMethod(
        m_worker.get(),
        [this, work = std::move(work)] {
            // One that turned out to be damaged is closed, so that it is opened anew and put aside.
            if (m_worker->store && m_worker->store->isDamaged()) {
                m_worker->store.reset();
                m_worker->isTried = false;
            }
            if (!std::exchange(m_worker->isTried, true)) open(*m_worker);
            work(m_worker->store.get());
        },
        Qt::QueuedConnection);
}

// On the worker's thread.
void History::open(Worker& worker) {
    Result<HistoryStore::Opened> opened = HistoryStore::open(m_path);
    QString why, notice;
    if (opened.has_value()) {
        worker.store = std::move(opened->store);
        if (!opened->putAside.isEmpty())
            notice = tr("The history was damaged, and a new one is begun. The damaged file is kept as %1")
                         .arg(opened->putAside);
        const std::int64_t now = QDateTime::currentMSecsSinceEpoch();
        (void)worker.store->forgetRemoved(now - kRemovedKept.count());
    } else {
        why = tr("The history is off. %1").arg(errorSentence(opened.error()));
    }
    QMetaObject::invokeMethod(
        this,
        [this, why, notice] {
            if (!notice.isEmpty()) emit warned(notice);
            if (why == m_whyOff) return;
            m_whyOff = why;
            if (!why.isEmpty()) emit warned(why);
            emit switched();
        },
        Qt::QueuedConnection);
}

void History::fail(const Error& error) {
    if (std::exchange(m_lastFailure, error.text()) != error.text()) emit failed(error);
}

void History::settle() {
    if (!m_thread.isRunning()) return;
    QSemaphore done;
    QMetaObject::invokeMethod(
        m_worker.get(), [&done] { done.release(); }, Qt::QueuedConnection);
    done.acquire();
}

}  // namespace plumb::ui
