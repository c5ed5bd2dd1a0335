// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory_snapshot/memory_replay.h"
#include "core/memory_snapshot/memory_snapshot.h"

#include <cstddef>
#include <span>
#include <string>

namespace plumb::cli {

/// The figures of a memory snapshot as JSON (docs/memory-snapshot.md): `top` rows of each list.
[[nodiscard]] std::string memorySnapshotJson(const MemorySnapshot& snapshot, const AllocationSites& sites,
                                             std::span<const MemoryReplay> replays, std::size_t top);

/// The same as people read it.
[[nodiscard]] std::string memorySnapshotText(const MemorySnapshot& snapshot, const AllocationSites& sites,
                                             std::span<const MemoryReplay> replays, std::size_t top);

}  // namespace plumb::cli
