// SPDX-License-Identifier: Apache-2.0
#include "core/plan/chain_search.h"

#include "core/plan/chain_costs.h"

#include <algorithm>
#include <cstddef>

namespace plumb {
namespace {

/// R(i,j,q) at one q for all i < j. Row j is contiguous in i.
struct Level {
    explicit Level(std::int32_t layers)
        : stride(at(layers) + 1),
          value(stride * stride, kNever),
          lowest(stride, kNever),
          irregular(stride, -1) {}

    [[nodiscard]] std::int32_t* row(std::int32_t j) { return value.data() + at(j) * stride; }

    std::size_t stride;
    std::vector<std::int32_t> value;
    std::vector<std::int32_t> lowest;  ///< by j: the least i with a schedule; all i above it have one too
    /// The largest i, by j, where R(i,j-1) + R(i+1,j) <= R(i+1,j-1) + R(i,j) is not true; -1: always true.
    std::vector<std::int32_t> irregular;
};

/// The best m of every (i, j) at one q.
struct Splits {
    std::vector<std::uint16_t> split;   ///< row by row, i falling
    std::vector<std::size_t> rowBegin;  ///< by j
    std::vector<std::int32_t>
        allStay;  ///< by j: from this i on all h stay, so m = i + 1, which is not stored

    [[nodiscard]] std::int32_t of(std::int32_t i, std::int32_t j) const {
        const std::int32_t stay = allStay[at(j)];
        return i >= stay ? i + 1 : split[rowBegin[at(j)] + at(stay - 1 - i)];
    }
};

class Search {
public:
    explicit Search(const ChainCapacity& capacity)
        : m_capacity(capacity), m_layers(capacity.layers), m_above(m_layers), m_level(m_layers) {}

    std::optional<RecomputeSchedule> run() {
        const std::int32_t most = m_capacity.mostHeld();
        if (most < 0) return std::nullopt;
        m_splits.resize(at(most) + 1);
        m_next.resize(at(most) + 1);
        m_forward.assign(at(m_layers) + 1, kNever);
        for (std::int32_t q = most; q >= 0; --q) {
            solveLevel(q);
            solveForward(q);
            std::swap(m_level, m_above);
        }
        if (m_forward[0] >= kNever) return std::nullopt;
        return build();
    }

private:
    void solveLevel(std::int32_t q);
    std::int32_t allStay(std::int32_t j, std::int32_t q) const;
    std::int32_t solveSegment(std::int32_t i, std::int32_t j, std::int32_t q);
    void markIrregular(std::int32_t j, std::int32_t leastI);
    void solveForward(std::int32_t q);
    [[nodiscard]] RecomputeSchedule build() const;
    void append(RecomputeSchedule& schedule, std::int32_t i, std::int32_t j, std::int32_t q) const;

