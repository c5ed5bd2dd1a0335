// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"

#include <QPolygonF>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace plumb::ui {

struct TimeWindow;

/// One bar of a timeline's row.
struct TimelineBar {
    Seconds begin = 0;
    Seconds end = 0;
    std::int32_t record = -1;  ///< the caller's number; -1: none
    std::int32_t op = -1;
    std::uint8_t group = 0;  ///< decides the colour
};

/// What is painted for one bar, or for neighbours that are too narrow to be told apart.
struct FoldedBar {
    Seconds begin = 0;
    Seconds end = 0;
    std::int32_t first = 0;  ///< index of the bar, or of the first of them
    std::int32_t count = 1;
    double busy = 1;  ///< share of begin..end that bars cover
    std::uint8_t group =
        0;  ///< group of a fold: the one that takes most of its time, of a few that were looked at
};

/// The bars of one row of a timeline, by beginning, none beginning before the one before it ends. Answers in
/// O(pixels * log bars), however many there are.
class BarRow {
public:
    /// Narrower bars are folded with their neighbours.
    static constexpr double kLeastPixels = 3;

    BarRow() = default;
    explicit BarRow(std::vector<TimelineBar> bars);

    [[nodiscard]] const std::vector<TimelineBar>& bars() const { return m_bars; }
    [[nodiscard]] std::size_t size() const { return m_bars.size(); }
    /// Indices first..last (one past it) of the bars that reach into from..to.
    [[nodiscard]] std::pair<std::size_t, std::size_t> within(Seconds from, Seconds to) const;
    /// Seconds that the bars first..last (one past it) take together.
    [[nodiscard]] Seconds busy(std::size_t first, std::size_t last) const;
    /// The last bar that begins at or before `time`, or the first; -1 without bars.
    [[nodiscard]] std::int32_t nearest(Seconds time) const;
    /// What `window` shows of the row, left to right. Folds begin at fixed times for a given zoom, so that
    /// panning does not make them flicker.
    void fold(const TimeWindow& window, std::vector<FoldedBar>& folded) const;

private:
    [[nodiscard]] std::uint8_t mainGroup(std::size_t first, std::size_t last) const;
    std::vector<TimelineBar> m_bars;
    std::vector<Seconds> m_busyBefore;  ///< seconds of all bars before this one; one more than bars
};

/// Distributes bars, sorted by beginning, over rows in which none overlaps. From the `most`-th row on they
/// all stand in the last one, one after the other cut short where the next begins.
[[nodiscard]] std::vector<BarRow> packRows(std::span<const TimelineBar> bars, std::size_t most);

/// A step curve: `value` holds from `at` to the next point.
struct CurvePoint {
    Seconds at = 0;
    double value = 0;
};

/// The curve in pixels: x by `window`, y from `bottom` (value 0) to `top` (value `highest`), with the
/// extremes of every pixel column kept. The last value reaches to `end`.
[[nodiscard]] QPolygonF foldCurve(std::span<const CurvePoint> points, const TimeWindow& window, Seconds end,
                                  double highest, double top, double bottom);
/// The value at a time; 0 before the first point.
[[nodiscard]] double curveAt(std::span<const CurvePoint> points, Seconds time);

}  // namespace plumb::ui
