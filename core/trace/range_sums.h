// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace_overview.h"

#include <array>
#include <span>

namespace plumb::trace {

/// GPU work of a range of time, each piece cut to the range.
struct RangeSums {
    WorkSum all;  ///< all kernels, copies and memsets, of all devices
    std::array<WorkSum, kKernelCategories> categories{};
    Nanoseconds busy = 0;  ///< time in which at least one of them runs on any device
};

/// Sums of what runs within [from, to). Pieces without duration count where they lie in it.
[[nodiscard]] RangeSums sumsOfRange(const Trace& trace, std::span<const GpuWork> work, Nanoseconds from,
                                    Nanoseconds to);

}  // namespace plumb::trace
