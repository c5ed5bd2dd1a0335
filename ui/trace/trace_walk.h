// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/opened/opened_trace.h"
#include "ui/trace/trace_lanes.h"
#include "ui/trace/trace_window.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace plumb::ui {

/// Where the keyboard is among the lanes of a trace: on the heading of a group, on a slice, or nowhere yet.
struct TracePlace {
    std::optional<std::size_t> heading;
    std::optional<std::uint32_t> slice;
    bool operator==(const TracePlace&) const = default;
};

/// The way that keys take through the lanes. Pure; what it is made of outlives it.
///
/// Up and down go from line to line, headings and rows of slices, and there to the slice that is nearest in
/// time; Page Up and Page Down from heading to heading; left, right, Home and End along the row of a slice.
/// Lanes of memory have no slices and are passed over, and so is what is hidden.
class TraceWalk {
public:
    /// `shown` may be null: nothing is hidden.
    TraceWalk(const OpenedTrace& opened, const TraceLanes& lanes, const trace::RowMask* shown);

    /// The place that `key` (a Qt::Key) leads to, the same one at an end; from nowhere the first line, or
    /// with left and right the first slice in `window`.
    [[nodiscard]] TracePlace step(const TracePlace& from, int key, TraceWindow window) const;

private:
    /// A heading, or a row in Trace::rows.
    struct Line {
        bool isHeading = false;
        std::size_t item = 0;
    };
    [[nodiscard]] bool isShown(std::size_t entry) const;
    /// The entry of the row from `entry` on, or back, that is not hidden.
    [[nodiscard]] std::optional<std::size_t> shownFrom(std::size_t row, std::int64_t entry, int way) const;
    [[nodiscard]] std::optional<std::uint32_t> nearest(std::size_t row, trace::Nanoseconds time) const;
    [[nodiscard]] std::optional<std::size_t> lineOf(const TracePlace& place) const;
    [[nodiscard]] std::optional<TracePlace> placeOn(const Line& line, const TracePlace& from,
                                                    trace::Nanoseconds time) const;
    [[nodiscard]] TracePlace alongRow(std::uint32_t slice, int key) const;

    const OpenedTrace& m_opened;
    const trace::RowMask* m_shown;
    std::vector<Line> m_lines;  ///< from the top
};

}  // namespace plumb::ui
