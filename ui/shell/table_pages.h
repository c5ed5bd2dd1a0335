// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <QVector>

class QAbstractItemView;
class QPainter;
class QWidget;

namespace plumb::ui {

/// What a table of a view says, for paper: its columns that are shown and have text, and its rows.
struct PrintedTable {
    static constexpr int kMostRows = 500;  ///< paper is no place for more

    QString title;
    QStringList heads;
    QVector<bool> isRight;  ///< by column: numbers end where their title ends
    QVector<QStringList> rows;
    QVector<int> depths;  ///< of the rows of a tree
    int left = 0;         ///< rows beyond kMostRows
    int blank = 0;        ///< columns that are left out, as none of their rows has a value

    [[nodiscard]] int columns() const { return static_cast<int>(heads.size()); }
};

/// A page: columns first..last of the table behind the first one, and rows.
struct TablePage {
    QVector<int> columns;
    QVector<qreal> widths;
    int firstRow = 0;
    int endRow = 0;
};

/// Tables below `widget` that have more rows or wider columns than can be seen of them, or cells that are
/// shortened.
[[nodiscard]] QVector<QAbstractItemView*> clippedTables(const QWidget& widget);
[[nodiscard]] PrintedTable printedTable(const QAbstractItemView& view);

/// Lays a table out on paper of a size: columns as wide as their text while they fit, else long texts break
/// into lines, and where that is not enough columns go on on further pages, each with the first column again.
class TablePages {
public:
    TablePages(PrintedTable table, const QFont& font, const QSizeF& room);

    [[nodiscard]] const QVector<TablePage>& pages() const { return m_pages; }
    /// "Operations · rows 1 to 40 of 512 · columns 1 to 6 of 14".
    [[nodiscard]] QString caption(const TablePage& page) const;
    void paint(QPainter& painter, const TablePage& page, const QPointF& at) const;

private:
    [[nodiscard]] qreal natural(int column) const;
    [[nodiscard]] qreal least(int column) const;
    [[nodiscard]] qreal indentOf(int row, int column) const;
    [[nodiscard]] qreal rowHeight(const QStringList& texts, int row, const TablePage& page) const;
    [[nodiscard]] QVector<TablePage> columnGroups() const;
    void paintRow(QPainter& painter, const QStringList& texts, int row, const TablePage& page, qreal left,
                  qreal top, qreal height) const;

    PrintedTable m_table;
    QFont m_font;
    QSizeF m_room;
    QVector<TablePage> m_pages;
};

}  // namespace plumb::ui
