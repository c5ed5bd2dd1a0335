// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace_overview.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plumb::trace {

/// What runs of one kind within a range, each piece cut to it.
struct RangeSum {
    WorkSum work;
    /// Of traffic (kernels that communicate, and copies), each piece by itself: the part during which a
    /// kernel that computes runs on the same device, and the rest.
    WorkSum traffic;
    Nanoseconds hidden = 0;
    Nanoseconds exposed = 0;
    /// Of copies, memsets and collectives that say so; of a piece that the range cuts the share of its time.
    std::int64_t bytes = 0;
    std::int64_t withBytes = 0;  ///< pieces that say how many
};

/// All pieces of one name.
struct RangeRow {
    NameId name = 0;
    KernelCategory category{};
    RangeSum sum;
    std::vector<std::int64_t> streams;  ///< by number
};

/// GPU work of a range of time, each piece cut to the range.
struct RangeSums {
    Nanoseconds from = 0;
    Nanoseconds to = 0;
    RangeSum all;  ///< all kernels, copies and memsets, of all devices
    std::array<WorkSum, kKernelCategories> categories{};
    std::vector<RangeRow> rows;         ///< by time, the longest first
    std::vector<std::int64_t> streams;  ///< of all of them
    Nanoseconds busy = 0;               ///< time in which at least one of them runs on any device
    Nanoseconds computing = 0;  ///< time in which a kernel that does not communicate runs on any device
};

/// Sums of what runs within [from, to). Pieces without duration count where they lie in it.
[[nodiscard]] RangeSums sumsOfRange(const Trace& trace, std::span<const GpuWork> work, Nanoseconds from,
                                    Nanoseconds to);

/// Bytes that a piece of work moves: of a copy or memset what the trace says, of a collective the larger of
/// what this rank gives and gets. Empty where the trace does not say.
[[nodiscard]] std::optional<std::int64_t> bytesOfWork(const Trace& trace, const GpuWork& work);

/// What one device did from one point of time to another.
struct DeviceWindow {
    std::int64_t id = -1;
    std::int64_t rank = -1;
    Nanoseconds begin = 0;  ///< of the window
    Nanoseconds end = 0;
    DeviceTimes times;
    std::int64_t kernels = 0;
    Nanoseconds kernelTime = 0;      ///< sum of all kernels, each cut to the window
    Nanoseconds tensorCoreTime = 0;  ///< of those whose name says that they use tensor cores
};

/// The figures of a part of a trace: a step, say.
struct WindowFigures {
    std::vector<DeviceWindow> devices;  ///< all of the trace, by number
    RangeSums sums;
};

/// Those of the whole trace: of each device from its first to its last work, as its DeviceFigures are.
[[nodiscard]] WindowFigures figuresOfAll(const Trace& trace, std::span<const GpuWork> work,
                                         const TraceOverview& overview);
[[nodiscard]] WindowFigures figuresOfWindow(const Trace& trace, std::span<const GpuWork> work,
                                            Nanoseconds from, Nanoseconds to);

}  // namespace plumb::trace
