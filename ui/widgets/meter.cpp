// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/meter.h"

#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace plumb::ui {

namespace {
constexpr int kThickness = 14;
constexpr int kLength = 200;
}  // namespace

Meter::Meter(Theme& theme, QWidget* parent, Qt::Orientation orientation)
    : QWidget(parent), m_theme(theme), m_orientation(orientation) {
    if (orientation == Qt::Horizontal)
        setFixedHeight(kThickness);
    else
        setFixedWidth(kThickness);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Meter::setShare(std::optional<double> share) {
    if (m_share == share) return;
    m_share = share;
    update();
}

QSize Meter::sizeHint() const {
    const QSize lying(kLength, kThickness);
    return m_orientation == Qt::Horizontal ? lying : lying.transposed();
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
    const double share = std::min(*m_share, 1.0);
    if (m_orientation == Qt::Horizontal)
        fill.setWidth(std::max(3.0, fill.width() * share));
    else
        fill.setTop(fill.bottom() - std::max(3.0, fill.height() * share));
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(*m_share > 1.0   ? ColorRole::Bad
                                   : *m_share > 0.9 ? ColorRole::Warning
                                                    : ColorRole::Good));
    painter.drawRoundedRect(fill, std::min(4.0, fill.width() / 2), std::min(4.0, fill.height() / 2));
}

}  // namespace plumb::ui
