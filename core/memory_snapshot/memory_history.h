// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory_snapshot/memory_groups.h"
#include "core/memory_snapshot/memory_replay.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace plumb {

/// Finds the highest of many values within a stretch in O(log values). Holds no values: who asks brings them.
class HighestIndex {
public:
    /// `valueAt(index)` for 0 <= index < count.
    template <class ValueAt>
    void build(std::size_t count, ValueAt&& valueAt) {
        m_levels.clear();
        for (std::size_t width = kFan; width < count; width *= kFan) {
            std::vector<std::uint32_t> level;
            for (std::size_t begin = 0; begin < count; begin += width) {
                const std::size_t end = std::min(begin + width, count);
                level.push_back(static_cast<std::uint32_t>(highest(begin, end, valueAt)));
            }
            m_levels.push_back(std::move(level));
        }
    }
    /// The first index of the highest value in [begin, end). Pre: begin < end.
    template <class ValueAt>
    [[nodiscard]] std::size_t highest(std::size_t begin, std::size_t end, ValueAt&& valueAt) const {
        std::size_t best = begin;
        const auto take = [&](std::size_t index) {
            if (valueAt(index) > valueAt(best)) best = index;
        };
        while (begin < end) {
            // The widest stretch that begins here and does not reach too far.
            std::size_t width = 1;
            std::size_t level = 0;
            while (level < m_levels.size() && begin % (width * kFan) == 0 && begin + width * kFan <= end) {
                width *= kFan;
                ++level;
            }
            take(level == 0 ? begin : m_levels[level - 1][begin / width]);
            begin += width;
        }
        return best;
    }

private:
    static constexpr std::size_t kFan = 64;
    std::vector<std::vector<std::uint32_t>> m_levels;  ///< index of the highest of each 64, 4096, ...
};

/// What lives at any moment of a device's trace, however long it is: an index over a replay. A moment is a
/// position in the trace, -1 before the first entry. Questions take time by what they answer, not by the
/// length of the trace. Immutable once made; any thread.
class MemoryHistory {
public:
    /// Both outlive it. Memory: about 12 bytes for each entry.
    MemoryHistory(const MemorySnapshot& snapshot, const MemoryReplay& replay);

    [[nodiscard]] const MemoryReplay& replay() const { return m_replay; }
    [[nodiscard]] std::int64_t lastPosition() const {
        return static_cast<std::int64_t>(m_replay.entries) - 1;
    }
    /// Requested bytes that live.
    [[nodiscard]] Bytes liveAt(std::int64_t position) const {
        return position < 0 || m_replay.entries == 0 ? m_replay.startBytes
                                                     : m_replay.live[static_cast<std::size_t>(position)];
    }
    /// Indices into the replay's allocations, the largest first.
    [[nodiscard]] std::vector<std::uint32_t> livingAt(std::int64_t position) const;
    /// The first position of the most live bytes in first..last. Pre: -1 <= first <= last <= lastPosition().
    [[nodiscard]] std::int64_t highestWithin(std::int64_t first, std::int64_t last) const;
    /// The most that was held from the device in first..last.
    [[nodiscard]] Bytes highestReserved(std::int64_t first, std::int64_t last) const;

    /// Bytes of the block of an allocation: as it stands in the snapshot where it lives at its end, else what
    /// was asked for in multiples of 512, which the block has at least.
    [[nodiscard]] Bytes roundedBytes(std::uint32_t allocation) const;
    [[nodiscard]] bool hasBlock(std::uint32_t allocation) const { return m_blocks.contains(allocation); }

    /// Whether entries have times; without any, moments have positions alone.
    [[nodiscard]] bool hasTimes() const { return !m_times.empty(); }
    /// Microseconds since the first entry, never falling; 0 without times and before the first entry.
    [[nodiscard]] std::int64_t timeAt(std::int64_t position) const;
    /// The last position at or before a time (microseconds since the first entry); -1: before the first.
    [[nodiscard]] std::int64_t positionAt(std::int64_t time) const;
    /// Unix time of the first entry in microseconds; 0 without times.
    [[nodiscard]] std::int64_t firstTime() const { return m_firstTime; }

    /// Allocations that an entry made or ended.
    [[nodiscard]] std::span<const std::uint32_t> changesAt(std::int64_t position) const {
        const auto at = static_cast<std::size_t>(position);
        return std::span(m_changes).subspan(m_changesBegin[at], m_changesBegin[at + 1] - m_changesBegin[at]);
    }

private:
    struct Checkpoint {
        std::int64_t position = -1;
        std::vector<std::uint32_t> living;
    };
    void sortChanges();
    void makeCheckpoints();
    void takeTimes(const MemorySnapshot& snapshot);
    void findBlocks(const MemorySnapshot& snapshot);

    const MemoryReplay& m_replay;
    std::vector<std::uint32_t> m_changesBegin;  ///< by position; one more than entries
    std::vector<std::uint32_t> m_changes;
    std::vector<Checkpoint> m_checkpoints;  ///< the first is the start
    std::vector<std::int64_t> m_times;
    std::int64_t m_firstTime = 0;
    std::unordered_map<std::uint32_t, Bytes> m_blocks;
    HighestIndex m_highestLive;
    HighestIndex m_highestReserved;
};

/// Live bytes by group at any moment.
class MemoryGroupCurve {
public:
    /// Both outlive it. Memory: about half a byte for each group and entry.
    MemoryGroupCurve(const MemoryHistory& history, const MemoryGroups& groups);

    /// Requested bytes of each group, and behind them the rounded bytes of all. Pre: `sums` has groups + 1
    /// places.
    void sumsAt(std::int64_t position, std::span<Bytes> sums) const;
    [[nodiscard]] std::size_t groupCount() const { return m_groups.names.size(); }

private:
    static constexpr std::int64_t kStride = 256;
    void apply(std::int64_t position, std::span<Bytes> sums) const;

    const MemoryHistory& m_history;
    const MemoryGroups& m_groups;
    std::vector<Bytes> m_sums;  ///< before each kStride-th entry
};

}  // namespace plumb
