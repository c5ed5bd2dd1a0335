// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heat_map.h"

#include <QKeyEvent>
#include <QLinearGradient>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::ui {
namespace {
constexpr qreal kScaleWidth = 14;
constexpr qreal kScaleRoom = 96;
constexpr qreal kLabelGap = 6;
/// From dark and cold to light and warm: the order of brightness is the same for every reader.
constexpr std::array<ChartColor, 4> kScale{Category::Parameters, Category::MasterParameters,
                                           Category::Activations, Category::ActivationGradients};
}  // namespace

HeatMap::HeatMap(Theme& theme, QWidget* parent) : PaintedChart(theme, parent) {
    setFocusPolicy(Qt::StrongFocus);
    connect(&pointer(), &Pointer::hovered, this, [this](const QPointF& pixel) {
        const auto [x, y] = emptyText().isEmpty() ? cellAt(pixel) : std::pair(-1, -1);
        point(x, y, pixel.toPoint());
    });
    connect(&pointer(), &Pointer::pressed, this, [this](const QPointF& pixel) {
        const auto [x, y] = cellAt(pixel);
        if (x >= 0 && emptyText().isEmpty()) emit chosen(x, y);
    });
}

void HeatMap::setContent(const Content& content) {
    m_content = content;
    m_pointedX = m_pointedY = -1;
    bool any = false;
    for (const Cell& cell : content.cells) {
        if (!cell.value) continue;
        m_low = any ? std::min(m_low, *cell.value) : *cell.value;
        m_high = any ? std::max(m_high, *cell.value) : *cell.value;
        any = true;
    }
    if (!any) m_low = m_high = 0;
    m_log = m_low > 0 && m_high > 8 * m_low;
    setAccessibleDescription(any ? tr("%1 over %2 and %3, from %4 to %5")
                                       .arg(content.valueTitle, content.x.title, content.y.title,
                                            content.format(m_low), content.format(m_high))
                                 : QString());
    update();
}

void HeatMap::setProgress(std::optional<double> share) {
    if (m_progress == share) return;
    m_progress = share;
    update();
}

QRectF HeatMap::plot() const {
    const QFontMetricsF metrics(smallFont());
    qreal left = 0;
    for (const QString& tick : m_content.y.ticks) left = std::max(left, metrics.horizontalAdvance(tick));
    const qreal top = metrics.height() + 8;
    return QRectF(QPointF(kChartSide + left + kLabelGap, top),
                  QPointF(width() - kScaleRoom, height() - 2 * metrics.height() - 10));
}

QRectF HeatMap::cellRect(int x, int y) const {
    const QRectF box = plot();
    const qreal wide = box.width() / std::max(1, columns());
    const qreal high = box.height() / std::max(1, lines());
    return {box.left() + x * wide, box.bottom() - (y + 1) * high, wide, high};
}

QColor HeatMap::colorAt(double share) const {
    const double at = std::clamp(share, 0.0, 1.0) * (kScale.size() - 1);
    const auto from = std::min(static_cast<std::size_t>(at), kScale.size() - 2);
    return mixedColors(color(kScale[from + 1]), color(kScale[from]), at - static_cast<double>(from));
}

QColor HeatMap::colorOf(double value) const {
    if (!(m_high > m_low)) return colorAt(0.5);
    return colorAt(m_log ? std::log(value / m_low) / std::log(m_high / m_low)
                         : (value - m_low) / (m_high - m_low));
}

std::pair<int, int> HeatMap::cellAt(const QPointF& at) const {
    const QRectF box = plot();
    if (!box.contains(at) || columns() == 0 || lines() == 0) return {-1, -1};
    return {std::min(columns() - 1, static_cast<int>((at.x() - box.left()) / box.width() * columns())),
            std::min(lines() - 1, static_cast<int>((box.bottom() - at.y()) / box.height() * lines()))};
}

