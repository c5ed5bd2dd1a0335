// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_store.h"

#include "ui/history/history_schema.h"

#include <QDateTime>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace plumb::ui {
namespace {

/// Columns of an entry in their order here, without its id.
const QStringList& entryColumns() {
    static const QStringList kColumns{
        QStringLiteral("uid"),     QStringLiteral("kind"),          QStringLiteral("began"),
        QStringLiteral("ended"),   QStringLiteral("program"),       QStringLiteral("title"),
        QStringLiteral("config"),  QStringLiteral("config_key"),    QStringLiteral("device_id"),
        QStringLiteral("device"),  QStringLiteral("device_source"), QStringLiteral("engine"),
        QStringLiteral("outcome"), QStringLiteral("steps"),         QStringLiteral("path"),
        QStringLiteral("note"),    QStringLiteral("favourite")};
    return kColumns;
}
/// Columns of those that the user, and not the run, has the say of: the last ones.
constexpr int kOfTheUser = 3;

/// A text that is null in Qt is NULL in SQL, which no column takes.
QString notNull(const QString& text) { return text.isNull() ? QLatin1String("") : text; }

QVariantList valuesOf(const HistoryEntry& entry) {
    return {entry.uid,
            historyKindWord(entry.kind),
            QVariant::fromValue<qlonglong>(entry.began),
            QVariant::fromValue<qlonglong>(entry.ended),
            notNull(entry.program),
            notNull(entry.title),
            notNull(entry.config),
            notNull(entry.configKey),
            notNull(entry.deviceId),
            notNull(entry.device),
            notNull(entry.deviceSource),
            notNull(entry.engine),
            notNull(entry.outcome),
            QVariant::fromValue<qlonglong>(entry.steps),
            notNull(entry.path),
            notNull(entry.note),
            entry.isFavourite ? 1 : 0};
}

/// Of a row of id, the columns, and the bytes of the snapshot.
HistoryEntry entryOf(const QSqlQuery& row) {
    int at = 0;
    const auto text = [&] { return row.value(at++).toString(); };
    const auto whole = [&] { return row.value(at++).toLongLong(); };
    HistoryEntry entry;
    entry.id = whole();
    entry.uid = text();
    entry.kind = historyKindOf(text()).value_or(HistoryKind::Training);
    entry.began = whole();
    entry.ended = whole();
    entry.program = text();
    entry.title = text();
    entry.config = text();
    entry.configKey = text();
    entry.deviceId = text();
    entry.device = text();
    entry.deviceSource = text();
    entry.engine = text();
    entry.outcome = text();
    entry.steps = whole();
    entry.path = text();
    entry.note = text();
    entry.isFavourite = whole() != 0;
    entry.snapshotBytes = whole();
    return entry;
}

QVariant boxed(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? QVariant(*value) : QVariant(QMetaType(QMetaType::Double));
}

std::optional<double> unboxed(const QVariant& value) {
    return value.isNull() ? std::nullopt : std::optional(value.toDouble());
}

QVariant boxed(std::int64_t value) { return QVariant::fromValue<qlonglong>(value); }

const QString& boundOfBytes() {
    static const QString kName = QStringLiteral("bytes");
    return kName;
}
const QString& boundOfEntries() {
    static const QString kName = QStringLiteral("entries");
    return kName;
}

using EntryPlaces = std::unordered_map<std::int64_t, std::size_t>;

EntryPlaces placesOf(const std::vector<HistoryEntry>& entries) {
    EntryPlaces places;
    places.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) places.emplace(entries[i].id, i);
    return places;
}

Result<void> readFigures(HistoryDatabase& database, std::vector<HistoryEntry>& entries) {
    const EntryPlaces places = placesOf(entries);
    PLUMB_TRY(QSqlQuery rows,
              database.run(
                  QStringLiteral("SELECT entry,name,measured,value,unit,tier,source,low,high FROM figures")));
    while (rows.next()) {
        int at = 0;
        const auto place = places.find(rows.value(at++).toLongLong());
        if (place == places.end()) continue;
        HistoryFigure figure;
        figure.name = rows.value(at++).toString();
        figure.isMeasured = rows.value(at++).toBool();
        figure.value = rows.value(at++).toDouble();
        figure.unit = rows.value(at++).toString();
        figure.tier = rows.value(at++).toString();
        figure.source = rows.value(at++).toString();
        figure.low = unboxed(rows.value(at++));
        figure.high = unboxed(rows.value(at++));
        entries[place->second].figures.push_back(std::move(figure));
    }
    return {};
}

