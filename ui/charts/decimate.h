// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QVector>

namespace plumb::ui {

/// The same polyline to the eye with at most two points per pixel: of every two pixel columns the first, the
/// lowest, the highest and the last point, in their order, so that no spike is lost. Points between two
/// others at the same height are left out. `points` are pixels, x not falling.
[[nodiscard]] QVector<QPointF> decimate(const QVector<QPointF>& points);

/// The polyline cut into dashes along x: `on` pixels drawn, `off` pixels not. For dense lines that is what
/// the eye sees of a dash pattern, and far cheaper than dashes along the line.
[[nodiscard]] QVector<QVector<QPointF>> dashes(const QVector<QPointF>& points, double on, double off);

}  // namespace plumb::ui
