// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/column_text.h"

#include "ui/widgets/help_anchor.h"

#include <QHeaderView>
#include <QTableWidget>
#include <QTreeWidget>
#include <QVariant>

namespace plumb::ui {
namespace {

constexpr const char* kColumnsName = "columnsName";

QStringList titlesOf(const ColumnTexts& columns) {
    QStringList titles;
    for (const ColumnText& column : columns) titles << column.title;
    return titles;
}

}  // namespace

void setColumns(QTreeWidget& table, const ColumnTexts& columns) {
    table.setHeaderLabels(titlesOf(columns));
    for (int i = 0; i < table.columnCount(); ++i)
        table.headerItem()->setToolTip(i, columns[static_cast<std::size_t>(i)].meaning);
    hintAtHelp(*table.header());
}

void setColumns(QTableWidget& table, const ColumnTexts& columns) {
    table.setColumnCount(static_cast<int>(columns.size()));
    table.setHorizontalHeaderLabels(titlesOf(columns));
    for (int i = 0; i < table.columnCount(); ++i)
        table.horizontalHeaderItem(i)->setToolTip(columns[static_cast<std::size_t>(i)].meaning);
}

void setColumnsName(QWidget& table, const QString& name) { table.setProperty(kColumnsName, name); }

QString columnsNameOf(const QWidget& table) {
    const QVariant name = table.property(kColumnsName);
    return name.isValid() ? name.toString() : table.objectName();
}

}  // namespace plumb::ui
