// SPDX-License-Identifier: Apache-2.0
#include "core/trace/critical_path.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace plumb::trace {

namespace {

constexpr std::size_t kMostPathSlices = 4'000'000;

bool waitsForTheDevice(std::string_view call) { return call.find("Synchronize") != std::string_view::npos; }

/// Node 2 i is the beginning of slice i of the range, node 2 i + 1 its end. A node waits for two others at
/// most, so that columns of their numbers hold all dependencies: what they weigh is the time between the
/// nodes, or nothing.
class PathGraph {
public:
    PathGraph(const Trace& trace, const TraceLinks& links)
        : m_trace(trace), m_slices(trace.slices), m_links(links) {}

    std::optional<CriticalPath> find(Nanoseconds begin, Nanoseconds end) {
        chooseHost(begin, end);
        chooseWork();
        if (m_chosen.empty() || m_chosen.size() > kMostPathSlices) return std::nullopt;
        const std::size_t nodes = 2 * m_chosen.size();
        m_chain.assign(nodes, kNone);
        m_other.assign(nodes, kNone);
        m_around.assign(nodes, kNone);
        for (const auto& [first, last] : m_threads) joinThread(first, last);
        joinTopOps();
        joinStreams();
        joinWaits();
        return pathTo(reachAll());
    }

private:
    [[nodiscard]] Nanoseconds timeOf(std::uint32_t node) const {
        const std::uint32_t slice = m_chosen[node / 2];
        return node % 2 == 0 ? m_slices.begin[slice] : m_slices.end(slice);
    }
    /// Nothing waits for what is later, nor for itself.
    void join(std::vector<std::uint32_t>& column, std::uint32_t from, std::uint32_t to) {
        if (timeOf(to) >= timeOf(from) && from != to) column[to] = from;
    }
    [[nodiscard]] bool isOfHost(std::uint32_t node) const { return node / 2 < m_hostCount; }
    [[nodiscard]] bool isWaitingCall(std::uint32_t slice) const {
        return isLaunch(m_slices.category[slice]) && waitsForTheDevice(m_trace.name(slice));
    }
    [[nodiscard]] std::uint32_t nodeOfWork(std::size_t k) const {
        return 2 * (m_hostCount + static_cast<std::uint32_t>(k));
    }
    /// The place of a call among those chosen; kNone for one outside of the range.
    [[nodiscard]] std::uint32_t placeOf(std::uint32_t call) const {
        const auto end = m_chosen.begin() + m_hostCount;
        const auto found = std::lower_bound(m_chosen.begin(), end, call);
        return found != end && *found == call ? static_cast<std::uint32_t>(found - m_chosen.begin()) : kNone;
    }

    void chooseHost(Nanoseconds begin, Nanoseconds end) {
        for (const Track& track : m_trace.tracks) {
            if (track.kind != TrackKind::Thread) continue;
            const auto first = static_cast<std::uint32_t>(m_chosen.size());
            const auto from = m_slices.begin.begin() + static_cast<std::ptrdiff_t>(track.first);
            const auto to = from + static_cast<std::ptrdiff_t>(track.count);
            for (auto at = std::lower_bound(from, to, begin); at != to && *at < end; ++at) {
                const auto i = static_cast<std::uint32_t>(at - m_slices.begin.begin());
                const Category category = m_slices.category[i];
                const bool loads =
                    category == Category::Annotation && m_trace.name(i).starts_with("enumerate(DataLoader)");
                if (category == Category::Op || isLaunch(category) || loads) m_chosen.push_back(i);
            }
            m_threads.emplace_back(first, static_cast<std::uint32_t>(m_chosen.size()));
        }
        m_hostCount = static_cast<std::uint32_t>(m_chosen.size());
    }

    void chooseWork() {
        for (std::uint32_t i = 0; i < m_links.work.size(); ++i) {
            const GpuWork& work = m_links.work[i];
            if (work.launch == kNone || placeOf(work.launch) == kNone) continue;
            m_chosen.push_back(work.slice);
            m_work.push_back(i);
        }
    }

    /// Beginnings and ends of a thread in their order: each waits for the one before, and what lies between
    /// passes within the innermost slice around it.
    void joinThread(std::uint32_t first, std::uint32_t last) {
        std::vector<std::uint32_t> open;
        std::uint32_t before = kNone;
        const auto step = [&](std::uint32_t node) {
            if (before != kNone && !open.empty()) {
                m_around[node] = m_chosen[open.back()];
                join(m_chain, before, node);
            }
            before = node;
        };
        const auto close = [&] {
            step(2 * open.back() + 1);
            // One without a duration hands on nothing that the one before it does not, and would wait for
            // itself.
            if (open.size() == 1 && m_slices.duration[m_chosen[open.back()]] > 0)
                m_topEnds.push_back(2 * open.back() + 1);
            open.pop_back();
        };
        for (std::uint32_t i = first; i < last; ++i) {
            while (!open.empty() && m_slices.end(m_chosen[open.back()]) <= m_slices.begin[m_chosen[i]])
                close();
            if (open.empty()) m_topBegins.push_back(2 * i);
            step(2 * i);
            open.push_back(i);
        }
        while (!open.empty()) close();
    }

