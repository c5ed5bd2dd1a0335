// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_memory_chart.h"

#include "core/base/entry_at.h"
#include "ui/charts/chart_panel.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr qreal kWidestBar = 46;
constexpr double kPredictedPart = 0.62;  // width of a predicted bar, of a measured one
constexpr double kHollowBar = 0.16;      // fill of a predicted bar
constexpr int kTicks = 5;

}  // namespace

RankMemoryChart::RankMemoryChart(Theme& theme, QWidget* parent) : PaintedChart(theme, parent) {
    setFocusPolicy(Qt::StrongFocus);
    connect(&pointer(), &Pointer::hovered, this,
            [this](const QPointF& at) { point(rankAt(at), at.toPoint()); });
    connect(&pointer(), &Pointer::left, this, [this] { point(-1, {}); });
    connect(&pointer(), &Pointer::pressed, this, [this](const QPointF& at) {
        if (const int rank = rankAt(at); rank >= 0) choose(rank);
    });
}

void RankMemoryChart::setState(const RanksState* state) {
    m_state = state;
    m_pointed = -1;
    m_chosen = std::clamp(m_chosen, 0, std::max(0, count() - 1));
    double most = 0;
    if (m_state)
        for (const ShownRank& rank : m_state->shown)
            for (const auto& reading : {rank.predicted, rank.measured})
                most = std::max(most, ShownRank::figure(reading, RankFigure::Memory).value_or(0));
    // Room for the numbers above the bars.
    constexpr double kAbove = 1.08;
    m_top = most > 0 ? niceRange(0, most * kAbove, false, kTicks).second : 1;
    m_ticks = axisTicks({{}, QStringLiteral("B"), false, 0, m_top}, kTicks);
    hideCard();
    update();
}

void RankMemoryChart::setChosen(int rank) {
    m_chosen = std::clamp(rank, 0, std::max(0, count() - 1));
    update();
}

int RankMemoryChart::count() const { return m_state ? static_cast<int>(m_state->shown.size()) : 0; }

QRectF RankMemoryChart::plot() const {
    const QFontMetricsF metrics(smallFont());
    qreal left = 0;
    for (const AxisTick& tick : m_ticks) left = std::max(left, metrics.horizontalAdvance(tick.label));
    return {QPointF(kChartSide + left + 8, metrics.height() + 4),
            QPointF(width() - kChartSide, height() - metrics.height() - 8)};
}

QRectF RankMemoryChart::slot(int rank) const {
    const QRectF box = plot();
    const qreal wide = box.width() / std::max(1, count());
    return {box.left() + rank * wide, 0, wide, static_cast<qreal>(height())};
}

qreal RankMemoryChart::toY(double bytes) const {
    const QRectF box = plot();
    return box.bottom() - box.height() * bytes / m_top;
}

QRectF RankMemoryChart::barRect(int rank, bool isMeasured) const {
    const ShownRank& shown = entryAt(m_state->shown, rank);
    const auto& reading = isMeasured ? shown.measured : shown.predicted;
    if (!reading) return {};
    const QRectF place = slot(rank);
    const bool hasBoth = shown.measured && shown.predicted;
    const qreal room = place.width() * (place.width() < 10 ? 0.9 : 0.8);
    const qreal full = std::min(kWidestBar, hasBoth ? room / (1 + kPredictedPart) : room);
    const qreal predicted = hasBoth ? full * kPredictedPart : full;
    const qreal all = hasBoth ? full + predicted : full;
    const qreal left = place.center().x() - all / 2 + (isMeasured && hasBoth ? predicted : 0);
    const qreal top = toY(static_cast<double>(reading->peakBytes));
    return {left, top, isMeasured ? full : predicted, plot().bottom() - top};
}

// Every one where they have room beside each other, else every second, fourth ... one.
QVector<RankMemoryChart::PlacedText> RankMemoryChart::texts() const {
    QVector<PlacedText> placed;
    if (count() == 0) return placed;
    QFont strong = smallFont();
    strong.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(strong);
    const auto widthOf = [&](int rank) {
        const auto most = entryAt(m_state->shown, rank).figure(RankFigure::Memory);
        return std::max(metrics.horizontalAdvance(rankText(entryAt(m_state->shown, rank).number)),
                        metrics.horizontalAdvance(figureText(most, RankFigure::Memory))) +
               8;
    };
    qreal widest = 0;
    for (int rank = 0; rank < count(); ++rank) widest = std::max(widest, widthOf(rank));
    int stride = 1;
    while (slot(0).width() * stride < widest && stride < count()) stride *= 2;
    const QRectF box = plot();
    qreal free = 0;  // right of the one before, which may have been moved away from the edge
    for (int rank = 0; rank < count(); rank += stride) {
        const ShownRank& shown = entryAt(m_state->shown, rank);
        const qreal middle = std::clamp(slot(rank).center().x(), box.left() + widest / 2,
                                        std::max(box.left() + widest / 2, box.right() - widest / 2));
        if (rank > 0 && middle - widest / 2 < free) continue;
        free = middle + widest / 2;
        const auto add = [&](const QString& text, qreal top) {
            placed.push_back(
                {text, QRectF(middle - widest / 2, top, widest, metrics.height()), rank == m_chosen});
        };
        add(rankText(shown.number), box.bottom() + 4);
        const auto value = shown.figure(RankFigure::Memory);
        const qreal top = std::min(toY(ShownRank::figure(shown.predicted, RankFigure::Memory).value_or(0)),
                                   toY(ShownRank::figure(shown.measured, RankFigure::Memory).value_or(0)));
        add(figureText(value, RankFigure::Memory), top - metrics.height() - 2);
    }
    return placed;
}

