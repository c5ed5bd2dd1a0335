// SPDX-License-Identifier: Apache-2.0
#include "core/trace/critical_path.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace plumb::trace {

namespace {

constexpr std::size_t kMostPathSlices = 4'000'000;

struct PathEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    Nanoseconds weight = 0;
    PathClass kind{};
};

bool waitsForTheDevice(std::string_view call) { return call.find("Synchronize") != std::string_view::npos; }

/// Node 2 i is the beginning of slice i of the range, node 2 i + 1 its end.
class PathGraph {
public:
    PathGraph(const Trace& trace, const TraceLinks& links)
        : m_trace(trace), m_slices(trace.slices), m_links(links) {}

    std::optional<CriticalPath> find(Nanoseconds begin, Nanoseconds end) {
        chooseHost(begin, end);
        chooseWork();
        if (m_chosen.empty() || m_chosen.size() > kMostPathSlices) return std::nullopt;
        for (const auto& [first, last] : m_threads) joinThread(first, last);
        joinTopOps();
        joinStreams();
        joinWaits();
        return longest();
    }

private:
    [[nodiscard]] Nanoseconds timeOf(std::uint32_t node) const {
        const std::uint32_t slice = m_chosen[node / 2];
        return node % 2 == 0 ? m_slices.begin[slice] : m_slices.end(slice);
    }
    void addEdge(std::uint32_t from, std::uint32_t to, Nanoseconds weight, PathClass kind) {
        if (timeOf(to) >= timeOf(from) && from != to) m_edges.push_back({from, to, weight, kind});
    }

