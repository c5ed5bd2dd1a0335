// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QPointF>
#include <QPolygonF>
#include <QRectF>

#include <optional>

namespace plumb::ui {

/// A box that may be turned about its centre, as a text along a line is. Pixels.
struct TurnedBox {
    QRectF box;       ///< as it is before it is turned
    qreal angle = 0;  ///< degrees, clockwise on screen as QPainter::rotate() takes them

    [[nodiscard]] QPolygonF corners() const;  ///< the four of them, in order
    /// Boxes that only touch do not overlap.
    [[nodiscard]] bool overlaps(const TurnedBox& other) const;
    [[nodiscard]] bool isInside(const QRectF& bounds) const;
    /// Whether a part of `line` lies in it, its edge left out.
    [[nodiscard]] bool isCrossedBy(const QLineF& line) const;
    [[nodiscard]] TurnedBox grown(qreal sideways, qreal upwards) const;
};

/// The part of `line` that lies in `bounds`, in its direction; nothing when there is none.
[[nodiscard]] std::optional<QLineF> clipped(const QLineF& line, const QRectF& bounds);

}  // namespace plumb::ui
