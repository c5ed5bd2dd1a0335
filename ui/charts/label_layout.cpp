// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/label_layout.h"

#include "ui/charts/within.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace plumb::ui {
namespace {

constexpr qreal kSlide = 44;      // sideways, for the sides +-2
constexpr qreal kAlongStep = 8;   // between the places that are tried along a line
constexpr qreal kBeside = 1;      // between a line and the text above or below it
constexpr qreal kNoInk = 0.18;    // of a text's height, above as below its letters
constexpr qreal kSameLine = 0.4;  // pixels between lines that look like one

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

/// Whether both ends of `other` lie on the straight line through `line`.
bool areOne(const QLineF& line, const QLineF& other) {
    const QPointF along = (line.p2() - line.p1()) / line.length();
    const auto distance = [&](const QPointF& point) {
        const QPointF away = point - line.p1();
        return std::abs(away.x() * along.y() - away.y() * along.x());
    };
    return distance(other.p1()) < kSameLine && distance(other.p2()) < kSameLine;
}

/// Places one label after the other.
class LabelPlacer {
public:
    LabelPlacer(const QRectF& bounds, const QVector<QRectF>& obstacles, const QVector<QLineF>& lines,
                const QVector<QLineF>& curves)
        : m_bounds(bounds), m_lines(lines), m_curves(curves) {
        for (const QRectF& obstacle : obstacles) m_taken.push_back({obstacle, 0});
    }

    std::optional<TurnedBox> place(const LabelRequest& request) {
        std::optional<TurnedBox> found;
        if (request.along) found = besideLine(request, QLineF(request.along->p1(), request.along->p2()));
        if (!request.along || (!found && request.elsewhere)) {
            const QVector<Side> sides = sidesFrom(request.prefer);
            const QVector<Side> slid{{-2, -1}, {2, -1}, {-2, 1}, {2, 1}};
            found = search(request, sides, Crossing::Nothing);
            if (!found) found = search(request, slid, Crossing::Nothing);
            if (!found) found = search(request, sides, request.clear ? Crossing::Lines : Crossing::All);
        }
        if (found) m_taken.push_back(found->grown(2, 1));
        return found;
    }

private:
    [[nodiscard]] bool isFree(const TurnedBox& box) const {
        return box.isInside(m_bounds) &&
               std::none_of(m_taken.begin(), m_taken.end(),
                            [&](const TurnedBox& other) { return other.overlaps(box); });
    }

    enum class Crossing { Nothing, Lines, All };  ///< what a label may lie on

    [[nodiscard]] bool isClear(const TurnedBox& box, bool ofCurves, Crossing crossing) const {
        const auto crosses = [&](const QLineF& line) { return box.isCrossedBy(line); };
        return (crossing != Crossing::Nothing || std::ranges::none_of(m_lines, crosses)) &&
               (!ofCurves || std::ranges::none_of(m_curves, crosses));
    }

    [[nodiscard]] std::optional<TurnedBox> search(const LabelRequest& request, const QVector<Side>& sides,
                                                  Crossing crossing) const {
        for (const qreal further : {0.0, 8.0, 18.0, 32.0, 50.0, 70.0}) {
            for (const Side& side : sides) {
                QRectF box = boxAt(request, side.x, side.y, request.gap + further);
                // Above or below its anchor a label may slide sideways to stay inside.
                if (side.y != 0 && box.width() <= m_bounds.width())
                    box.moveLeft(within(box.left(), m_bounds.left(), m_bounds.right() - box.width()));
                const TurnedBox placed{box, 0};
                if (isFree(placed) && isClear(placed, request.clear, crossing)) return placed;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<TurnedBox> besideLine(const LabelRequest& request, QLineF line) const {
        if (line.x1() > line.x2()) line = QLineF(line.p2(), line.p1());  // texts run to the right
        const qreal half = request.size.width() / 2 + request.gap;
        if (line.length() < 2 * half) return std::nullopt;
        const QPointF along = (line.p2() - line.p1()) / line.length();
        const QPointF above(along.y(), -along.x());
        const auto boxAt = [&](qreal place, qreal height) {
            const QPointF centre = line.p1() + along * place + above * height;
            const QSizeF size = request.size;
            return TurnedBox{{centre - QPointF(size.width() / 2, size.height() / 2), size}, -line.angle()};
        };
        // Other lines, and its own too where it stands beside that. One that is the same line is not another.
        const auto isClear = [&](const TurnedBox& box, bool onLine) {
            return std::none_of(m_lines.begin(), m_lines.end(), [&](const QLineF& other) {
                return !(onLine && areOne(line, other)) && box.isCrossedBy(other);
            });
        };
        const bool fromRight = request.prefer & Qt::AlignLeft;
        const qreal beside = request.size.height() / 2 + kBeside;
        for (const qreal height : {0.0, beside, -beside}) {
            for (qreal place = half; place <= line.length() - half; place += kAlongStep) {
                const TurnedBox box = boxAt(fromRight ? line.length() - place : place, height);
                // On its line only the ink must be clear of others, not the room for accents.
                const bool onLine = height == 0;
                const TurnedBox ink = box.grown(3, onLine ? -request.size.height() * kNoInk : 0);
                if (isFree(box) && isClear(ink, onLine)) return box;
            }
        }
        return std::nullopt;
    }

    QRectF m_bounds;
    const QVector<QLineF>&m_lines, &m_curves;
    QVector<TurnedBox> m_taken;
};

}  // namespace

QVector<std::optional<TurnedBox>> placeLabels(const QVector<LabelRequest>& requests, const QRectF& bounds,
                                              const QVector<QRectF>& obstacles, const QVector<QLineF>& lines,
                                              const QVector<QLineF>& curves) {
    QVector<std::optional<TurnedBox>> boxes(requests.size());
    QVector<qsizetype> order(requests.size());
    std::iota(order.begin(), order.end(), qsizetype{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](qsizetype a, qsizetype b) { return requests[a].priority > requests[b].priority; });
    LabelPlacer placer(bounds, obstacles, lines, curves);
    for (const qsizetype index : order) boxes[index] = placer.place(requests[index]);
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
