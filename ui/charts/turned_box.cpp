// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/turned_box.h"

#include <QtMath>

#include <algorithm>
#include <cmath>
#include <utility>

namespace plumb::ui {
namespace {

constexpr qreal kTouch = 1e-6;  // pixels that a rounding error may move an edge

/// Along the box's own width and height.
std::pair<QPointF, QPointF> axesOf(const TurnedBox& box) {
    const qreal turn = qDegreesToRadians(box.angle);
    return {{std::cos(turn), std::sin(turn)}, {-std::sin(turn), std::cos(turn)}};
}

std::pair<qreal, qreal> shadow(const QPolygonF& corners, const QPointF& axis) {
    qreal low = QPointF::dotProduct(corners.first(), axis);
    qreal high = low;
    for (const QPointF& corner : corners) {
        const qreal at = QPointF::dotProduct(corner, axis);
        low = std::min(low, at);
        high = std::max(high, at);
    }
    return {low, high};
}

}  // namespace

QPolygonF TurnedBox::corners() const {
    const auto [along, across] = axesOf(*this);
    const QPointF right = along * (box.width() / 2);
    const QPointF down = across * (box.height() / 2);
    const QPointF centre = box.center();
    return {{centre - right - down, centre + right - down, centre + right + down, centre - right + down}};
}

// Two convex shapes are apart when their shadows on the direction of one of their sides are.
bool TurnedBox::overlaps(const TurnedBox& other) const {
    if (angle == 0 && other.angle == 0) return box.intersects(other.box);
    const QPolygonF mine = corners();
    const QPolygonF theirs = other.corners();
    const auto apart = [&](const QPointF& axis) {
        const auto [low, high] = shadow(mine, axis);
        const auto [otherLow, otherHigh] = shadow(theirs, axis);
        return high <= otherLow + kTouch || otherHigh <= low + kTouch;
    };
    const auto [along, across] = axesOf(*this);
    const auto [otherAlong, otherAcross] = axesOf(other);
    return !apart(along) && !apart(across) && !apart(otherAlong) && !apart(otherAcross);
}

bool TurnedBox::isInside(const QRectF& bounds) const {
    if (angle == 0) return bounds.contains(box);
    const QPolygonF all = corners();
    return std::all_of(all.begin(), all.end(),
                       [&](const QPointF& corner) { return bounds.contains(corner); });
}

bool TurnedBox::isCrossedBy(const QLineF& line) const {
    const auto [along, across] = axesOf(*this);
    const QPointF centre = box.center();
    const auto own = [&, &along = along, &across = across](const QPointF& point) {
        return QPointF(QPointF::dotProduct(point - centre, along),
                       QPointF::dotProduct(point - centre, across));
    };
    const QRectF inner(-box.width() / 2 + kTouch, -box.height() / 2 + kTouch, box.width() - 2 * kTouch,
                       box.height() - 2 * kTouch);
    return clipped({own(line.p1()), own(line.p2())}, inner).has_value();
}

TurnedBox TurnedBox::grown(qreal sideways, qreal upwards) const {
    return {box.adjusted(-sideways, -upwards, sideways, upwards), angle};
}

std::optional<QLineF> clipped(const QLineF& line, const QRectF& bounds) {
    qreal from = 0;
    qreal to = 1;
    // The stretch of the line within low..high of one coordinate, as shares of its length.
    const auto cut = [&](qreal start, qreal step, qreal low, qreal high) {
        if (step == 0) return start >= low && start <= high;
        const qreal atLow = (low - start) / step;
        const qreal atHigh = (high - start) / step;
        from = std::max(from, std::min(atLow, atHigh));
        to = std::min(to, std::max(atLow, atHigh));
        return from <= to;
    };
    if (!cut(line.x1(), line.dx(), bounds.left(), bounds.right()) ||
        !cut(line.y1(), line.dy(), bounds.top(), bounds.bottom()))
        return std::nullopt;
    return QLineF(line.pointAt(from), line.pointAt(to));
}

}  // namespace plumb::ui
