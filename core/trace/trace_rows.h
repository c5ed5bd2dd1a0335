// SPDX-License-Identifier: Apache-2.0
// Rows of slices that do not overlap, and what a view draws of them: O(pixels * log slices), whatever the
// zoom.
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
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
    std::uint32_t entry = 0;  ///< of the first of them in Trace::rowOrder
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

/// Some of the slices, so that a span of many tells at once whether it has one of them.
class RowMask {
public:
    /// `has` of each slice.
    template <class Has>
    RowMask(const Trace& trace, Has has) : m_next(trace.rowOrder.size() + 1) {
        m_next.back() = static_cast<std::uint32_t>(trace.rowOrder.size());
        for (std::size_t entry = trace.rowOrder.size(); entry-- > 0;)
            m_next[entry] =
                has(trace.rowOrder[entry]) ? static_cast<std::uint32_t>(entry) : m_next[entry + 1];
    }
    /// The first of them that is in the span, by its place in Trace::rowOrder; none where it has none.
    [[nodiscard]] std::optional<std::uint32_t> firstIn(const DrawnSpan& span) const {
        const std::uint32_t next = m_next[span.entry];
        if (next >= span.entry + span.count) return std::nullopt;
        return next;
    }

private:
    std::vector<std::uint32_t> m_next;  ///< of each entry the first from it on that is one of them
};

}  // namespace plumb::trace
