// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/decimate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::ui {

QVector<QPointF> decimate(const QVector<QPointF>& points) {
    QVector<QPointF> kept;
    kept.reserve(points.size());
    qsizetype begin = 0;
    while (begin < points.size()) {
        const double column = std::floor(points[begin].x());
        qsizetype end = begin;
        qsizetype low = begin;
        qsizetype high = begin;
        for (; end < points.size() && std::floor(points[end].x()) == column; ++end) {
            if (points[end].y() < points[low].y())
                low = end;
            if (points[end].y() > points[high].y())
                high = end;
        }
        std::array<qsizetype, 4> chosen{begin, std::min(low, high), std::max(low, high), end - 1};
        qsizetype previous = -1;
        for (const qsizetype index : chosen) {
            if (index != previous)
                kept.push_back(points[index]);
            previous = index;
        }
        begin = end;
    }
    return kept;
}

}  // namespace plumb::ui
