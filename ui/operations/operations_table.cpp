// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_table.h"

#include "ui/operations/operations_model.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace plumb::ui {

namespace {

constexpr int kPadding = 12;       // left of a cell's text; at the right it ends where its title ends
constexpr int kSlack = 4;          // digits of proportional fonts differ in width
constexpr int kNameMinimum = 170;  // logical pixels; below that a column gives way
constexpr int kBarWidth = 34;

}  // namespace

OperationsDelegate::OperationsDelegate(const Theme& theme, int rowHeight, QObject* parent)
    : QStyledItemDelegate(parent), m_theme(theme), m_rowHeight(rowHeight) {}

QSize OperationsDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {kBarWidth, m_rowHeight};
}

void OperationsDelegate::paintBar(QPainter* painter, const QRect& rect, const QModelIndex& index) const {
    const double share = index.data(OperationsModel::RawValueRole).toDouble();
    const qreal height = 6;
    const QRectF track(rect.left() + kPadding, rect.center().y() + 0.5 - height / 2,
                       rect.width() - kPadding - 4, height);
    QRectF bar = track;
    // Above the roof means that a ceiling is too low: the bar is full, and the text says so.
    bar.setWidth(std::max(height, track.width() * std::clamp(share, 0.0, 1.0)));
    painter->setPen(Qt::NoPen);
    painter->setBrush(m_theme.color(ColorRole::Track));
    painter->drawRoundedRect(track, height / 2, height / 2);
    painter->setBrush(m_theme.color(share >= 0.7 && share <= 1 ? ColorRole::Good
                                    : share >= 0.25            ? ColorRole::Warning
                                                               : ColorRole::Bad));
    painter->drawRoundedRect(bar, height / 2, height / 2);
}

void OperationsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const auto column = static_cast<OperationColumn>(index.column());
    const bool isPhase = OperationsModel::kindOf(index) == OperationsTree::Kind::Phase;
    QRect rect = option.rect;
    const QString text = index.data().toString();
    const bool absent = text == absentText();

    if (column == OperationColumn::OfRoof && !absent) {
        const QFontMetrics metrics(option.font);
        const int number = metrics.horizontalAdvance(tr("88 % cache")) + 4;
        paintBar(painter, rect.adjusted(0, 0, -number, 0), index);
    }
    QFont font = option.font;
    if (isPhase) font.setWeight(QFont::DemiBold);
    painter->setFont(font);
    ColorRole role = isPhase ? ColorRole::TextStrong : ColorRole::Text;
    if (absent) role = ColorRole::TextMuted;
    painter->setPen(m_theme.color(role));

    if (column == OperationColumn::Name && isPhase) {
        const QPointF centre(rect.left() + 5, rect.center().y() + 0.5);
        painter->save();
        painter->setPen(Qt::NoPen);
        painter->setBrush(
            m_theme.phaseColor(static_cast<Phase>(index.data(OperationsModel::PhaseRole).toInt())));
        painter->drawEllipse(centre, 3.5, 3.5);
        painter->restore();
        rect.setLeft(rect.left() + 14);
    }
    const int right =
        option.widget ? option.widget->style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, option.widget)
                      : 4;
    const QRect inner = rect.adjusted(column == OperationColumn::Name ? 0 : kPadding, 0, -right, 0);
    const QFontMetrics metrics(font);
    painter->drawText(inner,
                      static_cast<int>(Qt::AlignVCenter | (index.data(Qt::TextAlignmentRole).toInt() &
                                                           Qt::AlignHorizontal_Mask)),
                      metrics.elidedText(text, Qt::ElideRight, inner.width()));
    painter->restore();
}

OperationsTable::OperationsTable(const Theme& theme, int rowHeight, QWidget* parent)
    : TreeTable(theme, parent) {
    setItemDelegate(new OperationsDelegate(theme, rowHeight, this));
    layoutColumns();
}

void OperationsTable::setModel(QAbstractItemModel* model) {
    TreeTable::setModel(model);
    layoutColumns();
}

void OperationsTable::setColumnShown(OperationColumn column, bool shown) {
    if (column == OperationColumn::Name) return;
    m_hidden.removeAll(column);
    if (!shown) m_hidden.append(column);
    layoutColumns();
}

bool OperationsTable::isColumnShown(OperationColumn column) const { return !m_hidden.contains(column); }

int OperationsTable::columnWidthFor(OperationColumn column) const {
    const QFontMetrics metrics(font());
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    const auto wide = [&](const char* sample) {
        return QFontMetrics(strong).horizontalAdvance(QString::fromUtf8(sample));
    };
    int content = 0;
    switch (column) {
    case OperationColumn::Name:
        content = kNameMinimum;
        break;
    case OperationColumn::Flops:
    case OperationColumn::Intensity:
        content = wide("8.88 M");
        break;
    case OperationColumn::Bytes:
    case OperationColumn::Predicted:
    case OperationColumn::Measured:
        content = wide("88.8 MB");
        break;
    case OperationColumn::Difference:
        content = wide("+88.8 %");
        break;
    case OperationColumn::Rate:
        content = wide("88.8 GFLOP/s");
        break;
    case OperationColumn::Bandwidth:
        content = wide("88.8 GB/s");
        break;
    case OperationColumn::OfRoof:
        content = kBarWidth + 8 + wide("88 % cache");
        break;
    case OperationColumn::Bound:
        content = wide("overhead");
        break;
    case OperationColumn::Executed:
        content = wide("8.88 M");
        break;
    case OperationColumn::ExecutedRatio:
    case OperationColumn::DramRatio:
        content = wide("88.88");
        break;
    case OperationColumn::DramShare:
    case OperationColumn::TensorPipe:
    case OperationColumn::Warps:
    case OperationColumn::L2Hits:
    case OperationColumn::MemoryStalls:
    case OperationColumn::BarrierStalls:
    case OperationColumn::MathStalls:
        content = wide("888 %");
        break;
    case OperationColumn::DramBytes:
    case OperationColumn::L2Bytes:
    case OperationColumn::L1Bytes:
        content = wide("88.8 MB");
        break;
    }
    // The title needs room for the sort caret as well.
    const int title = metrics.horizontalAdvance(columnTitle(column)) + 14;
    return std::max(content + kSlack, title) + kPadding +
           style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, this);
}

void OperationsTable::layoutColumns() {
    if (!model()) return;
    int wanted = 0;
    const auto shown = [&](OperationColumn column) {
        return column == OperationColumn::Name || isColumnShown(column);
    };
    for (int i = 1; i < kOperationColumns; ++i)
        if (shown(static_cast<OperationColumn>(i))) wanted += columnWidthFor(static_cast<OperationColumn>(i));
    QList<OperationColumn> gone;
    for (const OperationColumn column : m_yielding) {
        if (viewport()->width() - wanted >= kNameMinimum) break;
        if (!shown(column)) continue;
        wanted -= columnWidthFor(column);
        gone.append(column);
    }
    for (int i = 0; i < kOperationColumns; ++i) {
        const auto column = static_cast<OperationColumn>(i);
        const bool hide = !shown(column) || gone.contains(column);
        if (isColumnHidden(i) != hide) setColumnHidden(i, hide);
        if (i > 0 && !hide) header()->resizeSection(i, columnWidthFor(column));
    }
    header()->resizeSection(0, std::max(kNameMinimum, viewport()->width() - wanted));
}

}  // namespace plumb::ui
