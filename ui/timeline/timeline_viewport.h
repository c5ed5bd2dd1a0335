// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/entry_at.h"
#include "ui/charts/axis.h"
#include "ui/timeline/timeline_state.h"

#include <QFont>
#include <QRectF>

#include <optional>
#include <utility>
#include <vector>

namespace plumb::ui {

inline constexpr double kAbovePeak = 1.08;  ///< of the highest memory, up to the upper edge of its lane
inline constexpr double kScaleGap = 6;      ///< pixels from the sizes at its left to the lane

/// The sizes at the left of a memory lane of so many pixels.
[[nodiscard]] QVector<AxisTick> bytesTicks(const TimelineState& state, double height);

/// What is painted at a pixel: a bar, or neighbours that are too narrow to be told apart.
struct PlacedFold {
    std::int32_t row = 0;
    FoldedBar fold;
};

/// Where a timeline's rows, ruler and times stand in the pixels of its viewport, and what is at a pixel.
/// Knows neither mouse nor painter.
class TimelineViewport {
public:
    /// `state` outlives the viewport or the next call; null: there is nothing. layOut() is called afterwards.
    void setState(const TimelineState* state) { m_state = state; }
    [[nodiscard]] const TimelineState& state() const { return *m_state; }
    [[nodiscard]] bool hasState() const { return m_state != nullptr; }
    /// Nothing was measured, or there is no state at all.
    [[nodiscard]] bool isEmpty() const { return !m_state || !m_state->timeline; }

    /// Rows grow with the room, each between the least and the most height of its kind.
    void layOut(const QSizeF& size, const QFont& font);
    void scrollTo(double pixels) { m_scrolled = pixels; }
    /// Pixels by which it can be scrolled, and those that are seen at a time.
    [[nodiscard]] int farthestScroll() const;
    [[nodiscard]] int page() const;

    [[nodiscard]] const QSizeF& size() const { return m_size; }
    [[nodiscard]] double left() const { return window.left; }
    [[nodiscard]] double right() const { return window.left + window.width; }
    [[nodiscard]] QRectF minimapRect() const;
    [[nodiscard]] QRectF rulerRect() const;
    [[nodiscard]] QRectF rowRect(std::int32_t row) const;
    /// Scrolled by so much, this row stands below the ruler.
    [[nodiscard]] double scrollOf(std::int32_t row) const { return entryAt(m_rows, row).top; }

    /// The row at a height; -1: none.
    [[nodiscard]] std::int32_t rowAt(double y) const;
    /// A bar of a pixel can be hit beside it as well.
    [[nodiscard]] std::optional<PlacedFold> foldAt(const QPointF& pixel) const;
    /// The time at a pixel, kept between the beginning and the end.
    [[nodiscard]] Seconds timeAt(double x) const;

    TimeWindow window;  ///< the stretch of time that is shown

private:
    struct RowPlace {
        double top = 0;  ///< below the ruler, without scrolling
        double height = 0;
    };
    const TimelineState* m_state = nullptr;
    QSizeF m_size;
    double m_line = 0;  ///< height of a line of text
    std::vector<RowPlace> m_rows;
    double m_rowsHeight = 0;
    double m_scrolled = 0;
};

/// The bar that an arrow, Home or End leads to from `current`: left and right along the row, up and down to
/// the row with bars that is next, at the same time. Without a current one the first that is shown. Invalid:
/// none.
[[nodiscard]] BarPlace neighbour(const TimelineViewport& viewport, const BarPlace& current, int key);

}  // namespace plumb::ui
