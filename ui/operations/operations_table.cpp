// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_table.h"

#include "core/base/byte_units.h"
#include "ui/operations/operations_model.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QSignalBlocker>

#include <algorithm>

namespace plumb::ui {

namespace {

constexpr int kNameMinimum = 170;   // logical pixels; below that a column gives way
constexpr int kNameShortest = 120;  // where the sign of gone columns needs room too
constexpr int kNameShare = 4;       // and below the names in view, up to one part in so many of the table
constexpr int kBarWidth = 34;
constexpr int kFlagRoom = 16;

/// At the right end of the room.
void paintFlag(QPainter& painter, const QRect& room, const QColor& color) {
    constexpr int kHeight = 12;
    constexpr int kWidth = 8;
    const double left = room.right() - kWidth - 1;
    const double top = room.center().y() - kHeight / 2.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRect(QRectF(left, top, 1.2, kHeight));
    painter.drawPolygon(QPolygonF({{left, top}, {left + kWidth, top + 3}, {left, top + 6}}));
}

}  // namespace

void OperationsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const auto column = static_cast<OperationColumn>(index.column());
    const bool isPhase = OperationsModel::kindOf(index) == OperationsTree::Kind::Phase;
    QRect rect = option.rect;
    const bool absent = index.data().toString() == absentText();

    if (column == OperationColumn::OfRoof && !absent) {
        const int number = QFontMetrics(option.font).horizontalAdvance(tr("88 % cache")) + 4;
        const double share = index.data(OperationsModel::RawValueRole).toDouble();
        // Above the roof means that a ceiling is too low: the bar is full, and the text says so.
        paintBar(*painter, rect.adjusted(kPadding, 0, -number - 4, 0), share,
                 share >= 0.7 && share <= 1 ? ColorRole::Good
                 : share >= 0.25            ? ColorRole::Warning
                                            : ColorRole::Bad);
    }
    QFont font = option.font;
    if (isPhase) font.setWeight(QFont::DemiBold);
    painter->setFont(font);
    ColorRole role = isPhase ? ColorRole::TextStrong : ColorRole::Text;
    if (absent) role = ColorRole::TextMuted;
    if (column == OperationColumn::Name && isPhase)
        rect =
            paintDot(*painter, rect,
                     theme().phaseColor(static_cast<Phase>(index.data(OperationsModel::PhaseRole).toInt())));
    if (column == OperationColumn::Name && index.data(OperationsModel::MarkRole).isValid()) {
        paintFlag(*painter, rect,
                  theme().color(isPhase || index.model()->hasChildren(index) ? ColorRole::TextMuted
                                                                             : ColorRole::Accent));
        rect.setRight(rect.right() - kFlagRoom);
    }
    painter->setPen(theme().color(role));
    paintText(*painter, option, rect, index);
    painter->restore();
}

OperationsTable::OperationsTable(const Theme& theme, int rowHeight, QWidget* parent)
    : TreeTable(theme, parent) {
    setItemDelegate(new OperationsDelegate(theme, rowHeight, this));
    layoutColumns();
}

// Where the focus falls is nobody's choice, as when a view is taken out, and Qt makes the first row the
// current one. The first key does so, too.
void OperationsTable::focusInEvent(QFocusEvent* event) {
    const bool isChosen = currentIndex().isValid();
    const QSignalBlocker quiet(isChosen ? nullptr : selectionModel());
    TreeTable::focusInEvent(event);
    if (!isChosen && selectionModel() != nullptr) selectionModel()->clearCurrentIndex();
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
    // Powers of two have a letter more, and four digits before the point.
    const int wideBytes = wide(takesBinaryPrefixes("B") ? "1023 MiB" : "88.8 MB");
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
    case OperationColumn::DramBytes:
    case OperationColumn::L2Bytes:
    case OperationColumn::L1Bytes:
        content = wideBytes;
        break;
    case OperationColumn::Predicted:
        content = wide("~88.8 ms");  // of a data sheet
        break;
    case OperationColumn::Measured:
        content = wide("88.8 ms");
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
    }
    // The title needs room for the sort caret as well.
    const int title = metrics.horizontalAdvance(columnTitle(column)) + 14;
    return widthForTexts(content, title);
}

void OperationsTable::layoutColumns() {
    const int names = std::min(sizeHintForColumn(static_cast<int>(OperationColumn::Name)),
                               viewport()->width() / kNameShare);
    fitColumns(
        std::max(kNameMinimum, names), m_yielding,
        [this](OperationColumn column) { return isColumnShown(column) ? columnWidthFor(column) : 0; },
        kNameShortest);
}

}  // namespace plumb::ui
