// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/history/history_entry.h"

#include <QHash>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

namespace plumb::ui {

/// Its configuration, with what of it changes times and memory and is not in the name of a step: "D 256 · L 4
/// · B 64 · fp32 · AdamW · activations: none".
[[nodiscard]] QString historyTitle(const HistoryEntry& entry);

/// What tells the entries of a list apart: where the titles of several configurations are alike, the options
/// that differ stand behind them, and where several began within a minute, their seconds. Titles are read out
/// of the configurations when they are asked for, which takes its time.
class HistoryLabels final {
public:
    void setEntries(const std::vector<HistoryEntry>& entries);
    /// "D 256 · L 4 · learning rate 0.1, seed 5", as historyTitle() where no other is called so.
    [[nodiscard]] QString title(const HistoryEntry& entry) const;
    /// "2026-11-26 14:05", "2026-11-26 14:05:07".
    [[nodiscard]] QString time(const HistoryEntry& entry) const;

private:
    using ByKey = QHash<QString, QString>;   ///< configKey
    QHash<QString, ByKey> m_configs;         ///< by title
    mutable QHash<QString, ByKey> m_titles;  ///< those that were asked for
    QHash<std::int64_t, int> m_minutes;      ///< how many began in each
};

/// When an entry began and its configuration: "2026-11-26 14:05, D 256 · L 4".
[[nodiscard]] QString historyName(const HistoryEntry& entry);

/// Names of entries side by side, which begin with what tells them apart: "B 64 · Training, 2026-11-26 14:05,
/// D 256 · L 4". Where room is short the ends of names are cut.
[[nodiscard]] QStringList historyNames(const std::vector<HistoryEntry>& entries);

}  // namespace plumb::ui