Result<void> readTags(HistoryDatabase& database, std::vector<HistoryEntry>& entries) {
    const EntryPlaces places = placesOf(entries);
    PLUMB_TRY(QSqlQuery rows, database.run(QStringLiteral("SELECT entry,tag FROM tags ORDER BY entry,tag")));
    while (rows.next())
        if (const auto place = places.find(rows.value(0).toLongLong()); place != places.end())
            entries[place->second].tags << rows.value(1).toString();
    return {};
}

Result<HistoryBounds> boundsOf(HistoryDatabase& database) {
    HistoryBounds bounds;
    PLUMB_TRY(QSqlQuery rows, database.run(QStringLiteral("SELECT name,value FROM bounds")));
    while (rows.next())
        (rows.value(0).toString() == boundOfBytes() ? bounds.bytes : bounds.entries) =
            rows.value(1).toLongLong();
    return bounds;
}

Result<std::int64_t> bytesUsed(HistoryDatabase& database) {
    PLUMB_TRY(const std::int64_t pages, database.number(QStringLiteral("PRAGMA page_count")));
    PLUMB_TRY(const std::int64_t unused, database.number(QStringLiteral("PRAGMA freelist_count")));
    PLUMB_TRY(const std::int64_t size, database.number(QStringLiteral("PRAGMA page_size")));
    return (pages - unused) * size;
}

Result<std::int64_t> countEntries(HistoryDatabase& database) {
    return database.number(QStringLiteral("SELECT count(*) FROM entries WHERE removed=0"));
}

/// Those of entries that were not removed.
Result<std::int64_t> countSnapshots(HistoryDatabase& database) {
    return database.number(
        QStringLiteral("SELECT count(*) FROM snapshots JOIN entries ON id=entry WHERE removed=0"));
}

}  // namespace

Result<HistoryStore::Opened> HistoryStore::open(const QString& path) {
    PLUMB_TRY(HistoryDatabase::Opened opened, HistoryDatabase::open(path, historyMigrations()));
    Opened result;
    result.putAside = opened.putAside;
    result.store.reset(new HistoryStore(std::move(opened.database)));
    return result;
}

Result<std::int64_t> HistoryStore::idOf(const QString& uid) {
    return m_database->number(QStringLiteral("SELECT id FROM entries WHERE uid = ?"), {uid});
}

Result<std::int64_t> HistoryStore::write(const HistoryEntry& entry, const QByteArray& packed,
                                         std::int64_t id) {
    QVariantList values = valuesOf(entry);
    const QStringList& columns = entryColumns();
    if (id == 0) {
        const QString marks = QStringList(columns.size(), QStringLiteral("?")).join(QLatin1Char(','));
        PLUMB_TRY(const QSqlQuery added,
                  m_database->run(QStringLiteral("INSERT INTO entries (%1) VALUES (%2)")
                                      .arg(columns.join(QLatin1Char(',')), marks),
                                  values));
        id = added.lastInsertId().toLongLong();
        PLUMB_CHECK(writeTags(id, entry.tags));
    } else {
        const auto ofTheRun = columns.size() - kOfTheUser;
        const QString set = columns.mid(0, ofTheRun).join(QStringLiteral("=?,"));
        values = values.mid(0, ofTheRun);
        values << boxed(id);
        PLUMB_CHECK(m_database->run(QStringLiteral("UPDATE entries SET %1=? WHERE id=?").arg(set), values));
        PLUMB_CHECK(m_database->run(QStringLiteral("DELETE FROM figures WHERE entry=?"), {boxed(id)}));
        PLUMB_CHECK(m_database->run(QStringLiteral("DELETE FROM snapshots WHERE entry=?"), {boxed(id)}));
    }
    for (const HistoryFigure& figure : entry.figures) {
        if (!std::isfinite(figure.value)) continue;
        PLUMB_CHECK(m_database->run(
            QStringLiteral("INSERT OR REPLACE INTO figures VALUES (?,?,?,?,?,?,?,?,?)"),
            {boxed(id), figure.name, figure.isMeasured ? 1 : 0, figure.value, notNull(figure.unit),
             notNull(figure.tier), notNull(figure.source), boxed(figure.low), boxed(figure.high)}));
    }
    if (!packed.isEmpty())
        PLUMB_CHECK(
            m_database->run(QStringLiteral("INSERT INTO snapshots VALUES (?,?)"), {boxed(id), packed}));
    return id;
}

