// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_database.h"

#include "core/io/file_lock.h"
#include "ui/theme/text.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlError>
#include <QSqlRecord>
#include <QUuid>

#include <utility>

namespace plumb::ui {
namespace {

// Result codes of SQLite, of which the driver tells the number alone.
constexpr int kPrimaryCode = 0xFF;
constexpr int kBusy = 5, kReadOnly = 8, kCorrupt = 11, kFull = 13, kCannotOpen = 14, kNotADatabase = 26;
constexpr int kFirstRow = 0;

/// Moves the file and what belongs to it out of the way. Empty: it could not be moved.
QString putAside(const QString& path) {
    const QString stamp = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    QString target = QStringLiteral("%1.damaged-%2").arg(path, stamp);
    for (int other = 2; QFileInfo::exists(target); ++other)
        target = QStringLiteral("%1.damaged-%2-%3").arg(path, stamp).arg(other);
    if (!QFile::rename(path, target)) return {};
    for (const char* part : {"-wal", "-shm"})
        QFile::rename(path + QLatin1String(part), target + QLatin1String(part));
    return target;
}

QString damagedRemedy() {
    return tr("its next use puts it aside and begins a new one; move the file away where that fails");
}

Error historyError(ErrorCode code, const QString& message, const QString& hint) {
    return Error{code, message.toStdString(), hint.toStdString()};
}

}  // namespace

HistoryDatabase::HistoryDatabase(QString path, QString connection)
    : m_path(std::move(path)), m_connection(std::move(connection)) {
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
    m_database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(kBusyMilliseconds));
    m_database.setDatabaseName(m_path);
}

HistoryDatabase::~HistoryDatabase() {
    m_database.close();
    m_database = {};
    QSqlDatabase::removeDatabase(m_connection);
}

Result<HistoryDatabase::Opened> HistoryDatabase::open(const QString& path, Migrations migrations) {
    if (!QSqlDatabase::isDriverAvailable(QStringLiteral("QSQLITE")))
        return historyError(ErrorCode::Unavailable, tr("Qt's driver for SQLite is missing"),
                            tr("install libqt6sql6-sqlite"));
    const QString folder = QFileInfo(path).absolutePath();
    if (!QDir().mkpath(folder))
        return historyError(ErrorCode::Io, tr("The folder %1 cannot be made").arg(folder),
                            tr("make it, or let PLUMBLINE_HISTORY name a file elsewhere"));
    // Of two windows that find the same damaged file, one moves it.
    PLUMB_TRY(const FileLock lock, FileLock::acquire((path + QStringLiteral(".lock")).toStdString()));
    Opened opened;
    for (int attempt = 0; attempt < 2; ++attempt) {
        const QString connection = QUuid::createUuid().toString(QUuid::WithoutBraces);
        opened.database.reset(new HistoryDatabase(path, connection));
        Result<void> ready = opened.database->setUp();
        if (ready.has_value()) ready = opened.database->migrate(migrations);
        if (ready.has_value()) ready = opened.database->check();
        if (ready.has_value()) return opened;
        const bool isDamaged = opened.database->isDamaged();
        opened.database.reset();
        if (!isDamaged || !opened.putAside.isEmpty()) return ready.error();
        opened.putAside = putAside(path);
        if (opened.putAside.isEmpty()) return ready.error();
    }
    return historyError(ErrorCode::Internal, tr("The history %1 could not be opened").arg(path),
                        tr("let PLUMBLINE_HISTORY name another file"));
}

Result<void> HistoryDatabase::setUp() {
    if (!m_database.open()) return errorOf(m_database.lastError());
    PLUMB_TRY(const std::int64_t application, number(QStringLiteral("PRAGMA application_id")));
    PLUMB_TRY(const std::int64_t tables, number(QStringLiteral("SELECT count(*) FROM sqlite_schema")));
    if (application != kApplicationId && (application != 0 || tables > 0))
        return historyError(ErrorCode::BadInput, tr("%1 is a database of another program").arg(m_path),
                            tr("let PLUMBLINE_HISTORY name another file"));
    // Pages that are no longer needed can be given back; it must be said before the first table.
    PLUMB_CHECK(run(QStringLiteral("PRAGMA auto_vacuum=INCREMENTAL")));
    PLUMB_CHECK(run(QStringLiteral("PRAGMA trusted_schema=OFF")));
    PLUMB_CHECK(run(QStringLiteral("PRAGMA foreign_keys=ON")));
    PLUMB_CHECK(run(QStringLiteral("PRAGMA journal_mode=WAL")));
    PLUMB_CHECK(run(QStringLiteral("PRAGMA synchronous=FULL")));
    return {};
}

