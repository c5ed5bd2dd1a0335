// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/history/history_database.h"
#include "ui/history/history_entry.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace plumb::ui {

/// What runs and profiles have left, in a file that several windows use at once. Every change is whole and on
/// the disk when it returns, or did not happen. Belongs to the thread that opened it. Errors of all: Io with
/// the reason and the remedy, BadInput for a file that turns out to be damaged (isDamaged()).
class HistoryStore final {
public:
    using Ids = std::vector<std::int64_t>;

    struct Opened {
        std::unique_ptr<HistoryStore> store;
        QString putAside;  ///< where a damaged file was moved to; empty: it was none
    };
    /// Errors: those of HistoryDatabase::open().
    [[nodiscard]] static Result<Opened> open(const QString& path);

    /// Adds an entry, or writes it over the one of the same uid, whose tags, note, star and path stay.
    /// `packed` is packedSnapshot(); empty: none. Then what is over the bounds goes. The id in this database.
    [[nodiscard]] Result<std::int64_t> put(const HistoryEntry& entry, const QByteArray& packed);
    /// Newest first; those that were removed are not there.
    [[nodiscard]] Result<std::vector<HistoryEntry>> entries();
    /// Empty when it has none, or there is no such entry.
    [[nodiscard]] Result<QByteArray> snapshot(std::int64_t id);

    /// What the user says of an entry: whether it is a favourite (a truth value), a note, the file that it
    /// was saved in (texts).
    enum class Said : std::uint8_t { Favourite, Note, Path };
    [[nodiscard]] Result<void> say(const Ids& ids, Said what, const QVariant& value);
    [[nodiscard]] Result<void> changeTags(const Ids& ids, const QStringList& added,
                                          const QStringList& removed);
    /// Does all that `work` changes, or nothing of it.
    [[nodiscard]] Result<void> together(const std::function<Result<void>()>& work);
    /// Removed entries can be had back until forgetRemoved(), or until the room is needed. They do not count
    /// as entries.
    [[nodiscard]] Result<void> setRemoved(const Ids& ids, bool isRemoved);
    /// Entries that were removed before this time (milliseconds since 1970) are gone for good.
    [[nodiscard]] Result<void> forgetRemoved(std::int64_t before);

    [[nodiscard]] Result<HistoryUsage> usage();
    /// Entries above the number are removed, as by setRemoved(); what is above the bytes is gone for good.
    [[nodiscard]] Result<HistoryLoss> setBounds(const HistoryBounds& bounds);
    /// What setBounds() would take, which takes nothing yet.
    [[nodiscard]] Result<HistoryLoss> lossBy(const HistoryBounds& bounds);
    /// A number that changes when another window wrote.
    [[nodiscard]] Result<std::int64_t> changes();

    /// An entry of another history. Where it is here already nothing is doubled: tags, a star, a note and a
    /// snapshot that this one lacks are added. True when it is new here. Inside merge() only.
    [[nodiscard]] Result<bool> take(const HistoryEntry& entry, const QByteArray& packed);
    /// Takes all that `work` takes, or nothing of it.
    [[nodiscard]] Result<void> merge(const std::function<Result<void>()>& work);
    /// Makes it one file that needs no others beside it: of an export.
    [[nodiscard]] Result<void> seal();

    [[nodiscard]] bool isDamaged() const { return m_database->isDamaged(); }
    [[nodiscard]] QString path() const { return m_database->path(); }

private:
    explicit HistoryStore(std::unique_ptr<HistoryDatabase> database) : m_database(std::move(database)) {}
    [[nodiscard]] Result<std::int64_t> idOf(const QString& uid);
    [[nodiscard]] Result<std::int64_t> write(const HistoryEntry& entry, const QByteArray& packed,
                                             std::int64_t id);
    [[nodiscard]] Result<void> writeTags(std::int64_t id, const QStringList& tags);
    /// Inside a transaction.
    [[nodiscard]] Result<HistoryLoss> bound(const HistoryBounds& bounds);
    /// Inside a transaction; `kept` is what must not go itself.
    [[nodiscard]] Result<void> keepBounds(std::int64_t kept);
    /// Gives pages that are no longer needed back to the disk.
    [[nodiscard]] Result<void> shrink();

    std::unique_ptr<HistoryDatabase> m_database;
};

}  // namespace plumb::ui
