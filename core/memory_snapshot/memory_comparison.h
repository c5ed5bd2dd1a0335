// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_array.h"
#include "core/base/enum_names.h"
#include "core/memory_snapshot/allocation_site.h"
#include "core/memory_snapshot/memory_groups.h"
#include "core/memory_snapshot/memory_replay.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace plumb {

/// What lives at a moment and was allocated at one place.
struct SiteBytes {
    Bytes bytes = 0;
    std::size_t count = 0;
    bool operator==(const SiteBytes&) const = default;
};

/// What became of a place from one snapshot to another.
enum class MemoryChange : std::uint8_t { Same, Grown, New, Less, Gone };
constexpr MemoryChange lastOf(MemoryChange /*type*/) { return MemoryChange::Gone; }
inline constexpr auto kMemoryChangeNames = enumNames<MemoryChange>({{MemoryChange::Same, "same"},
                                                                    {MemoryChange::Grown, "grown"},
                                                                    {MemoryChange::New, "new"},
                                                                    {MemoryChange::Less, "less"},
                                                                    {MemoryChange::Gone, "gone"}});

/// A place of two snapshots.
struct SiteComparison {
    std::string site;  ///< memoryLabel(): AllocationSite::label() unless it was compared by another key
    MemoryOrigin origin = MemoryOrigin::Unknown;
    SiteBytes before;
    SiteBytes after;
    [[nodiscard]] Bytes difference() const { return after.bytes - before.bytes; }
    /// By bytes; as many bytes in other blocks are the same.
    [[nodiscard]] MemoryChange change() const;
};

/// Differences of one kind, together.
struct MemoryChangeSum {
    Bytes bytes = 0;  ///< of the differences: below 0 for what is less or gone
    std::size_t places = 0;
};
/// By MemoryChange; their bytes add up to the whole difference.
[[nodiscard]] EnumArray<MemoryChange, MemoryChangeSum> changeSums(std::span<const SiteComparison> places);

/// What lives after the entry at `position`, by the place that allocated it, the most bytes first (`after` is
/// empty).
[[nodiscard]] std::vector<SiteComparison> sitesAt(const MemoryReplay& replay, const AllocationSites& sites,
                                                  std::int64_t position);

/// What lives at a moment of one snapshot and at one of another, by the place that allocated it: the largest
/// difference first. Places are the same when their labels are (operation, file, line and function: paths of
/// machines do not count); a line that moved is another place.
[[nodiscard]] std::vector<SiteComparison>
compareSites(const MemoryReplay& before, const AllocationSites& sitesBefore, std::int64_t positionBefore,
             const MemoryReplay& after, const AllocationSites& sitesAfter, std::int64_t positionAfter);

/// A moment of a device of a snapshot.
struct MemoryMoment {
    const MemoryReplay& replay;
    const AllocationSites& sites;
    std::int64_t position = -1;
};
/// compareSites() by any key.
[[nodiscard]] std::vector<SiteComparison> compareMemory(MemoryKey key, const MemoryMoment& before,
                                                        const MemoryMoment& after);

}  // namespace plumb
