// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/label_layout.h"

#include "ui/charts/within.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

namespace plumb::ui {
namespace {

constexpr qreal kSlide = 44;  // sideways, for the sides +-2

QRectF boxAt(const LabelRequest& request, int sideX, int sideY, qreal gap) {
    const QSizeF size = request.size;
    const qreal aside = gap + (std::abs(sideX) > 1 ? kSlide : 0);
    const qreal left = sideX > 0   ? request.anchor.x() + aside
                       : sideX < 0 ? request.anchor.x() - aside - size.width()
                                   : request.anchor.x() - size.width() / 2;
    const qreal top = sideY > 0   ? request.anchor.y() + gap
                      : sideY < 0 ? request.anchor.y() - gap - size.height()
                                  : request.anchor.y() - size.height() / 2;
    return {QPointF(left, top), size};
}

struct Side {
    int x;
    int y;
};

QVector<Side> sidesFrom(Qt::Alignment prefer) {
    const int x = (prefer & Qt::AlignLeft) ? -1 : (prefer & Qt::AlignHCenter) ? 0 : 1;
    const int y = (prefer & Qt::AlignTop) ? -1 : (prefer & Qt::AlignBottom) ? 1 : 0;
    QVector<Side> sides{{x, y},  {x, -1}, {x, 1},  {x, 0},   {-x, y},
                        {0, -1}, {0, 1},  {-x, 0}, {-x, -1}, {-x, 1}};
    sides.erase(std::remove_if(sides.begin(), sides.end(),
                               [](const Side& side) { return side.x == 0 && side.y == 0; }),
                sides.end());
    return sides;
}

bool isFree(const QRectF& box, const QVector<QRectF>& taken) {
    return std::none_of(taken.begin(), taken.end(),
                        [&](const QRectF& other) { return other.intersects(box); });
}

bool isCrossed(const QRectF& box, const QVector<QLineF>& lines) {
    const std::array sides{QLineF(box.topLeft(), box.topRight()), QLineF(box.bottomLeft(), box.bottomRight()),
                           QLineF(box.topLeft(), box.bottomLeft()),
                           QLineF(box.topRight(), box.bottomRight())};
    return std::any_of(lines.begin(), lines.end(), [&](const QLineF& line) {
        return box.contains(line.p1()) || std::any_of(sides.begin(), sides.end(), [&](const QLineF& side) {
                   return side.intersects(line, nullptr) == QLineF::BoundedIntersection;
               });
    });
}

}  // namespace

QVector<std::optional<QRectF>> placeLabels(const QVector<LabelRequest>& requests, const QRectF& bounds,
                                           const QVector<QRectF>& obstacles, const QVector<QLineF>& lines) {
    QVector<std::optional<QRectF>> boxes(requests.size());
    QVector<qsizetype> order(requests.size());
    std::iota(order.begin(), order.end(), qsizetype{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](qsizetype a, qsizetype b) { return requests[a].priority > requests[b].priority; });
    QVector<QRectF> taken = obstacles;
    const auto search = [&](const LabelRequest& request, const QVector<Side>& sides,
                            bool crossing) -> std::optional<QRectF> {
        for (const qreal further : {0.0, 8.0, 18.0, 32.0}) {
            for (const Side& side : sides) {
                QRectF box = boxAt(request, side.x, side.y, request.gap + further);
                // Above or below its anchor a label may slide sideways to stay inside.
                if (side.y != 0 && box.width() <= bounds.width())
                    box.moveLeft(within(box.left(), bounds.left(), bounds.right() - box.width()));
                if (bounds.contains(box) && isFree(box, taken) && (crossing || !isCrossed(box, lines)))
                    return box;
            }
        }
        return std::nullopt;
    };
    const QVector<Side> slid{{-2, -1}, {2, -1}, {-2, 1}, {2, 1}};
    const auto onLine = [&](const LabelRequest& request) -> std::optional<QRectF> {
        const Side side = sidesFrom(request.prefer).first();
        // A little further along the line is still on it.
        for (const qreal further : {0.0, 12.0, 28.0, 52.0}) {
            const QRectF box = boxAt(request, side.x, side.y, request.gap + further);
            if (bounds.contains(box) && isFree(box, taken)) return box;
        }
        return std::nullopt;
    };
    for (const qsizetype index : order) {
        const LabelRequest& request = requests[index];
        if (request.onLine) {
            boxes[index] = onLine(request);
        } else {
            const QVector<Side> sides = sidesFrom(request.prefer);
            boxes[index] = search(request, sides, false);
            if (!boxes[index]) boxes[index] = search(request, slid, false);
            if (!boxes[index]) boxes[index] = search(request, sides, true);
        }
        if (boxes[index]) taken.push_back(boxes[index]->adjusted(-2, -1, 2, 1));
    }
    return boxes;
}

QVector<QVector<qsizetype>> nearGroups(const QVector<QPointF>& points, qreal distance) {
    QVector<QVector<qsizetype>> groups;
    for (qsizetype i = 0; i < points.size(); ++i) {
        const auto near = std::find_if(groups.begin(), groups.end(), [&](const QVector<qsizetype>& group) {
            return QLineF(points[group.first()], points[i]).length() <= distance;
        });
        if (near == groups.end())
            groups.push_back({i});
        else
            near->push_back(i);
    }
    return groups;
}

QVector<std::optional<qreal>> placeSpans(const QVector<SpanRequest>& spans, qreal low, qreal high,
                                         qreal gap) {
    QVector<std::optional<qreal>> lefts(spans.size());
    QVector<qsizetype> kept(spans.size());
    std::iota(kept.begin(), kept.end(), qsizetype{0});
    // The widest stretches matter most: drop from the narrow end until the rest fits.
    while (!kept.isEmpty()) {
        QVector<qreal> left(kept.size());
        qreal edge = low;
        for (qsizetype i = 0; i < kept.size(); ++i) {
            const SpanRequest& span = spans[kept[i]];
            left[i] = std::max(edge, (span.from + span.to - span.width) / 2);
            edge = left[i] + span.width + gap;
        }
        edge = high;
        bool fits = true;
        for (qsizetype i = kept.size() - 1; i >= 0; --i) {
            const SpanRequest& span = spans[kept[i]];
            left[i] = std::min(left[i], edge - span.width);
            edge = left[i] - gap;
            fits = fits && left[i] >= low && left[i] <= span.to + span.width &&
                   left[i] + span.width >= span.from - span.width;
        }
        if (fits) {
            for (qsizetype i = 0; i < kept.size(); ++i) lefts[kept[i]] = left[i];
            break;
        }
        kept.erase(std::min_element(kept.begin(), kept.end(), [&](qsizetype a, qsizetype b) {
            return spans[a].to - spans[a].from < spans[b].to - spans[b].from;
        }));
    }
    return lefts;
}

}  // namespace plumb::ui
