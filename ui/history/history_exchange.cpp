// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_exchange.h"

#include "ui/theme/text.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>

namespace plumb::ui {
namespace {

Error exchangeError(ErrorCode code, const QString& message, const QString& hint) {
    return Error{code, message.toStdString(), hint.toStdString()};
}

/// Copies those of `ids` (empty: all) from one to the other.
Result<HistoryExchange> copyEntries(HistoryStore& from, HistoryStore& into, const HistoryStore::Ids& ids) {
    PLUMB_TRY(const std::vector<HistoryEntry> entries, from.entries());
    HistoryExchange done;
    const Result<void> merged = into.merge([&]() -> Result<void> {
        for (const HistoryEntry& entry : entries) {
            if (!ids.empty() && std::ranges::find(ids, entry.id) == ids.end()) continue;
            PLUMB_TRY(const QByteArray packed, from.snapshot(entry.id));
            PLUMB_TRY(const bool isNew, into.take(entry, packed));
            ++(isNew ? done.added : done.known);
        }
        return {};
    });
    if (!merged.has_value()) return merged.error();
    return done;
}

}  // namespace

Result<HistoryExchange> exportHistory(HistoryStore& from, const HistoryStore::Ids& ids, const QString& path) {
    const QString folder = QFileInfo(path).absolutePath();
    // Beside the target, so that it is one file system and the last step is a rename.
    const QTemporaryDir room(folder + QStringLiteral("/.plumbline-export-XXXXXX"));
    if (!room.isValid())
        return exchangeError(ErrorCode::Io, tr("Nothing can be written to %1").arg(folder),
                             tr("choose another folder"));
    const QString made = room.filePath(QStringLiteral("history"));
    HistoryExchange done;
    {
        PLUMB_TRY(const HistoryStore::Opened opened, HistoryStore::open(made));
        PLUMB_CHECK(opened.store->setBounds({INT64_MAX, INT64_MAX}));
        PLUMB_TRY(done, copyEntries(from, *opened.store, ids));
        PLUMB_CHECK(opened.store->seal());
    }
    // The file that is there is replaced in one step; QFile::rename() would refuse.
    if (std::rename(made.toLocal8Bit().constData(), path.toLocal8Bit().constData()) != 0)
        return exchangeError(ErrorCode::Io, tr("%1 could not be written").arg(path),
                             tr("choose another name or folder"));
    return done;
}

Result<HistoryExchange> importHistory(HistoryStore& into, const QString& path) {
    // What is read may be of an older version, which is brought to this one: that happens to a copy.
    const QTemporaryDir room;
    const QString copy = room.filePath(QStringLiteral("history"));
    if (!room.isValid() || !QFile::copy(path, copy))
        return exchangeError(ErrorCode::Io, tr("%1 could not be read").arg(path),
                             tr("see whether it is there and the disk for temporary files has room"));
    QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
    const auto refused = [&] {
        return exchangeError(ErrorCode::BadInput,
                             tr("%1 is no history of Plumbline, or it is damaged").arg(path),
                             tr("choose a file that was exported from a history"));
    };
    if (QFileInfo(copy).size() == 0) return refused();
    Result<HistoryStore::Opened> opened = HistoryStore::open(copy);
    if (!opened.has_value()) return Error{opened.error().code, opened.error().message, refused().hint};
    if (!opened->putAside.isEmpty()) return refused();
    Result<HistoryExchange> done = copyEntries(*opened->store, into, {});
    if (!done.has_value() && opened->store->isDamaged()) return refused();
    return done;
}

}  // namespace plumb::ui
