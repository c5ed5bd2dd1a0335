// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/split_bar.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace plumb::ui {
namespace {
constexpr qreal kBar = 30;
constexpr qreal kTop = 6;
}  // namespace

SplitBar::SplitBar(Theme& theme, QWidget* parent) : PaintedChart(theme, parent) {
    setFocusPolicy(Qt::TabFocus);
}

void SplitBar::setParts(const QVector<Part>& parts, const QString& total) {
    m_parts = parts;
    m_total = total;
    m_sum = 0;
    m_pointed = -1;
    QStringList said;
    for (const Part& part : parts) {
        m_sum += part.size;
        said << part.label + QLatin1Char(' ') + part.value;
    }
    setAccessibleDescription(said.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize SplitBar::sizeHint() const {  // the last line may need two
    return {320, static_cast<int>(rowRect(m_parts.size() + 1).bottom()) + 6};
}
QSize SplitBar::minimumSizeHint() const { return {200, sizeHint().height()}; }

QRectF SplitBar::barRect() const { return {kChartSide, kTop, width() - 2 * kChartSide, kBar}; }

QRectF SplitBar::partRect(qsizetype index) const {
    const QRectF bar = barRect();
    double before = 0;
    for (qsizetype i = 0; i < index; ++i) before += m_parts[i].size;
    const double scale = m_sum > 0 ? bar.width() / m_sum : 0;
    return {bar.left() + before * scale, bar.top(), m_parts[index].size * scale, bar.height()};
}

QRectF SplitBar::rowRect(qsizetype index) const {
    const qreal height = fontMetrics().height() + 5;
    return {kChartSide, kTop + kBar + 8 + static_cast<qreal>(index) * height, width() - 2 * kChartSide,
            height};
}

void SplitBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (paintEmpty(painter)) return;
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    const auto shareOf = [&](const Part& part) {
        return m_sum > 0 ? QStringLiteral("%1 %").arg(100 * part.size / m_sum, 0, 'f', 1) : QString();
    };
    // Where it is narrow, names come before shares, which the bar shows and the card says.
    qreal widestName = 0, widestValue = 0, share = 0;
    for (const Part& part : m_parts) {
        widestName = std::max(widestName, QFontMetricsF(font()).horizontalAdvance(part.label));
        widestValue = std::max(widestValue, QFontMetricsF(strong).horizontalAdvance(part.value));
        share = std::max(share, QFontMetricsF(font()).horizontalAdvance(shareOf(part)) + 10);
    }
    const qreal besideName = rowRect(0).width() - (kSwatch + 7) - (widestValue + 10);
    if (widestName > besideName - share) share = 0;
    for (qsizetype i = 0; i < m_parts.size(); ++i) {
        const Part& part = m_parts[i];
        const QColor full = color(part.color);
        const QColor fill = mixedColors(full, color(ColorRole::Card), part.hatched ? 0.35 : 0.85);
        const QRectF box = partRect(i).adjusted(0, 0, -1, 0);
        if (box.width() > 0.3) {
            painter.fillRect(box, fill);
            if (part.hatched) painter.fillRect(box, QBrush(full, Qt::BDiagPattern));
            if (i == m_pointed) {
                painter.setPen(QPen(color(ColorRole::TextStrong), 1.5));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
            }
        }
        const QRectF row = rowRect(i);
        const QRectF swatch(row.left(), row.center().y() - kSwatch / 2.0, kSwatch, kSwatch);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(swatch, 2.5, 2.5);
        if (part.hatched) {
            painter.setBrush(QBrush(full, Qt::BDiagPattern));
            painter.drawRoundedRect(swatch, 2.5, 2.5);
        }
        painter.setFont(font());
        painter.setPen(color(ColorRole::TextMuted));
        if (share > 0) painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, shareOf(part));
        painter.setPen(color(ColorRole::Text));
        painter.drawText(row.adjusted(kSwatch + 7, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font()).elidedText(part.label, Qt::ElideRight, besideName - share));
        painter.setFont(strong);
        painter.drawText(row.adjusted(0, 0, -share, 0), Qt::AlignRight | Qt::AlignVCenter, part.value);
    }
    const QRectF last = rowRect(m_parts.size());
    painter.setPen(color(ColorRole::Grid));
    painter.drawLine(last.topLeft(), last.topRight());
    painter.setFont(font());
    painter.setPen(color(ColorRole::TextMuted));
    painter.drawText(last.adjusted(0, 3, 0, last.height()), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     m_total);
    paintFocus(painter);
}

void SplitBar::point(qsizetype index, const QPoint& at) {
    m_pointed = index;
    update();
    if (index < 0 || index >= m_parts.size()) return hideCard();
    const Part& part = m_parts[index];
    HoverCardContent card;
    card.title = part.label;
    card.rows.push_back({tr("value"), {part.value}, std::nullopt, true});
    if (m_sum > 0)
        card.rows.push_back({tr("share"),
                             {QStringLiteral("%1 %").arg(100 * part.size / m_sum, 0, 'f', 2)},
                             std::nullopt,
                             false});
    card.footer = part.detail;
    showCard(card, at);
}

void SplitBar::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    for (qsizetype i = 0; i < m_parts.size(); ++i)
        if (partRect(i).contains(at) || rowRect(i).contains(at)) return point(i, at.toPoint());
    point(-1, {});
}

void SplitBar::keyPressEvent(QKeyEvent* event) {
    const auto count = m_parts.size();
    if (count == 0) return QWidget::keyPressEvent(event);
    qsizetype next = m_pointed;
    if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Down)
        next = std::min(m_pointed + 1, count - 1);
    else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Up)
        next = std::max<qsizetype>(m_pointed - 1, 0);
    else if (event->key() == Qt::Key_Escape && m_pointed >= 0)
        next = -1;
    else
        return QWidget::keyPressEvent(event);
    point(next, next < 0 ? QPoint() : rowRect(next).center().toPoint());
}

}  // namespace plumb::ui
