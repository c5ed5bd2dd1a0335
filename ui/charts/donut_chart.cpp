// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/donut_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
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
constexpr int kLeastRows = 170;  ///< what rows need beside the ring

QString donutShare(double part, double whole, int digits) {
    return whole > 0 ? QStringLiteral("%1 %").arg(100 * part / whole, 0, 'f', digits) : QString();
}

}  // namespace

DonutChart::DonutChart(Theme& theme, QWidget* parent) : PaintedChart(theme, parent) {
    setFocusPolicy(Qt::TabFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void DonutChart::setParts(const QVector<Part>& parts, const QString& whole, const QString& what) {
    m_parts = parts;
    m_whole = whole;
    m_what = what;
    m_sum = 0;
    m_pointed = -1;
    QStringList said{whole + QLatin1Char(' ') + what};
    for (const Part& part : parts) {
        m_sum += part.size;
        said << part.label + QLatin1Char(' ') + part.value;
    }
    setAccessibleDescription(said.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

bool DonutChart::isBeside(int width) const { return width >= kRing + kRingGap + kLeastRows + 2 * kChartSide; }

int DonutChart::heightForWidth(int width) const {
    const qreal rows = static_cast<qreal>(m_parts.size()) * (fontMetrics().height() + 5);
    return static_cast<int>((isBeside(width) ? std::max(kRing, rows) : kRing + kRingGap + rows) + 12);
}

QSize DonutChart::minimumSizeHint() const { return {200, static_cast<int>(kRing) + 12}; }

QRectF DonutChart::ringRect() const {
    const qreal left = isBeside(width()) ? kChartSide : (width() - kRing) / 2;
    const qreal top = isBeside(width()) ? std::max(6.0, (height() - kRing) / 2) : 6;
    return {left, top, kRing, kRing};
}

QRectF DonutChart::rowRect(qsizetype index) const {
    const qreal rowHeight = fontMetrics().height() + 5;
    const bool beside = isBeside(width());
    const qreal left = beside ? ringRect().right() + kRingGap : kChartSide;
    const qreal all = rowHeight * static_cast<qreal>(m_parts.size());
    const qreal top = beside ? std::max(6.0, (height() - all) / 2) : ringRect().bottom() + kRingGap;
    return {left, top + rowHeight * static_cast<qreal>(index), width() - left - kChartSide, rowHeight};
}

void DonutChart::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (paintEmpty(painter)) return;
    const QRectF ring = ringRect();
    const QRectF hole = ring.adjusted(kRingWidth, kRingWidth, -kRingWidth, -kRingWidth);
    double angle = 90;  // from the top, as a clock goes
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    qreal widestValue = 0, share = 0;
    for (const Part& part : m_parts) {
        widestValue = std::max(widestValue, QFontMetricsF(strong).horizontalAdvance(part.value));
        share =
            std::max(share, QFontMetricsF(font()).horizontalAdvance(donutShare(part.size, m_sum, 1)) + 10);
    }
    for (qsizetype i = 0; i < m_parts.size(); ++i) {
        const Part& part = m_parts[i];
        const QColor fill = part.fill(theme());
        const double span = m_sum > 0 ? 360 * part.size / m_sum : 0;
        QPainterPath arc;
        arc.arcMoveTo(ring, angle);
        arc.arcTo(ring, angle, -span);
        arc.arcTo(hole, angle - span, span);
        arc.closeSubpath();
        const bool isPointed = i == m_pointed;
        painter.setPen(QPen(isPointed ? color(ColorRole::TextStrong) : color(ColorRole::Card), 1.5));
        painter.setBrush(fill);
        if (span > 0) painter.drawPath(arc);
        angle -= span;
        const QRectF row = rowRect(i);
        painter.setPen(Qt::NoPen);
        painter.drawRoundedRect(QRectF(row.left(), row.center().y() - kSwatch / 2.0, kSwatch, kSwatch), 2.5,
                                2.5);
        painter.setFont(font());
        painter.setPen(color(ColorRole::TextMuted));
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, donutShare(part.size, m_sum, 1));
        painter.setPen(color(isPointed ? ColorRole::TextStrong : ColorRole::Text));
        painter.drawText(row.adjusted(kSwatch + 7, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font()).elidedText(part.label, Qt::ElideRight,
                                                          row.width() - kSwatch - 17 - widestValue - share));
        painter.setFont(strong);
        painter.drawText(row.adjusted(0, 0, -share, 0), Qt::AlignRight | Qt::AlignVCenter, part.value);
    }
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
    for (qsizetype i = 0; i < m_parts.size(); ++i)
        if (rowRect(i).contains(at)) return i;
    const QPointF way = at - ringRect().center();
    const double radius = std::hypot(way.x(), way.y());
    if (radius > kRing / 2 || radius < kRing / 2 - kRingWidth || m_sum <= 0) return -1;
    double turn = std::atan2(way.x(), -way.y()) / (2 * std::numbers::pi);
    if (turn < 0) turn += 1;
    double before = 0;
    for (qsizetype i = 0; i < m_parts.size(); ++i) {
        before += m_parts[i].size / m_sum;
        if (turn < before) return i;
    }
    return -1;
}

void DonutChart::point(qsizetype index, const QPoint& at) {
    m_pointed = index;
    update();
    if (index < 0 || index >= m_parts.size()) return hideCard();
    const Part& part = m_parts[index];
    HoverCardContent card;
    card.title = part.label;
    card.rows.push_back({tr("value"), {part.value}, std::nullopt, true});
    card.rows.push_back({tr("share"), {donutShare(part.size, m_sum, 2)}, std::nullopt, false});
    card.footer = part.detail;
    showCard(card, at);
}

void DonutChart::mouseMoveEvent(QMouseEvent* event) {
    point(partAt(event->position()), event->position().toPoint());
}

void DonutChart::keyPressEvent(QKeyEvent* event) {
    const qsizetype count = m_parts.size();
    qsizetype next = m_pointed;
    if (count > 0 && (event->key() == Qt::Key_Right || event->key() == Qt::Key_Down))
        next = std::min(m_pointed + 1, count - 1);
    else if (count > 0 && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Up))
        next = std::max<qsizetype>(m_pointed - 1, 0);
    else if (event->key() == Qt::Key_Escape && m_pointed >= 0)
        next = -1;
    else
        return QWidget::keyPressEvent(event);
    point(next, next < 0 ? QPoint() : rowRect(next).center().toPoint());
}

}  // namespace plumb::ui
