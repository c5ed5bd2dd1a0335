// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory_snapshot/allocation_site.h"
#include "core/memory_snapshot/memory_replay.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace plumb {

/// What allocations are told apart by.
enum class MemoryKey : std::uint8_t { Category, Operation, Module, SizeClass, Site };
inline constexpr auto kMemoryKeyNames = enumNames<MemoryKey>({{MemoryKey::Category, "category"},
                                                              {MemoryKey::Operation, "op"},
                                                              {MemoryKey::Module, "module"},
                                                              {MemoryKey::SizeClass, "size"},
                                                              {MemoryKey::Site, "site"}});

/// The name of an allocation under a key: "forward", "mm", file and line of a module, "1 to 16 MiB",
/// AllocationSite::label(). What a stack does not say has a name of its own.
[[nodiscard]] std::string memoryLabel(MemoryKey key, const AllocationSites& sites, const MemoryReplay& replay,
                                      const MemoryAllocation& allocation);

/// A number that is the same for allocations that the same label is made from: a key makes one label of each.
[[nodiscard]] std::uint32_t memorySource(MemoryKey key, const MemoryAllocation& allocation);

/// Allocations in few groups, for a stack of areas.
struct MemoryGroups {
    static constexpr std::size_t kMost = 12;

    /// Most bytes at the peak first, then most bytes in all. Where there are more than kMost, the last is
    /// what is left.
    std::vector<std::string> names;
    std::vector<std::uint8_t> of;  ///< by index of MemoryReplay::allocations
    bool hasRest = false;          ///< the last group is what is left
};
/// Work: a look at every allocation, and a label for each stack.
[[nodiscard]] MemoryGroups groupAllocations(MemoryKey key, const AllocationSites& sites,
                                            const MemoryReplay& replay);

}  // namespace plumb
