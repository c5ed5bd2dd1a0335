// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/decimate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr double kColumn = 2;  // pixels

void append(QVector<QPointF>& kept, const QPointF& point) {
    const qsizetype count = kept.size();
    if (count >= 2 && kept[count - 1].y() == point.y() && kept[count - 2].y() == point.y())
        kept.last() = point;
    else
        kept.push_back(point);
}

}  // namespace

QVector<QPointF> decimate(const QVector<QPointF>& points) {
    QVector<QPointF> kept;
    kept.reserve(points.size());
    qsizetype begin = 0;
    while (begin < points.size()) {
        const double column = std::floor(points[begin].x() / kColumn);
        qsizetype end = begin;
        qsizetype low = begin;
        qsizetype high = begin;
        for (; end < points.size() && std::floor(points[end].x() / kColumn) == column; ++end) {
            if (points[end].y() < points[low].y()) low = end;
            if (points[end].y() > points[high].y()) high = end;
        }
        std::array<qsizetype, 4> chosen{begin, std::min(low, high), std::max(low, high), end - 1};
        qsizetype previous = -1;
        for (const qsizetype index : chosen) {
            if (index != previous) append(kept, points[index]);
            previous = index;
        }
        begin = end;
    }
    return kept;
}

QVector<QVector<QPointF>> dashes(const QVector<QPointF>& points, double on, double off) {
    QVector<QVector<QPointF>> pieces;
    if (points.isEmpty()) return pieces;
    const double period = on + off;
    const auto isOn = [&](double x) { return x - std::floor(x / period) * period < on; };
    // The next x at which the pen goes up or down.
    const auto nextCut = [&](double x) {
        const double start = std::floor(x / period) * period;
        return x - start < on ? start + on : start + period;
    };
    QVector<QPointF> piece;
    QPointF at = points.first();
    if (isOn(at.x())) piece.push_back(at);
    for (qsizetype i = 1; i < points.size(); ++i) {
        const QPointF to = points[i];
        for (double cut = nextCut(at.x()); cut <= to.x(); cut = nextCut(at.x())) {
            const double share = to.x() > at.x() ? (cut - at.x()) / (to.x() - at.x()) : 1.0;
            const QPointF middle(cut, at.y() + (to.y() - at.y()) * share);
            if (isOn(at.x())) {
                piece.push_back(middle);
                pieces.push_back(piece);
                piece.clear();
            } else {
                piece.push_back(middle);
            }
            at = middle;
        }
        if (isOn(at.x())) piece.push_back(to);
        at = to;
    }
    if (piece.size() > 1) pieces.push_back(piece);
    return pieces;
}

}  // namespace plumb::ui
