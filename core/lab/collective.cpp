// SPDX-License-Identifier: Apache-2.0
#include "core/lab/collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace plumb::lab {
namespace {

/// Makes the steps of one collective.
class CollectiveSteps {
public:
    CollectiveSteps(int ranks, Bytes bytes) : m_ranks(ranks), m_bytes(bytes) {}

    /// Ranks - 1 times, every rank hands the slice that it got before to the next. Rank r begins with slice
    /// r + `first`, so that the last of them ends with what it has to have.
    void ring(int first, bool isAdded) {
        for (int step = 0; step + 1 < m_ranks; ++step) {
            begin();
            for (int rank = 0; rank < m_ranks; ++rank)
                move(rank, rank + 1, wrapped(rank + first - step), 1, isAdded);
        }
    }
    /// Every rank sends to every other one: its addend of that one's slice, or its own slice.
    void exchange(bool isAdded) {
        begin();
        for (int step = 1; step < m_ranks; ++step)
            for (int rank = 0; rank < m_ranks; ++rank)
                move(rank, rank + step, isAdded ? wrapped(rank + step) : rank, 1, isAdded);
    }
    /// Up, and the same way down.
    void tree() {
        std::vector<int> strides;
        for (int stride = 1; stride < m_ranks; stride *= 2) strides.push_back(stride);
        const auto level = [this](int stride, const std::function<void(int parent, int child)>& pair) {
            begin();
            for (int parent = 0; parent + stride < m_ranks; parent += 2 * stride)
                pair(parent, parent + stride);
        };
        for (const int stride : strides)
            level(stride, [this](int parent, int child) { move(child, parent, 0, m_ranks, true); });
        std::reverse(strides.begin(), strides.end());
        for (const int stride : strides)
            level(stride, [this](int parent, int child) { move(parent, child, 0, m_ranks, false); });
    }
    [[nodiscard]] std::vector<CollectiveStep> take() { return std::move(m_steps); }

private:
    [[nodiscard]] int wrapped(int rank) const { return ((rank % m_ranks) + m_ranks) % m_ranks; }
    void begin() { m_steps.emplace_back(); }
    // A slice without elements, of a buffer of fewer bytes than ranks, is no message.
    void move(int from, int to, int slice, int slices, bool isAdded) {
        Bytes bytes = 0;
        for (int i = slice; i < slice + slices; ++i) bytes += sliceOf(m_bytes, i, m_ranks).elements();
        if (bytes > 0)
            m_steps.back().moves.push_back({wrapped(from), wrapped(to), slice, slices, isAdded, bytes});
    }

    int m_ranks;
    Bytes m_bytes;
    std::vector<CollectiveStep> m_steps;
};

bool isCollective(CommKind kind) { return kind != CommKind::Send && kind != CommKind::Receive; }

/// Times of the steps, and what all of them come to.
void reckon(Collective& collective, CommKind kind, const CollectiveLink& link) {
    std::vector<Bytes> sentInAll(static_cast<std::size_t>(collective.ranks));
    for (CollectiveStep& step : collective.steps) {
        std::vector<Bytes> sent(sentInAll.size()), received(sentInAll.size());
        for (const CollectiveMove& move : step.moves) {
            sent[static_cast<std::size_t>(move.from)] += move.bytes;
            received[static_cast<std::size_t>(move.to)] += move.bytes;
            sentInAll[static_cast<std::size_t>(move.from)] += move.bytes;
        }
        step.mostBytes = std::max(*std::max_element(sent.begin(), sent.end()),
                                  *std::max_element(received.begin(), received.end()));
        step.seconds = link.latency + static_cast<double>(step.mostBytes) / link.bytesPerSecond;
        collective.seconds += step.seconds;
    }
    collective.mostSent = *std::max_element(sentInAll.begin(), sentInAll.end());
    collective.busBytesPerSecond =
        busBandwidth(kind, static_cast<double>(collective.bytes), collective.seconds, collective.ranks);
}

}  // namespace

bool hasWay(CommKind kind, CollectiveWay way) {
    return isCollective(kind) && (way != CollectiveWay::Tree || kind == CommKind::AllReduce);
}

Result<Collective> makeCollective(CommKind kind, CollectiveWay way, int ranks, Bytes bytes,
                                  const CollectiveLink& link) {
    if (!hasWay(kind, way))
        return badInput("a tree reduces and hands down, and does neither alone",
                        "take a ring or an exchange");
    if (ranks < 2 || ranks > kMostCollectiveRanks)
        return badInput(fmt::format("the ranks of a collective are out of range ({})", ranks),
                        fmt::format("give 2 to {}", kMostCollectiveRanks));
    if (bytes < 1)
        return badInput(fmt::format("a collective moves at least one byte ({})", bytes),
                        "give a size such as 1 MB");
    CollectiveSteps steps(ranks, bytes);
    if (way == CollectiveWay::Tree) {
        steps.tree();
    } else {
        // After the first half rank r has slice r whole: on a ring it is the last that comes round to it.
        if (kind != CommKind::AllGather)
            way == CollectiveWay::Ring ? steps.ring(-1, true) : steps.exchange(true);
        if (kind != CommKind::ReduceScatter)
            way == CollectiveWay::Ring ? steps.ring(0, false) : steps.exchange(false);
    }
    Collective collective{.ranks = ranks, .bytes = bytes, .steps = steps.take()};
    reckon(collective, kind, link);
    return collective;
}

std::vector<std::vector<std::uint32_t>> contributions(const Collective& collective, CommKind kind,
                                                      std::size_t steps) {
    const auto ranks = static_cast<std::size_t>(collective.ranks);
    std::vector<std::vector<std::uint32_t>> has(ranks, std::vector<std::uint32_t>(ranks));
    const std::uint32_t everybody = (std::uint32_t{1} << ranks) - 1;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        for (std::size_t slice = 0; slice < ranks; ++slice) {
            const bool gathers = kind == CommKind::AllGather;
            const std::uint32_t own = gathers ? everybody : std::uint32_t{1} << rank;
            has[rank][slice] = gathers && slice != rank ? 0 : own;
        }
    for (std::size_t i = 0; i < std::min(steps, collective.steps.size()); ++i) {
        const auto before = has;  // the messages of a step are on their way at once
        for (const CollectiveMove& move : collective.steps[i].moves)
            for (int slice = move.slice; slice < move.slice + move.slices; ++slice) {
                const std::uint32_t sent =
                    before[static_cast<std::size_t>(move.from)][static_cast<std::size_t>(slice)];
                std::uint32_t& there =
                    has[static_cast<std::size_t>(move.to)][static_cast<std::size_t>(slice)];
                there = move.isAdded ? there | sent : sent;
            }
    }
    return has;
}

}  // namespace plumb::lab
