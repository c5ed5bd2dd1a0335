// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/difference_table.h"

#include <QHeaderView>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr int kCellPadding = 12;
constexpr int kNameLeast = 190;
constexpr int kBarLeast = 130;
// The first goes first: what they say, others say too.
constexpr std::array kYieldingColumns{DifferenceColumn::Noise, DifferenceColumn::Bar,
                                      DifferenceColumn::Difference};

}  // namespace

ColorRole toneOf(const DifferenceRow& row) {
    if (!row.isReal()) return ColorRole::TextMuted;
    const double difference = row.difference().value_or(0);
    if (difference == 0 || row.unit.empty()) return ColorRole::TextStrong;
    const bool isBetter = (difference < 0) != (row.unit == "/s");
    return isBetter ? ColorRole::Good : ColorRole::Bad;
}

DifferenceDelegate::DifferenceDelegate(const Theme& theme, int rowHeight, QObject* parent)
    : QStyledItemDelegate(parent), m_theme(theme), m_rowHeight(rowHeight) {}

QSize DifferenceDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {kBarLeast, m_rowHeight};
}

void DifferenceDelegate::paintBar(QPainter* painter, const QRectF& rect, const DifferenceRow& row,
                                  double largest) const {
    const double difference = row.difference().value_or(0);
    const qreal middle = rect.center().x(), reach = rect.width() / 2 - 10;
    painter->setPen(QPen(m_theme.color(ColorRole::Grid), 1));
    painter->drawLine(QPointF(middle, rect.top()), QPointF(middle, rect.bottom()));
    if (!(largest > 0)) return;
    const auto placeOf = [&](double value) {
        return middle + reach * std::clamp(value / largest, -1.0, 1.0);
    };
    const qreal end = placeOf(difference);
    painter->setPen(Qt::NoPen);
    painter->setBrush(m_theme.color(toneOf(row)));
    const QRectF bar(std::min(middle, end), rect.center().y() - 4, std::max(1.5, std::abs(end - middle)), 8);
    painter->drawRoundedRect(bar, 2, 2);
    if (!row.noise()) return;
    const qreal from = placeOf(difference - *row.noise()), to = placeOf(difference + *row.noise());
    painter->setPen(QPen(m_theme.color(ColorRole::Text), 1));
    const qreal y = rect.center().y();
    painter->drawLine(QPointF(from, y), QPointF(to, y));
    for (const qreal x : {from, to}) painter->drawLine(QPointF(x, y - 3), QPointF(x, y + 3));
}

void DifferenceDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const {
    const auto* filter = qobject_cast<const DifferenceFilter*>(index.model());
    if (filter == nullptr) return;
    const DifferenceRow& row = filter->row(index);
    const auto column = static_cast<DifferenceColumn>(index.column());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QRect rect = option.rect;
    if (column == DifferenceColumn::Bar) {
        const auto* model = qobject_cast<const DifferenceModel*>(filter->sourceModel());
        paintBar(painter, QRectF(rect), row, model->largest());
        painter->restore();
        return;
    }
    if (column == DifferenceColumn::Name && (row.phase || row.category)) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(row.phase ? m_theme.phaseColor(*row.phase) : m_theme.categoryColor(*row.category));
        painter->drawEllipse(QPointF(rect.left() + 5, rect.center().y() + 0.5), 3.5, 3.5);
        rect.setLeft(rect.left() + 14);
    }
    ColorRole role = ColorRole::Text;
    QFont font = option.font;
    if (column == DifferenceColumn::Difference) {
        role = row.isReal() ? ColorRole::TextStrong : ColorRole::Text;
        font.setWeight(row.isReal() ? QFont::DemiBold : QFont::Normal);
    }
    if (column == DifferenceColumn::Change || column == DifferenceColumn::Verdict) role = toneOf(row);
    if (column == DifferenceColumn::Noise) role = ColorRole::TextMuted;
    if (column == DifferenceColumn::Verdict && row.isInBaseline != row.isInOther)
        role = row.isInBaseline ? ColorRole::Baseline : ColorRole::Compared;
    const QString text = index.data().toString();
    if (text == QStringLiteral("–") || (column == DifferenceColumn::Baseline && !row.isInBaseline) ||
        (column == DifferenceColumn::Other && !row.isInOther))
        role = ColorRole::TextMuted;
    painter->setFont(font);
    painter->setPen(m_theme.color(role));
    const QRect inner = rect.adjusted(column == DifferenceColumn::Name ? 0 : kCellPadding, 0, -4, 0);
    const Qt::TextElideMode elide =
        column == DifferenceColumn::Name ? Qt::ElideMiddle : Qt::ElideRight;  // the end of a path tells more
    painter->drawText(inner,
                      static_cast<int>(Qt::AlignVCenter | (index.data(Qt::TextAlignmentRole).toInt() &
                                                           Qt::AlignHorizontal_Mask)),
                      QFontMetrics(font).elidedText(text, elide, inner.width()));
    painter->restore();
}

