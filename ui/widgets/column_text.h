// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

class QTableWidget;
class QTreeWidget;
class QWidget;

namespace plumb::ui {

/// A column of a table: its title, and what stands in it, for its tool tip and the manual's page of figures.
struct ColumnText {
    QString title;
    QString meaning;
};
using ColumnTexts = std::vector<ColumnText>;

/// Gives a table these columns, with tool tips that lead to the manual.
void setColumns(QTreeWidget& table, const ColumnTexts& columns);
/// The same of a table that setUpDataTable() has made.
void setColumns(QTableWidget& table, const ColumnTexts& columns);

/// Says by which name the manual knows the columns of a table, where that is not its object name: of one that
/// shows several things in turn.
void setColumnsName(QWidget& table, const QString& name);
[[nodiscard]] QString columnsNameOf(const QWidget& table);

}  // namespace plumb::ui
