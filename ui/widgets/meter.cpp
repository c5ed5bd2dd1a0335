// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/meter.h"

#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace plumb::ui {

Meter::Meter(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setFixedHeight(14);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Meter::setShare(std::optional<double> share) {
    if (m_share == share) return;
    m_share = share;
    update();
}

void Meter::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(m_theme.color(ColorRole::FieldBorder));
    painter.setBrush(m_theme.color(ColorRole::Field));
    painter.drawRoundedRect(box, 5, 5);
    if (!m_share || *m_share <= 0) return;
    QRectF fill = box.adjusted(1, 1, -1, -1);
    fill.setWidth(std::max(3.0, fill.width() * std::min(*m_share, 1.0)));
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(*m_share > 1.0   ? ColorRole::Bad
                                   : *m_share > 0.9 ? ColorRole::Warning
                                                    : ColorRole::Good));
    painter.drawRoundedRect(fill, std::min(4.0, fill.width() / 2), 4);
}

}  // namespace plumb::ui
