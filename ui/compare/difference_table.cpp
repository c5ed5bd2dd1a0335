// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/difference_table.h"

#include <QHeaderView>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::ui {
namespace {

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

void DifferenceDelegate::paintDifference(QPainter* painter, const QRectF& rect, const DifferenceRow& row,
                                         double largest) const {
    const double difference = row.difference().value_or(0);
    const qreal middle = rect.center().x(), reach = rect.width() / 2 - 10;
    painter->setPen(QPen(theme().color(ColorRole::Grid), 1));
    painter->drawLine(QPointF(middle, rect.top()), QPointF(middle, rect.bottom()));
    if (!(largest > 0)) return;
    const auto placeOf = [&](double value) {
        return middle + reach * std::clamp(value / largest, -1.0, 1.0);
    };
    const qreal end = placeOf(difference);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme().color(toneOf(row)));
    const QRectF bar(std::min(middle, end), rect.center().y() - 4, std::max(1.5, std::abs(end - middle)), 8);
    painter->drawRoundedRect(bar, 2, 2);
    if (!row.noise()) return;
    const qreal from = placeOf(difference - *row.noise()), to = placeOf(difference + *row.noise());
    painter->setPen(QPen(theme().color(ColorRole::Text), 1));
    const qreal y = rect.center().y();
    painter->drawLine(QPointF(from, y), QPointF(to, y));
    for (const qreal x : {from, to}) painter->drawLine(QPointF(x, y - 3), QPointF(x, y + 3));
}

void DifferenceDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const {
    const auto* model = qobject_cast<const DifferenceModel*>(index.model());
    if (model == nullptr) return;
    const DifferenceRow& row = model->row(index.row());
    const auto column = static_cast<DifferenceColumn>(index.column());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QRect rect = option.rect;
    if (column == DifferenceColumn::Bar) {
        paintDifference(painter, QRectF(rect), row, model->all().largest * model->all().measureOf(row));
        painter->restore();
        return;
    }
    if (column == DifferenceColumn::Name && (row.phase || row.category))
        rect = paintDot(*painter, rect,
                        row.phase ? theme().phaseColor(*row.phase) : theme().categoryColor(*row.category));
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
    painter->setPen(theme().color(role));
    // The end of a path tells more than its middle.
    paintText(*painter, option, rect, index,
              column == DifferenceColumn::Name ? Qt::ElideMiddle : Qt::ElideRight);
    painter->restore();
}

DifferenceTable::DifferenceTable(const Theme& theme, DifferenceModel& model, QWidget* parent)
    : TreeTable(theme, parent) {
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setItemDelegate(new DifferenceDelegate(theme, fontMetrics().height() + 10, this));
    setModel(&model);
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
    return std::max(content, title) + TreeCells::kPadding + 8;
}

void DifferenceTable::layoutColumns() {
    if (model() == nullptr) return;
    fitColumns(kNameLeast, kYieldingColumns,
               [this](DifferenceColumn column) { return columnWidthFor(column); });
    constexpr int kBar = static_cast<int>(DifferenceColumn::Bar);
    if (isColumnHidden(kBar)) return;
    // Names and bars share what is left.
    const int forBar = std::min((header()->sectionSize(0) - kNameLeast) / 3, 170);
    header()->resizeSection(kBar, columnWidthFor(DifferenceColumn::Bar) + forBar);
    header()->resizeSection(0, header()->sectionSize(0) - forBar);
}

}  // namespace plumb::ui
