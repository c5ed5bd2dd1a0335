// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/history/history_store.h"

#include <QString>

namespace plumb::ui {

struct HistoryExchange {
    std::int64_t added = 0;  ///< entries that were not there
    std::int64_t known = 0;  ///< entries that were; what they lacked was added
};

/// Writes these entries with their snapshots to a history of its own, which appears whole or not at all.
/// Errors: those of the store; Io where the file cannot be written.
[[nodiscard]] Result<HistoryExchange> exportHistory(HistoryStore& from, const HistoryStore::Ids& ids,
                                                    const QString& path);
/// Adds what a file that was exported (or any history) has and this one lacks; all of it or nothing. The file
/// stays as it is. Errors: BadInput for a file that is damaged or no history; those of the store.
[[nodiscard]] Result<HistoryExchange> importHistory(HistoryStore& into, const QString& path);

}  // namespace plumb::ui
