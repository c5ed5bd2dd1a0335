// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace plumb::trace {

/// What PyTorch's allocator held on one device over time, by its own totals: what was given out, and what it
/// had taken from the device for it.
class MemoryCurve {
public:
    struct Point {
        Nanoseconds time = 0;  ///< from then on
        std::int64_t allocated = 0;
        std::int64_t reserved = -1;  ///< -1: not said
    };

    /// That of the device which a point of a trace is of.
    explicit MemoryCurve(const MemoryPoint& of)
        : m_type(of.deviceType), m_device(of.device), m_rank(of.rank) {}
    /// Points come in the order of time.
    void add(Point point);

    [[nodiscard]] bool isOfGpu() const { return m_type != 0; }
    [[nodiscard]] std::int64_t device() const { return m_device; }
    [[nodiscard]] std::int64_t rank() const { return m_rank; }  ///< -1: of a trace of one
    [[nodiscard]] const std::vector<Point>& points() const { return m_points; }
    [[nodiscard]] std::int64_t peak() const { return m_peak; }                  ///< of what was given out
    [[nodiscard]] std::int64_t reservedPeak() const { return m_reservedPeak; }  ///< -1: not said
    /// The last point at or before a time; null before the first.
    [[nodiscard]] const Point* at(Nanoseconds time) const;
    /// Replaces `columns` by the most that was held in each of `count` equal parts from `from` to `to`; -1
    /// before the first point.
    void columns(Nanoseconds from, Nanoseconds to, std::size_t count, std::vector<Point>& columns) const;
    [[nodiscard]] bool isOf(const MemoryPoint& point) const {
        return m_type == point.deviceType && m_device == point.device && m_rank == point.rank;
    }

private:
    static constexpr std::size_t kBlock = 256;
    [[nodiscard]] Point most(std::size_t first, std::size_t last) const;

    std::int64_t m_type;
    std::int64_t m_device;
    std::int64_t m_rank;
    std::vector<Point> m_points;
    std::vector<Point> m_blocks;  ///< the most of each whole block of points
    std::int64_t m_peak = 0;
    std::int64_t m_reservedPeak = -1;
};

/// The curves of the devices of which the trace says totals, GPUs first; of 64 at most.
[[nodiscard]] std::vector<MemoryCurve> memoryCurves(const Trace& trace);

}  // namespace plumb::trace
