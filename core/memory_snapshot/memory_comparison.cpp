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

void addLiving(BySite& all, SiteBytes SiteComparison::*side, MemoryKey key, const MemoryMoment& moment) {
    // Labels are made once for each stack, category and class of sizes.
    struct Sum {
        SiteBytes bytes;
        const MemoryAllocation* example = nullptr;
    };
    std::unordered_map<std::uint32_t, Sum> bySource;
    for (const MemoryAllocation& each : moment.replay.allocations) {
        if (!each.livesAt(moment.position)) continue;
        Sum& sum = bySource[memorySource(key, each)];
        sum.bytes.bytes += each.bytes;
        ++sum.bytes.count;
        sum.example = &each;
    }
    for (const auto& [source, sum] : bySource) {
        SiteComparison& entry = all[memoryLabel(key, moment.sites, moment.replay, *sum.example)];
        entry.origin = moment.sites.origin(sum.example->stack);
        (entry.*side).bytes += sum.bytes.bytes;
        (entry.*side).count += sum.bytes.count;
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

MemoryChange SiteComparison::change() const {
    if (before.count == 0 && after.count > 0) return MemoryChange::New;
    if (after.count == 0 && before.count > 0) return MemoryChange::Gone;
    if (difference() == 0) return MemoryChange::Same;
    return difference() > 0 ? MemoryChange::Grown : MemoryChange::Less;
}

EnumArray<MemoryChange, MemoryChangeSum> changeSums(std::span<const SiteComparison> places) {
    EnumArray<MemoryChange, MemoryChangeSum> sums{};
    for (const SiteComparison& place : places) {
        MemoryChangeSum& sum = sums[place.change()];
        sum.bytes += place.difference();
        ++sum.places;
    }
    return sums;
}

std::vector<SiteComparison> sitesAt(const MemoryReplay& replay, const AllocationSites& sites,
                                    std::int64_t position) {
    BySite all;
    addLiving(all, &SiteComparison::before, MemoryKey::Site, {replay, sites, position});
    return largestFirst(std::move(all));
}

std::vector<SiteComparison> compareSites(const MemoryReplay& before, const AllocationSites& sitesBefore,
                                         std::int64_t positionBefore, const MemoryReplay& after,
                                         const AllocationSites& sitesAfter, std::int64_t positionAfter) {
    return compareMemory(MemoryKey::Site, {before, sitesBefore, positionBefore},
                         {after, sitesAfter, positionAfter});
}

std::vector<SiteComparison> compareMemory(MemoryKey key, const MemoryMoment& before,
                                          const MemoryMoment& after) {
    BySite all;
    addLiving(all, &SiteComparison::before, key, before);
    addLiving(all, &SiteComparison::after, key, after);
    return largestFirst(std::move(all));
}

}  // namespace plumb