    const ChainCapacity& m_capacity;
    std::int32_t m_layers;
    Level m_above;                              ///< R at q + 1
    Level m_level;                              ///< R at q
    std::vector<std::int32_t> m_irregularFrom;  ///< by i: the last column of m_level whose step to the next
                                                ///< one breaks the rule that Level::irregular states
    std::vector<Splits> m_splits;               ///< by q
    std::vector<std::int32_t> m_forward;        ///< by i: least cost of all that follows the kept h_i
    std::vector<std::vector<std::uint16_t>> m_next;  ///< by q and i: the next h that the forward pass keeps
};

/// The least i from which every h of the segment can be made before layer j and stay until its own use.
std::int32_t Search::allStay(std::int32_t j, std::int32_t q) const {
    std::int32_t bound = 0;
    std::int32_t stay = j;
    for (std::int32_t i = j - 1; i >= q; --i) {
        bound = std::max(bound, q + i - m_capacity.backward[at(i + 1)]);  // layer t holds q + t - 1 - i
        const bool made = i == j - 1 || q + j - 1 - i <= m_capacity.recompute[at(j)];
        if (bound > i || !made) break;
        stay = i;
    }
    return stay;
}

void Search::solveLevel(std::int32_t q) {
    Splits& splits = m_splits[at(q)];
    splits.rowBegin.assign(at(m_layers) + 1, 0);
    splits.allStay.assign(at(m_layers) + 1, 0);
    m_irregularFrom.assign(at(m_layers) + 1, -1);
    // At q = 0 only i = 0 is asked for; the others, whose h_i would cost nothing, bound its splits.
    for (std::int32_t j = q + 1; j <= m_layers; ++j) {
        std::int32_t* row = m_level.row(j);
        splits.rowBegin[at(j)] = splits.split.size();
        splits.allStay[at(j)] = q <= m_capacity.backward[at(j)] ? allStay(j, q) : j;
        std::int32_t i = j - 1;
        for (; i >= q; --i) {
            row[i] = i >= splits.allStay[at(j)] ? j - 1 - i : solveSegment(i, j, q);
            if (row[i] >= kNever) break;
        }
        m_level.lowest[at(j)] = i + 1 < j ? i + 1 : kNever;
        for (; i >= q; --i) {
            row[i] = kNever;
            m_irregularFrom[at(i)] = j;
        }
        markIrregular(j, q);
    }
}

/// R(i,j,q) and its split, from level q + 1 and the shorter segments of this one.
std::int32_t Search::solveSegment(std::int32_t i, std::int32_t j, std::int32_t q) {
    if (i == j - 1) return kNever;  // the backward of j itself has no room for q
    const std::int32_t room = m_capacity.recompute[at(j)] - q;
    if (room < 1) return kNever;
    const std::int32_t* above = m_above.row(j);
    std::int32_t best = kNever;
    std::int32_t split = 0;
    const auto search = [&](std::int32_t first, std::int32_t last) {
        const std::int32_t* left = m_level.row(first) + i;
        for (std::int32_t m = first; m <= last; ++m, left += m_level.stride) {
            const std::int32_t cost = m - i + above[m] + *left;
            if (cost >= best) continue;
            best = cost;
            split = m;
        }
    };
    std::int32_t first = std::max(i + 1, m_above.lowest[at(j)]);
    std::int32_t last = room >= 2 ? j - 1 : std::min(j - 1, i + 1);
    const Splits& splits = m_splits[at(q)];
    if (room >= 2 && i + 2 < j) {
        // No m below the split of (i, j-1) is better than that one, where the rule holds in level q + 1 ...
        if (m_level.row(j - 1)[i] < kNever) {
            const std::int32_t lower = splits.of(i, j - 1);
            const std::int32_t irregular = std::max(m_above.irregular[at(j)], m_above.lowest[at(j - 1)] - 1);
            search(first, std::min({irregular, lower - 1, last}));
            first = std::clamp(lower, first, last);
        }
        // ... and none above the split of (i+1, j), where it holds in this level.
        const std::int32_t upper = splits.of(i + 1, j);
        if (upper > m_irregularFrom[at(i)]) last = std::min(last, upper);
        first = std::min(first, last);
    }
    search(first, last);
    if (best < kNever) m_splits[at(q)].split.push_back(static_cast<std::uint16_t>(split));
    return std::min(best, kNever);
}

/// Finds where columns j - 1 and j break the rule that bounds the splits.
void Search::markIrregular(std::int32_t j, std::int32_t leastI) {
    m_level.irregular[at(j)] = -1;
    const std::int32_t* before = m_level.row(j - 1);
    const std::int32_t* row = m_level.row(j);
    for (std::int32_t i = j - 3; i >= leastI; --i) {
        if (before[i] >= kNever || row[i] >= kNever) break;
        if (before[i] + row[i + 1] <= before[i + 1] + row[i]) continue;
        m_level.irregular[at(j)] = std::max(m_level.irregular[at(j)], i);
        m_irregularFrom[at(i)] = std::max(m_irregularFrom[at(i)], j - 1);
    }
}

/// Least cost of all that follows the kept h_i (x for 0), and the next h to keep: L for none.
void Search::solveForward(std::int32_t q) {
    std::vector<std::int32_t> cost(at(m_layers) + 1, kNever);
    std::vector<std::uint16_t>& next = m_next[at(q)];
    next.assign(at(m_layers) + 1, 0);
    const std::vector<std::int32_t> reach = m_capacity.forwardReach(q);
    const std::int32_t highest = q == 0 ? 0 : m_layers - 1;
    for (std::int32_t m = q + 1; m <= m_layers; ++m) {
        const bool isLast = m == m_layers;
        if (isLast && q > m_capacity.head) break;
        const std::int32_t following = isLast ? 0 : m_forward[at(m)];
        const std::int32_t* row = m_level.row(m);
        for (std::int32_t i = q; i <= std::min(highest, m - 1); ++i) {
            if (m > reach[at(i)] || following + row[i] >= cost[at(i)]) continue;
            cost[at(i)] = following + row[i];
            next[at(i)] = static_cast<std::uint16_t>(m);
        }
    }
    m_forward = std::move(cost);
}

RecomputeSchedule Search::build() const {
    RecomputeSchedule schedule;
    schedule.keeps.assign(at(m_layers) + 1, false);
    schedule.firstStretch.assign(at(m_layers) + 2, 0);
    std::vector<std::int32_t> kept{0};
    while (kept.back() < m_layers) {
        schedule.keeps[at(kept.back())] = true;
        kept.push_back(m_next[kept.size() - 1][at(kept.back())]);
    }
    schedule.keeps.back() = true;
    for (std::size_t q = kept.size() - 1; q-- > 0;)
        append(schedule, kept[q], kept[q + 1], static_cast<std::int32_t>(q));
    schedule.firstStretch[0] = schedule.firstStretch[1];
    return schedule;
}

/// The stretches of the backward of layers j..i+1, in order.
void Search::append(RecomputeSchedule& schedule, std::int32_t i, std::int32_t j, std::int32_t q) const {
    for (; j - 1 > i;) {
        const std::int32_t m = m_splits[at(q)].of(i, j);
        schedule.stretches.push_back({i, m});
        append(schedule, m, j, q + 1);
        j = m;
    }
    schedule.firstStretch[at(j)] = static_cast<std::int32_t>(schedule.stretches.size());
}

}  // namespace

std::optional<RecomputeSchedule> leastRecomputation(const ChainCapacity& capacity) {
    std::optional<RecomputeSchedule> schedule = recomputeOnce(capacity);
    return schedule.has_value() ? std::move(schedule) : Search(capacity).run();
}

}  // namespace plumb
