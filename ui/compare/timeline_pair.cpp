// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/timeline_pair.h"

#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_text.h"
#include "ui/theme/text.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

constexpr qreal kLaneHeight = 26;
constexpr qreal kLaneGap = 10;
constexpr qreal kLaneName = 74;
constexpr qreal kAxisHeight = 24;

QString laneName(std::size_t lane) { return lane == 0 ? tr("baseline") : tr("other"); }

/// Of a record in the row of its lane, with so many pixels a second.
QRectF barIn(const QRectF& row, const ComparedLane& lane, const TimelineRecord& record, qreal scale) {
    const qreal from = row.left() + std::max(0.0, record.begin - lane.begin) * scale;
    const qreal to = std::min(row.left() + (record.end - lane.begin) * scale, row.right());
    return {from, row.top() + 2, std::max<qreal>(to - from, 0.7), row.height() - 4};
}

}  // namespace

TimelinePair::TimelinePair(Theme& theme, QWidget* parent) : PaintedChart(theme, parent) {
    setObjectName(QStringLiteral("compareTimeline"));
    setAccessibleName(tr("Timelines of both steps, one above the other"));
    setFocusPolicy(Qt::TabFocus);
    connect(&pointer(), &Pointer::hovered, this, &TimelinePair::describe);
}

bool TimelinePair::show(std::shared_ptr<const CompareDetail> detail) {
    m_detail = std::move(detail);
    const auto& [baseline, other] = m_detail->lanes;
    m_longest = std::max(baseline.length, other.length);
    hideCard();
    setCurrent({});
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
                     Qt::AlignLeft | Qt::AlignVCenter, laneName(which));
    const qreal scale = row.width() / m_longest;
    painter.fillRect(QRectF(row.left(), row.top(), lane.length * scale, row.height()),
                     color(ColorRole::Track));
    // A record that ends in the pixel of the one before says nothing more: a step has thousands.
    qreal drawn = row.left() - 1;
    for (const TimelineRecord& record : lane.records) {
        const QRectF bar = barIn(row, lane, record, scale);
        if (bar.right() < drawn + 0.5) continue;
        painter.fillRect(bar, colorOf(lane, record));
        drawn = bar.right();
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
    if (m_current && hasFocus()) {
        painter.setPen(QPen(color(ColorRole::TextStrong), 2));
        painter.drawRect(rectOf(*m_current).adjusted(-1, -1, 1, 1));
    }
    paintFocus(painter);
}

std::optional<TimelinePair::Place> TimelinePair::placeAt(std::size_t lane, Seconds time) const {
    const auto& records = m_detail->lanes.at(lane).records;
    const auto after = std::ranges::upper_bound(records, time, {}, &TimelineRecord::begin);
    if (after == records.begin()) return std::nullopt;
    return Place{lane, static_cast<std::size_t>(after - records.begin()) - 1};
}

QRectF TimelinePair::rectOf(const Place& place) const {
    const ComparedLane& lane = m_detail->lanes.at(place.lane);
    const QRectF row = rowOf(place.lane);
    return barIn(row, lane, lane.records[place.record], row.width() / m_longest);
}

HoverCardContent TimelinePair::cardOf(const Place& place) const {
    const ComparedLane& lane = m_detail->lanes.at(place.lane);
    const TimelineRecord& record = lane.records[place.record];
    const Timeline& timeline = *lane.reading->timeline;
    const auto op = static_cast<std::size_t>(record.op), name = static_cast<std::size_t>(record.name);
    QString title = tr("no operation");
    if (record.name >= 0 && name < timeline.names.size()) title = toText(timeline.names[name]);
    if (record.op >= 0 && op < lane.reading->ops.size()) title = toText(lane.reading->ops[op].name);
    return {.title = title,
            .rows = {{.name = tr("begins"), .values = {quantityText(record.begin - lane.begin, "s")}},
                     {.name = tr("takes"), .values = {quantityText(record.end - record.begin, "s")}}}};
}

void TimelinePair::setCurrent(std::optional<Place> place) {
    m_current = place;
    update();
    QStringList said;
    if (place) {
        const HoverCardContent card = cardOf(*place);
        said << laneName(place->lane) << cardText(card);
        showCard(card, rectOf(*place).bottomLeft().toPoint());
    }
    for (std::size_t lane = 0; lane < m_detail->lanes.size(); ++lane)
        said << tr("%1: %2 pieces of work in %3")
                    .arg(laneName(lane))
                    .arg(m_detail->lanes.at(lane).records.size())
                    .arg(quantityText(m_detail->lanes.at(lane).length, "s"));
    setAccessibleDescription(said.join(QStringLiteral("; ")));
}

void TimelinePair::describe(const QPointF& pixel) {
    for (std::size_t which = 0; m_detail != nullptr && which < m_detail->lanes.size(); ++which) {
        const QRectF row = rowOf(which);
        if (!row.contains(pixel)) continue;
        const Seconds at =
            m_detail->lanes.at(which).begin + (pixel.x() - row.left()) / row.width() * m_longest;
        if (const std::optional<Place> place = placeAt(which, at))
            return showCard(cardOf(*place), pixel.toPoint());
    }
    hideCard();
}

void TimelinePair::keyPressEvent(QKeyEvent* event) {
    const auto otherLane = event->key() == Qt::Key_Up     ? std::optional<std::size_t>(0)
                           : event->key() == Qt::Key_Down ? std::optional<std::size_t>(1)
                                                          : std::nullopt;
    if (m_detail == nullptr) return PaintedChart::keyPressEvent(event);
    if (event->key() == Qt::Key_Escape && m_current) {
        hideCard();
        return setCurrent({});
    }
    const Place from = m_current.value_or(Place());
    const auto& lanes = m_detail->lanes;
    if (otherLane && lanes.at(*otherLane).records.empty()) return;
    if (otherLane) {
        // What ran in the other step as long after its beginning.
        const ComparedLane& lane = lanes.at(from.lane);
        const Seconds after = m_current ? lane.records[from.record].begin - lane.begin : 0;
        return setCurrent(
            placeAt(*otherLane, lanes.at(*otherLane).begin + after).value_or(Place{*otherLane, 0}));
    }
    const int count = static_cast<int>(lanes.at(from.lane).records.size());
    const auto next = count == 0
                          ? std::nullopt
                          : steppedTo(event->key(), m_current ? static_cast<int>(from.record) : -1, count);
    if (!next) return PaintedChart::keyPressEvent(event);
    setCurrent(Place{from.lane, static_cast<std::size_t>(*next)});
}

}  // namespace plumb::ui