Result<std::int64_t> HistoryStore::put(const HistoryEntry& entry, const QByteArray& packed) {
    std::int64_t id = 0;
    const Result<void> done = m_database->transact([&]() -> Result<void> {
        PLUMB_TRY(const std::int64_t known, idOf(entry.uid));
        PLUMB_TRY(id, write(entry, packed, known));
        return keepBounds(id);
    });
    if (!done.has_value()) return done.error();
    PLUMB_CHECK(shrink());
    return id;
}

Result<void> HistoryStore::writeTags(std::int64_t id, const QStringList& tags) {
    for (const QString& tag : tags)
        if (!tag.isEmpty())
            PLUMB_CHECK(
                m_database->run(QStringLiteral("INSERT OR IGNORE INTO tags VALUES (?,?)"), {boxed(id), tag}));
    return {};
}

Result<std::vector<HistoryEntry>> HistoryStore::entries() {
    std::vector<HistoryEntry> entries;
    // One moment for all three: another window may write between two of them.
    PLUMB_CHECK(m_database->run(QStringLiteral("BEGIN")));
    const auto read = [&]() -> Result<void> {
        PLUMB_TRY(QSqlQuery rows,
                  m_database->run(QStringLiteral("SELECT id,%1,ifnull(length(packed),0) FROM entries "
                                                 "LEFT JOIN snapshots ON entry=id WHERE removed=0 "
                                                 "ORDER BY began DESC, id DESC")
                                      .arg(entryColumns().join(QLatin1Char(',')))));
        while (rows.next()) entries.push_back(entryOf(rows));
        PLUMB_CHECK(readFigures(*m_database, entries));
        return readTags(*m_database, entries);
    };
    const Result<void> done = read();
    PLUMB_CHECK(m_database->run(QStringLiteral("COMMIT")));
    if (!done.has_value()) return done.error();
    return entries;
}

Result<QByteArray> HistoryStore::snapshot(std::int64_t id) {
    PLUMB_TRY(QSqlQuery row,
              m_database->run(QStringLiteral("SELECT packed FROM snapshots WHERE entry=?"), {boxed(id)}));
    return row.next() ? row.value(0).toByteArray() : QByteArray();
}

Result<void> HistoryStore::say(const Ids& ids, Said what, const QVariant& value) {
    const char* const column = what == Said::Favourite ? "favourite" : what == Said::Note ? "note" : "path";
    const QVariant said =
        what == Said::Favourite ? QVariant(value.toBool() ? 1 : 0) : QVariant(notNull(value.toString()));
    return m_database->transact([&]() -> Result<void> {
        for (const std::int64_t id : ids)
            PLUMB_CHECK(m_database->run(
                QStringLiteral("UPDATE entries SET %1=? WHERE id=?").arg(QLatin1String(column)),
                {said, boxed(id)}));
        return {};
    });
}

Result<void> HistoryStore::changeTags(const Ids& ids, const QStringList& added, const QStringList& removed) {
    return m_database->transact([&]() -> Result<void> {
        for (const std::int64_t id : ids) {
            for (const QString& tag : removed)
                PLUMB_CHECK(m_database->run(QStringLiteral("DELETE FROM tags WHERE entry=? AND tag=?"),
                                            {boxed(id), tag}));
            PLUMB_CHECK(writeTags(id, added));
        }
        return {};
    });
}

