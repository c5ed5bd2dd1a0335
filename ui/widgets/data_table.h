// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QTableView;

namespace plumb::ui {

/// Makes `table` look and work as the tables of numbers in this window do: whole rows are selected, one at a
/// time, nothing is edited, no grid and no row numbers, rows of one height. Heights are fixed, because
/// measuring the contents of every row costs more than a frame. Columns are left to the caller.
void setUpDataTable(QTableView& table);

/// Has a row chosen whenever keys bring the focus to `table`: the one with the frame, else the first. Qt only
/// frames it, and where it is the only one no arrow chooses it.
void chooseRowAtFocus(QTableView& table);

/// Keeps the texts of a column away from the right-aligned numbers before it.
void indentColumn(QTableView& table, int column);
/// The title of such a column, as far in as its cells.
[[nodiscard]] inline QString indentedTitle(const QString& title) {
    return QStringLiteral("\u00a0\u00a0\u00a0\u00a0") + title;
}

}  // namespace plumb::ui
