// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QVector>

namespace plumb::ui {

/// The same polyline to the eye with at most four points per pixel column: the first, the lowest, the highest
/// and the last of each column, in their order, so that no spike is lost. `points` are pixels, x not falling.
[[nodiscard]] QVector<QPointF> decimate(const QVector<QPointF>& points);

}  // namespace plumb::ui
