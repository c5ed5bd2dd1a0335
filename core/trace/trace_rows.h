// SPDX-License-Identifier: Apache-2.0
// Rows of slices that do not overlap, and what a view draws of them: O(pixels * log slices), whatever the
// zoom.
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace plumb::trace {

/// Gives every slice its row, and fills rows, rowOrder, overlaps and stackedSlices. Pre: slices are in order.
void layRows(Trace& trace);

/// What stands on a row between two points of time: a slice, or several that are too short to see.
struct DrawnSpan {
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    std::uint32_t slice = 0;  ///< the first of them
    std::uint32_t count = 1;  ///< above 1: so many shorter ones, which are one span
    bool operator==(const DrawnSpan&) const = default;
};

/// Finds the next slice of a row that is long enough to see, without looking at all before it.
class RowIndex {
public:
    explicit RowIndex(const Trace& trace);

    /// Replaces `spans` by what a row shows from `from` to `to` where a pixel is `pixel` ns: slices of at
    /// least a pixel each, and between them the shorter ones, one span for those of a pixel. In the order of
    /// time; at most three spans for each pixel.
    void draw(std::size_t row, Nanoseconds from, Nanoseconds to, Nanoseconds pixel,
              std::vector<DrawnSpan>& spans) const;
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    static constexpr std::size_t kFan = 16;
    [[nodiscard]] std::size_t nextOfAtLeast(std::size_t row, std::size_t entry, Nanoseconds duration) const;
    [[nodiscard]] Nanoseconds durationOf(std::size_t row, std::size_t entry) const;

    const Trace* m_trace;
    std::vector<std::size_t> m_firstLevel;           ///< of a row, in m_levels
    std::vector<std::vector<Nanoseconds>> m_levels;  ///< longest of kFan entries of the level below
};

}  // namespace plumb::trace
