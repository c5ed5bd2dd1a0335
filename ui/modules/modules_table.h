// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/modules/module_columns.h"
#include "ui/widgets/tree_table.h"

#include <QList>

namespace plumb::ui {

/// Draws the cells of the table of modules: absent values muted, the share of the step as a bar with its
/// number.
class ModulesDelegate final : public TreeCells {
    Q_OBJECT
public:
    using TreeCells::TreeCells;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

/// The tree view of the modules: the name takes the room that the numbers leave.
class ModulesTable final : public TreeTable {
    Q_OBJECT
public:
    ModulesTable(const Theme& theme, int rowHeight, QWidget* parent = nullptr);

    void setModel(QAbstractItemModel* model) override;
    /// Columns that give way, first to last, when the name gets too narrow; they come back with room.
    void setYielding(const QList<ModuleColumn>& columns);

private:
    void layoutColumns() override;
    [[nodiscard]] int columnWidthFor(ModuleColumn column) const;

    QList<ModuleColumn> m_yielding;
};

}  // namespace plumb::ui
