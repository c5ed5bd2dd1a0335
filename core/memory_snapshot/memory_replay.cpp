// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/memory_replay.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace plumb {

namespace {

/// A sum of bytes beyond this is no memory of any device; the entry that would reach it is left out.
constexpr Bytes kMostSum = Bytes{1} << 60;
constexpr std::size_t kMostCategories = 1000;

/// The trace of one device while it is replayed.
class Replayer {
public:
    Replayer(const MemorySnapshot& snapshot, const AllocationSites& sites, MemoryReplay& replay)
        : m_snapshot(snapshot), m_sites(sites), m_replay(replay) {
        for (const auto& [origin, name] : kMemoryOriginNames) replay.categories.emplace_back(name);
    }

    /// False when it was stopped.
    bool run(const std::stop_token& stop) {
        std::int32_t position = 0;
        for (const EntryRange& range : m_replay.rows)
            for (std::size_t row = range.first; row < range.first + range.count; ++row, ++position) {
                if (position % 65536 == 0 && stop.stop_requested()) return false;
                take(row, position);
            }
        m_replay.entries = static_cast<std::size_t>(position);
        addBlocks();
        finish();
        return true;
    }

private:
    using A = MemoryAllocation;

    void take(std::size_t row, std::int32_t position) {
        const MemoryEntries& entries = m_snapshot.entries;
        const auto action = static_cast<MemoryAction>(entries.action[row]);
        const Bytes size = entries.size[row];
        const std::int64_t time = entries.time[row];
        if (time != 0 && time < m_time) m_replay.findings.count(MemoryFinding::TimeBackwards);
        if (time != 0) m_time = time;
        bool takesMemory = false;
        switch (action) {
        case MemoryAction::Alloc:
            alloc(row, position);
            takesMemory = true;
            break;
        case MemoryAction::FreeRequested:
            freeRequested(row, position);
            break;
        case MemoryAction::FreeCompleted:
            freeCompleted(row, position);
            break;
        case MemoryAction::SegmentAlloc:
        case MemoryAction::SegmentMap:
            reserve(size, position);
            takesMemory = true;
            break;
        case MemoryAction::SegmentFree:
        case MemoryAction::SegmentUnmap:
            reserve(-size, position);
            break;
        case MemoryAction::OutOfMemory:
            m_replay.outOfMemory.push_back({position, size, entries.address[row]});
            break;
        default:
            break;
        }
        // Sums begin at 0 here; finish() adds the start.
        m_replay.live.push(m_live);
        if (m_live > m_peak) {
            m_peak = m_live;
            m_replay.peakPosition = position;
        }
        if (takesMemory || m_reservedPeak)
            m_reservedPeak = std::max(m_reservedPeak.value_or(m_reserved), m_reserved);
    }

    void alloc(std::size_t row, std::int32_t position) {
        const MemoryEntries& entries = m_snapshot.entries;
        if (m_live > kMostSum - entries.size[row]) {
            m_replay.findings.count(MemoryFinding::SizeOutOfRange);
            return;
        }
        const auto [place, isNew] =
            m_at.try_emplace(entries.address[row], static_cast<std::uint32_t>(m_replay.allocations.size()));
        if (!isNew) {
            A& before = m_replay.allocations[place->second];
            if (before.freed == A::kNever) {
                m_replay.findings.count(MemoryFinding::RepeatedAddress);
                subtract(before);
                before.freed = position;
            }
            place->second = static_cast<std::uint32_t>(m_replay.allocations.size());
        }
        A made;
        made.address = entries.address[row];
        made.bytes = entries.size[row];
        made.stack = entries.stack[row];
        made.made = position;
        made.category = category(entries.category[row], made.stack);
        m_replay.allocations.push_back(made);
        m_live += made.bytes;
    }

    /// The allocation at the address of a free, also one of before the trace; null for one that was freed
    /// already.
    A* freedBy(std::size_t row) {
        const MemoryEntries& entries = m_snapshot.entries;
        const auto [place, isNew] =
            m_at.try_emplace(entries.address[row], static_cast<std::uint32_t>(m_replay.allocations.size()));
        if (isNew) {
            A before;
            before.address = entries.address[row];
            before.bytes = entries.size[row];
            if (m_before > kMostSum - before.bytes) {
                m_replay.findings.count(MemoryFinding::SizeOutOfRange);
                before.bytes = 0;
            }
            m_before += before.bytes;
            // The stack of a free is that which freed it: it says nothing of who made it.
            before.category = category(entries.category[row], 0);
            m_replay.allocations.push_back(before);
        }
        A& found = m_replay.allocations[place->second];
        return found.freed == A::kNever ? &found : nullptr;
    }

    void freeRequested(std::size_t row, std::int32_t position) {
        A* const freed = freedBy(row);
        if (freed == nullptr)
            m_replay.findings.count(MemoryFinding::RepeatedFree);
        else if (freed->freeRequested == A::kNever)
            freed->freeRequested = position;
    }

