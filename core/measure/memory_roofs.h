// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/machine.h"
#include "core/measure/op_counters.h"
#include "core/measure/reading.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace plumb {

/// One slope of a roofline: how fast a level of memory delivers.
struct MemoryRoof {
    double bytesPerSecond = 0;
    /// Which level that is, where it can be told: Dram for the machine's bandwidth. A CPU's caches have none,
    /// because calibration knows their sizes and not which of them served.
    std::optional<MemoryLevel> level;
    std::optional<Bytes> upTo;  ///< largest working set that still got the bandwidth of a cache
    bool operator==(const MemoryRoof&) const = default;
};

/// The machine's memory first, then its caches by rising bandwidth, as far as they are known: calibration
/// measures bandwidth by working set, and each step of that curve that stands out from the next is a level.
/// Of a GPU the level next to memory is the L2, the one above it the L1. Empty without any bandwidth.
[[nodiscard]] std::vector<MemoryRoof> memoryRoofs(const Machine& machine);

/// What an op, or a whole, reached of the roof that holds it: the roofs are those of the roofline chart.
struct RoofShare {
    double share = 0;      ///< 1 at most, unless ceilingTooLow
    bool compute = false;  ///< the peak of its dtype held it, not a level of memory
    /// Index into memoryRoofs() of the level that served it. Above 0: faster than memory delivers, so that a
    /// cache must have.
    std::size_t level = 0;
    /// Faster than the peak, or than the fastest cache delivers: no machine does that, so the ceiling is too
    /// low. It is measured again by calibrateCommand().
    bool ceilingTooLow = false;
    bool operator==(const RoofShare&) const = default;
};

/// Share of its roof of work that took `seconds`; `peak`: FLOP/s of the units that do it. Absent without a
/// roof that holds it.
[[nodiscard]] std::optional<RoofShare> roofShare(double flops, double bytes, Seconds seconds,
                                                 std::optional<double> peak,
                                                 const std::vector<MemoryRoof>& roofs);
/// The same of an op that took `seconds` on `machine`: one of a step, or of a reading with FLOPs and bytes.
/// Absent of what travels between ranks.
[[nodiscard]] std::optional<RoofShare> roofShare(const StepOp& op, const Machine& machine, Seconds seconds);
[[nodiscard]] std::optional<RoofShare> roofShare(const OpReading& op, const RunConfig& config,
                                                 const Machine& machine, Seconds seconds);

/// "62 %", "81 % of a cache up to 1.05 MB", "above 100 %: ceiling too low".
[[nodiscard]] std::string text(const RoofShare& share, const std::vector<MemoryRoof>& roofs);

/// Why a utilisation (MFU) cannot be what it says, and what to do about it; empty up to 100 %.
[[nodiscard]] std::string impossibleUtilisation(double utilisation, const Machine& machine);

}  // namespace plumb