DifferenceTable::DifferenceTable(const Theme& theme, DifferenceFilter& filter, QWidget* parent)
    : TreeTable(theme, parent) {
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setItemDelegate(new DifferenceDelegate(theme, fontMetrics().height() + 10, this));
    setModel(&filter);
    setSortingEnabled(true);
    sortByColumn(static_cast<int>(DifferenceColumn::Difference), Qt::DescendingOrder);
    header()->setStretchLastSection(false);
    layoutColumns();
}

int DifferenceTable::columnWidthFor(DifferenceColumn column) const {
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(strong);
    const auto wide = [&](const char* sample) {
        return metrics.horizontalAdvance(QString::fromUtf8(sample));
    };
    const int title = QFontMetrics(font()).horizontalAdvance(
                          model()->headerData(static_cast<int>(column), Qt::Horizontal).toString()) +
                      16;
    int content = 0;
    switch (column) {
    case DifferenceColumn::Name:
        return kNameLeast;
    case DifferenceColumn::Bar:
        return kBarLeast;
    case DifferenceColumn::Baseline:
    case DifferenceColumn::Other:
        content = wide("88.8 GFLOP");
        break;
    case DifferenceColumn::Difference:
        content = wide("−88.8 GFLOP");
        break;
    case DifferenceColumn::Change:
        content = wide("+888.8 %");
        break;
    case DifferenceColumn::Noise:
        content = wide("± 88.8 ms");
        break;
    case DifferenceColumn::Verdict:
        content = wide("machine was disturbed");
        break;
    }
    return std::max(content, title) + kCellPadding + 8;
}

void DifferenceTable::layoutColumns() {
    if (model() == nullptr) return;
    int wanted = 0;
    for (int i = 1; i < kDifferenceColumns; ++i) wanted += columnWidthFor(static_cast<DifferenceColumn>(i));
    QList<DifferenceColumn> gone;
    for (const DifferenceColumn column : kYieldingColumns) {
        if (viewport()->width() - wanted >= kNameLeast) break;
        wanted -= columnWidthFor(column);
        gone << column;
    }
    // Names and bars share what is left.
    const int left = std::max(0, viewport()->width() - wanted - kNameLeast);
    const int forBar = gone.contains(DifferenceColumn::Bar) ? 0 : std::min(left / 3, 170);
    for (int i = 0; i < kDifferenceColumns; ++i) {
        const auto column = static_cast<DifferenceColumn>(i);
        setColumnHidden(i, gone.contains(column));
        if (i > 0 && !gone.contains(column))
            header()->resizeSection(i,
                                    columnWidthFor(column) + (column == DifferenceColumn::Bar ? forBar : 0));
    }
    header()->resizeSection(0, std::max(kNameLeast, kNameLeast + left - forBar));
}

}  // namespace plumb::ui
