// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QThreadPool>

#include <atomic>
#include <memory>
#include <utility>

namespace plumb::ui {

/// Runs one kind of work at a time off the GUI thread. A new job makes the results of earlier ones stale:
/// they are dropped, and a waiting job stays unbegun. The destructor waits for the one that runs.
class JobRunner final : public QObject {
    Q_OBJECT
public:
    explicit JobRunner(QObject* parent = nullptr) : QObject(parent) { m_pool.setMaxThreadCount(1); }
    ~JobRunner() override {
        cancel();
        m_pool.waitForDone();
    }

    /// `work` runs on the worker and must own what it needs; `done` gets its result on this object's thread.
    template <class Work, class Done>
    void run(Work work, Done done) {
        const std::uint64_t job = ++*m_current;
        m_busy = true;
        m_pool.start(
            [this, job, current = m_current, work = std::move(work), done = std::move(done)]() mutable {
                if (current->load() != job) return;
                // Safe although `this` is named: the destructor waits for the pool before the object goes.
                auto result = std::make_shared<decltype(work())>(work());
                QMetaObject::invokeMethod(
                    this,
                    [this, job, result, done = std::move(done)]() mutable {
                        if (m_current->load() != job) return;
                        m_busy = false;
                        done(std::move(*result));
                    },
                    Qt::QueuedConnection);
            });
    }
    void cancel() {
        ++*m_current;
        m_busy = false;
    }
    [[nodiscard]] bool busy() const { return m_busy; }

private:
    std::shared_ptr<std::atomic<std::uint64_t>> m_current = std::make_shared<std::atomic<std::uint64_t>>(0);
    QThreadPool m_pool;
    bool m_busy = false;
};

}  // namespace plumb::ui