Result<void> HistoryStore::setRemoved(const Ids& ids, bool isRemoved) {
    const std::int64_t when = isRemoved ? QDateTime::currentMSecsSinceEpoch() : 0;
    return m_database->transact([&]() -> Result<void> {
        for (const std::int64_t id : ids)
            PLUMB_CHECK(m_database->run(QStringLiteral("UPDATE entries SET removed=? WHERE id=?"),
                                        {boxed(when), boxed(id)}));
        return {};
    });
}

Result<void> HistoryStore::forgetRemoved(std::int64_t before) {
    const Result<void> done = m_database->transact([&]() -> Result<void> {
        PLUMB_CHECK(m_database->run(QStringLiteral("DELETE FROM entries WHERE removed>0 AND removed<?"),
                                    {boxed(before)}));
        return {};
    });
    if (!done.has_value()) return done.error();
    return shrink();
}

Result<HistoryUsage> HistoryStore::usage() {
    HistoryUsage usage;
    PLUMB_TRY(usage.bytes, bytesUsed(*m_database));
    PLUMB_TRY(usage.entries, countEntries(*m_database));
    PLUMB_TRY(usage.snapshots, m_database->number(QStringLiteral("SELECT count(*) FROM snapshots")));
    PLUMB_TRY(usage.bounds, boundsOf(*m_database));
    return usage;
}

Result<void> HistoryStore::together(const std::function<Result<void>()>& work) {
    return m_database->transact(work);
}

Result<HistoryLoss> HistoryStore::setBounds(const HistoryBounds& bounds) {
    HistoryLoss loss;
    const Result<void> done = m_database->transact([&]() -> Result<void> {
        PLUMB_TRY(loss, bound(bounds));
        return {};
    });
    if (!done.has_value()) return done.error();
    PLUMB_CHECK(shrink());
    return loss;
}

// Done and taken back: no other way knows how many pages of the file are left by what goes.
Result<HistoryLoss> HistoryStore::lossBy(const HistoryBounds& bounds) {
    std::optional<HistoryLoss> loss;
    const Result<void> takenBack = m_database->transact([&]() -> Result<void> {
        PLUMB_TRY(loss, bound(bounds));
        return badInput("only asked", "set them");
    });
    if (!loss) return takenBack.error();
    return *loss;
}

Result<HistoryLoss> HistoryStore::bound(const HistoryBounds& bounds) {
    const QString set = QStringLiteral("INSERT OR REPLACE INTO bounds VALUES (?,?)");
    PLUMB_CHECK(m_database->run(set, {boundOfBytes(), boxed(bounds.bytes)}));
    PLUMB_CHECK(m_database->run(set, {boundOfEntries(), boxed(bounds.entries)}));
    HistoryLoss loss;
    PLUMB_TRY(const std::int64_t all, countEntries(*m_database));
    PLUMB_TRY(
        QSqlQuery surplus,
        m_database->run(QStringLiteral("SELECT id, ifnull(length(packed),0) FROM entries "
                                       "LEFT JOIN snapshots ON entry=id WHERE removed=0 AND favourite=0 "
                                       "ORDER BY began, id LIMIT ?"),
                        {boxed(std::max(std::int64_t{0}, all - bounds.entries))}));
    while (surplus.next()) {
        loss.removed.push_back(surplus.value(0).toLongLong());
        loss.removedBytes += surplus.value(1).toLongLong();
    }
    PLUMB_CHECK(setRemoved(loss.removed, true));
    PLUMB_TRY(const std::int64_t entries, countEntries(*m_database));
    PLUMB_TRY(const std::int64_t snapshots, countSnapshots(*m_database));
    PLUMB_TRY(const std::int64_t bytes, bytesUsed(*m_database));
    PLUMB_CHECK(keepBounds(0));
    PLUMB_TRY(const std::int64_t entriesLeft, countEntries(*m_database));
    PLUMB_TRY(const std::int64_t snapshotsLeft, countSnapshots(*m_database));
    PLUMB_TRY(const std::int64_t bytesLeft, bytesUsed(*m_database));
    loss.entries = entries - entriesLeft;
    loss.snapshots = snapshots - snapshotsLeft;
    loss.bytes = std::max(std::int64_t{0}, bytes - bytesLeft);
    return loss;
}