    /// The last of `nodes`, which are in the order of time, that is not later than `node`.
    [[nodiscard]] std::uint32_t lastUntil(const std::vector<std::uint32_t>& nodes, std::uint32_t node) const {
        const auto behind =
            std::ranges::upper_bound(nodes, timeOf(node), {}, [this](std::uint32_t n) { return timeOf(n); });
        return behind == nodes.begin() ? kNone : *std::prev(behind);
    }
    void sortByTime(std::vector<std::uint32_t>& nodes) const {
        std::ranges::stable_sort(nodes, {}, [this](std::uint32_t n) { return timeOf(n); });
    }

    /// An op that nothing encloses waits for the one that ended last before it, on whatever thread: backward
    /// runs on a thread of its own.
    void joinTopOps() {
        sortByTime(m_topEnds);
        for (const std::uint32_t node : m_topBegins)
            if (const std::uint32_t last = lastUntil(m_topEnds, node); last != kNone)
                join(m_other, last, node);
        m_topBegins = {};
        m_topEnds = {};
    }

    /// Work waits for its launch where its stream was empty, and for the work before it.
    void joinStreams() {
        for (std::size_t k = 0; k < m_work.size(); ++k) {
            const GpuWork& work = m_links.work[m_work[k]];
            const std::uint32_t node = nodeOfWork(k);
            join(m_chain, node, node + 1);
            const std::uint32_t last = k > 0 ? m_chosen[m_hostCount + k - 1] : kNone;
            const bool follows = last != kNone && m_slices.track[last] == m_slices.track[work.slice];
            const Nanoseconds freeFrom = follows ? m_slices.end(last) : INT64_MIN;
            if (freeFrom <= m_slices.begin[work.launch]) join(m_other, 2 * placeOf(work.launch), node);
            const Nanoseconds gap = follows ? m_slices.begin[work.slice] - freeFrom : -1;
            if (gap >= 0 && gap < kLongestKernelGap) join(m_chain, node - 1, node);
        }
    }

    /// The end of a waiting call waits for the work that ended last before it.
    void joinWaits() {
        std::vector<std::uint32_t> ends;
        ends.reserve(m_work.size());
        for (std::size_t k = 0; k < m_work.size(); ++k) ends.push_back(nodeOfWork(k) + 1);
        sortByTime(ends);
        for (std::uint32_t place = 0; place < m_hostCount; ++place) {
            if (!isWaitingCall(m_chosen[place])) continue;
            if (const std::uint32_t last = lastUntil(ends, 2 * place + 1); last != kNone)
                join(m_other, last, 2 * place + 1);
        }
    }

    /// What passes between a node and the one before it in `column`. On the host the call that waits takes no
    /// time of its own, nor do waits for other threads and for the device.
    [[nodiscard]] Nanoseconds weightOf(std::uint32_t node, bool isOther) const {
        const std::uint32_t from = isOther ? m_other[node] : m_chain[node];
        const bool isFree = isOther ? isOfHost(node) : isOfHost(node) && isWaitingCall(m_around[node]);
        return isFree ? 0 : timeOf(node) - timeOf(from);
    }

    [[nodiscard]] PathStretch stretchOf(std::uint32_t node, bool isOther) const {
        PathStretch stretch{timeOf(isOther ? m_other[node] : m_chain[node]), timeOf(node), m_chosen[node / 2],
                            PathClass::Launch};
        if (isOther) return stretch;
        if (isOfHost(node)) {
            stretch.slice = m_around[node];
            stretch.kind = m_slices.category[stretch.slice] == Category::Annotation ? PathClass::DataLoading
                                                                                    : PathClass::Host;
        } else if (node % 2 == 0) {
            stretch.kind = PathClass::KernelGap;
        } else {
            const GpuWork& work = m_links.work[m_work[node / 2 - m_hostCount]];
            stretch.kind = work.communicates ? PathClass::Communication : PathClass::Compute;
        }
        return stretch;
    }

