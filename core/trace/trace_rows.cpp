// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace_rows.h"

#include <algorithm>
#include <utility>

namespace plumb::trace {

namespace {

/// Lays the slices of one track; `rowEnds` are the ends of the last slice of each row.
void layTrack(Trace& trace, const Track& track, std::vector<Nanoseconds>& rowEnds) {
    Slices& slices = trace.slices;
    std::vector<std::uint32_t> open;  // slices that enclose each other, by their numbers
    Nanoseconds latest = INT64_MIN;
    rowEnds.clear();
    for (std::size_t i = track.first; i < track.first + track.count; ++i) {
        const Nanoseconds begin = slices.begin[i];
        const Nanoseconds end = slices.end(i);
        if (track.kind == TrackKind::Stream) {
            if (begin < latest) ++trace.overlaps;
            latest = std::max(latest, end);
        }
        while (!open.empty() && slices.end(open.back()) <= begin) open.pop_back();
        std::size_t enclosing = open.size();
        while (enclosing > 0 && slices.end(open[enclosing - 1]) < end) --enclosing;
        std::size_t row = enclosing == 0 ? 0 : slices.row[open[enclosing - 1]] + std::size_t{1};
        while (row < rowEnds.size() && rowEnds[row] > begin) ++row;
        if (row >= Trace::kMostRows) {
            row = Trace::kMostRows - 1;
            ++trace.losses.stackedSlices;
        }
        if (row >= rowEnds.size()) rowEnds.resize(row + 1, INT64_MIN);
        rowEnds[row] = std::max(rowEnds[row], end);
        slices.row[i] = static_cast<std::uint16_t>(row);
        // What overlaps without nesting encloses nothing that those before it do not.
        if (enclosing == open.size() && open.size() < Trace::kMostRows)
            open.push_back(static_cast<std::uint32_t>(i));
    }
}

}  // namespace

void layRows(Trace& trace) {
    Slices& slices = trace.slices;
    slices.row.assign(slices.size(), 0);
    trace.rowOrder.resize(slices.size());
    trace.rows.clear();
    std::vector<Nanoseconds> rowEnds;
    for (std::size_t t = 0; t < trace.tracks.size(); ++t) {
        Track& track = trace.tracks[t];
        layTrack(trace, track, rowEnds);
        track.firstRow = trace.rows.size();
        track.rows = rowEnds.size();
        std::vector<std::size_t> counts(track.rows, 0);
        for (std::size_t i = track.first; i < track.first + track.count; ++i) ++counts[slices.row[i]];
        std::size_t first = track.first;
        for (std::size_t row = 0; row < track.rows; ++row) {
            trace.rows.push_back({static_cast<std::uint32_t>(t), first, counts[row]});
            first += std::exchange(counts[row], first);
        }
        for (std::size_t i = track.first; i < track.first + track.count; ++i)
            trace.rowOrder[counts[slices.row[i]]++] = static_cast<std::uint32_t>(i);
    }
}

RowIndex::RowIndex(const Trace& trace) : m_trace(&trace) {
    for (const Row& row : trace.rows) {
        m_firstLevel.push_back(m_levels.size());
        std::size_t count = row.count;
        for (std::size_t level = 0; count > kFan; ++level) {
            std::vector<Nanoseconds> longest((count + kFan - 1) / kFan, 0);
            for (std::size_t i = 0; i < count; ++i) {
                const Nanoseconds duration =
                    level == 0 ? trace.slices.duration[trace.rowOrder[row.first + i]] : m_levels.back()[i];
                longest[i / kFan] = std::max(longest[i / kFan], duration);
            }
            count = longest.size();
            m_levels.push_back(std::move(longest));
        }
    }
    m_firstLevel.push_back(m_levels.size());
}

std::size_t RowIndex::memoryBytes() const {
    std::size_t sum = m_firstLevel.capacity() * sizeof(std::size_t);
    for (const auto& level : m_levels) sum += level.capacity() * sizeof(Nanoseconds);
    return sum;
}

Nanoseconds RowIndex::durationOf(std::size_t row, std::size_t entry) const {
    return m_trace->slices.duration[m_trace->rowOrder[m_trace->rows[row].first + entry]];
}

/// The first entry from `entry` on whose duration is at least `duration`; the count of the row when there is
/// none.
std::size_t RowIndex::nextOfAtLeast(std::size_t row, std::size_t entry, Nanoseconds duration) const {
    const std::size_t count = m_trace->rows[row].count;
    const std::size_t levels = m_firstLevel[row + 1] - m_firstLevel[row];
    const auto level = [&](std::size_t number) -> const std::vector<Nanoseconds>& {
        return m_levels[m_firstLevel[row] + number];
    };
    std::size_t height = 0;  // `entry` counts entries of this height: 0 is slices
    for (;;) {
        const std::size_t size = height == 0 ? count : level(height - 1).size();
        if (entry >= size) return count;
        if (height < levels && entry % kFan == 0 && level(height)[entry / kFan] < duration) {
            entry /= kFan;  // none of these: look from further away
            ++height;
            ++entry;
            continue;
        }
        const Nanoseconds longest = height == 0 ? durationOf(row, entry) : level(height - 1)[entry];
        if (longest < duration) {
            ++entry;
            continue;
        }
        if (height == 0) return entry;
        entry *= kFan;
        --height;
    }
}

void RowIndex::draw(std::size_t row, Nanoseconds from, Nanoseconds to, Nanoseconds pixel,
                    std::vector<DrawnSpan>& spans) const {
    spans.clear();
    const Slices& slices = m_trace->slices;
    const Row& entries = m_trace->rows[row];
    const auto slice = [&](std::size_t entry) { return m_trace->rowOrder[entries.first + entry]; };
    pixel = std::max<Nanoseconds>(pixel, 1);
    const auto firstFrom = [&](std::size_t first, Nanoseconds time) {
        std::size_t low = first;
        std::size_t high = entries.count;
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (slices.begin[slice(middle)] < time)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    std::size_t entry = firstFrom(0, from);
    if (entry > 0 && slices.end(slice(entry - 1)) > from) --entry;
    while (entry < entries.count && slices.begin[slice(entry)] < to) {
        const std::uint32_t first = slice(entry);
        const Nanoseconds begin = slices.begin[first];
        if (slices.duration[first] >= pixel) {
            spans.push_back(
                {begin, slices.end(first), first, 1, static_cast<std::uint32_t>(entries.first + entry)});
            ++entry;
            continue;
        }
        // All the short ones that begin within a pixel of this one; a long one ends them.
        const std::size_t within = firstFrom(entry + 1, begin + pixel);
        const std::size_t next = std::min(within, nextOfAtLeast(row, entry + 1, pixel));
        spans.push_back({begin, slices.end(slice(next - 1)), first, static_cast<std::uint32_t>(next - entry),
                         static_cast<std::uint32_t>(entries.first + entry)});
        entry = next;
    }
}

}  // namespace plumb::trace
