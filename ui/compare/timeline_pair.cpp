// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/timeline_pair.h"

#include "ui/charts/axis.h"
#include "ui/theme/text.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

constexpr qreal kLaneHeight = 26;
constexpr qreal kLaneGap = 10;
constexpr qreal kLaneName = 74;
constexpr qreal kAxisHeight = 24;

}  // namespace

TimelinePair::TimelinePair(Theme& theme, QWidget* parent) : PaintedChart(theme, parent) {
    setObjectName(QStringLiteral("compareTimeline"));
    setAccessibleName(tr("Timelines of both steps, one above the other"));
    connect(&pointer(), &Pointer::hovered, this, &TimelinePair::describe);
}

bool TimelinePair::show(std::shared_ptr<const CompareDetail> detail) {
    m_detail = std::move(detail);
    const auto& [baseline, other] = m_detail->lanes;
    m_longest = std::max(baseline.length, other.length);
    hideCard();
    update();
    return !baseline.records.empty() && !other.records.empty() && m_longest > 0;
}

QSize TimelinePair::sizeHint() const {
    return {400, static_cast<int>(2 * kLaneHeight + kLaneGap + kAxisHeight + 12)};
}

QRectF TimelinePair::plot() const {
    return QRectF(rect()).adjusted(kChartSide + kLaneName, 4, -kChartSide - 8, -kAxisHeight);
}

QRectF TimelinePair::rowOf(std::size_t lane) const {
    const QRectF area = plot();
    return {area.left(), area.top() + static_cast<qreal>(lane) * (kLaneHeight + kLaneGap), area.width(),
            kLaneHeight};
}

QColor TimelinePair::colorOf(const ComparedLane& lane, const TimelineRecord& record) const {
    const auto op = static_cast<std::size_t>(record.op);
    if (record.op >= 0 && op < lane.reading->ops.size()) return color(lane.reading->ops[op].phase);
    return color(ColorRole::Ghost);
}

void TimelinePair::paintLane(QPainter& painter, std::size_t which) const {
    const ComparedLane& lane = m_detail->lanes.at(which);
    const QRectF row = rowOf(which);
    painter.setFont(smallFont());
    painter.setPen(color(which == 0 ? ColorRole::Baseline : ColorRole::Compared));
    painter.drawText(QRectF(kChartSide, row.top(), kLaneName - 8, row.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, which == 0 ? tr("baseline") : tr("other"));
    const qreal scale = row.width() / m_longest;
    painter.fillRect(QRectF(row.left(), row.top(), lane.length * scale, row.height()),
                     color(ColorRole::Track));
    // A record that ends in the pixel of the one before says nothing more: a step has thousands.
    qreal drawn = row.left() - 1;
    for (const TimelineRecord& record : lane.records) {
        const qreal from = row.left() + std::max(0.0, record.begin - lane.begin) * scale;
        const qreal to = std::min(row.left() + (record.end - lane.begin) * scale, row.right());
        if (to < drawn + 0.5) continue;
        painter.fillRect(QRectF(from, row.top() + 2, std::max<qreal>(to - from, 0.7), row.height() - 4),
                         colorOf(lane, record));
        drawn = to;
    }
}

void TimelinePair::paintAxis(QPainter& painter) const {
    const QRectF area = plot();
    const AxisOptions axis{.unit = QStringLiteral("s"), .max = m_longest};
    painter.setFont(smallFont());
    for (const AxisTick& tick : axisTicks(axis, std::max(3, static_cast<int>(area.width() / 110)))) {
        const qreal x = area.left() + tick.value / m_longest * area.width();
        painter.setPen(QPen(color(ColorRole::Grid), 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(color(ColorRole::Axis));
        painter.drawText(QRectF(x - 50, area.bottom() + 3, 100, kAxisHeight - 4),
                         Qt::AlignHCenter | Qt::AlignTop, tick.label);
    }
}

void TimelinePair::paintEvent(QPaintEvent*) {
    if (m_detail == nullptr) return;
    QPainter painter(this);
    paintAxis(painter);
    paintLane(painter, 0);
    paintLane(painter, 1);
    paintFocus(painter);
}

void TimelinePair::describe(const QPointF& pixel) {
    for (std::size_t which = 0; m_detail != nullptr && which < m_detail->lanes.size(); ++which) {
        const QRectF row = rowOf(which);
        if (!row.contains(pixel)) continue;
        const ComparedLane& lane = m_detail->lanes.at(which);
        const Seconds at = lane.begin + (pixel.x() - row.left()) / row.width() * m_longest;
        const auto after = std::ranges::upper_bound(lane.records, at, {}, &TimelineRecord::begin);
        if (after == lane.records.begin()) break;
        const TimelineRecord& record = *std::prev(after);
        const Timeline& timeline = *lane.reading->timeline;
        const auto op = static_cast<std::size_t>(record.op), name = static_cast<std::size_t>(record.name);
        QString title = tr("no operation");
        if (record.name >= 0 && name < timeline.names.size()) title = toText(timeline.names[name]);
        if (record.op >= 0 && op < lane.reading->ops.size()) title = toText(lane.reading->ops[op].name);
        showCard({.title = title,
                  .rows = {{.name = tr("begins"), .values = {quantityText(record.begin - lane.begin, "s")}},
                           {.name = tr("takes"), .values = {quantityText(record.end - record.begin, "s")}}}},
                 pixel.toPoint());
        return;
    }
    hideCard();
}

}  // namespace plumb::ui