    /// Fills how far the longest chain to each node reaches, and returns the node that is reached last. Each
    /// node after those that it waits for; of a circle of points of one time the one met first waits for none
    /// of the others.
    std::uint32_t reachAll() {
        constexpr Nanoseconds kUntouched = -1;
        constexpr Nanoseconds kWaiting = -2;
        m_reached.assign(m_chosen.size() * 2, kUntouched);
        m_byOther.assign(m_reached.size(), false);
        std::vector<std::uint32_t> waiting;
        std::uint32_t end = 0;
        for (std::uint32_t first = 0; first < m_reached.size(); ++first) {
            if (m_reached[first] == kUntouched) waiting.push_back(first);
            while (!waiting.empty()) {
                const std::uint32_t node = waiting.back();
                if (m_reached[node] >= 0) {
                    waiting.pop_back();
                    continue;
                }
                const std::size_t before = waiting.size();
                if (m_reached[node] == kUntouched)
                    for (const std::uint32_t from : {m_chain[node], m_other[node]})
                        if (from != kNone && m_reached[from] == kUntouched) waiting.push_back(from);
                m_reached[node] = kWaiting;
                if (waiting.size() > before) continue;
                waiting.pop_back();
                reach(node);
                if (m_reached[node] > m_reached[end]) end = node;
            }
        }
        return end;
    }

    void reach(std::uint32_t node) {
        Nanoseconds longest = 0;
        bool isReached = false;
        for (const bool isOther : {false, true}) {
            std::uint32_t& from = isOther ? m_other[node] : m_chain[node];
            if (from == kNone) continue;
            if (m_reached[from] < 0) {
                from = kNone;  // of a circle
                continue;
            }
            const Nanoseconds length = saturated(m_reached[from], weightOf(node, isOther));
            if (isReached && length <= longest) continue;
            isReached = true;
            longest = length;
            m_byOther[node] = isOther;
        }
        m_reached[node] = longest;
    }

    [[nodiscard]] std::uint32_t beforeOf(std::uint32_t node) const {
        return m_byOther[node] ? m_other[node] : m_chain[node];
    }

    [[nodiscard]] CriticalPath pathTo(std::uint32_t end) {
        CriticalPath path{.length = m_reached[end], .by = {}, .stretches = {}};
        m_reached = {};  // room for the stretches
        std::size_t count = 0;
        for (std::uint32_t node = end; beforeOf(node) != kNone; node = beforeOf(node))
            count += weightOf(node, m_byOther[node]) > 0 ? 1 : 0;
        path.stretches.reserve(count);
        for (std::uint32_t node = end; beforeOf(node) != kNone; node = beforeOf(node)) {
            const Nanoseconds weight = weightOf(node, m_byOther[node]);
            if (weight == 0) continue;
            const PathStretch stretch = stretchOf(node, m_byOther[node]);
            Nanoseconds& sum = path.by[static_cast<std::size_t>(stretch.kind)];
            sum = saturated(sum, weight);
            path.stretches.push_back(stretch);
        }
        std::ranges::reverse(path.stretches);
        return path;
    }

    const Trace& m_trace;
    const Slices& m_slices;
    const TraceLinks& m_links;
    std::vector<std::uint32_t> m_chosen;  ///< slices: of the host, thread after thread, then GPU work
    std::uint32_t m_hostCount = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_threads;
    std::vector<std::uint32_t> m_work;  ///< of TraceLinks::work
    std::vector<std::uint32_t> m_topBegins;
    std::vector<std::uint32_t> m_topEnds;
    // Of each node:
    std::vector<std::uint32_t>
        m_chain;  ///< the one before it on its thread or stream; kNone: it waits for none
    std::vector<std::uint32_t> m_other;   ///< its launch, or the end of what another thread or the device did
    std::vector<std::uint32_t> m_around;  ///< the slice in which the time since m_chain passes, on the host
    std::vector<Nanoseconds> m_reached;
    std::vector<bool> m_byOther;  ///< whether the longest chain comes by m_other
};

}  // namespace

std::optional<CriticalPath> criticalPath(const Trace& trace, const TraceLinks& links, Nanoseconds begin,
                                         Nanoseconds end) {
    return PathGraph(trace, links).find(begin, end);
}

std::vector<PathSum> sumsOfPath(const Trace& trace, const CriticalPath& path) {
    std::map<std::pair<NameId, PathClass>, PathSum> found;
    std::map<std::pair<NameId, PathClass>, Nanoseconds> longest;
    for (const PathStretch& stretch : path.stretches) {
        const std::pair key(trace.slices.name[stretch.slice], stretch.kind);
        PathSum& sum = found[key];
        const Nanoseconds time = stretch.end - stretch.begin;
        if (time > longest[key]) {
            longest[key] = time;
            sum.longest = stretch.slice;
        }
        sum.name = key.first;
        sum.kind = key.second;
        ++sum.count;
        sum.time = saturated(sum.time, time);
    }
    std::vector<PathSum> sums;
    for (const auto& [key, sum] : found) sums.push_back(sum);
    std::ranges::stable_sort(sums, std::ranges::greater(), &PathSum::time);
    return sums;
}

}  // namespace plumb::trace
