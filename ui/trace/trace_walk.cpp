// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_walk.h"

#include <Qt>

#include <algorithm>

namespace plumb::ui {

TraceWalk::TraceWalk(const OpenedTrace& opened, const TraceLanes& lanes, const trace::RowMask* shown)
    : m_opened(opened), m_shown(shown) {
    for (const TraceLanes::Lane& lane : lanes.lanes()) {
        if (lane.kind == TraceLanes::Kind::Heading) m_lines.push_back({true, lane.item});
        if (lane.kind != TraceLanes::Kind::Track) continue;
        const trace::Track& track = opened.trace->tracks[lane.item];
        for (std::size_t row = 0; row < track.rows; ++row) m_lines.push_back({false, track.firstRow + row});
    }
}

bool TraceWalk::isShown(std::size_t entry) const {
    return m_shown == nullptr || m_shown->firstIn({.entry = static_cast<std::uint32_t>(entry)}).has_value();
}

std::optional<std::size_t> TraceWalk::shownFrom(std::size_t row, std::int64_t entry, int way) const {
    const trace::Row& there = m_opened.trace->rows[row];
    const auto first = static_cast<std::int64_t>(there.first);
    for (; entry >= first && entry < first + static_cast<std::int64_t>(there.count); entry += way)
        if (isShown(static_cast<std::size_t>(entry))) return static_cast<std::size_t>(entry);
    return std::nullopt;
}

std::optional<std::uint32_t> TraceWalk::nearest(std::size_t row, trace::Nanoseconds time) const {
    const trace::Trace& trace = *m_opened.trace;
    const auto first = trace.rowOrder.begin() + static_cast<std::ptrdiff_t>(trace.rows[row].first);
    const auto behind = std::upper_bound(
        first, first + static_cast<std::ptrdiff_t>(trace.rows[row].count), time,
        [&](trace::Nanoseconds at, std::uint32_t slice) { return at < trace.slices.begin[slice]; });
    const std::int64_t after = behind - trace.rowOrder.begin();
    const auto before = shownFrom(row, after - 1, -1), next = shownFrom(row, after, 1);
    if (!before && !next) return std::nullopt;
    const auto away = [&](std::size_t entry) {
        const std::uint32_t slice = trace.rowOrder[entry];
        return std::max(
            {trace::Nanoseconds{0}, trace.slices.begin[slice] - time, time - trace.slices.end(slice)});
    };
    return trace.rowOrder[!next || (before && away(*before) <= away(*next)) ? *before : *next];
}

std::optional<std::size_t> TraceWalk::lineOf(const TracePlace& place) const {
    const trace::Trace& trace = *m_opened.trace;
    const auto row = !place.slice ? 0
                                  : trace.tracks[trace.slices.track[*place.slice]].firstRow +
                                        trace.slices.row[*place.slice];
    const auto found = std::ranges::find_if(m_lines, [&](const Line& line) {
        return line.isHeading ? place.heading == line.item
                              : !place.heading && place.slice && line.item == row;
    });
    if (found == m_lines.end()) return std::nullopt;
    return static_cast<std::size_t>(found - m_lines.begin());
}

std::optional<TracePlace> TraceWalk::placeOn(const Line& line, const TracePlace& from,
                                             trace::Nanoseconds time) const {
    if (line.isHeading) return TracePlace{line.item, from.slice};
    const std::optional<std::uint32_t> slice = nearest(line.item, time);
    return slice ? std::optional(TracePlace{std::nullopt, slice}) : std::nullopt;
}

TracePlace TraceWalk::alongRow(std::uint32_t slice, int key) const {
    const trace::Trace& trace = *m_opened.trace;
    const std::size_t row = trace.tracks[trace.slices.track[slice]].firstRow + trace.slices.row[slice];
    const auto first = static_cast<std::int64_t>(trace.rows[row].first);
    const std::int64_t last = first + static_cast<std::int64_t>(trace.rows[row].count) - 1;
    const auto begin = trace.rowOrder.begin();  // which grows along a row
    const std::int64_t at = std::lower_bound(begin + first, begin + last + 1, slice) - begin;
    const auto next = key == Qt::Key_Home   ? shownFrom(row, first, 1)
                      : key == Qt::Key_End  ? shownFrom(row, last, -1)
                      : key == Qt::Key_Left ? shownFrom(row, at - 1, -1)
                                            : shownFrom(row, at + 1, 1);
    return {std::nullopt, next ? trace.rowOrder[*next] : slice};
}

TracePlace TraceWalk::step(const TracePlace& from, int key, TraceWindow window) const {
    const std::optional<std::size_t> line = lineOf(from);
    const trace::Slices& slices = m_opened.trace->slices;
    const trace::Nanoseconds time = from.slice ? slices.begin[*from.slice] + slices.duration[*from.slice] / 2
                                               : window.from + window.length() / 2;
    const bool isBack = key == Qt::Key_Up || key == Qt::Key_PageUp;
    const bool isPage = key == Qt::Key_PageUp || key == Qt::Key_PageDown;
    if (isBack || isPage || key == Qt::Key_Down) {
        const std::int64_t way = isBack ? -1 : 1;
        const auto count = static_cast<std::int64_t>(m_lines.size());
        for (std::int64_t next = line ? static_cast<std::int64_t>(*line) + way : (isBack ? count - 1 : 0);
             next >= 0 && next < count; next += way) {
            const Line& there = m_lines[static_cast<std::size_t>(next)];
            if (isPage && !there.isHeading) continue;
            if (const std::optional<TracePlace> place = placeOn(there, from, time)) return *place;
        }
        return from;
    }
    if (line && !from.heading) return alongRow(*from.slice, key);
    for (const Line& there : m_lines) {
        if (there.isHeading) continue;
        const std::optional<std::uint32_t> first = nearest(there.item, window.from);
        if (first && slices.begin[*first] <= window.to) return {std::nullopt, first};
    }
    return from;
}

}  // namespace plumb::ui
