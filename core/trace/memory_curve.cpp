// SPDX-License-Identifier: Apache-2.0
#include "core/trace/memory_curve.h"

#include <algorithm>
#include <utility>

namespace plumb::trace {

namespace {
constexpr std::size_t kMostCurves = 64;

void raise(MemoryCurve::Point& most, const MemoryCurve::Point& point) {
    most.allocated = std::max(most.allocated, point.allocated);
    most.reserved = std::max(most.reserved, point.reserved);
}
}  // namespace

void MemoryCurve::add(Point point) {
    m_points.push_back(point);
    m_peak = std::max(m_peak, point.allocated);
    m_reservedPeak = std::max(m_reservedPeak, point.reserved);
    if (m_points.size() % kBlock == 0) m_blocks.push_back(most(m_points.size() - kBlock, m_points.size()));
}

MemoryCurve::Point MemoryCurve::most(std::size_t first, std::size_t last) const {
    Point most{.time = 0, .allocated = -1, .reserved = -1};
    while (first < last) {
        const std::size_t block = first / kBlock;
        if (first % kBlock == 0 && first + kBlock <= last && block < m_blocks.size()) {
            raise(most, m_blocks[block]);
            first += kBlock;
        } else {
            raise(most, m_points[first++]);
        }
    }
    return most;
}

const MemoryCurve::Point* MemoryCurve::at(Nanoseconds time) const {
    const auto behind = std::ranges::upper_bound(m_points, time, {}, &Point::time);
    return behind == m_points.begin() ? nullptr : &*std::prev(behind);
}

void MemoryCurve::columns(Nanoseconds from, Nanoseconds to, std::size_t count,
                          std::vector<Point>& columns) const {
    columns.clear();
    const double part = static_cast<double>(to - from) / static_cast<double>(std::max<std::size_t>(count, 1));
    const auto edge = [&](std::size_t i) {
        return from + static_cast<Nanoseconds>(part * static_cast<double>(i));
    };
    const auto placeOf = [&](Nanoseconds time) {
        return static_cast<std::size_t>(std::ranges::lower_bound(m_points, time, {}, &Point::time) -
                                        m_points.begin());
    };
    std::size_t first = placeOf(from);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t last = std::max(first, placeOf(edge(i + 1)));
        // What was held before goes on until the first point in here.
        Point point = most(first > 0 ? first - 1 : 0, last);
        point.time = edge(i);
        columns.push_back(point);
        first = last;
    }
}

std::vector<MemoryCurve> memoryCurves(const Trace& trace) {
    std::vector<MemoryCurve> curves;
    for (const MemoryPoint& point : trace.memory) {
        if (point.allocated < 0) continue;
        auto found =
            std::ranges::find_if(curves, [&](const MemoryCurve& curve) { return curve.isOf(point); });
        if (found == curves.end() && curves.size() >= kMostCurves) continue;
        if (found == curves.end()) found = curves.emplace(curves.end(), point);
        found->add({point.time, point.allocated, point.reserved});
    }
    std::ranges::stable_sort(curves, [](const MemoryCurve& a, const MemoryCurve& b) {
        return a.isOfGpu() != b.isOfGpu() ? a.isOfGpu()
                                          : std::pair(a.rank(), a.device()) < std::pair(b.rank(), b.device());
    });
    return curves;
}

}  // namespace plumb::trace
