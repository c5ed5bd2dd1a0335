// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/account/machine.h"
#include "core/account/op_counters.h"

#include <optional>
#include <vector>

namespace plumb {

/// One slope of a roofline: how fast a level of memory delivers.
struct MemoryRoof {
    double bytesPerSecond = 0;
    /// Which level that is, where it can be told: Dram for the machine's bandwidth. A CPU's caches have none,
    /// because calibration knows their sizes and not which of them served.
    std::optional<MemoryLevel> level;
    std::optional<Bytes> upTo;  ///< of a cache: the largest working set that still got it
    bool operator==(const MemoryRoof&) const = default;
};

/// The machine's memory first, then its caches by rising bandwidth, as far as they are known: calibration
/// measures bandwidth by working set, and each step of that curve that stands out from the next is a level.
/// Of a GPU the level next to memory is the L2, the one above it the L1. Empty without any bandwidth.
[[nodiscard]] std::vector<MemoryRoof> memoryRoofs(const Machine& machine);

}  // namespace plumb
