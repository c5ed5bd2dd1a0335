// SPDX-License-Identifier: Apache-2.0
#include "core/account/memory_roofs.h"

#include <algorithm>

namespace plumb {

namespace {

/// Levels differ by factors of two and more; on shared machines a single level varies by a third.
constexpr double kNextLevel = 1.6;

double best(const BandwidthPoint& point) { return std::max({point.read, point.copy, point.update}); }

}  // namespace

std::vector<MemoryRoof> memoryRoofs(const Machine& machine) {
    std::vector<MemoryRoof> roofs;
    if (!machine.bandwidthBytesPerSecond || *machine.bandwidthBytesPerSecond <= 0) return roofs;
    roofs.push_back({*machine.bandwidthBytesPerSecond, MemoryLevel::Dram, std::nullopt});
    if (!machine.costs) return roofs;
    const auto& curve = machine.costs->bandwidth;
    // From memory towards the first cache: a smaller working set is never slower, what looks like it is
    // noise.
    double highest = *machine.bandwidthBytesPerSecond;
    for (auto point = curve.rbegin(); point != curve.rend(); ++point) {
        highest = std::max(highest, best(*point));
        if (highest >= roofs.back().bytesPerSecond * kNextLevel)
            roofs.push_back({highest, std::nullopt, point->workingSet});
        else if (roofs.size() > 1)
            roofs.back().bytesPerSecond = highest;
    }
    if (machine.backend == "cuda") {
        if (roofs.size() > 1) roofs[1].level = MemoryLevel::L2;
        if (roofs.size() > 2) roofs[2].level = MemoryLevel::L1;
    }
    return roofs;
}

}  // namespace plumb
