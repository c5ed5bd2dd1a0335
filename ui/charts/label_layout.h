// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/turned_box.h"

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QVector>

#include <optional>

namespace plumb::ui {

/// A text that wants to stand near a point. Pixels.
struct LabelRequest {
    QPointF anchor;
    QSizeF size;
    int priority = 0;  ///< the higher ones are placed first
    Qt::Alignment prefer = Qt::AlignRight | Qt::AlignVCenter;
    qreal gap = 6;  ///< distance from the anchor
    /// The line that the text names. The text stands on it and is turned with it, first at the end that
    /// `prefer` says (left or right), where no other line comes near; else close above or below it; else
    /// nowhere.
    std::optional<QLineF> along{};
    bool elsewhere = false;  ///< rather near its anchor, as other labels, than nowhere
    bool clear = false;      ///< of `curves` always, or nowhere
};

/// A box for each request, or nothing where there is no room: inside `bounds`, clear of `obstacles` and of
/// each other, and clear of `lines` where there is such a place. Greedy by priority, then by order; the
/// preferred side of the anchor is tried first, then the others, then further out. What is `clear` lies on
/// none of `curves`, wherever the lines are. Deterministic.
[[nodiscard]] QVector<std::optional<TurnedBox>>
placeLabels(const QVector<LabelRequest>& requests, const QRectF& bounds, const QVector<QRectF>& obstacles,
            const QVector<QLineF>& lines = {}, const QVector<QLineF>& curves = {});

/// Indices of points that belong together: each is within `distance` of the first one of its group.
[[nodiscard]] QVector<QVector<qsizetype>> nearGroups(const QVector<QPointF>& points, qreal distance);

/// A text below a stretch of an axis.
struct SpanRequest {
    qreal from = 0;
    qreal to = 0;
    qreal width = 0;  ///< width of the text
};

/// Left edges of the texts, each centred on its stretch as far as `low`..`high` and the neighbours let it;
/// nothing for a text that would have to leave its stretch by more than its own width. Pre: sorted by from.
[[nodiscard]] QVector<std::optional<qreal>> placeSpans(const QVector<SpanRequest>& spans, qreal low,
                                                       qreal high, qreal gap = 8);

}  // namespace plumb::ui
