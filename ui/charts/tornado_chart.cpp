// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/tornado_chart.h"

#include "ui/charts/axis.h"
#include "ui/charts/within.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {
constexpr qreal kRow = 24;
constexpr qreal kBarHeight = 13;
constexpr qreal kNameGap = 6;  // between the names and the bars
constexpr qreal kEnds = 54;    // room for the texts at the ends of the widest bar
constexpr ChartColor kLow = Phase::Forward;
constexpr ChartColor kHigh = Phase::Backward;
}  // namespace

TornadoChart::TornadoChart(Theme& theme, QWidget* parent) : PaintedChart(theme, parent) {
    setFocusPolicy(Qt::TabFocus);
    connect(&pointer(), &Pointer::hovered, this, [this](const QPointF& pixel) {
        point(emptyText().isEmpty() ? rowAt(pixel) : -1, pixel.toPoint());
    });
    connect(&pointer(), &Pointer::pressed, this, [this](const QPointF& pixel) {
        if (const qsizetype row = rowAt(pixel); row >= 0) emit chosen(static_cast<int>(row));
    });
}

void TornadoChart::setContent(const Content& content) {
    m_content = content;
    m_pointed = -1;
    QStringList said;
    for (const Bar& bar : content.bars)
        said << tr("%1: from %2 to %3")
                    .arg(bar.label, content.format(std::min(bar.atLow, bar.atHigh)),
                         content.format(std::max(bar.atLow, bar.atHigh)));
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    update();
}

qreal TornadoChart::room() const { return height() - 2 * fontMetrics().height() - 34; }

qsizetype TornadoChart::rows() const {
    qsizetype fit = 0;
    for (qreal used = 0; fit < m_content.bars.size(); ++fit)
        if ((used += rowHeight(fit)) > room()) break;
    return fit;
}

qreal TornadoChart::labelsWidth() const {
    qreal widest = 0;
    for (const Bar& bar : m_content.bars)
        widest = std::max(widest, QFontMetricsF(font()).horizontalAdvance(bar.label));
    return std::min({widest + kNameGap + 2, 240.0, width() * 0.42});
}

QSizeF TornadoChart::nameSize(qsizetype index) const {
    const QRectF room(0, 0, labelsWidth() - kNameGap, 1e4);
    return QFontMetricsF(font()).boundingRect(room, Qt::TextWordWrap, m_content.bars[index].label).size();
}

// A name that needs two lines has them; those of Chinese are higher than the font says.
qreal TornadoChart::rowHeight(qsizetype index) const { return std::max(kRow, nameSize(index).height() + 2); }

std::pair<QRectF, QString> TornadoChart::placedName(qsizetype index) const {
    const QRectF row = rowRect(index);
    const QRectF box(row.left(), row.top(), plot().left() - row.left() - kNameGap, row.height());
    const QString& name = m_content.bars[index].label;
    const QSizeF needed = nameSize(index);
    if (needed.height() <= box.height() && needed.width() <= box.width()) return {box, name};
    return {box, fontMetrics().elidedText(name, Qt::ElideRight, static_cast<int>(box.width()))};
}

qreal TornadoChart::rowsHeight(qsizetype count) const {
    qreal height = 0;
    for (qsizetype i = 0; i < count; ++i) height += rowHeight(i);
    return height;
}

QRectF TornadoChart::plot() const {
    const qreal top = fontMetrics().height() + 8;
    return QRectF(QPointF(kChartSide + labelsWidth(), top),
                  QPointF(width() - kChartSide, top + rowsHeight(rows())));
}

std::pair<double, double> TornadoChart::range() const {
    double low = m_content.expected, high = m_content.expected;
    for (const Bar& bar : m_content.bars) {
        low = std::min({low, bar.atLow, bar.atHigh});
        high = std::max({high, bar.atLow, bar.atHigh});
    }
    if (!(high > low)) high = low + std::max(1e-12, std::fabs(low));
    return {low, high};
}

double TornadoChart::toX(double value) const {
    const auto [low, high] = range();
    const QRectF box = plot().adjusted(kEnds, 0, -kEnds, 0);
    return box.left() + (value - low) / (high - low) * box.width();
}

QRectF TornadoChart::rowRect(qsizetype index) const {
    return {kChartSide, plot().top() + rowsHeight(index), width() - 2 * kChartSide, rowHeight(index)};
}

QRectF TornadoChart::barRect(qsizetype index) const {
    const Bar& bar = m_content.bars[index];
    const qreal from = toX(std::min({bar.atLow, bar.atHigh, m_content.expected}));
    const qreal to = toX(std::max({bar.atLow, bar.atHigh, m_content.expected}));
    return {from, rowRect(index).center().y() - kBarHeight / 2, std::max(1.0, to - from), kBarHeight};
}

qsizetype TornadoChart::rowAt(const QPointF& at) const {
    for (qsizetype i = 0; i < rows(); ++i)
        if (rowRect(i).contains(at)) return i;
    return -1;
}

void TornadoChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (paintEmpty(painter)) return;
    if (m_content.bars.isEmpty() || !m_content.format) return paintFocus(painter);
    const QRectF box = plot();
    const QFont small = smallFont();
    const QFontMetricsF metrics(small);
    const auto [low, high] = range();
    AxisOptions axis;
    axis.min = low;
    axis.max = high;
    // Unlike a unit's prefix, the format of the answer is the caller's: only the places come from here.
    painter.setFont(small);
    qreal free = kChartSide;
    for (const AxisTick& tick : axisTicks(axis, std::max(3, static_cast<int>(box.width() / 110)))) {
        const qreal x = std::round(toX(tick.value)) + 0.5;
        painter.setPen(color(ColorRole::Grid));
        painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
        const QString text = m_content.format(tick.value);
        const qreal half = metrics.horizontalAdvance(text) / 2;
        if (x - half < free || x + half > width()) continue;
        free = x + half + 8;
        painter.setPen(color(ColorRole::Axis));
        painter.drawText(QRectF(x - half, box.bottom() + 3, 2 * half + 1, metrics.height()), Qt::AlignCenter,
                         text);
    }
    for (qsizetype i = 0; i < rows(); ++i) {
        const Bar& bar = m_content.bars[i];
        const QRectF row = rowRect(i);
        if (i == m_pointed) painter.fillRect(row, color(ColorRole::Hover));
        painter.setFont(font());
        painter.setPen(color(ColorRole::Text));
        const auto [place, name] = placedName(i);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, name);
        const qreal middle = toX(m_content.expected);
        const auto half = [&](double value, const ChartColor& fill, const QString& text, bool hidden) {
            const qreal x = toX(value);
            // Both ends on one side: the nearer one is painted over the farther one.
            painter.fillRect(QRectF(std::min(x, middle), row.center().y() - kBarHeight / 2,
                                    std::fabs(x - middle), kBarHeight),
                             mixedColors(color(fill), color(ColorRole::Card), 0.85));
            if (hidden) return;
            painter.setFont(small);
            painter.setPen(color(ColorRole::TextMuted));
            const qreal wide = metrics.horizontalAdvance(text);
            // An end without a bar is written on the side that the other end's bar leaves free.
            const bool other = value == m_content.expected && std::min(bar.atLow, bar.atHigh) < value;
            if (x < middle || (x == middle && !other))
                painter.drawText(QRectF(x - wide - 4, row.top(), wide + 1, row.height()), Qt::AlignVCenter,
                                 text);
            else
                painter.drawText(QRectF(x + 4, row.top(), wide + 1, row.height()), Qt::AlignVCenter, text);
        };
        const bool sameSide = (bar.atLow - m_content.expected) * (bar.atHigh - m_content.expected) > 0;
        const bool lowNearer =
            std::fabs(bar.atLow - m_content.expected) < std::fabs(bar.atHigh - m_content.expected);
        if (lowNearer) half(bar.atHigh, kHigh, bar.high, false);
        half(bar.atLow, kLow, bar.low, sameSide && lowNearer);
        if (!lowNearer) half(bar.atHigh, kHigh, bar.high, sameSide);
    }
    const qreal x = std::round(toX(m_content.expected)) + 0.5;
    painter.setPen(QPen(color(ColorRole::TextStrong), 1.2));
    painter.drawLine(QPointF(x, box.top() - 3), QPointF(x, box.bottom()));
    QFont strong = small;
    strong.setWeight(QFont::DemiBold);
    painter.setFont(strong);
    const QString expected = m_content.format(m_content.expected);
    const qreal wide = QFontMetricsF(strong).horizontalAdvance(expected) + 2;
    painter.drawText(QRectF(within(x - wide / 2, 0.0, width() - wide), 1, wide, box.top() - 3),
                     Qt::AlignCenter, expected);
    painter.setFont(small);
    const qreal bottom = box.bottom() + metrics.height() + 8;
    qreal left = kChartSide;
    const auto legend = [&](const ChartColor& fill, const QString& text) {
        painter.fillRect(QRectF(left, bottom + metrics.height() / 2 - 5, 11, 11),
                         mixedColors(color(fill), color(ColorRole::Card), 0.85));
        painter.setPen(color(ColorRole::TextMuted));
        const qreal width = metrics.horizontalAdvance(text);
        painter.drawText(QRectF(left + 16, bottom, width + 1, metrics.height()), Qt::AlignVCenter, text);
        left += width + 34;
    };
    legend(kLow, tr("input at its low end"));
    legend(kHigh, tr("at its high end"));
    const qsizetype hidden = m_content.bars.size() - rows();
    QString rest = m_content.title;
    if (hidden > 0) rest = tr("%1 more without room").arg(hidden);
    painter.setPen(color(ColorRole::TextMuted));
    painter.drawText(QRectF(left, bottom, width() - left - kChartSide, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(rest, Qt::ElideRight, width() - left - kChartSide));
    paintFocus(painter);
}

void TornadoChart::point(qsizetype index, const QPoint& at) {
    m_pointed = index;
    update();
    if (index < 0 || index >= m_content.bars.size()) return hideCard();
    const Bar& bar = m_content.bars[index];
    HoverCardContent card;
    card.title = bar.label;
    card.header = {tr("input"), tr("answer")};
    card.rows.push_back({tr("low"), {bar.low, m_content.format(bar.atLow)}, kLow, false});
    card.rows.push_back(
        {tr("expected"), {QString(), m_content.format(m_content.expected)}, std::nullopt, true});
    card.rows.push_back({tr("high"), {bar.high, m_content.format(bar.atHigh)}, kHigh, false});
    card.footer = bar.help;
    showCard(card, at);
}

void TornadoChart::keyPressEvent(QKeyEvent* event) {
    const qsizetype count = rows();
    if (count == 0) return QWidget::keyPressEvent(event);
    qsizetype next = m_pointed;
    switch (event->key()) {
    case Qt::Key_Down:
        next = std::min(m_pointed + 1, count - 1);
        break;
    case Qt::Key_Up:
        next = std::max<qsizetype>(m_pointed - 1, 0);
        break;
    case Qt::Key_Escape:
        next = -1;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_pointed >= 0) emit chosen(static_cast<int>(m_pointed));
        return;
    default:
        return QWidget::keyPressEvent(event);
    }
    point(next, next < 0 ? QPoint() : barRect(next).center().toPoint());
}

}  // namespace plumb::ui
