// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/operations/operations_text.h"
#include "ui/widgets/tree_table.h"

namespace plumb::ui {

/// Draws the cells of the operations table: phases strong with their colour, absent values muted, share of
/// the roof as a bar.
class OperationsDelegate final : public TreeCells {
    Q_OBJECT
public:
    using TreeCells::TreeCells;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

/// The tree view of the operations table: fixed column widths made for the widest text that a column can hold
/// (so that they never jump), the name column takes the rest.
class OperationsTable final : public TreeTable {
    Q_OBJECT
public:
    OperationsTable(const Theme& theme, int rowHeight, QWidget* parent = nullptr);

    void setModel(QAbstractItemModel* model) override;
    /// Columns that give way, first to last, when the name column gets too narrow; they come back with room.
    void setYielding(const QList<OperationColumn>& columns) { m_yielding = columns; }
    void setColumnShown(OperationColumn column, bool shown);
    [[nodiscard]] bool isColumnShown(OperationColumn column) const;
    /// Again, for the names of other rows.
    void layoutColumns() override;

protected:
    void focusInEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] int columnWidthFor(OperationColumn column) const;

    QList<OperationColumn> m_yielding;
    QList<OperationColumn> m_hidden;
};

}  // namespace plumb::ui
