// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/column_text.h"

namespace plumb::ui {

// Columns of the planner's tables, in the language of the window.

[[nodiscard]] ColumnTexts shardingColumns();   ///< of ways to spread the work
[[nodiscard]] ColumnTexts deviceColumns();     ///< of every device
[[nodiscard]] ColumnTexts candidateColumns();  ///< of the devices that are compared

}  // namespace plumb::ui
