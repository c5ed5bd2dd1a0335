// SPDX-License-Identifier: Apache-2.0
#include "core/trace/rank_merge.h"

#include <algorithm>
#include <utility>

namespace plumb::trace {

namespace {

/// Numbers of a rank are below it, or the rank's links stay as they are.
constexpr std::int64_t kLinksOfRank = std::int64_t{1} << 40U;

/// Within the times that a reader lets through, so that no difference of two overflows.
Nanoseconds moved(Nanoseconds time, Nanoseconds shift) {
    return std::clamp(saturated(time, shift), -kMostTime / 2, kMostTime);
}

class RankMerger {
public:
    explicit RankMerger(std::vector<RankPart> parts) : m_parts(std::move(parts)) {}

    MergedRanks merge() {
        Trace& all = m_merged.trace;
        all.amounts.push_back(-1);
        const Trace& first = m_parts.front().trace;
        all.baseNanoseconds = first.baseNanoseconds;
        all.worldSize = first.worldSize;
        all.backend = first.backend;
        all.ncclVersion = first.ncclVersion;
        all.isOfNsys = first.isOfNsys;
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            m_merged.firstSlices.push_back(all.slices.size());
            const RankPart part = std::move(m_parts[i]);
            add(part, static_cast<std::int64_t>(i));
        }
        std::ranges::stable_sort(all.memory, {}, &MemoryPoint::time);
        std::ranges::stable_sort(all.counters, {}, &CounterPoint::time);
        return std::move(m_merged);
    }

private:
    void add(const RankPart& part, std::int64_t number) {
        const Trace& one = part.trace;
        std::vector<NameId> names(one.names.size());
        for (std::size_t i = 0; i < names.size(); ++i)
            names[i] = m_merged.trace.names.intern(one.names.at(static_cast<NameId>(i)));
        addTracks(part, names);
        addSlices(part, names, number);
        addPoints(part, names);
        addCounts(one, names);
    }

    void addTracks(const RankPart& part, const std::vector<NameId>& names) {
        Trace& all = m_merged.trace;
        for (Device device : part.trace.devices) {
            device.rank = part.rank;
            all.devices.push_back(device);
        }
        const std::size_t slices = all.slices.size();
        const auto tracks = static_cast<std::uint32_t>(all.tracks.size());
        const std::size_t rows = all.rows.size();
        for (Track track : part.trace.tracks) {
            track.rank = part.rank;
            for (NameId* const name :
                 {&track.process, &track.thread, &track.processLabel, &track.threadLabel})
                *name = names[*name];
            track.first += slices;
            track.firstRow += rows;
            all.tracks.push_back(track);
        }
        for (Row row : part.trace.rows) {
            row.track += tracks;
            row.first += all.rowOrder.size();
            all.rows.push_back(row);
        }
        for (const std::uint32_t slice : part.trace.rowOrder)
            all.rowOrder.push_back(static_cast<std::uint32_t>(slice + slices));
        m_firstTrack = tracks;
    }

    void addSlices(const RankPart& part, const std::vector<NameId>& names, std::int64_t number) {
        Slices& all = m_merged.trace.slices;
        const Slices& one = part.trace.slices;
        const std::uint32_t amounts = static_cast<std::uint32_t>(m_merged.trace.amounts.size()) - 1;
        const std::uint32_t collectives = addCollectives(part.trace, names);
        for (std::size_t i = 0; i < one.size(); ++i) {
            all.begin.push_back(moved(one.begin[i], part.shift));
            all.name.push_back(names[one.name[i]]);
            all.track.push_back(one.track[i] + m_firstTrack);
            const std::int64_t link = one.link[i];
            all.link.push_back(link >= 0 && link < kLinksOfRank ? link + number * kLinksOfRank : link);
            std::uint32_t detail = one.detail[i];
            if (detail != 0)
                detail = one.category[i] == Category::Op       ? names[detail]
                         : one.category[i] == Category::Kernel ? detail + collectives
                                                               : detail + amounts;
            all.detail.push_back(detail);
        }
        const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
        append(all.duration, one.duration);
        append(all.category, one.category);
        append(all.row, one.row);
        append(all.external, one.external);
        append(all.forward, one.forward);
        if (part.trace.amounts.size() > 1)
            m_merged.trace.amounts.insert(m_merged.trace.amounts.end(), part.trace.amounts.begin() + 1,
                                          part.trace.amounts.end());
    }

    /// What is to be added to a kernel's entry.
    std::uint32_t addCollectives(const Trace& one, const std::vector<NameId>& names) {
        Trace& all = m_merged.trace;
        const auto groups = static_cast<std::uint32_t>(all.groups.size());
        for (const ProcessGroup& group : one.groups)
            all.groups.push_back(
                {names[group.name], names[group.description], names[group.ranks], group.size});
        Collectives& to = all.collectives;
        const Collectives& from = one.collectives;
        if (from.size() == 0) return 0;
        const std::size_t first = to.size() == 0 ? 0 : 1;
        const auto offset = static_cast<std::uint32_t>(to.size() - first);
        for (std::size_t i = first; i < from.size(); ++i) {
            to.name.push_back(names[from.name[i]]);
            to.elementType.push_back(names[from.elementType[i]]);
            to.group.push_back(i == 0 ? 0 : from.group[i] + groups);
            to.sequence.push_back(from.sequence[i]);
            to.elementsIn.push_back(from.elementsIn[i]);
            to.elementsOut.push_back(from.elementsOut[i]);
            to.peer.push_back(from.peer[i]);
        }
        return offset;
    }

    void addPoints(const RankPart& part, const std::vector<NameId>& names) {
        for (MemoryPoint point : part.trace.memory) {
            point.time = moved(point.time, part.shift);
            point.rank = part.rank;
            m_merged.trace.memory.push_back(point);
        }
        for (CounterPoint point : part.trace.counters) {
            point.time = moved(point.time, part.shift);
            point.process = names[point.process];
            point.name = names[point.name];
            m_merged.trace.counters.push_back(point);
        }
    }

    void addCounts(const Trace& one, const std::vector<NameId>& names) {
        Trace& all = m_merged.trace;
        for (const Tally& tally : one.categories) {
            const auto known = std::ranges::find(all.categories, names[tally.name], &Tally::name);
            if (known == all.categories.end())
                all.categories.push_back({names[tally.name], tally.count});
            else
                known->count += tally.count;
        }
        all.events += one.events;
        all.flows += one.flows;
        all.instants += one.instants;
        all.overlaps += one.overlaps;
        all.fileBytes += one.fileBytes;
        all.textBytes += one.textBytes;
        all.losses.add(one.losses);
    }

    std::vector<RankPart> m_parts;
    std::uint32_t m_firstTrack = 0;
    MergedRanks m_merged;
};

}  // namespace

MergedRanks mergeRanks(std::vector<RankPart> parts) { return RankMerger(std::move(parts)).merge(); }

void keepStepsOf(std::int64_t rank, const Trace& trace, TraceLinks& links) {
    std::erase_if(links.steps, [&](const TraceStep& step) {
        return step.slice == kNone || trace.tracks[trace.slices.track[step.slice]].rank != rank;
    });
    for (std::size_t i = 0; i < links.steps.size(); ++i)
        links.steps[i].windowEnd = i + 1 < links.steps.size()
                                       ? links.steps[i + 1].begin
                                       : links.steps[i].begin + links.steps[i].duration;
}

}  // namespace plumb::trace