Result<void> HistoryStore::keepBounds(std::int64_t kept) {
    PLUMB_TRY(const HistoryBounds most, boundsOf(*m_database));
    // For room the removed ones first, then the oldest; favourites stay whatever they take.
    const QString next =
        QStringLiteral("SELECT id FROM entries %1 WHERE (favourite=0 OR removed>0) AND id<>? "
                       "ORDER BY removed=0, began, id LIMIT 1");
    const QString nextEntry = next.arg(QString());
    const QString nextSnapshot = next.arg(QStringLiteral("JOIN snapshots ON entry=id"));
    const QString nextCounted =
        QStringLiteral("SELECT id FROM entries WHERE favourite=0 AND removed=0 AND id<>? "
                       "ORDER BY began, id LIMIT 1");
    while (true) {
        std::int64_t id = 0;
        PLUMB_TRY(const std::int64_t count, countEntries(*m_database));
        if (count > most.entries) {
            PLUMB_TRY(id, m_database->number(nextCounted, {boxed(kept)}));
        }
        if (id == 0) {
            PLUMB_TRY(const std::int64_t bytes, bytesUsed(*m_database));
            if (bytes <= most.bytes) return {};
            PLUMB_TRY(id, m_database->number(nextSnapshot, {boxed(kept)}));
            if (id != 0) {
                PLUMB_CHECK(
                    m_database->run(QStringLiteral("DELETE FROM snapshots WHERE entry=?"), {boxed(id)}));
                continue;
            }
            PLUMB_TRY(id, m_database->number(nextEntry, {boxed(kept)}));
        }
        if (id != 0) {
            PLUMB_CHECK(m_database->run(QStringLiteral("DELETE FROM entries WHERE id=?"), {boxed(id)}));
            continue;
        }
        // All that is left are favourites and what was just kept, of which the entry stays.
        PLUMB_TRY(const std::int64_t own,
                  m_database->number(QStringLiteral("SELECT count(*) FROM snapshots JOIN entries ON id=entry "
                                                    "WHERE entry=? AND favourite=0"),
                                     {boxed(kept)}));
        if (own == 0) return {};
        PLUMB_CHECK(m_database->run(QStringLiteral("DELETE FROM snapshots WHERE entry=?"), {boxed(kept)}));
    }
}

Result<void> HistoryStore::shrink() {
    PLUMB_TRY(const std::int64_t unused, m_database->number(QStringLiteral("PRAGMA freelist_count")));
    if (unused == 0) return {};
    PLUMB_TRY(QSqlQuery pages, m_database->run(QStringLiteral("PRAGMA incremental_vacuum")));
    while (pages.next()) {
    }
    return {};
}

Result<std::int64_t> HistoryStore::changes() {
    return m_database->number(QStringLiteral("PRAGMA data_version"));
}

Result<bool> HistoryStore::take(const HistoryEntry& entry, const QByteArray& packed) {
    PLUMB_TRY(const std::int64_t known, idOf(entry.uid));
    if (known == 0) {
        PLUMB_CHECK(write(entry, packed, 0));
        return true;
    }
    PLUMB_CHECK(writeTags(known, entry.tags));
    PLUMB_CHECK(m_database->run(QStringLiteral("UPDATE entries SET favourite=max(favourite,?), removed=0, "
                                               "note=CASE WHEN note='' THEN ? ELSE note END WHERE id=?"),
                                {entry.isFavourite ? 1 : 0, notNull(entry.note), boxed(known)}));
    if (!packed.isEmpty())
        PLUMB_CHECK(m_database->run(QStringLiteral("INSERT OR IGNORE INTO snapshots VALUES (?,?)"),
                                    {boxed(known), packed}));
    return false;
}

Result<void> HistoryStore::merge(const std::function<Result<void>()>& work) {
    const Result<void> done = m_database->transact([&]() -> Result<void> {
        PLUMB_CHECK(work());
        return keepBounds(0);
    });
    if (!done.has_value()) return done.error();
    return shrink();
}

Result<void> HistoryStore::seal() {
    PLUMB_CHECK(m_database->run(QStringLiteral("PRAGMA journal_mode=DELETE")));
    return {};
}

}  // namespace plumb::ui
