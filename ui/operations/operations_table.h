// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/operations/operations_text.h"

#include <QStyledItemDelegate>
#include <QTreeView>

namespace plumb::ui {

class Theme;

/// Draws the cells of the operations table: phases strong with their colour, absent values muted, share of
/// the roof as a bar.
class OperationsDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    OperationsDelegate(const Theme& theme, int rowHeight, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintBar(QPainter* painter, const QRect& rect, const QModelIndex& index) const;

    const Theme& m_theme;
    int m_rowHeight;
};

/// The tree view of the operations table: rounded rows, flat carets, fixed column widths made for the widest
/// text that a column can hold (so that they never jump), the name column takes the rest.
class OperationsTable final : public QTreeView {
    Q_OBJECT
public:
    OperationsTable(const Theme& theme, int rowHeight, QWidget* parent = nullptr);

    void setModel(QAbstractItemModel* model) override;
    /// Columns that give way, first to last, when the name column gets too narrow; they come back with room.
    void setYielding(const QList<OperationColumn>& columns) { m_yielding = columns; }
    void setColumnShown(OperationColumn column, bool shown);
    [[nodiscard]] bool isColumnShown(OperationColumn column) const;

signals:
    void copyRequested();

protected:
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override;
    void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void layoutColumns();
    [[nodiscard]] int columnWidthFor(OperationColumn column) const;
    void setHovered(const QModelIndex& index);

    const Theme& m_theme;
    QList<OperationColumn> m_yielding;
    QList<OperationColumn> m_hidden;
    QPersistentModelIndex m_hovered;
};

}  // namespace plumb::ui