    void freeCompleted(std::size_t row, std::int32_t position) {
        A* const freed = freedBy(row);
        if (freed == nullptr) {
            m_replay.findings.count(MemoryFinding::RepeatedFree);
            return;
        }
        if (freed->bytes != m_snapshot.entries.size[row]) m_replay.findings.count(MemoryFinding::SizeOfFree);
        if (freed->freeRequested == A::kNever) freed->freeRequested = position;
        freed->freed = position;
        subtract(*freed);
    }

    void subtract(A& freed) {
        if (m_live < freed.bytes - kMostSum) {
            m_replay.findings.count(MemoryFinding::SizeOutOfRange);
            freed.bytes = 0;
        }
        m_live -= freed.bytes;
    }

    void reserve(Bytes bytes, std::int32_t position) {
        if (m_reserved + bytes > kMostSum || m_reserved + bytes < -kMostSum) {
            m_replay.findings.count(MemoryFinding::SizeOutOfRange);
            return;
        }
        m_reserved += bytes;
        m_replay.reserved.push_back({position, m_reserved});
    }

    /// What was there before the trace and is still there has a block and no entry.
    void addBlocks() {
        Fragmentation& sum = m_replay.fragmentation;
        for (const MemorySegment& segment : m_snapshot.segments) {
            if (segment.device != m_replay.device) continue;
            const Fragmentation one = fragmentationOf(m_snapshot, segment);
            // Files of hostile sizes: what does not fit is counted and left out.
            if (sum.reserved > kMostSum - one.reserved ||
                sum.active + sum.inactive > kMostSum - one.active - one.inactive ||
                sum.requested > kMostSum - one.requested) {
                m_replay.findings.count(MemoryFinding::SizeOutOfRange);
                continue;
            }
            sum.reserved += one.reserved;
            sum.active += one.active;
            sum.requested += one.requested;
            sum.inactive += one.inactive;
            sum.inactiveSplit += one.inactiveSplit;
            sum.largestFreeBlock = std::max(sum.largestFreeBlock, one.largestFreeBlock);
            ++sum.segments;
            for (const MemoryBlock& block : m_snapshot.blocksOf(segment)) addBlock(block);
        }
    }

    void addBlock(const MemoryBlock& block) {
        if (block.state == BlockState::Inactive) return;
        const auto [place, isNew] =
            m_at.try_emplace(block.address, static_cast<std::uint32_t>(m_replay.allocations.size()));
        if (!isNew && m_replay.allocations[place->second].freed == A::kNever) {
            // An entry from before the trace that was only asked to be freed: its block says who made it.
            A& known = m_replay.allocations[place->second];
            if (known.made == A::kBefore && known.stack == 0) {
                known.stack = block.stack;
                known.category = category(block.category, block.stack);
            }
            return;
        }
        A before;
        before.address = block.address;
        before.bytes = block.requested;
        before.stack = block.stack;
        before.category = category(block.category, block.stack);
        place->second = static_cast<std::uint32_t>(m_replay.allocations.size());
        m_replay.allocations.push_back(before);
    }

    void finish() {
        m_replay.endBytes = m_replay.fragmentation.requested;
        m_replay.startBytes = m_replay.endBytes - m_live;
        m_replay.peakBytes = m_replay.startBytes + m_peak;
        for (std::size_t i = 0; i < m_replay.live.size(); ++i) m_replay.live[i] += m_replay.startBytes;
        m_replay.reservedEndBytes = m_replay.fragmentation.reserved;
        m_replay.reservedStartBytes = m_replay.reservedEndBytes - m_reserved;
        for (ReservedStep& step : m_replay.reserved) step.bytes += m_replay.reservedStartBytes;
        m_replay.reservedPeakBytes = m_replay.reservedStartBytes + m_reservedPeak.value_or(0);
        // Unsigned, as files of hostile sizes may go around; the difference is what is shown.
        std::uint64_t known = 0;
        for (const A& each : m_replay.allocations)
            if (each.made == A::kBefore) known += static_cast<std::uint64_t>(each.bytes);
        const auto gap = static_cast<std::int64_t>(static_cast<std::uint64_t>(m_replay.startBytes) - known);
        if (gap != 0)
            m_replay.findings.count(MemoryFinding::UnexplainedStart,
                                    gap > -kMostSum ? std::abs(std::min(gap, kMostSum)) : kMostSum);
    }

    std::uint16_t category(std::uint32_t named, std::uint32_t stack) {
        if (named == 0) return static_cast<std::uint16_t>(m_sites.origin(stack));
        const auto [place, isNew] =
            m_named.try_emplace(named, static_cast<std::uint16_t>(m_replay.categories.size()));
        if (!isNew) return place->second;
        const std::string_view name = m_snapshot.texts[named];
        const auto same = std::ranges::find(m_replay.categories, name);
        if (same != m_replay.categories.end() || m_replay.categories.size() >= kMostCategories) {
            const auto at = same - m_replay.categories.begin();
            place->second = same != m_replay.categories.end()
                                ? static_cast<std::uint16_t>(at)
                                : static_cast<std::uint16_t>(MemoryOrigin::Unknown);
        } else {
            m_replay.categories.emplace_back(name);
        }
        return place->second;
    }

