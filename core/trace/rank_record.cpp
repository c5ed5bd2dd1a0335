// SPDX-License-Identifier: Apache-2.0
#include "core/trace/rank_record.h"

#include "core/trace/union_length.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace plumb::trace {

namespace {

/// Sums that grow with work in the order of its beginnings.
class GrowingSums {
public:
    void add(const GpuWork& work, bool isKernel, NameId name, Nanoseconds begin, Nanoseconds end) {
        m_all.add(begin, end);
        if (!isKernel) return;
        m_kernels.add(begin, end);
        (work.communicates ? m_communication : m_compute).add(begin, end);
        if (work.communicates) return;
        const auto [found, isNew] = m_places.try_emplace(name, m_sums.size());
        if (isNew) m_sums.push_back({name, work.category, {}});
        m_sums[found->second].sum.add(end - begin);
    }
    RankSums take() {
        return {m_all.length(), m_compute.length(), m_communication.length(),
                m_kernels.length() - m_compute.length(), std::move(m_sums)};
    }

private:
    UnionLength m_all, m_kernels, m_communication, m_compute;
    std::vector<KernelSum> m_sums;
    std::unordered_map<NameId, std::size_t> m_places;
};

class RankRecorder {
public:
    RankRecorder(const Trace& trace, const TraceLinks& links, std::string file)
        : m_trace(trace), m_slices(trace.slices), m_links(links) {
        m_record.file = std::move(file);
        m_record.rank = trace.rank;
        m_record.worldSize = trace.worldSize;
        m_record.baseNanoseconds = trace.baseNanoseconds;
        m_record.backend = trace.backend;
        m_record.lostEvents = trace.losses.events();
    }

