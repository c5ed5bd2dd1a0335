// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/memory_comparison.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <unordered_map>
#include <utility>

namespace plumb {

namespace {

using BySite = std::map<std::string, SiteComparison>;

void addLiving(BySite& all, SiteBytes SiteComparison::*side, const MemoryReplay& replay,
               const AllocationSites& sites, std::int64_t position) {
    std::unordered_map<std::uint32_t, SiteBytes> byStack;  // labels are made once for each stack
    for (const MemoryAllocation& each : replay.allocations) {
        if (!each.livesAt(position)) continue;
        SiteBytes& sum = byStack[each.stack];
        sum.bytes += each.bytes;
        ++sum.count;
    }
    for (const auto& [stack, sum] : byStack) {
        const AllocationSite site = sites.site(stack);
        SiteComparison& entry = all[site.label()];
        entry.origin = site.origin;
        (entry.*side).bytes += sum.bytes;
        (entry.*side).count += sum.count;
    }
}

std::vector<SiteComparison> largestFirst(BySite all) {
    std::vector<SiteComparison> sites;
    for (auto& [label, site] : all) {
        site.site = label;
        sites.push_back(std::move(site));
    }
    std::ranges::stable_sort(sites, [](const SiteComparison& a, const SiteComparison& b) {
        return std::abs(a.difference()) > std::abs(b.difference());
    });
    return sites;
}

}  // namespace

std::vector<SiteComparison> sitesAt(const MemoryReplay& replay, const AllocationSites& sites,
                                    std::int64_t position) {
    BySite all;
    addLiving(all, &SiteComparison::before, replay, sites, position);
    return largestFirst(std::move(all));
}

std::vector<SiteComparison> compareSites(const MemoryReplay& before, const AllocationSites& sitesBefore,
                                         std::int64_t positionBefore, const MemoryReplay& after,
                                         const AllocationSites& sitesAfter, std::int64_t positionAfter) {
    BySite all;
    addLiving(all, &SiteComparison::before, before, sitesBefore, positionBefore);
    addLiving(all, &SiteComparison::after, after, sitesAfter, positionAfter);
    return largestFirst(std::move(all));
}

}  // namespace plumb
