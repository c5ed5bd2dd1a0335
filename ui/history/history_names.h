// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/history/history_entry.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace plumb::ui {

/// Its configuration, with what of it changes times and memory and is not in the name of a step: "D 256 · L 4
/// · B 64 · fp32 · AdamW · activations: none".
[[nodiscard]] QString historyTitle(const HistoryEntry& entry);

/// When an entry began and its configuration: "2026-11-26 14:05, D 256 · L 4".
[[nodiscard]] QString historyName(const HistoryEntry& entry);

/// Names of entries side by side, which begin with what tells them apart: "B 64 · Training, 2026-11-26 14:05,
/// D 256 · L 4". Where room is short the ends of names are cut.
[[nodiscard]] QStringList historyNames(const std::vector<HistoryEntry>& entries);

}  // namespace plumb::ui
