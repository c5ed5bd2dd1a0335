// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/memory_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace plumb {

namespace {

constexpr Bytes kMultiple = 512;

bool isUsable(std::int64_t address, Bytes bytes) {
    // Addresses of the upper half are below 0. An end must not go around.
    return bytes > 0 && address <= std::numeric_limits<std::int64_t>::max() - bytes;
}

}  // namespace

void LayoutSums::add(const LayoutSums& other) {
    reserved += other.reserved;
    allocated += other.allocated;
    pending += other.pending;
    free += other.free;
    freeInUsed += other.freeInUsed;
    largestFree = std::max(largestFree, other.largestFree);
    segments += other.segments;
}

/// Goes from the end to the start, and takes back what each entry did.
class SegmentHistory::Undoing {
public:
    explicit Undoing(std::vector<Piece>& done) : m_done(done) {}

    /// Memory that is there after `piece.freed` was not yet passed.
    void add(const Piece& piece) {
        cut(piece.address, piece.bytes, piece.freed);
        m_there[piece.address] = piece;
    }
    /// The entry at `position` took this from the device: before it, it was not there.
    void cut(std::int64_t address, Bytes bytes, std::int32_t position) {
        const std::int64_t end = address + bytes;
        auto at = m_there.upper_bound(address);
        if (at != m_there.begin() && std::prev(at)->second.end() > address) --at;
        while (at != m_there.end() && at->second.address < end) {
            const Piece whole = at->second;
            at = m_there.erase(at);
            if (whole.address < address) keep(whole, whole.address, address);
            if (whole.end() > end) keep(whole, end, whole.end());
            Piece gone = whole;
            gone.address = std::max(whole.address, address);
            gone.bytes = std::min(whole.end(), end) - gone.address;
            gone.made = position;
            if (gone.made < gone.freed) m_done.push_back(gone);
        }
    }
    void finish() {
        for (const auto& [address, piece] : m_there) m_done.push_back(piece);
    }

private:
    void keep(Piece piece, std::int64_t begin, std::int64_t end) {
        piece.address = begin;
        piece.bytes = end - begin;
        m_there[begin] = piece;
    }

    std::vector<Piece>& m_done;
    std::map<std::int64_t, Piece> m_there;  ///< by address, none reaching into another
};

SegmentHistory::SegmentHistory(const MemorySnapshot& snapshot, const MemoryHistory& history)
    : m_snapshot(snapshot), m_history(history) {
    Undoing undoing(m_pieces);
    const MemoryReplay& replay = history.replay();
    for (std::size_t i = 0; i < snapshot.segments.size(); ++i) {
        const MemorySegment& segment = snapshot.segments[i];
        if (segment.device != replay.device || !isUsable(segment.address, segment.bytes)) continue;
        undoing.add({.address = segment.address,
                     .bytes = segment.bytes,
                     .stream = segment.stream,
                     .segment = static_cast<std::int32_t>(i),
                     .isMapped = segment.isExpandable});
    }
    auto position = static_cast<std::int32_t>(replay.entries);
    const MemoryEntries& entries = snapshot.entries;
    for (auto range = replay.rows.rbegin(); range != replay.rows.rend(); ++range)
        for (std::size_t row = range->first + range->count; row-- > range->first;) {
            --position;
            const auto action = static_cast<MemoryAction>(entries.action[row]);
            if (action < MemoryAction::SegmentAlloc || action > MemoryAction::SegmentUnmap) continue;
            if (!isUsable(entries.address[row], entries.size[row])) continue;
            if (action == MemoryAction::SegmentAlloc || action == MemoryAction::SegmentMap)
                undoing.cut(entries.address[row], entries.size[row], position);
            else
                undoing.add({.address = entries.address[row],
                             .bytes = entries.size[row],
                             .freed = position,
                             .stream = snapshot.streams.empty() ? 0 : snapshot.streams[entries.stream[row]],
                             .isMapped = action == MemoryAction::SegmentUnmap});
        }
    undoing.finish();
    std::ranges::sort(m_pieces, [](const Piece& a, const Piece& b) {
        return std::tie(a.address, a.made) < std::tie(b.address, b.made);
    });
}

