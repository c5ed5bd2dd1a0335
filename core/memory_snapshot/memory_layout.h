// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory_snapshot/memory_history.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace plumb {

/// What holds a stretch of a segment.
struct LayoutBlock {
    std::int64_t address = 0;
    Bytes bytes = 0;
    BlockState state = BlockState::Inactive;
    std::uint32_t allocation = UINT32_MAX;  ///< index into the replay's allocations; none for what is free
};

/// Sums of some segments. Allocated and pending are rounded bytes (MemoryHistory::roundedBytes()).
struct LayoutSums {
    Bytes reserved = 0;
    Bytes allocated = 0;
    Bytes pending = 0;  ///< freed by the program, still in use by another stream
    Bytes free = 0;
    Bytes freeInUsed = 0;  ///< the part of `free` in segments that hold something: cannot be given back
    Bytes largestFree = 0;
    std::size_t segments = 0;
    void add(const LayoutSums& other);
};

/// A segment at a moment, tiled by its blocks.
struct LayoutSegment {
    std::int64_t address = 0;
    Bytes bytes = 0;
    std::int64_t stream = 0;
    std::string pool;  ///< "default · large"; empty where the trace alone knows the segment: it has no pools
    bool isExpandable = false;
    LayoutSums sums;
    std::vector<LayoutBlock> blocks;  ///< by address, without gaps
};

/// The segments of a device at a moment, by pool, stream and address.
struct MemoryLayout {
    std::int64_t position = -1;
    std::vector<LayoutSegment> segments;
    LayoutSums sums;
    Bytes unplaced = 0;  ///< rounded bytes of what lives where no segment is known
};

/// What stood in the way of a request, at a moment.
struct RequestFit {
    Bytes rounded = 0;             ///< what it needs, a multiple of 512
    Bytes free = 0;                ///< in all segments together
    Bytes largestFree = 0;         ///< in one piece
    std::optional<Bytes> shortBy;  ///< what the largest piece lacks; none: it would have fitted there
};

/// The segments of a device over its trace: those of the end, with all that the trace did to them undone.
/// Exact at the end; before that a block has the size that it has at least, so that what is free is an upper
/// bound.
class SegmentHistory {
public:
    /// Both outlive it.
    SegmentHistory(const MemorySnapshot& snapshot, const MemoryHistory& history);

    [[nodiscard]] MemoryLayout layoutAt(std::int64_t position) const;

private:
    /// A stretch of addresses while the device's memory is there.
    struct Piece {
        std::int64_t address = 0;
        Bytes bytes = 0;
        std::int32_t made = MemoryAllocation::kBefore;
        std::int32_t freed = MemoryAllocation::kNever;
        std::int64_t stream = 0;
        std::int32_t segment = -1;  ///< of MemorySnapshot::segments; -1: freed before the end
        bool isMapped = false;      ///< by an expandable segment: neighbours are one
        [[nodiscard]] std::int64_t end() const { return address + bytes; }
    };
    class Undoing;
    [[nodiscard]] std::vector<LayoutSegment> segmentsAt(std::int64_t position) const;

    const MemorySnapshot& m_snapshot;
    const MemoryHistory& m_history;
    std::vector<Piece> m_pieces;
};

[[nodiscard]] RequestFit fitOf(Bytes requested, const LayoutSums& sums);

}  // namespace plumb