// The snapshots, which are nearly all of the file, are not read: each is checked when it is opened.
Result<void> HistoryDatabase::check() {
    for (const char* table : {"entries", "figures", "tags"}) {
        PLUMB_TRY(QSqlQuery said, run(QStringLiteral("PRAGMA quick_check(%1)").arg(QLatin1String(table))));
        if (said.next() && said.value(kFirstRow).toString() != QLatin1String("ok")) {
            m_isDamaged = true;
            return historyError(ErrorCode::BadInput, tr("The history %1 is damaged").arg(m_path),
                                damagedRemedy());
        }
    }
    return {};
}

Result<void> HistoryDatabase::migrate(Migrations migrations) {
    const auto newest = static_cast<std::int64_t>(migrations.size());
    // An exclusive turn: of two windows that begin at once, one migrates.
    return transact([&]() -> Result<void> {
        PLUMB_TRY(const std::int64_t version, number(QStringLiteral("PRAGMA user_version")));
        if (version > newest)
            return historyError(
                ErrorCode::BadInput,
                tr("The history %1 was written by a newer Plumbline (version %2 of its form, and this one "
                   "knows %3)")
                    .arg(m_path)
                    .arg(version)
                    .arg(newest),
                tr("install the newer Plumbline, or let PLUMBLINE_HISTORY name another file"));
        if (version == newest) return {};
        for (std::int64_t step = version; step < newest; ++step)
            for (const QString& statement : migrations[static_cast<std::size_t>(step)])
                PLUMB_CHECK(run(statement));
        PLUMB_CHECK(run(QStringLiteral("PRAGMA application_id=%1").arg(kApplicationId)));
        PLUMB_CHECK(run(QStringLiteral("PRAGMA user_version=%1").arg(newest)));
        return {};
    });
}

Result<QSqlQuery> HistoryDatabase::run(const QString& statement, const QVariantList& values) {
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    if (!query.prepare(statement)) return errorOf(query.lastError());
    for (const QVariant& value : values) query.addBindValue(value);
    if (!query.exec()) return errorOf(query.lastError());
    return query;
}

Result<std::int64_t> HistoryDatabase::number(const QString& statement, const QVariantList& values) {
    PLUMB_TRY(QSqlQuery query, run(statement, values));
    return query.next() ? query.value(kFirstRow).toLongLong() : std::int64_t{0};
}

Result<void> HistoryDatabase::transact(const std::function<Result<void>()>& work) {
    if (m_isTransacting) return work();
    PLUMB_CHECK(run(QStringLiteral("BEGIN IMMEDIATE")));
    m_isTransacting = true;
    Result<void> done = work();
    m_isTransacting = false;
    if (done.has_value()) {
        const Result<QSqlQuery> committed = run(QStringLiteral("COMMIT"));
        if (committed.has_value()) return {};
        done = committed.error();
    }
    // After some errors there is no transaction any more, and this fails: nothing is left to be undone.
    (void)run(QStringLiteral("ROLLBACK"));
    return done;
}

Error HistoryDatabase::errorOf(const QSqlError& problem) {
    const int code = problem.nativeErrorCode().toInt() & kPrimaryCode;
    const QString reason = problem.databaseText();
    if (code == kCorrupt || code == kNotADatabase) {
        m_isDamaged = true;
        return historyError(ErrorCode::BadInput, tr("The history %1 is damaged (%2)").arg(m_path, reason),
                            damagedRemedy());
    }
    const QString message = tr("The history %1 could not be used (%2)").arg(m_path, reason);
    switch (code) {
    case kBusy:
        return historyError(ErrorCode::Io, message, tr("another window holds it: try again"));
    case kFull:
        return historyError(ErrorCode::Io, message, tr("make room on the disk"));
    case kReadOnly:
    case kCannotOpen:
        return historyError(
            ErrorCode::Io, message,
            tr("make the file and its folder writable, or let PLUMBLINE_HISTORY name another file"));
    default:
        return historyError(ErrorCode::Io, message, tr("see whether the disk is full or fails"));
    }
}

}  // namespace plumb::ui
