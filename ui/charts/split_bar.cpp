// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/split_bar.h"

#include <QPainter>

#include <algorithm>

namespace plumb::ui {
namespace {
constexpr qreal kBar = 30;
constexpr qreal kTop = 6;
}  // namespace

SplitBar::SplitBar(Theme& theme, QWidget* parent) : PartsChart(theme, parent) {}

void SplitBar::setParts(const QVector<Part>& parts, const QString& total) {
    m_total = total;
    takeParts(parts);
}

QSize SplitBar::sizeHint() const {  // the last line may need two
    return {320, static_cast<int>(rowRect(parts().size() + 1).bottom()) + 6};
}
QSize SplitBar::minimumSizeHint() const { return {200, sizeHint().height()}; }

QRectF SplitBar::barRect() const { return {kChartSide, kTop, width() - 2 * kChartSide, kBar}; }

QRectF SplitBar::partRect(qsizetype index) const {
    const QRectF bar = barRect();
    double before = 0;
    for (qsizetype i = 0; i < index; ++i) before += parts()[i].size;
    const double scale = sum() > 0 ? bar.width() / sum() : 0;
    return {bar.left() + before * scale, bar.top(), parts()[index].size * scale, bar.height()};
}

QRectF SplitBar::rowRect(qsizetype index) const {
    return {kChartSide, kTop + kBar + 8 + static_cast<qreal>(index) * rowHeight(), width() - 2 * kChartSide,
            rowHeight()};
}

void SplitBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (paintEmpty(painter)) return;
    // Where it is narrow, names come before shares, which the bar shows and the card says.
    Columns widths = columns();
    if (widths.name > nameRoom(rowRect(0).width(), widths) - widths.share) widths.share = 0;
    for (qsizetype i = 0; i < parts().size(); ++i) {
        const Part& part = parts()[i];
        const QColor full = color(part.color);
        const QColor fill = mixedColors(full, color(ColorRole::Card), part.hatched ? 0.35 : 0.85);
        const QRectF box = partRect(i).adjusted(0, 0, -1, 0);
        if (box.width() > 0.3) {
            painter.fillRect(box, fill);
            if (part.hatched) painter.fillRect(box, QBrush(full, Qt::BDiagPattern));
            if (i == pointed()) {
                painter.setPen(QPen(color(ColorRole::TextStrong), 1.5));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
            }
        }
        paintRow(painter, i, fill, ColorRole::Text, widths);
    }
    const QRectF last = rowRect(parts().size());
    painter.setPen(color(ColorRole::Grid));
    painter.drawLine(last.topLeft(), last.topRight());
    painter.setFont(font());
    painter.setPen(color(ColorRole::TextMuted));
    painter.drawText(last.adjusted(0, 3, 0, last.height()), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     m_total);
    paintFocus(painter);
}

qsizetype SplitBar::partAt(const QPointF& at) const {
    for (qsizetype i = 0; i < parts().size(); ++i)
        if (partRect(i).contains(at) || rowRect(i).contains(at)) return i;
    return -1;
}

}  // namespace plumb::ui