    [[nodiscard]] PathClass classOnHost(std::uint32_t slice) const {
        return m_slices.category[slice] == Category::Annotation ? PathClass::DataLoading : PathClass::Host;
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
                if (category != Category::Op && !isLaunch(category) && !loads) continue;
                if (isLaunch(category)) m_placeOf[i] = static_cast<std::uint32_t>(m_chosen.size());
                m_chosen.push_back(i);
            }
            m_threads.emplace_back(first, static_cast<std::uint32_t>(m_chosen.size()));
        }
        m_hostCount = static_cast<std::uint32_t>(m_chosen.size());
    }

    void chooseWork() {
        for (const GpuWork& work : m_links.work) {
            if (work.launch == kNone || !m_placeOf.contains(work.launch)) continue;
            m_chosen.push_back(work.slice);
            m_work.push_back(&work);
        }
    }

    /// Beginnings and ends of a thread in their order: each waits for the one before, and what lies between
    /// passes within the innermost slice around it. Waiting calls take no time of their own.
    void joinThread(std::uint32_t first, std::uint32_t last) {
        std::vector<std::uint32_t> open;
        std::uint32_t before = kNone;
        const auto step = [&](std::uint32_t node) {
            if (before != kNone && !open.empty()) {
                const std::uint32_t around = m_chosen[open.back()];
                const bool waits =
                    isLaunch(m_slices.category[around]) && waitsForTheDevice(m_trace.name(around));
                addEdge(before, node, waits ? 0 : timeOf(node) - timeOf(before), classOnHost(around));
            }
            before = node;
        };
        const auto close = [&] {
            step(2 * open.back() + 1);
            const bool top = open.size() == 1;
            if (top) m_topEnds.push_back(2 * open.back() + 1);
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

    /// An op that nothing encloses waits for the one that ended last before it, on whatever thread: backward
    /// runs on a thread of its own.
    void joinTopOps() {
        const auto earlier = [&](std::uint32_t a, std::uint32_t b) { return timeOf(a) < timeOf(b); };
        std::ranges::stable_sort(m_topEnds, earlier);
        for (const std::uint32_t node : m_topBegins) {
            const auto behind = std::ranges::upper_bound(m_topEnds, node, earlier);
            if (behind != m_topEnds.begin()) addEdge(*std::prev(behind), node, 0, PathClass::Host);
        }
    }

    void joinStreams() {
        for (std::size_t k = 0; k < m_work.size(); ++k) {
            const GpuWork& work = *m_work[k];
            const auto node = 2 * (m_hostCount + static_cast<std::uint32_t>(k));
            addEdge(node, node + 1, m_slices.duration[work.slice],
                    work.communicates ? PathClass::Communication : PathClass::Compute);
            const bool follows = k > 0 && m_slices.track[m_work[k - 1]->slice] == m_slices.track[work.slice];
            const Nanoseconds freeFrom = follows ? m_slices.end(m_work[k - 1]->slice) : INT64_MIN;
            const Nanoseconds launched = m_slices.begin[work.launch];
            if (freeFrom <= launched)
                addEdge(2 * m_placeOf[work.launch], node,
                        std::max<Nanoseconds>(0, m_slices.begin[work.slice] - launched), PathClass::Launch);
            const Nanoseconds gap = follows ? m_slices.begin[work.slice] - freeFrom : -1;
            if (gap >= 0 && gap < kLongestKernelGap) addEdge(node - 1, node, gap, PathClass::KernelGap);
        }
    }

    /// The end of a waiting call waits for the work that ended last before it.
    void joinWaits() {
        std::vector<std::uint32_t> ends;
        for (std::size_t k = 0; k < m_work.size(); ++k)
            ends.push_back(2 * (m_hostCount + static_cast<std::uint32_t>(k)) + 1);
        const auto earlier = [&](std::uint32_t a, std::uint32_t b) { return timeOf(a) < timeOf(b); };
        std::ranges::stable_sort(ends, earlier);
        for (const auto& [slice, place] : m_placeOf) {
            if (!waitsForTheDevice(m_trace.name(slice))) continue;
            const auto behind = std::ranges::upper_bound(ends, 2 * place + 1, earlier);
            if (behind != ends.begin()) addEdge(*std::prev(behind), 2 * place + 1, 0, PathClass::Host);
        }
    }

    [[nodiscard]] std::optional<CriticalPath> longest() {
        const std::size_t nodes = 2 * m_chosen.size();
        std::ranges::sort(m_edges, [](const PathEdge& a, const PathEdge& b) {
            return a.from != b.from ? a.from < b.from : a.to < b.to;
        });
        std::vector<std::uint32_t> firstEdge(nodes + 1, 0);
        std::vector<std::uint32_t> waitsFor(nodes, 0);
        for (const PathEdge& edge : m_edges) {
            ++firstEdge[edge.from + 1];
            ++waitsFor[edge.to];
        }
        for (std::size_t i = 0; i < nodes; ++i) firstEdge[i + 1] += firstEdge[i];
        std::vector<std::uint32_t> ready;
        for (std::uint32_t node = 0; node < nodes; ++node)
            if (waitsFor[node] == 0) ready.push_back(node);
        std::vector<Nanoseconds> reached(nodes, 0);
        std::vector<std::uint32_t> by(nodes, kNone);  // the edge that reaches a node last
        std::uint32_t end = 0;
        while (!ready.empty()) {
            const std::uint32_t node = ready.back();
            ready.pop_back();
            if (reached[node] > reached[end]) end = node;
            for (std::uint32_t e = firstEdge[node]; e < firstEdge[node + 1]; ++e) {
                const PathEdge& edge = m_edges[e];
                const Nanoseconds length = saturated(reached[node], edge.weight);
                if (by[edge.to] == kNone || length > reached[edge.to]) {
                    reached[edge.to] = length;
                    by[edge.to] = e;
                }
                if (--waitsFor[edge.to] == 0) ready.push_back(edge.to);
            }
        }
        CriticalPath path{.length = reached[end]};
        for (std::uint32_t node = end; by[node] != kNone; node = m_edges[by[node]].from) {
            const PathEdge& edge = m_edges[by[node]];
            Nanoseconds& sum = path.by[static_cast<std::size_t>(edge.kind)];
            sum = saturated(sum, edge.weight);
        }
        return path;
    }

    const Trace& m_trace;
    const Slices& m_slices;
    const TraceLinks& m_links;
    std::vector<std::uint32_t> m_chosen;  ///< slices: of the host, thread after thread, then GPU work
    std::uint32_t m_hostCount = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_threads;
    std::unordered_map<std::uint32_t, std::uint32_t> m_placeOf;  ///< of calls, in m_chosen
    std::vector<const GpuWork*> m_work;
    std::vector<PathEdge> m_edges;
    std::vector<std::uint32_t> m_topBegins;
    std::vector<std::uint32_t> m_topEnds;
};

}  // namespace

std::optional<CriticalPath> criticalPath(const Trace& trace, const TraceLinks& links, Nanoseconds begin,
                                         Nanoseconds end) {
    return PathGraph(trace, links).find(begin, end);
}

}  // namespace plumb::trace