void HeatMap::paintAxes(QPainter& painter) const {
    const QFont small = smallFont();
    const QFontMetricsF metrics(small);
    const QRectF box = plot();
    painter.setFont(small);
    painter.setPen(color(ColorRole::Axis));
    qreal free = box.left() - 20;
    for (int x = 0; x < columns(); ++x) {
        const QString& text = m_content.x.ticks[x];
        const qreal half = metrics.horizontalAdvance(text) / 2;
        const qreal middle = cellRect(x, 0).center().x();
        if (middle - half < free) continue;
        free = middle + half + 8;
        painter.drawText(QRectF(middle - half, box.bottom() + 2, 2 * half + 1, metrics.height()),
                         Qt::AlignCenter, text);
    }
    qreal above = box.bottom() + metrics.height();
    for (int y = 0; y < lines(); ++y) {
        const qreal middle = cellRect(0, y).center().y();
        if (middle + metrics.height() / 2 > above) continue;
        above = middle - metrics.height() / 2;
        painter.drawText(QRectF(kChartSide, middle - metrics.height() / 2,
                                box.left() - kLabelGap - kChartSide, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, m_content.y.ticks[y]);
    }
    painter.setPen(color(ColorRole::TextMuted));
    painter.drawText(QRectF(kChartSide, 2, box.right() - kChartSide, metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, m_content.y.title);
    painter.drawText(QRectF(box.left(), height() - metrics.height() - 4, box.width(), metrics.height()),
                     Qt::AlignCenter, m_content.x.title);
}

void HeatMap::paintScale(QPainter& painter) const {
    const QFont small = smallFont();
    const QFontMetricsF metrics(small);
    const QRectF box = plot();
    const qreal left = box.right() + 14;
    const qreal notes = 2 * (metrics.height() + 4) + 6;
    const QRectF bar(left, box.top(), kScaleWidth, std::max(30.0, box.height() - notes));
    QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
    for (int i = 0; i <= 12; ++i) gradient.setColorAt(i / 12.0, colorAt(i / 12.0));
    painter.fillRect(bar, gradient);
    painter.setFont(small);
    painter.setPen(color(ColorRole::Axis));
    const int ticks = bar.height() > 110 ? 4 : 2;
    for (int i = 0; i <= ticks; ++i) {
        const double share = static_cast<double>(i) / ticks;
        const double value =
            m_log ? m_low * std::pow(m_high / m_low, share) : m_low + share * (m_high - m_low);
        const qreal y = bar.bottom() - share * bar.height();
        painter.drawText(
            QRectF(bar.right() + 5, y - metrics.height() / 2, width() - bar.right() - 6, metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter, m_content.format(value));
        if (!(m_high > m_low)) break;
    }
    painter.setPen(color(ColorRole::TextMuted));
    painter.drawText(QRectF(left - 60, 2, width() - left + 56, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, m_content.valueTitle);
    qreal y = bar.bottom() + 10;
    const auto entry = [&](bool hatched, const QString& text) {
        const QRectF swatch(left, y + metrics.height() / 2 - 5.5, 11, 11);
        painter.setPen(QPen(color(ColorRole::FieldBorder), 1));
        painter.setBrush(hatched ? QBrush(colorAt(0.5)) : QBrush(color(ColorRole::Field)));
        painter.drawRect(swatch);
        if (hatched) painter.fillRect(swatch, QBrush(color(ColorRole::Window), Qt::BDiagPattern));
        painter.setPen(color(ColorRole::TextMuted));
        painter.drawText(QRectF(left + 16, y, width() - left - 17, metrics.height()), Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, width() - left - 17));
        y += metrics.height() + 4;
    };
    entry(true, m_content.notAllowed);
    entry(false, tr("not possible"));
}

void HeatMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (paintEmpty(painter) || m_content.cells.isEmpty() || !m_content.format) {
        // Nothing to show yet: the progress alone.
    } else {
        for (int y = 0; y < lines(); ++y) {
            for (int x = 0; x < columns(); ++x) {
                const Cell& cell = m_content.cells[y * columns() + x];
                // Whole pixels, so that no gap shows between neighbours.
                const QRect box = cellRect(x, y).toAlignedRect().intersected(plot().toAlignedRect());
                painter.fillRect(box, cell.value ? colorOf(*cell.value) : color(ColorRole::Field));
                if (!cell.value) continue;
                if (!cell.allowed) painter.fillRect(box, QBrush(color(ColorRole::Window), Qt::BDiagPattern));
            }
        }
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        if (m_content.currentX >= 0 && m_content.currentY >= 0) {
            painter.setPen(QPen(color(ColorRole::Window), 3.5));
            const QRectF box =
                cellRect(m_content.currentX, m_content.currentY).adjusted(1.5, 1.5, -1.5, -1.5);
            painter.drawRect(box);
            painter.setPen(QPen(color(ColorRole::TextStrong), 1.6));
            painter.drawRect(box);
        }
        if (m_pointedX >= 0) {
            painter.setPen(QPen(color(ColorRole::TextStrong), 1.2, Qt::DotLine));
            painter.drawRect(cellRect(m_pointedX, m_pointedY).adjusted(0.5, 0.5, -0.5, -0.5));
        }
        paintAxes(painter);
        paintScale(painter);
    }
    if (m_progress) {
        const QRectF bar(plot().left(), plot().center().y() - 12, plot().width(), 24);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(color(ColorRole::FieldBorder));
        painter.setBrush(color(ColorRole::Field));
        painter.drawRoundedRect(bar, 6, 6);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(ColorRole::Selection));
        painter.drawRoundedRect(QRectF(bar.left() + 1, bar.top() + 1, (bar.width() - 2) * *m_progress, 22), 5,
                                5);
        painter.setPen(color(ColorRole::Text));
        painter.setFont(font());
        painter.drawText(bar, Qt::AlignCenter,
                         tr("working it out: %1 % · Esc cancels").arg(qRound(100 * *m_progress)));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    paintFocus(painter);
}

void HeatMap::point(int x, int y, const QPoint& at) {
    m_pointedX = x;
    m_pointedY = y;
    update();
    if (x < 0 || y < 0 || m_content.cells.isEmpty()) return hideCard();
    const Cell& cell = m_content.cells[y * columns() + x];
    HoverCardContent card;
    card.title = cell.value ? m_content.valueTitle + QLatin1Char(' ') + m_content.format(*cell.value)
                            : tr("not possible");
    card.rows.push_back({m_content.x.title, {m_content.x.ticks[x]}, std::nullopt, false});
    card.rows.push_back({m_content.y.title, {m_content.y.ticks[y]}, std::nullopt, false});
    card.rows += cell.rows;
    card.footer = cell.footer;
    showCard(card, at);
}

void HeatMap::keyPressEvent(QKeyEvent* event) {
    if (columns() == 0 || lines() == 0) return QWidget::keyPressEvent(event);
    int x = m_pointedX >= 0 ? m_pointedX : std::max(0, m_content.currentX);
    int y = m_pointedY >= 0 ? m_pointedY : std::max(0, m_content.currentY);
    switch (event->key()) {
    case Qt::Key_Left:
        --x;
        break;
    case Qt::Key_Right:
        ++x;
        break;
    case Qt::Key_Up:
        ++y;
        break;
    case Qt::Key_Down:
        --y;
        break;
    case Qt::Key_Home:
        x = 0;
        break;
    case Qt::Key_End:
        x = columns() - 1;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_pointedX >= 0) emit chosen(m_pointedX, m_pointedY);
        return;
    case Qt::Key_Escape:
        if (m_pointedX < 0) return QWidget::keyPressEvent(event);
        return point(-1, -1, {});
    default:
        return QWidget::keyPressEvent(event);
    }
    x = std::clamp(x, 0, columns() - 1);
    y = std::clamp(y, 0, lines() - 1);
    point(x, y, cellRect(x, y).center().toPoint());
}

}  // namespace plumb::ui
