// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/remark_table.h"

#include "ui/theme/theme.h"
#include "ui/widgets/data_table.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

constexpr int kBetweenColumns = 14;
constexpr int kRemarkSide = 3;  // where the texts of cells begin
constexpr int kRemarkBelow = 5;
constexpr int kRemarkFlags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

/// Figures stand in the first line of their row.
class FirstLineDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        const auto* table = static_cast<const QTableView*>(option.widget);
        QStyleOptionViewItem figures = cell;
        figures.rect.setHeight(table->verticalHeader()->defaultSectionSize());
        figures.state &= ~(QStyle::State_HasFocus | QStyle::State_MouseOver);
        figures.backgroundBrush = Qt::NoBrush;
        cell.text.clear();
        table->style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, table);
        table->style()->drawControl(QStyle::CE_ItemViewItem, &figures, painter, table);
    }
};

}  // namespace

RemarkTable::RemarkTable(Theme& theme, QWidget* parent) : QTableWidget(parent), m_theme(theme) {
    setUpDataTable(*this);
    setItemDelegate(new FirstLineDelegate(this));
}

void RemarkTable::setRemarks(int wide, QList<int> remarks) {
    m_wide = wide;
    m_remarks = std::move(remarks);
    m_yielding.clear();
    m_gone.clear();
    for (int column = 0; column < columnCount(); ++column)
        setColumnHidden(column, m_remarks.contains(column));
}

QString RemarkTable::remark(int row) const {
    QStringList said;
    for (const int column : m_gone)
        if (const QTableWidgetItem* cell = item(row, column); cell && !cell->text().trimmed().isEmpty())
            said << tr("%1 %2").arg(horizontalHeaderItem(column)->text().trimmed(), cell->text().trimmed());
    for (const int column : m_remarks)
        if (const QTableWidgetItem* cell = item(row, column); cell && !cell->text().trimmed().isEmpty())
            said << cell->text().trimmed();
    return said.join(QStringLiteral(" · "));
}

QRect RemarkTable::remarkRect(int row) const {
    const int line = verticalHeader()->defaultSectionSize();
    if (rowHeight(row) <= line) return {};
    return {kRemarkSide, rowViewportPosition(row) + line - kRemarkBelow,
            viewport()->width() - 2 * kRemarkSide, rowHeight(row) - line};
}

void RemarkTable::fit() {
    m_needed.clear();
    for (const int column : std::exchange(m_gone, {})) setColumnHidden(column, false);
    for (int column = 0; column < columnCount(); ++column) {
        resizeColumnToContents(column);
        m_needed << (isColumnHidden(column) ? 0 : columnWidth(column) + kBetweenColumns);
    }
    spread();
}

int RemarkTable::giveWay() {
    int left = viewport()->width();
    for (const int width : m_needed) left -= width;
    const QList<int> before = std::exchange(m_gone, {});
    for (const int column : m_yielding) {
        if (left >= 0) break;
        if (m_needed[column] == 0) continue;
        left += m_needed[column];
        m_gone << column;
    }
    for (const int column : before) setColumnHidden(column, m_gone.contains(column));
    for (const int column : m_gone) setColumnHidden(column, true);
    // In the order of the table, whichever went first.
    std::ranges::sort(m_gone);
    return left;
}

void RemarkTable::spread() {
    if (m_needed.size() != columnCount()) return;
    const int left = giveWay();
    for (int column = 0; column < columnCount(); ++column)
        if (!isColumnHidden(column))
            setColumnWidth(column, m_needed[column] + (column == m_wide ? std::max(0, left) : 0));
    const int line = verticalHeader()->defaultSectionSize();
    const int width = viewport()->width() - 2 * kRemarkSide;
    for (int row = 0; row < rowCount(); ++row) {
        const QString text = remark(row);
        if (QTableWidgetItem* first = item(row, 0)) first->setData(Qt::AccessibleDescriptionRole, text);
        setRowHeight(row,
                     text.isEmpty()
                         ? line
                         : line + fontMetrics().boundingRect(0, 0, width, 1, kRemarkFlags, text).height());
    }
}

void RemarkTable::resizeEvent(QResizeEvent* event) {
    QTableWidget::resizeEvent(event);
    spread();
}

void RemarkTable::paintEvent(QPaintEvent* event) {
    QTableWidget::paintEvent(event);
    QPainter painter(viewport());
    const int first = std::max(0, rowAt(0));
    for (int row = first; row < rowCount() && rowViewportPosition(row) < viewport()->height(); ++row) {
        const bool isSelected = selectionModel()->isRowSelected(row, {});
        painter.setPen(m_theme.color(isSelected ? ColorRole::TextStrong : ColorRole::TextMuted));
        if (const QRect rect = remarkRect(row); !rect.isEmpty())
            painter.drawText(rect, kRemarkFlags, remark(row));
    }
}

}  // namespace plumb::ui