    const MemorySnapshot& m_snapshot;
    const AllocationSites& m_sites;
    MemoryReplay& m_replay;
    std::unordered_map<std::int64_t, std::uint32_t> m_at;  ///< the newest allocation at each address
    std::unordered_map<std::uint32_t, std::uint16_t> m_named;
    Bytes m_live = 0;
    Bytes m_before = 0;  ///< sizes of what frees name from before the trace
    Bytes m_peak = 0;
    Bytes m_reserved = 0;
    std::optional<Bytes> m_reservedPeak;
    std::int64_t m_time = 0;
};

}  // namespace

std::size_t MemoryReplay::row(std::int64_t position) const {
    auto left = static_cast<std::size_t>(position);
    for (const EntryRange& range : rows) {
        if (left < range.count) return range.first + left;
        left -= range.count;
    }
    return 0;
}

Fragmentation fragmentationOf(const MemorySnapshot& snapshot, const MemorySegment& segment) {
    Fragmentation one;
    one.reserved = segment.bytes;
    one.segments = 1;
    for (const MemoryBlock& block : snapshot.blocksOf(segment)) {
        if (one.active + one.inactive > kMostSum || one.requested > kMostSum) break;
        if (block.state == BlockState::Inactive) {
            one.inactive += block.bytes;
            one.largestFreeBlock = std::max(one.largestFreeBlock, block.bytes);
        } else {
            one.active += block.bytes;
            one.requested += block.requested;
        }
    }
    if (one.active > 0) one.inactiveSplit = one.inactive;
    return one;
}

Result<std::vector<MemoryReplay>> replayMemory(const MemorySnapshot& snapshot, const AllocationSites& sites,
                                               const std::stop_token& stop) {
    std::map<std::int64_t, std::vector<EntryRange>> devices;
    for (std::size_t device = 0; device < snapshot.traces.size(); ++device)
        if (!snapshot.traces[device].empty())
            devices.emplace(static_cast<std::int64_t>(device), snapshot.traces[device]);
    for (const MemorySegment& segment : snapshot.segments) devices.try_emplace(segment.device);
    std::vector<MemoryReplay> replays;
    for (auto& [device, rows] : devices) {
        MemoryReplay& replay = replays.emplace_back();
        replay.device = device;
        replay.rows = std::move(rows);
        if (!Replayer(snapshot, sites, replay).run(stop))
            return Error{ErrorCode::RunFailed, "the replay of the memory was cancelled",
                         "open the snapshot again"};
    }
    return replays;
}

std::vector<std::uint32_t> livingAt(const MemoryReplay& replay, std::int64_t position) {
    std::vector<std::uint32_t> living;
    for (std::uint32_t i = 0; i < replay.allocations.size(); ++i)
        if (replay.allocations[i].livesAt(position)) living.push_back(i);
    std::ranges::stable_sort(living, [&](std::uint32_t a, std::uint32_t b) {
        return replay.allocations[a].bytes > replay.allocations[b].bytes;
    });
    return living;
}

std::vector<Bytes> categoriesAt(const MemoryReplay& replay, std::int64_t position) {
    return categoryCurve(replay, std::span(&position, 1)).front();
}

std::vector<std::vector<Bytes>> categoryCurve(const MemoryReplay& replay,
                                              std::span<const std::int64_t> positions) {
    std::vector<std::vector<Bytes>> curve(positions.size(), std::vector<Bytes>(replay.categories.size()));
    // Differences first: what lives at the first position from `made` on is added there, and taken away at
    // the first from `freed` on.
    const auto place = [&](std::int64_t position) {
        return static_cast<std::size_t>(std::ranges::lower_bound(positions, position) - positions.begin());
    };
    for (const MemoryAllocation& each : replay.allocations) {
        const std::size_t begin = place(each.made);
        const std::size_t end = place(each.freed);
        if (begin >= end) continue;
        curve[begin][each.category] += each.bytes;
        if (end < curve.size()) curve[end][each.category] -= each.bytes;
    }
    for (std::size_t i = 1; i < curve.size(); ++i)
        for (std::size_t c = 0; c < replay.categories.size(); ++c) curve[i][c] += curve[i - 1][c];
    return curve;
}

std::vector<std::int64_t> curvePositions(const MemoryReplay& replay, std::size_t most) {
    std::vector<std::int64_t> positions{-1};
    const std::size_t parts = std::min(replay.entries, std::max<std::size_t>(most, 2) - 1);
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t begin = replay.entries * part / parts;
        const std::size_t end = replay.entries * (part + 1) / parts;
        std::size_t best = begin;
        for (std::size_t i = begin; i < end; ++i)
            if (replay.live[i] > replay.live[best]) best = i;
        positions.push_back(static_cast<std::int64_t>(best));
    }
    return positions;
}

Bytes reservedAt(const MemoryReplay& replay, std::int64_t position) {
    const auto after = std::ranges::upper_bound(replay.reserved, position, {}, &ReservedStep::position);
    return after == replay.reserved.begin() ? replay.reservedStartBytes : std::prev(after)->bytes;
}

}  // namespace plumb