int RankMemoryChart::rankAt(const QPointF& at) const {
    const QRectF box = plot();
    if (count() == 0 || !emptyText().isEmpty() || at.x() < box.left() || at.x() > box.right()) return -1;
    return std::min(count() - 1, static_cast<int>((at.x() - box.left()) / slot(0).width()));
}

void RankMemoryChart::paintAxis(QPainter& painter) const {
    const QFontMetricsF metrics(smallFont());
    const QRectF box = plot();
    painter.setFont(smallFont());
    for (const AxisTick& tick : m_ticks) {
        const qreal y = toY(tick.value);
        painter.setPen(color(ColorRole::Grid));
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
        painter.setPen(color(ColorRole::Axis));
        painter.drawText(QRectF(0, y - metrics.height() / 2, box.left() - 8, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
}

void RankMemoryChart::paintBar(QPainter& painter, const RankReading& reading, const QRectF& bar,
                               bool isMeasured) const {
    double before = 0;
    for (const Category category : kAllCategories) {
        const auto bytes = static_cast<double>(reading.atPeak[category]);
        if (bytes <= 0) continue;
        const QRectF part(bar.left(), toY(before + bytes), bar.width(), toY(before) - toY(before + bytes));
        before += bytes;
        const QColor fill = color(category);
        if (isMeasured) {
            painter.fillRect(part, fill);
            continue;
        }
        painter.fillRect(part, mixedColors(fill, color(ColorRole::Card), kHollowBar));
        painter.setPen(QPen(fill, 1, Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        if (bar.width() > 5) painter.drawRect(part.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    // Of older files the sum alone is known.
    if (before == 0) {
        painter.setPen(QPen(color(ColorRole::TextMuted), 1, isMeasured ? Qt::SolidLine : Qt::DashLine));
        painter.setBrush(isMeasured ? QBrush(color(ColorRole::Ghost)) : QBrush(Qt::NoBrush));
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void RankMemoryChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (paintEmpty(painter) || count() == 0) return;
    for (const int rank : {m_pointed, m_chosen}) {
        if (rank < 0) continue;
        const QRectF place = slot(rank).adjusted(1, 0, -1, 0);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(rank == m_chosen ? ColorRole::Selection : ColorRole::Hover));
        painter.drawRoundedRect(place, 5, 5);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintAxis(painter);
    for (int rank = 0; rank < count(); ++rank) {
        const ShownRank& shown = entryAt(m_state->shown, rank);
        if (shown.predicted) paintBar(painter, *shown.predicted, barRect(rank, false), false);
        if (shown.measured) paintBar(painter, *shown.measured, barRect(rank, true), true);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    QFont strong = smallFont();
    strong.setWeight(QFont::DemiBold);
    for (const PlacedText& text : texts()) {
        painter.setFont(text.strong ? strong : smallFont());
        painter.setPen(color(text.strong ? ColorRole::TextStrong : ColorRole::TextMuted));
        painter.drawText(text.box, Qt::AlignCenter, text.text);
    }
    paintFocus(painter);
}

void RankMemoryChart::point(int rank, const QPoint& at) {
    m_pointed = rank;
    update();
    if (rank < 0) return hideCard();
    const ShownRank& shown = entryAt(m_state->shown, rank);
    HoverCardContent card;
    card.title = rankText(shown.number);
    card.header = {tr("predicted"), tr("measured")};
    const auto bytesOf = [](const std::optional<RankReading>& of, Category category) {
        return of ? of->atPeak[category] : 0;
    };
    for (const Category category : kAllCategories) {
        const Bytes predicted = bytesOf(shown.predicted, category),
                    measured = bytesOf(shown.measured, category);
        if (predicted == 0 && measured == 0) continue;
        card.rows.push_back({coreText(categoryLabel(category)),
                             {shown.predicted ? bytesText(predicted) : QStringLiteral("–"),
                              shown.measured ? bytesText(measured) : QStringLiteral("–")},
                             ChartColor(category),
                             false});
    }
    card.rows.push_back(
        {tr("together"),
         {figureText(ShownRank::figure(shown.predicted, RankFigure::Memory), RankFigure::Memory),
          figureText(ShownRank::figure(shown.measured, RankFigure::Memory), RankFigure::Memory)},
         {},
         true});
    card.footer = tr("At the operation at which the rank has most");
    showCard(card, at);
}

void RankMemoryChart::choose(int rank) {
    if (rank == m_chosen) return;
    m_chosen = rank;
    update();
    emit rankChosen(rank);
}

void RankMemoryChart::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_pointed >= 0) return point(-1, {});
    const std::optional<int> next = count() > 0 ? steppedTo(event->key(), m_chosen, count()) : std::nullopt;
    if (!next) return QWidget::keyPressEvent(event);
    choose(*next);
    point(*next, QPointF(slot(*next).center().x(), plot().center().y()).toPoint());
}

QSize RankMemoryChart::sizeHint() const { return {scaled(420), scaled(210)}; }
QSize RankMemoryChart::minimumSizeHint() const { return {scaled(180), scaled(140)}; }

}  // namespace plumb::ui