std::vector<LayoutSegment> SegmentHistory::segmentsAt(std::int64_t position) const {
    std::vector<LayoutSegment> segments;
    for (const Piece& piece : m_pieces) {
        if (piece.made > position || piece.freed <= position) continue;
        std::string pool;
        if (piece.segment >= 0) {
            const MemorySegment& of = m_snapshot.segments[static_cast<std::size_t>(piece.segment)];
            const bool isDefault = of.pool == std::pair<std::int64_t, std::int64_t>{0, 0};
            pool = isDefault ? "default" : fmt::format("{}.{}", of.pool.first, of.pool.second);
            if (of.type != 0) pool += fmt::format(" · {}", m_snapshot.texts[of.type]);
        }
        if (!segments.empty() && piece.isMapped) {
            LayoutSegment& before = segments.back();
            if (before.isExpandable && before.address + before.bytes == piece.address &&
                before.stream == piece.stream) {
                before.bytes += piece.bytes;
                if (before.pool.empty()) before.pool = std::move(pool);
                continue;
            }
        }
        segments.push_back(
            {piece.address, piece.bytes, piece.stream, std::move(pool), piece.isMapped, {}, {}});
    }
    return segments;
}

MemoryLayout SegmentHistory::layoutAt(std::int64_t position) const {
    MemoryLayout layout;
    layout.position = position;
    layout.segments = segmentsAt(position);
    const auto& allocations = m_history.replay().allocations;
    std::vector<std::uint32_t> living = m_history.livingAt(position);
    std::ranges::sort(living, {}, [&](std::uint32_t i) { return allocations[i].address; });
    auto next = living.begin();
    const auto skip = [&] { layout.unplaced += m_history.roundedBytes(*next++); };
    for (LayoutSegment& segment : layout.segments) {
        const std::int64_t end = segment.address + segment.bytes;
        std::int64_t at = segment.address;
        LayoutSums& sums = segment.sums;
        const auto addFree = [&](std::int64_t to) {
            if (to <= at) return;
            segment.blocks.push_back({at, to - at, BlockState::Inactive});
            sums.free += to - at;
            sums.largestFree = std::max(sums.largestFree, to - at);
            at = to;
        };
        while (next != living.end() && allocations[*next].address < segment.address) skip();
        while (next != living.end() && allocations[*next].address < end) {
            const MemoryAllocation& each = allocations[*next];
            const Bytes bytes = m_history.roundedBytes(*next);
            if (bytes == 0) {
                ++next;
                continue;
            }
            // What reaches into its neighbour or out of the segment contradicts the file: it is not drawn.
            if (each.address < at || bytes > end - each.address) {
                skip();
                continue;
            }
            addFree(each.address);
            const bool isPending = each.freeRequested <= position;
            segment.blocks.push_back(
                {at, bytes, isPending ? BlockState::PendingFree : BlockState::Active, *next++});
            (isPending ? sums.pending : sums.allocated) += bytes;
            at += bytes;
        }
        addFree(end);
        sums.reserved = segment.bytes;
        sums.segments = 1;
        sums.freeInUsed = sums.allocated + sums.pending > 0 ? sums.free : 0;
        layout.sums.add(sums);
    }
    while (next != living.end()) skip();
    std::ranges::stable_sort(layout.segments, [](const LayoutSegment& a, const LayoutSegment& b) {
        return std::tie(a.pool, a.stream) < std::tie(b.pool, b.stream);
    });
    return layout;
}

RequestFit fitOf(Bytes requested, const LayoutSums& sums) {
    RequestFit fit;
    fit.rounded = (requested + kMultiple - 1) / kMultiple * kMultiple;
    fit.free = sums.free;
    fit.largestFree = sums.largestFree;
    if (fit.rounded > sums.largestFree) fit.shortBy = fit.rounded - sums.largestFree;
    return fit;
}

}  // namespace plumb
