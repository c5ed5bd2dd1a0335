// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/donut_chart.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plumb::ui {
namespace {

constexpr qreal kRing = 116;
constexpr qreal kRingWidth = 19;
constexpr qreal kRingGap = 14;

}  // namespace

DonutChart::DonutChart(Theme& theme, QWidget* parent) : PartsChart(theme, parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void DonutChart::setParts(const QVector<Part>& parts, const QString& whole, const QString& what) {
    m_whole = whole;
    m_what = what;
    takeParts(parts, {whole + QLatin1Char(' ') + what});
}

bool DonutChart::isBeside(int width) const {
    const Columns needed = columns();
    return nameRoom(width - kRing - kRingGap - 2 * kChartSide, needed) - needed.share >= needed.name;
}

int DonutChart::heightForWidth(int width) const {
    const qreal rows = static_cast<qreal>(parts().size()) * rowHeight();
    return static_cast<int>((isBeside(width) ? std::max(kRing, rows) : kRing + kRingGap + rows) + 12);
}

QSize DonutChart::minimumSizeHint() const { return {200, static_cast<int>(kRing) + 12}; }

QRectF DonutChart::ringRect() const {
    const qreal left = isBeside(width()) ? kChartSide : (width() - kRing) / 2;
    const qreal top = isBeside(width()) ? std::max(6.0, (height() - kRing) / 2) : 6;
    return {left, top, kRing, kRing};
}

QRectF DonutChart::rowRect(qsizetype index) const {
    const bool beside = isBeside(width());
    const qreal left = beside ? ringRect().right() + kRingGap : kChartSide;
    const qreal all = rowHeight() * static_cast<qreal>(parts().size());
    const qreal top = beside ? std::max(6.0, (height() - all) / 2) : ringRect().bottom() + kRingGap;
    return {left, top + rowHeight() * static_cast<qreal>(index), width() - left - kChartSide, rowHeight()};
}

void DonutChart::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (paintEmpty(painter)) return;
    const QRectF ring = ringRect();
    const QRectF hole = ring.adjusted(kRingWidth, kRingWidth, -kRingWidth, -kRingWidth);
    double angle = 90;  // from the top, as a clock goes
    const Columns widths = columns();
    for (qsizetype i = 0; i < parts().size(); ++i) {
        const QColor fill = color(parts()[i].color);
        const double span = sum() > 0 ? 360 * parts()[i].size / sum() : 0;
        QPainterPath arc;
        arc.arcMoveTo(ring, angle);
        arc.arcTo(ring, angle, -span);
        arc.arcTo(hole, angle - span, span);
        arc.closeSubpath();
        const bool isPointed = i == pointed();
        painter.setPen(QPen(color(isPointed ? ColorRole::TextStrong : ColorRole::Card), 1.5));
        painter.setBrush(fill);
        if (span > 0) painter.drawPath(arc);
        angle -= span;
        paintRow(painter, i, fill, isPointed ? ColorRole::TextStrong : ColorRole::Text, widths);
    }
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    painter.setFont(strong);
    painter.setPen(color(ColorRole::TextStrong));
    painter.drawText(hole.adjusted(0, 0, 0, -hole.height() / 2 + 4), Qt::AlignHCenter | Qt::AlignBottom,
                     m_whole);
    painter.setFont(smallFont());
    painter.setPen(color(ColorRole::TextMuted));
    painter.drawText(hole.adjusted(0, hole.height() / 2 + 2, 0, 0), Qt::AlignHCenter | Qt::AlignTop, m_what);
    paintFocus(painter);
}

qsizetype DonutChart::partAt(const QPointF& at) const {
    for (qsizetype i = 0; i < parts().size(); ++i)
        if (rowRect(i).contains(at)) return i;
    const QPointF way = at - ringRect().center();
    const double radius = std::hypot(way.x(), way.y());
    if (radius > kRing / 2 || radius < kRing / 2 - kRingWidth || sum() <= 0) return -1;
    double turn = std::atan2(way.x(), -way.y()) / (2 * std::numbers::pi);
    if (turn < 0) turn += 1;
    double before = 0;
    for (qsizetype i = 0; i < parts().size(); ++i) {
        before += parts()[i].size / sum();
        if (turn < before) return i;
    }
    return -1;
}

}  // namespace plumb::ui