    RankRecord make() {
        findRange();
        takeGroups();
        m_stepSums.resize(m_links.steps.size());
        std::vector<std::uint32_t> order(m_links.work.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
        std::ranges::stable_sort(order, {},
                                 [&](std::uint32_t i) { return m_slices.begin[m_links.work[i].slice]; });
        Nanoseconds endBefore = INT64_MIN;
        for (const std::uint32_t i : order) {
            const GpuWork& work = m_links.work[i];
            addWork(work);
            if (work.communicates && m_slices.category[work.slice] == Category::Kernel)
                addCollective(work, endBefore);
            endBefore = std::max(endBefore, m_slices.end(work.slice));
        }
        addHostCollectives();
        m_record.sums = m_whole.take();
        for (std::size_t i = 0; i < m_links.steps.size(); ++i) {
            const TraceStep& step = m_links.steps[i];
            m_record.steps.push_back({nameOf(step.name), step.begin, step.duration, m_stepSums[i].take()});
        }
        return std::move(m_record);
    }

private:
    void findRange() {
        if (m_slices.size() == 0) return;
        m_record.begin = INT64_MAX;
        m_record.end = INT64_MIN;
        for (std::size_t i = 0; i < m_slices.size(); ++i) {
            m_record.begin = std::min(m_record.begin, m_slices.begin[i]);
            m_record.end = std::max(m_record.end, m_slices.end(i));
        }
    }

    NameId nameOf(NameId ofTrace) { return m_record.names.intern(m_trace.names.at(ofTrace)); }

    void takeGroups() {
        m_record.groups.emplace_back();
        for (const ProcessGroup& group : m_trace.groups) {
            const std::string name(m_trace.names.at(group.name));
            const std::string ranks(m_trace.names.at(group.ranks));
            const std::string_view description = m_trace.names.at(group.description);
            RankGroup& known = m_record.groups.emplace_back();
            if (!name.empty() || !ranks.empty()) known.key = name + '\n' + ranks;
            known.label = std::string(description.empty() ? std::string_view(name) : description);
            if (!ranks.empty()) known.label += (known.label.empty() ? "" : " ") + ranks;
            known.ranks = ranksOfText(ranks);
        }
    }

    /// The step whose window holds this moment.
    [[nodiscard]] std::uint32_t stepAt(Nanoseconds time) const {
        const auto behind = std::ranges::upper_bound(m_links.steps, time, {}, &TraceStep::begin);
        if (behind == m_links.steps.begin() || time >= std::prev(behind)->windowEnd)
            return RankCollective::kNoStep;
        return static_cast<std::uint32_t>(std::prev(behind) - m_links.steps.begin());
    }

    void addWork(const GpuWork& work) {
        const bool isKernel = m_slices.category[work.slice] == Category::Kernel;
        const NameId name = isKernel && !work.communicates ? nameOf(m_slices.name[work.slice]) : NameId{0};
        const Nanoseconds begin = m_slices.begin[work.slice];
        const Nanoseconds end = m_slices.end(work.slice);
        m_whole.add(work, isKernel, name, begin, end);
        const auto& steps = m_links.steps;
        auto step = std::ranges::upper_bound(steps, begin, {}, &TraceStep::windowEnd);
        // Real work reaches over two steps; that of a made-up file must not take a time of steps times work.
        constexpr int kMostSteps = 64;
        for (int i = 0; i < kMostSteps && step != steps.end() && step->begin < std::max(end, begin + 1);
             ++i, ++step)
            m_stepSums[static_cast<std::size_t>(step - steps.begin())].add(
                work, isKernel, name, std::max(begin, step->begin), std::min(end, step->windowEnd));
    }

    void addCollective(const GpuWork& work, Nanoseconds endBefore) {
        const std::size_t slice = work.slice;
        const bool isLaunched = work.launch != kNone;
        RankCollective collective{.slice = work.slice,
                                  .name = nameOf(m_slices.name[slice]),
                                  .begin = m_slices.begin[slice],
                                  .end = m_slices.end(slice)};
        collective.step = stepAt(m_slices.begin[isLaunched ? work.launch : work.slice]);
        collective.isLateByHost = isLaunched && m_slices.begin[work.launch] >= endBefore;
        if (const std::uint32_t said = m_trace.collectiveOf(slice); said != 0) {
            const Collectives& all = m_trace.collectives;
            collective.name = nameOf(all.name[said]);
            collective.elementType = nameOf(all.elementType[said]);
            collective.group = all.group[said] + 1;
            collective.sequence = all.sequence[said];
            collective.elementsIn = all.elementsIn[said];
            collective.elementsOut = all.elementsOut[said];
            collective.peer = all.peer[said];
        }
        m_record.collectives.push_back(collective);
    }

    /// Those of gloo run on threads of the host: an op or annotation from where it is issued to where it
    /// ends. A trace says neither their group nor their number.
    void addHostCollectives() {
        constexpr std::string_view kGloo = "gloo:";
        std::vector<bool> isGloo(m_trace.names.size());
        for (std::size_t id = 0; id < isGloo.size(); ++id)
            isGloo[id] = m_trace.names.at(static_cast<NameId>(id)).starts_with(kGloo);
        const std::size_t before = m_record.collectives.size();
        for (std::uint32_t slice = 0; slice < m_slices.size(); ++slice) {
            const Category category = m_slices.category[slice];
            if (!isGloo[m_slices.name[slice]] ||
                (category != Category::Op && category != Category::Annotation))
                continue;
            m_record.collectives.push_back({.slice = slice,
                                            .step = stepAt(m_slices.begin[slice]),
                                            .name = nameOf(m_slices.name[slice]),
                                            .begin = m_slices.begin[slice],
                                            .end = m_slices.end(slice)});
        }
        if (m_record.collectives.size() > before)
            std::ranges::stable_sort(m_record.collectives, {}, &RankCollective::begin);
    }

    const Trace& m_trace;
    const Slices& m_slices;
    const TraceLinks& m_links;
    RankRecord m_record;
    GrowingSums m_whole;
    std::vector<GrowingSums> m_stepSums;
};

}  // namespace

RankRecord rankRecordOf(const Trace& trace, const TraceLinks& links, std::string file) {
    return RankRecorder(trace, links, std::move(file)).make();
}

std::vector<std::int64_t> ranksOfText(std::string_view text) {
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') return {};
    std::vector<std::int64_t> ranks;
    text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        std::int64_t rank = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), rank);
        if (problem != std::errc() || rank < 0) return {};
        ranks.push_back(rank);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (text.empty()) break;
        if (text.front() != ',') return {};
        text.remove_prefix(1);
    }
    std::ranges::sort(ranks);
    return ranks;
}

}  // namespace plumb::trace
