// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tree_table.h"

#include "ui/theme/one_line.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/help_anchor.h"

#include <QAccessible>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>

#include <algorithm>
#include <utility>

namespace plumb::ui {

TreeCells::TreeCells(const Theme& theme, int rowHeight, QObject* parent)
    : QStyledItemDelegate(parent), m_theme(theme), m_rowHeight(rowHeight) {}

QSize TreeCells::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return {QStyledItemDelegate::sizeHint(option, index).width(), m_rowHeight};
}

void TreeCells::paintBar(QPainter& painter, const QRect& room, double share, ColorRole role) const {
    const qreal height = 6;
    const QRectF track(room.left(), room.center().y() + 0.5 - height / 2, room.width(), height);
    QRectF bar = track;
    bar.setWidth(std::max(height, track.width() * std::clamp(share, 0.0, 1.0)));
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(ColorRole::Track));
    painter.drawRoundedRect(track, height / 2, height / 2);
    painter.setBrush(m_theme.color(role));
    painter.drawRoundedRect(bar, height / 2, height / 2);
}

QRect TreeCells::paintDot(QPainter& painter, const QRect& room, const QColor& color) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(QPointF(room.left() + 5, room.center().y() + 0.5), 3.5, 3.5);
    return room.adjusted(14, 0, 0, 0);
}

void TreeCells::paintText(QPainter& painter, const QStyleOptionViewItem& option, const QRect& room,
                          const QModelIndex& index, Qt::TextElideMode elide) {
    const int right =
        option.widget ? option.widget->style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, option.widget)
                      : 4;
    const QRect inner = room.adjusted(index.column() == 0 ? 0 : kPadding, 0, -right, 0);
    const QString text = index.data().toString();
    drawOneLine(painter, inner, Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt()),
                index.column() == 0 ? nameWithin(text, painter.fontMetrics(), inner.width()) : text, elide);
}

TreeTable::TreeTable(const Theme& theme, QWidget* parent) : QTreeView(parent), m_theme(theme) {
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setIndentation(16);
    setAllColumnsShowFocus(true);
    setMouseTracking(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTextElideMode(Qt::ElideRight);
    header()->setSectionsMovable(true);
    header()->setFirstSectionMovable(false);
    header()->setStretchLastSection(false);
    hintAtHelp(*header());
    header()->setMinimumSectionSize(48);
    header()->setDefaultAlignment(Qt::AlignVCenter);
    connect(&theme, &Theme::changed, this, &TreeTable::restyle);
    restyle();
}

void TreeTable::changeEvent(QEvent* event) {
    QTreeView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) restyle();
}

void TreeTable::restyle() {
    // The table lies on a card: transparent, with the column titles as quiet as the card's subtitle.
    QPalette palette = this->palette();
    palette.setColor(QPalette::Base, Qt::transparent);
    if (palette != this->palette()) setPalette(palette);
    QPalette titles = header()->palette();
    titles.setColor(QPalette::ButtonText, m_theme.color(ColorRole::TextMuted));
    titles.setColor(QPalette::WindowText, m_theme.color(ColorRole::TextMuted));
    header()->setPalette(titles);
    layoutColumns();
    viewport()->update();
}

void TreeTable::fit(int least, const QList<int>& yielding, const std::function<int(int)>& widthOf,
                    int shortest) {
    if (!model()) return;
    QList<int> widths{0};
    int left = viewport()->width();
    for (int i = 1; i < header()->count(); ++i) left -= widths.emplace_back(widthOf(i));
    QList<int> gone;
    int sign = tellGoneColumns(*header(), viewport()->width(), gone);
    for (const int column : yielding) {
        if (left - sign >= least) break;
        if (widths[column] == 0) continue;
        left += std::exchange(widths[column], 0);
        gone << column;
        sign = tellGoneColumns(*header(), viewport()->width(), gone);
    }
    // Where all that may go is not enough, titles are moved sideways, and the sign would stand on them.
    const bool isSaid = left - sign >= shortest;
    if (!isSaid) sign = tellGoneColumns(*header(), viewport()->width(), {});
    for (int i = 1; i < header()->count(); ++i) {
        if (isColumnHidden(i) != (widths[i] == 0)) setColumnHidden(i, widths[i] == 0);
        if (widths[i] > 0) header()->resizeSection(i, widths[i]);
    }
    header()->resizeSection(0, isSaid ? left - sign : std::max(least, left));
}

