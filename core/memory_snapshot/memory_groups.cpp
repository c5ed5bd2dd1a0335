// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/memory_groups.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace plumb {

namespace {

struct SizeClass {
    Bytes most;
    const char* name;
};
/// Up to 1 MiB the caching allocator serves from its pool of small blocks.
constexpr std::array kSizeClasses{
    SizeClass{Bytes{1} << 12U, "up to 4 KiB"}, SizeClass{Bytes{1} << 16U, "4 to 64 KiB"},
    SizeClass{Bytes{1} << 20U, "64 KiB to 1 MiB"}, SizeClass{Bytes{1} << 24U, "1 to 16 MiB"},
    SizeClass{Bytes{1} << 28U, "16 to 256 MiB"}};

std::size_t sizeClassOf(Bytes bytes) {
    const auto found =
        std::ranges::find_if(kSizeClasses, [&](const SizeClass& c) { return bytes <= c.most; });
    return static_cast<std::size_t>(found - kSizeClasses.begin());
}

}  // namespace

std::uint32_t memorySource(MemoryKey key, const MemoryAllocation& allocation) {
    if (key == MemoryKey::Category) return allocation.category;
    if (key == MemoryKey::SizeClass) return static_cast<std::uint32_t>(sizeClassOf(allocation.bytes));
    return allocation.stack;
}

std::string memoryLabel(MemoryKey key, const AllocationSites& sites, const MemoryReplay& replay,
                        const MemoryAllocation& allocation) {
    if (key == MemoryKey::Category) return replay.categories[allocation.category];
    if (key == MemoryKey::SizeClass) {
        const std::size_t index = sizeClassOf(allocation.bytes);
        return index < kSizeClasses.size() ? kSizeClasses[index].name : "above 256 MiB";
    }
    const AllocationSite site = sites.site(allocation.stack);
    if (key == MemoryKey::Site) return site.label();
    if (allocation.stack == 0) return "not recorded";
    if (key == MemoryKey::Module) return site.module.empty() ? "outside of modules" : site.module;
    if (!site.op.empty()) return site.op;
    if (site.origin == MemoryOrigin::Workspace) return "workspace of the matrix library";
    return site.node.empty() ? "no operation" : site.node;
}

MemoryGroups groupAllocations(MemoryKey key, const AllocationSites& sites, const MemoryReplay& replay) {
    struct Sum {
        std::string name;
        Bytes atPeak = 0;
        double all = 0;  ///< of allocations that come and go: beyond what a whole number holds
    };
    std::vector<Sum> sums;
    std::unordered_map<std::string, std::uint32_t> byName;
    std::unordered_map<std::uint32_t, std::uint32_t> bySource;
    std::vector<std::uint32_t> sumOf;
    sumOf.reserve(replay.allocations.size());
    for (const MemoryAllocation& each : replay.allocations) {
        const auto [source, isNew] = bySource.try_emplace(memorySource(key, each), 0);
        if (isNew) {
            std::string name = memoryLabel(key, sites, replay, each);
            const auto [named, first] = byName.try_emplace(name, static_cast<std::uint32_t>(sums.size()));
            if (first) sums.push_back({std::move(name)});
            source->second = named->second;
        }
        Sum& sum = sums[source->second];
        if (each.livesAt(replay.peakPosition)) sum.atPeak += each.bytes;
        sum.all += static_cast<double>(each.bytes);
        sumOf.push_back(source->second);
    }
    std::vector<std::uint32_t> order(sums.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return sums[a].atPeak != sums[b].atPeak ? sums[a].atPeak > sums[b].atPeak : sums[a].all > sums[b].all;
    });
    MemoryGroups groups;
    groups.hasRest = sums.size() > MemoryGroups::kMost;
    const std::size_t named = groups.hasRest ? MemoryGroups::kMost - 1 : sums.size();
    std::vector<std::uint8_t> groupOf(sums.size(), static_cast<std::uint8_t>(named));
    for (std::size_t i = 0; i < named; ++i) {
        groupOf[order[i]] = static_cast<std::uint8_t>(i);
        groups.names.push_back(sums[order[i]].name);
    }
    if (groups.hasRest) groups.names.push_back(std::to_string(sums.size() - named) + " others");
    groups.of.reserve(sumOf.size());
    for (const std::uint32_t sum : sumOf) groups.of.push_back(groupOf[sum]);
    return groups;
}

}  // namespace plumb
