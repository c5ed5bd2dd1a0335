// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/difference_model.h"
#include "ui/widgets/tree_table.h"

namespace plumb::ui {

/// The colour of what became of a number: green where the step costs less (or does more per second).
[[nodiscard]] ColorRole toneOf(const DifferenceRow& row);

/// Draws the cells: colours by verdict, and the difference as a bar to the left or right with its noise.
class DifferenceDelegate final : public TreeCells {
    Q_OBJECT
public:
    using TreeCells::TreeCells;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

private:
    void paintDifference(QPainter* painter, const QRectF& rect, const DifferenceRow& row,
                         double largest) const;
};

/// The table of differences: names take the room that numbers leave, and what other columns say too gives
/// way where it is narrow.
class DifferenceTable final : public TreeTable {
    Q_OBJECT
public:
    DifferenceTable(const Theme& theme, DifferenceModel& model, QWidget* parent = nullptr);

private:
    void layoutColumns() override;
    [[nodiscard]] int columnWidthFor(DifferenceColumn column) const;
};

}  // namespace plumb::ui
