// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_bars.h"

#include "ui/charts/time_window.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::ui {
namespace {

/// Bars of a fold that are looked at for its colour.
constexpr std::size_t kSamples = 16;

}  // namespace

BarRow::BarRow(std::vector<TimelineBar> bars) : m_bars(std::move(bars)) {
    m_busyBefore.reserve(m_bars.size() + 1);
    Seconds sum = 0;
    for (const TimelineBar& bar : m_bars) {
        m_busyBefore.push_back(sum);
        sum += bar.end - bar.begin;
    }
    m_busyBefore.push_back(sum);
}

std::pair<std::size_t, std::size_t> BarRow::within(Seconds from, Seconds to) const {
    // Ends rise like beginnings, since no bar begins before the one before it ends.
    const auto first = std::ranges::upper_bound(m_bars, from, {}, &TimelineBar::end);
    const auto last = std::lower_bound(first, m_bars.end(), to,
                                       [](const TimelineBar& bar, Seconds time) { return bar.begin < time; });
    return {static_cast<std::size_t>(first - m_bars.begin()),
            static_cast<std::size_t>(last - m_bars.begin())};
}

Seconds BarRow::busy(std::size_t first, std::size_t last) const {
    return m_bars.empty() ? 0 : m_busyBefore[last] - m_busyBefore[first];
}

std::int32_t BarRow::nearest(Seconds time) const {
    if (m_bars.empty()) return -1;
    const auto after = std::ranges::upper_bound(m_bars, time, {}, &TimelineBar::begin);
    return after == m_bars.begin() ? 0 : static_cast<std::int32_t>(after - m_bars.begin()) - 1;
}

std::uint8_t BarRow::mainGroup(std::size_t first, std::size_t last) const {
    std::array<Seconds, 256> seconds{};
    const std::size_t step = std::max<std::size_t>(1, (last - first) / kSamples);
    std::uint8_t main = m_bars[first].group;
    for (std::size_t i = first; i < last; i += step) {
        seconds[m_bars[i].group] += m_bars[i].end - m_bars[i].begin;
        if (seconds[m_bars[i].group] > seconds[main]) main = m_bars[i].group;
    }
    return main;
}

void BarRow::fold(const TimeWindow& window, std::vector<FoldedBar>& folded) const {
    const Seconds least = kLeastPixels * window.perPixel();
    const auto isWide = [&](const TimelineBar& bar) { return bar.end - bar.begin >= least; };
    const auto [first, last] = within(window.from, window.to);
    for (std::size_t i = first; i < last;) {
        const TimelineBar& bar = m_bars[i];
        std::size_t next = i + 1;
        if (!isWide(bar)) {
            const Seconds until = (std::floor(bar.begin / least) + 1) * least;
            const auto place =
                std::lower_bound(m_bars.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                 m_bars.begin() + static_cast<std::ptrdiff_t>(last), until,
                                 [](const TimelineBar& other, Seconds time) { return other.begin < time; });
            next = static_cast<std::size_t>(place - m_bars.begin());
            // Only the last can be wide: the next would begin behind its end.
            if (next > i + 1 && isWide(m_bars[next - 1])) --next;
        }
        FoldedBar made{bar.begin,
                       m_bars[next - 1].end,
                       static_cast<std::int32_t>(i),
                       static_cast<std::int32_t>(next - i),
                       1,
                       bar.group};
        if (next > i + 1) {
            made.group = mainGroup(i, next);
            if (made.end > made.begin) made.busy = std::min(1.0, busy(i, next) / (made.end - made.begin));
        }
        folded.push_back(made);
        i = next;
    }
}

std::vector<BarRow> packRows(std::span<const TimelineBar> bars, std::size_t most) {
    std::vector<std::vector<TimelineBar>> rows;
    for (const TimelineBar& bar : bars) {
        auto free = std::ranges::find_if(rows, [&](const auto& row) { return row.back().end <= bar.begin; });
        if (free == rows.end() && rows.size() < std::max<std::size_t>(most, 1))
            free = rows.emplace(rows.end());
        else if (free == rows.end())
            free = std::prev(rows.end());
        if (!free->empty() && free->back().end > bar.begin) free->back().end = bar.begin;
        free->push_back(bar);
    }
    std::vector<BarRow> packed;
    packed.reserve(rows.size());
    for (auto& row : rows) packed.emplace_back(std::move(row));
    return packed;
}

double curveAt(std::span<const CurvePoint> points, Seconds time) {
    const auto after = std::ranges::upper_bound(points, time, {}, &CurvePoint::at);
    return after == points.begin() ? 0 : std::prev(after)->value;
}

QPolygonF foldCurve(std::span<const CurvePoint> points, const TimeWindow& window, Seconds end, double highest,
                    double top, double bottom) {
    QPolygonF line;
    if (points.empty() || !(highest > 0)) return line;
    const auto toY = [&](double value) { return bottom + (top - bottom) * value / highest; };
    const Seconds last = std::min(end, window.to);
    auto point = std::ranges::upper_bound(points, window.from, {}, &CurvePoint::at);
    double value = point == points.begin() ? 0 : std::prev(point)->value;
    double x = point == points.begin() ? window.toX(point->at) : window.left;
    line << QPointF(x, toY(value));
    while (point != points.end() && point->at < last) {
        const double column = std::floor(window.toX(point->at));
        x = window.toX(point->at);
        double low = value, high = value;
        const double before = value;
        int taken = 0;
        for (; point != points.end() && point->at < last && std::floor(window.toX(point->at)) == column;
             ++point) {
            value = point->value;
            low = std::min(low, value);
            high = std::max(high, value);
            ++taken;
        }
        line << QPointF(x, toY(before));
        if (taken > 1) line << QPointF(x, toY(high)) << QPointF(x, toY(low));
        line << QPointF(x, toY(value));
    }
    line << QPointF(std::max(x, window.toX(last)), toY(value));
    return line;
}

}  // namespace plumb::ui
