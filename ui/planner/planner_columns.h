// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/column_text.h"

#include <QChar>

namespace plumb::ui {

/// En space: before a text at the left of its cell, behind one with a number at the right.
inline constexpr QChar kBehindNumber(0x2002);

// Columns of the planner's tables, in the language of the window.

[[nodiscard]] ColumnTexts shardingColumns();   ///< of ways to spread the work
[[nodiscard]] ColumnTexts deviceColumns();     ///< of every device
[[nodiscard]] ColumnTexts candidateColumns();  ///< of the devices that are compared

}  // namespace plumb::ui
