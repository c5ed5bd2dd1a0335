// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/history/history_store.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QThread>

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace plumb::ui {

/// The history of this window: a store on a thread of its own, so that neither a disk nor another window
/// holds this one up. It is opened when it is first asked. Where it cannot be opened it is off, and says why.
/// The destructor waits for all that was asked.
class History final : public QObject {
    Q_OBJECT
public:
    /// The file that PLUMBLINE_HISTORY names, else history.sqlite in the data folder. Empty: there is no
    /// home, or the variable says "off".
    [[nodiscard]] static QString usualPath();

    explicit History(QString path = usualPath(), QObject* parent = nullptr);
    ~History() override;

    [[nodiscard]] const QString& path() const { return m_path; }
    /// Why nothing is kept, a sentence without a full stop; empty: it is on, as far as is known.
    [[nodiscard]] const QString& whyOff() const { return m_whyOff; }

    /// Runs `work(HistoryStore&)`, a Result<T>, after all that was asked before. `done(T)`, without an
    /// argument for void, is called on this thread where `context` still is there; errors are failed().
    template <class Work, class Done>
    void ask(QObject* context, Work work, Done done) {
        using Answer = std::invoke_result_t<Work, HistoryStore&>;
        post([this, context = QPointer<QObject>(context), work = std::move(work),
              done = std::move(done)](HistoryStore* store) mutable {
            if (store == nullptr) return;
            auto answer = std::make_shared<Answer>(work(*store));
            QMetaObject::invokeMethod(
                this,
                [this, context, answer, done = std::move(done)] {
                    if (!answer->has_value()) return fail(answer->error());
                    m_lastFailure.clear();
                    if (context.isNull()) return;
                    if constexpr (std::is_same_v<Answer, Result<void>>)
                        done();
                    else
                        done(std::move(answer->value()));
                },
                Qt::QueuedConnection);
        });
    }
    /// A change of what is kept: ask(), and then changed().
    template <class Work>
    void change(Work work) {
        ask(this, std::move(work), [this](auto&&...) { emit changed(); });
    }
    /// Waits until all that was asked is done: before the window goes, and in tests.
    void settle();

signals:
    void changed();   ///< this window wrote
    void switched();  ///< whyOff()
    void failed(const plumb::Error& error);
    void noticed(const QString& message);
    void warned(const QString& message);  ///< something is wrong with the file, without a full stop

private:
    class Worker;
    /// `work` gets null where there is no store.
    void post(std::function<void(HistoryStore*)> work);
    void open(Worker& worker);
    /// Tells it once, not again for every change that fails for the same reason.
    void fail(const Error& error);

    QString m_path;
    QString m_whyOff;
    std::string m_lastFailure;
    QThread m_thread;
    std::unique_ptr<Worker> m_worker;
};

}  // namespace plumb::ui
