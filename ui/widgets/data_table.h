// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace plumb::ui {

/// Makes `table` look and work as the tables of numbers in this window do: whole rows are selected, one at a
/// time, nothing is edited, no grid and no row numbers, rows of one height. Heights are fixed, because
/// measuring the contents of every row costs more than a frame. Columns are left to the caller.
void setUpDataTable(QTableView& table);

/// Has a row chosen whenever keys bring the focus to `table`: the one with the frame, else the first. Qt only
/// frames it, and where it is the only one no arrow chooses it.
void chooseRowAtFocus(QTableView& table);

}  // namespace plumb::ui
