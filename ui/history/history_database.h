// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QString>
#include <QVariantList>

#include <functional>
#include <memory>
#include <span>

namespace plumb::ui {

/// One connection to a file of the history, in WAL mode and with every commit on the disk before it counts.
/// Belongs to the thread that opened it.
class HistoryDatabase final {
public:
    static constexpr int kApplicationId = 0x504C4248;  ///< "PLBH": of SQLite's header
    /// What another window may hold the file for, until a write gives up.
    static constexpr int kBusyMilliseconds = 20'000;

    /// Statements that lead from the schema version of their place (from 0) to the next one.
    using Migrations = std::span<const QStringList>;

    /// What opening found. A file that is damaged is moved beside itself, and a new one is begun.
    struct Opened {
        std::unique_ptr<HistoryDatabase> database;
        QString putAside;  ///< where the damaged file is now; empty: it was none
    };

    /// The file is made where there is none, and brought to the newest of `migrations`. Errors: Unavailable
    /// without SQLite's driver; BadInput for a file of another program or of a newer version; Io where the
    /// folder or file cannot be written.
    [[nodiscard]] static Result<Opened> open(const QString& path, Migrations migrations);

    ~HistoryDatabase();
    HistoryDatabase(const HistoryDatabase&) = delete;
    HistoryDatabase& operator=(const HistoryDatabase&) = delete;

    /// Runs one statement with its values. Errors: Io with the reason and the remedy.
    [[nodiscard]] Result<QSqlQuery> run(const QString& statement, const QVariantList& values = {});
    /// The first number of the first row; 0 where there is none.
    [[nodiscard]] Result<std::int64_t> number(const QString& statement, const QVariantList& values = {});
    /// Does `work` whole or not at all; nobody else writes meanwhile. Inside of another it is a part of that.
    [[nodiscard]] Result<void> transact(const std::function<Result<void>()>& work);
    /// A statement found that the file is damaged.
    [[nodiscard]] bool isDamaged() const { return m_isDamaged; }
    [[nodiscard]] const QString& path() const { return m_path; }

private:
    HistoryDatabase(QString path, QString connection);
    [[nodiscard]] Result<void> setUp();
    [[nodiscard]] Result<void> check();
    [[nodiscard]] Result<void> migrate(Migrations migrations);
    [[nodiscard]] Error errorOf(const QSqlError& problem);

    QString m_path;
    QString m_connection;
    QSqlDatabase m_database;
    bool m_isDamaged = false;
    bool m_isTransacting = false;
};

}  // namespace plumb::ui