int TreeTable::widthForTexts(int content, int title) const {
    constexpr int kSlack = 4;  // digits of proportional fonts differ in width
    return std::max(content + kSlack, title) + TreeCells::kPadding +
           style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, this);
}

// Qt looks for the rectangle of the cells, cell by cell, at each of a thousand changes.
void TreeTable::dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                            const QList<int>& roles) {
    if (QAccessible::isActive()) return QTreeView::dataChanged(topLeft, bottomRight, roles);
    viewport()->update();
}

void TreeTable::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    layoutColumns();
}

void TreeTable::drawRow(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
    const bool selected = selectionModel() && selectionModel()->isSelected(index);
    const bool hovered = m_hovered.isValid() && m_hovered == index.siblingAtColumn(0);
    if (selected || hovered) {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool focus =
            selected && hasFocus() && currentIndex().siblingAtColumn(0) == index.siblingAtColumn(0);
        painter->setPen(focus ? QPen(m_theme.color(ColorRole::Accent), 1) : Qt::NoPen);
        painter->setBrush(m_theme.color(selected ? ColorRole::Selection : ColorRole::Hover));
        const QRectF row(0, option.rect.top(), viewport()->width(), option.rect.height());
        painter->drawRoundedRect(row.adjusted(0.5, 1.5, -0.5, -1.5), 5, 5);
        painter->restore();
    }
    int depth = rootIsDecorated() ? 1 : 0;
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) ++depth;
    QStyleOptionViewItem cell = option;
    cell.font = font();
    cell.widget = this;
    for (int visual = 0; visual < header()->count(); ++visual) {
        const int column = header()->logicalIndex(visual);
        if (isColumnHidden(column)) continue;
        cell.rect = QRect(header()->sectionViewportPosition(column), option.rect.top(),
                          header()->sectionSize(column), option.rect.height());
        if (column == 0) {
            const QRect branch(cell.rect.left(), cell.rect.top(), depth * indentation(), cell.rect.height());
            drawBranches(painter, branch, index);
            cell.rect.setLeft(branch.right() + 1);
        }
        itemDelegate()->paint(painter, cell, index.siblingAtColumn(column));
    }
}

void TreeTable::drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const {
    if (!model()->hasChildren(index.siblingAtColumn(0))) return;
    const QPointF centre(rect.right() - indentation() / 2.0 + 1, rect.center().y() + 0.5);
    QPainterPath caret;
    if (isExpanded(index.siblingAtColumn(0))) {
        caret.moveTo(centre + QPointF(-4, -2));
        caret.lineTo(centre + QPointF(4, -2));
        caret.lineTo(centre + QPointF(0, 3));
    } else {
        caret.moveTo(centre + QPointF(-2, -4));
        caret.lineTo(centre + QPointF(3, 0));
        caret.lineTo(centre + QPointF(-2, 4));
    }
    caret.closeSubpath();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillPath(caret, m_theme.color(ColorRole::TextMuted));
    painter->restore();
}

void TreeTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        emit copyRequested();
        event->accept();
        return;
    }
    QTreeView::keyPressEvent(event);
}

void TreeTable::mouseMoveEvent(QMouseEvent* event) {
    QTreeView::mouseMoveEvent(event);
    setHovered(indexAt(event->position().toPoint()).siblingAtColumn(0));
}

void TreeTable::leaveEvent(QEvent* event) {
    QTreeView::leaveEvent(event);
    setHovered({});
}

void TreeTable::setHovered(const QModelIndex& index) {
    if (m_hovered == index) return;
    m_hovered = index;
    viewport()->update();
}

}  // namespace plumb::ui
