// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

class QWidget;

namespace plumb::ui {

class Theme;

/// A column of a table of the window: its title and what it means are the table's own words.
struct ColumnFigure {
    QString title;
    QString meaning;
    QString unit;
    QString source;
    QString formula;  ///< empty: it is counted or read as it is
};

struct TableFigures {
    QString page;    ///< of the manual, which speaks of the view that has the table
    QString table;   ///< columnsNameOf() the table (ui/widgets/column_text.h)
    QString anchor;  ///< on the page "figures"
    QString title;
    std::vector<ColumnFigure> columns;
};

/// All tables whose columns are figures, in the language of the window.
[[nodiscard]] std::vector<TableFigures> tableFigures(Theme& theme);

/// The anchor of a table's column, by number from 0, whatever shows it: "operations-operationsTable-3". Empty
/// for a table that tableFigures() has not got.
[[nodiscard]] QString columnAnchor(const QString& page, const QString& table, int column);

}  // namespace plumb::ui
