// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/painted_chart.h"

#include "ui/charts/chart_picture.h"

#include <QFocusEvent>
#include <QPainter>

namespace plumb::ui {

PaintedChart::PaintedChart(Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_card(theme, *this) {
    new PictureMenu(*this, theme);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    connect(&m_pointer, &Pointer::left, this, [this] { hideCard(); });
}

void PaintedChart::setEmptyText(const QString& text) {
    if (m_emptyText == text) return;
    m_emptyText = text;
    if (!text.isEmpty()) hideCard();
    update();
}

QFont PaintedChart::smallFont() const {
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() - 1.5);
    return small;
}

void PaintedChart::paintFocus(QPainter& painter) const {
    if (!m_focusShown) return;
    painter.setPen(QPen(m_theme.color(ColorRole::Accent), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
}

bool PaintedChart::paintEmpty(QPainter& painter) const {
    if (m_emptyText.isEmpty()) return false;
    painter.setPen(m_theme.color(ColorRole::TextMuted));
    painter.setFont(font());
    painter.drawText(QRectF(rect()).adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap,
                     m_emptyText);
    paintFocus(painter);
    return true;
}

void PaintedChart::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    hideCard();
}

void PaintedChart::focusInEvent(QFocusEvent* event) {
    m_focusShown = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    QWidget::focusInEvent(event);
    update();
}

void PaintedChart::focusOutEvent(QFocusEvent* event) {
    m_focusShown = false;
    QWidget::focusOutEvent(event);
    hideCard();
    update();
}

}  // namespace plumb::ui
