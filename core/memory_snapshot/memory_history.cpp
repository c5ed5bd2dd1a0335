// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/memory_history.h"

#include <algorithm>

namespace plumb {

namespace {

constexpr std::size_t kLeastBetween = 4096;  ///< changes between two checkpoints
constexpr Bytes kBlockMultiple = 512;        ///< of the caching allocator

/// What lives while changes pass by, in no order.
class LivingSet {
public:
    explicit LivingSet(std::size_t allocations) : m_place(allocations, kNone) {}
    void toggle(std::uint32_t allocation) {
        std::uint32_t& place = m_place[allocation];
        if (place == kNone) {
            place = static_cast<std::uint32_t>(m_living.size());
            m_living.push_back(allocation);
            return;
        }
        m_place[m_living.back()] = place;
        m_living[place] = m_living.back();
        m_living.pop_back();
        m_place[allocation] = kNone;
    }
    [[nodiscard]] const std::vector<std::uint32_t>& living() const { return m_living; }

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;
    std::vector<std::uint32_t> m_place;
    std::vector<std::uint32_t> m_living;
};

}  // namespace

MemoryHistory::MemoryHistory(const MemorySnapshot& snapshot, const MemoryReplay& replay) : m_replay(replay) {
    sortChanges();
    makeCheckpoints();
    takeTimes(snapshot);
    findBlocks(snapshot);
    m_highestLive.build(replay.entries, [&](std::size_t i) { return replay.live[i]; });
    m_highestReserved.build(replay.reserved.size(), [&](std::size_t i) { return replay.reserved[i].bytes; });
}

void MemoryHistory::sortChanges() {
    using A = MemoryAllocation;
    // Counted first, so that each list of changes is filled in place.
    m_changesBegin.assign(m_replay.entries + 2, 0);
    const auto eachChange = [&](auto&& take) {
        for (std::uint32_t i = 0; i < m_replay.allocations.size(); ++i) {
            const A& each = m_replay.allocations[i];
            if (each.made != A::kBefore) take(each.made, i);
            if (each.freed != A::kNever) take(each.freed, i);
        }
    };
    eachChange([&](std::int32_t position, std::uint32_t) {
        ++m_changesBegin[static_cast<std::size_t>(position) + 2];
    });
    for (std::size_t i = 2; i < m_changesBegin.size(); ++i) m_changesBegin[i] += m_changesBegin[i - 1];
    m_changes.resize(m_changesBegin.back());
    eachChange([&](std::int32_t position, std::uint32_t allocation) {
        m_changes[m_changesBegin[static_cast<std::size_t>(position) + 1]++] = allocation;
    });
    m_changesBegin.pop_back();
}

void MemoryHistory::makeCheckpoints() {
    LivingSet living(m_replay.allocations.size());
    for (std::uint32_t i = 0; i < m_replay.allocations.size(); ++i)
        if (m_replay.allocations[i].livesAt(-1)) living.toggle(i);
    m_checkpoints.push_back({-1, living.living()});
    std::size_t since = 0;
    for (std::int64_t position = 0; position <= lastPosition(); ++position) {
        for (const std::uint32_t allocation : changesAt(position)) living.toggle(allocation);
        since += changesAt(position).size();
        // As many changes as live: then all checkpoints together are no longer than the trace.
        if (since < std::max(kLeastBetween, living.living().size())) continue;
        m_checkpoints.push_back({position, living.living()});
        since = 0;
    }
}

void MemoryHistory::takeTimes(const MemorySnapshot& snapshot) {
    const ChunkedColumn<std::int64_t>& times = snapshot.entries.time;
    std::int64_t latest = 0;
    std::int64_t unknown = 0;  ///< entries before the first time
    m_times.reserve(m_replay.entries);
    for (const EntryRange& range : m_replay.rows)
        for (std::size_t row = range.first; row < range.first + range.count; ++row) {
            const std::int64_t time = times[row];
            if (time > 0 && m_firstTime == 0) m_firstTime = latest = time;
            if (m_firstTime == 0) ++unknown;
            latest = std::max(latest, time);
            m_times.push_back(latest - m_firstTime);
        }
    if (unknown == static_cast<std::int64_t>(m_times.size())) m_times = {};
}

void MemoryHistory::findBlocks(const MemorySnapshot& snapshot) {
    std::unordered_map<std::int64_t, Bytes> atEnd;
    for (const MemorySegment& segment : snapshot.segments) {
        if (segment.device != m_replay.device) continue;
        for (const MemoryBlock& block : snapshot.blocksOf(segment))
            if (block.state != BlockState::Inactive) atEnd.emplace(block.address, block.bytes);
    }
    for (std::uint32_t i = 0; i < m_replay.allocations.size(); ++i) {
        const MemoryAllocation& each = m_replay.allocations[i];
        if (each.freed != MemoryAllocation::kNever) continue;
        const auto found = atEnd.find(each.address);
        if (found != atEnd.end() && found->second >= each.bytes) m_blocks.emplace(i, found->second);
    }
}

std::vector<std::uint32_t> MemoryHistory::livingAt(std::int64_t position) const {
    const auto after = std::ranges::upper_bound(m_checkpoints, position, {}, &Checkpoint::position);
    if (after == m_checkpoints.begin()) return {};
    const Checkpoint& before = *std::prev(after);
    std::vector<std::uint32_t> living;
    for (const std::uint32_t each : before.living)
        if (m_replay.allocations[each].livesAt(position)) living.push_back(each);
    for (std::int64_t at = before.position + 1; at <= std::min(position, lastPosition()); ++at)
        for (const std::uint32_t each : changesAt(at))
            if (m_replay.allocations[each].made == at && m_replay.allocations[each].livesAt(position))
                living.push_back(each);
    std::ranges::sort(living, [&](std::uint32_t a, std::uint32_t b) {
        const Bytes first = m_replay.allocations[a].bytes;
        const Bytes second = m_replay.allocations[b].bytes;
        return first != second ? first > second : a < b;
    });
    return living;
}

std::int64_t MemoryHistory::highestWithin(std::int64_t first, std::int64_t last) const {
    std::int64_t best = first;
    if (last < 0 || m_replay.entries == 0) return best;
    const auto begin = static_cast<std::size_t>(std::max<std::int64_t>(first, 0));
    const auto highest = static_cast<std::int64_t>(m_highestLive.highest(
        begin, static_cast<std::size_t>(last) + 1, [&](std::size_t i) { return m_replay.live[i]; }));
    if (first >= 0 || liveAt(highest) > liveAt(-1)) best = highest;
    return best;
}

Bytes MemoryHistory::highestReserved(std::int64_t first, std::int64_t last) const {
    const auto& steps = m_replay.reserved;
    const auto index = [&](std::int64_t position) {
        return static_cast<std::size_t>(
            std::ranges::upper_bound(steps, position, {}, &ReservedStep::position) - steps.begin());
    };
    const std::size_t begin = index(first);
    const std::size_t end = index(last);
    const Bytes held = reservedAt(m_replay, first);
    if (begin >= end) return held;
    const std::size_t highest =
        m_highestReserved.highest(begin, end, [&](std::size_t i) { return steps[i].bytes; });
    return std::max(held, steps[highest].bytes);
}

Bytes MemoryHistory::roundedBytes(std::uint32_t allocation) const {
    const auto block = m_blocks.find(allocation);
    if (block != m_blocks.end()) return block->second;
    const Bytes bytes = m_replay.allocations[allocation].bytes;
    return (bytes + kBlockMultiple - 1) / kBlockMultiple * kBlockMultiple;
}

std::int64_t MemoryHistory::timeAt(std::int64_t position) const {
    return position < 0 || m_times.empty() ? 0 : m_times[static_cast<std::size_t>(position)];
}

std::int64_t MemoryHistory::positionAt(std::int64_t time) const {
    return std::ranges::upper_bound(m_times, time) - m_times.begin() - 1;
}

MemoryGroupCurve::MemoryGroupCurve(const MemoryHistory& history, const MemoryGroups& groups)
    : m_history(history), m_groups(groups) {
    std::vector<Bytes> sums(groups.names.size() + 1);
    const std::vector<MemoryAllocation>& allocations = history.replay().allocations;
    for (std::uint32_t i = 0; i < allocations.size(); ++i) {
        if (!allocations[i].livesAt(-1)) continue;
        sums[groups.of[i]] += allocations[i].bytes;
        sums.back() += history.roundedBytes(i);
    }
    for (std::int64_t position = 0; position <= history.lastPosition(); ++position) {
        if (position % kStride == 0) m_sums.insert(m_sums.end(), sums.begin(), sums.end());
        apply(position, sums);
    }
    if (m_sums.empty()) m_sums = std::move(sums);
}

void MemoryGroupCurve::apply(std::int64_t position, std::span<Bytes> sums) const {
    for (const std::uint32_t i : m_history.changesAt(position)) {
        const MemoryAllocation& each = m_history.replay().allocations[i];
        const Bytes sign = each.made == position ? 1 : -1;
        sums[m_groups.of[i]] += sign * each.bytes;
        sums.back() += sign * m_history.roundedBytes(i);
    }
}

void MemoryGroupCurve::sumsAt(std::int64_t position, std::span<Bytes> sums) const {
    const std::int64_t block = std::max<std::int64_t>(position, 0) / kStride;
    const auto from = m_sums.begin() + block * static_cast<std::int64_t>(groupCount() + 1);
    std::copy_n(from, groupCount() + 1, sums.begin());
    for (std::int64_t at = block * kStride; at <= position; ++at) apply(at, sums);
}

}  // namespace plumb
