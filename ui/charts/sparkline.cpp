// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/sparkline.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr double kDot = 2;      // radius of the newest value
constexpr double kMarkBar = 3;  // height of a marked stretch
constexpr double kLeastBar = 3;

}  // namespace

Sparkline::Sparkline(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setFixedHeight(22);
    setAttribute(Qt::WA_TransparentForMouseEvents);  // the tool tip is that of the cell
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Sparkline::setContent(const Content& content) {
    if (m_content == content) return;
    m_content = content;
    update();
}

void Sparkline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF plot = QRectF(rect()).adjusted(kDot, kDot + 1, -kDot - 1, -kMarkBar - 1);
    painter.setPen({m_theme.color(ColorRole::Grid), 1});
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    if (m_content.line.isEmpty() || !(m_content.high > m_content.low)) return;
    const double first = m_content.line.first().x();
    const double length = std::max(m_content.line.last().x() - first, 1e-300);
    const auto across = [&](double x) { return plot.left() + (x - first) / length * plot.width(); };
    const auto up = [&](double y) {
        return plot.bottom() - (y - m_content.low) / (m_content.high - m_content.low) * plot.height();
    };
    if (m_content.limit) {
        painter.setPen({m_theme.color(ColorRole::Axis), 1, Qt::DashLine});
        painter.drawLine(QPointF(plot.left(), up(*m_content.limit)),
                         QPointF(plot.right(), up(*m_content.limit)));
    }
    for (const auto& [from, to] : m_content.marked) {
        const double left = across(from);
        painter.fillRect(QRectF(left, plot.bottom(), std::max(across(to) - left, kLeastBar), kMarkBar),
                         m_theme.color(ColorRole::Warning));
    }
    QPainterPath path;
    bool drawing = false;
    for (const QPointF& point : m_content.line) {
        if (!std::isfinite(point.y())) {
            drawing = false;
            continue;
        }
        const QPointF at(across(point.x()), up(point.y()));
        if (drawing)
            path.lineTo(at);
        else
            path.moveTo(at);
        drawing = true;
    }
    painter.setPen({m_theme.color(ColorRole::Accent), 1.3});
    painter.drawPath(path);
    const QPointF& newest = m_content.line.last();
    if (!std::isfinite(newest.y())) return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(ColorRole::Accent));
    painter.drawEllipse(QPointF(across(newest.x()), up(newest.y())), kDot, kDot);
}

}  // namespace plumb::ui
