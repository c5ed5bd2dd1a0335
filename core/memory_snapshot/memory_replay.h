// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory_snapshot/allocation_site.h"
#include "core/memory_snapshot/memory_snapshot.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace plumb {

/// A block of memory from when it was handed out until it could be used again. Moments are positions in the
/// trace of its device: the entry that made it so.
struct MemoryAllocation {
    static constexpr std::int32_t kBefore = -1;  ///< made before the trace begins
    static constexpr std::int32_t kNever =
        std::numeric_limits<std::int32_t>::max();  ///< not within the trace

    std::int64_t address = 0;
    Bytes bytes = 0;  ///< requested
    std::uint32_t stack = 0;
    std::int32_t made = kBefore;
    std::int32_t freeRequested = kNever;
    std::int32_t freed = kNever;
    std::uint16_t category = 0;  ///< index into MemoryReplay::categories
    /// Whether it is counted after the entry at `position` (-1: before the first).
    [[nodiscard]] bool livesAt(std::int64_t position) const { return made <= position && position < freed; }
};

/// A request that failed.
struct OutOfMemory {
    std::int32_t position = 0;
    Bytes requested = 0;
    Bytes deviceFree = 0;  ///< what the device had free then
};

/// Bytes that the allocator held from the device, from an entry on.
struct ReservedStep {
    std::int32_t position = 0;
    Bytes bytes = 0;
};

/// How the segments of a device were used when the snapshot was taken.
struct Fragmentation {
    Bytes reserved = 0;   ///< all segments
    Bytes active = 0;     ///< blocks in use, as the allocator rounded them
    Bytes requested = 0;  ///< the same as they were asked for
    Bytes inactive = 0;   ///< blocks that are free
    Bytes inactiveSplit =
        0;  ///< the part of it in segments that also hold a block in use: cannot be given back
    Bytes largestFreeBlock = 0;  ///< no larger request fits without new memory
    std::size_t segments = 0;
    /// inactiveSplit / reserved; 0 without segments.
    [[nodiscard]] double share() const {
        return reserved > 0 ? static_cast<double>(inactiveSplit) / static_cast<double>(reserved) : 0;
    }
};

/// What happened to the memory of one device: requested bytes (as PyTorch's own viewer shows them), never
/// mixed with the rounded ones of segments.
struct MemoryReplay {
    std::int64_t device = 0;
    std::vector<EntryRange> rows;  ///< of MemorySnapshot::entries
    std::size_t entries = 0;
    /// Requested bytes of the blocks in use at the end, less what the trace added: what was in use before it.
    Bytes startBytes = 0;
    Bytes endBytes = 0;
    Bytes peakBytes = 0;
    std::int32_t peakPosition = -1;  ///< the entry after which it is reached first; -1: the start
    Bytes reservedStartBytes = 0;    ///< segments at the end, less what the trace added
    Bytes reservedEndBytes = 0;
    /// The most that was held from the first entry on that takes memory; what was held before and given back
    /// by then is reservedStartBytes.
    Bytes reservedPeakBytes = 0;
    ChunkedColumn<Bytes> live;  ///< requested bytes after each entry
    std::vector<ReservedStep> reserved;
    std::vector<MemoryAllocation>
        allocations;  ///< those from before the trace first known by their free or block
    std::vector<OutOfMemory> outOfMemory;
    /// Names of MemoryOrigin, then those that entries of the file give themselves.
    std::vector<std::string> categories;
    Fragmentation fragmentation;
    MemoryFindings findings;

    /// The row of MemorySnapshot::entries at a position. Pre: 0 <= position < entries.
    [[nodiscard]] std::size_t row(std::int64_t position) const;
};

/// Replays the trace of each device that has entries or segments, in the order of the devices.
///
/// An allocation lives from `alloc` to `free_completed`. Memory of before the trace is known by its free
/// (size, no stack) or by its block at the end (size and stack). What contradicts itself is repaired and
/// counted in `findings`. Work and memory: about 60 bytes and one look-up for each entry. Errors: RunFailed
/// when `stop` was requested.
[[nodiscard]] Result<std::vector<MemoryReplay>>
replayMemory(const MemorySnapshot& snapshot, const AllocationSites& sites, const std::stop_token& stop = {});

/// The allocations that live after the entry at `position` (-1: before the first), the largest first; indices
/// into `allocations`.
[[nodiscard]] std::vector<std::uint32_t> livingAt(const MemoryReplay& replay, std::int64_t position);

/// Requested bytes by category after the entry at `position`: their sum is the live bytes, where the trace
/// and the segments agree (MemoryFinding::UnexplainedStart).
[[nodiscard]] std::vector<Bytes> categoriesAt(const MemoryReplay& replay, std::int64_t position);

/// Live bytes by category after each of these positions, which ascend: a row for each. In one pass over all
/// allocations, for a chart.
[[nodiscard]] std::vector<std::vector<Bytes>> categoryCurve(const MemoryReplay& replay,
                                                            std::span<const std::int64_t> positions);

/// At most `most` positions that ascend, from -1 to the last, the peak among them: the one with most live
/// bytes of each of as many equal stretches.
[[nodiscard]] std::vector<std::int64_t> curvePositions(const MemoryReplay& replay, std::size_t most);

/// Bytes held from the device after the entry at `position`.
[[nodiscard]] Bytes reservedAt(const MemoryReplay& replay, std::int64_t position);

/// What a segment's blocks add up to.
[[nodiscard]] Fragmentation fragmentationOf(const MemorySnapshot& snapshot, const MemorySegment& segment);

}  // namespace plumb
