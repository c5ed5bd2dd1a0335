// SPDX-License-Identifier: Apache-2.0
#include "core/trace/rank_clocks.h"

#include <algorithm>
#include <utility>

namespace plumb::trace {

namespace {

/// Absolute times of files that say a base beyond this are no times.
bool isBase(const std::optional<Nanoseconds>& base) { return base && *base >= 0 && *base <= kMostTime; }

Nanoseconds valueAt(std::vector<Nanoseconds>& values, std::size_t percent) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * percent / 100);
    std::ranges::nth_element(values, at);
    return *at;
}

/// How much later ranks that are aligned saw the ends of a rank's collectives.
struct LaterEnds {
    std::vector<Nanoseconds> differences;
    Nanoseconds uncertainty = 0;  ///< the largest one of those ranks
};

class ClockAlignment {
public:
    ClockAlignment(std::span<const RankRecord* const> ranks, std::span<const MatchedCollective> collectives)
        : m_ranks(ranks), m_clocks(ranks.size()) {
        for (const MatchedCollective& each : collectives) {
            const RankRecord& record = *ranks[each.parts.front().rank];
            const NameId name = record.collectives[each.parts.front().entry].name;
            if (each.parts.size() > 1 && collectiveKindOf(record.names.at(name)) == CollectiveKind::Symmetric)
                m_usable.push_back(&each);
        }
    }

    std::vector<RankClock> align() {
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) m_clocks[rank].shift = plainShift(rank);
        m_clocks.front().isAligned = true;
        m_clocks.front().uncertainty = 0;
        while (alignMore()) {
        }
        return std::move(m_clocks);
    }

private:
    Nanoseconds plainShift(std::size_t rank) const {
        const RankRecord& first = *m_ranks.front();
        const RankRecord& other = *m_ranks[rank];
        if (isBase(first.baseNanoseconds) && isBase(other.baseNanoseconds))
            return *other.baseNanoseconds - *first.baseNanoseconds;
        return saturated(first.begin, -other.begin);
    }

    /// Aligns the ranks that share most with those that are; false when none is left that shares anything.
    bool alignMore() {
        std::vector<LaterEnds> later(m_ranks.size());
        std::vector<Nanoseconds> ends;
        for (const MatchedCollective* const each : m_usable) {
            ends.clear();
            Nanoseconds uncertainty = 0;
            for (const CollectivePart& part : each->parts) {
                const RankClock& clock = m_clocks[part.rank];
                if (!clock.isAligned) continue;
                ends.push_back(saturated(endOf(part), clock.shift));
                uncertainty = std::max(uncertainty, clock.uncertainty.value_or(0));
            }
            if (ends.empty() || ends.size() == each->parts.size()) continue;
            const Nanoseconds known = valueAt(ends, 50);
            for (const CollectivePart& part : each->parts) {
                if (m_clocks[part.rank].isAligned) continue;
                later[part.rank].differences.push_back(saturated(known, -endOf(part)));
                later[part.rank].uncertainty = std::max(later[part.rank].uncertainty, uncertainty);
            }
        }
        std::size_t most = 0;
        for (const LaterEnds& each : later) most = std::max(most, each.differences.size());
        for (std::size_t rank = 0; most > 0 && rank < later.size(); ++rank)
            if (2 * later[rank].differences.size() >= most) take(m_clocks[rank], later[rank]);
        return most > 0;
    }

    static void take(RankClock& clock, LaterEnds& later) {
        constexpr std::size_t kFewest = 3;
        clock.isAligned = true;
        clock.collectives = static_cast<std::int64_t>(later.differences.size());
        clock.shift = valueAt(later.differences, 50);
        if (later.differences.size() < kFewest) return;
        for (Nanoseconds& each : later.differences) {
            each = saturated(each, -clock.shift);
            if (each < 0) each = each == INT64_MIN ? INT64_MAX : -each;
        }
        clock.uncertainty = saturated(valueAt(later.differences, 90), later.uncertainty);
    }

    [[nodiscard]] Nanoseconds endOf(const CollectivePart& part) const {
        return m_ranks[part.rank]->collectives[part.entry].end;
    }

    std::span<const RankRecord* const> m_ranks;
    std::vector<RankClock> m_clocks;
    std::vector<const MatchedCollective*> m_usable;
};

}  // namespace

std::vector<RankClock> alignClocks(std::span<const RankRecord* const> ranks,
                                   std::span<const MatchedCollective> collectives) {
    return ClockAlignment(ranks, collectives).align();
}

}  // namespace plumb::trace
