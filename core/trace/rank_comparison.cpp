// SPDX-License-Identifier: Apache-2.0
#include "core/trace/rank_comparison.h"

#include "core/base/ascii.h"
#include "core/base/plain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace plumb::trace {

namespace {

/// The middle one; of an even number the mean of both. Pre: there are some.
Nanoseconds middleOf(std::vector<Nanoseconds> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 == 1) return *middle;
    return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

/// The median of all but one of them; 0 where there is no other.
Nanoseconds middleOfOthers(const std::vector<Nanoseconds>& values, std::size_t one) {
    std::vector<Nanoseconds> others = values;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(one));
    return others.empty() ? 0 : middleOf(std::move(others));
}

std::optional<std::int64_t> numberBehind(std::string_view name, std::string_view word) {
    const std::size_t found = name.rfind(word);
    if (found == std::string_view::npos) return std::nullopt;
    name.remove_prefix(found + word.size());
    name.remove_prefix(std::min(name.find_first_not_of("-_.= "), name.size()));
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (problem != std::errc() || number < 0) return std::nullopt;
    return number;
}

class RankComparer {
public:
    explicit RankComparer(const std::vector<RankRecord>& records) : m_all(records) {}

    RankComparison compare() {
        numberRanks();
        findCommonSteps();
        CollectiveMatches matches = matchCollectives(m_records, m_numbers, m_stepOf);
        const std::vector<RankClock> clocks = alignClocks(m_records, matches.collectives);
        for (std::size_t rank = 0; rank < m_records.size(); ++rank) m_result.ranks[rank].clock = clocks[rank];
        for (const MatchedCollective& each : matches.collectives) takeCollective(each);
        std::ranges::stable_sort(m_result.collectives, {}, &ComparedCollective::begin);
        sumRanks();
        compareKernels();
        rankStragglers();
        for (FoundInRanks& each : matches.findings) m_result.findings.push_back(std::move(each));
        m_result.moreFindings = matches.moreFindings;
        m_result.pointToPoint = matches.pointToPoint;
        m_result.outsideOfRecording = matches.outsideOfRecording;
        findUnaligned();
        return std::move(m_result);
    }

private:
    const RankCollective& entryOf(const CollectivePart& part) const {
        return m_records[part.rank]->collectives[part.entry];
    }
    void find(RankFinding kind, std::vector<std::int64_t> ranks, std::string sentence) {
        m_result.findings.push_back({kind, std::move(ranks), std::move(sentence)});
    }

    /// By what the files say, else by their names, else by their order: the next number that is free.
    void numberRanks() {
        std::map<std::int64_t, std::size_t> files;
        std::vector<RankSource> sources(m_all.size(), RankSource::Order);
        std::vector<std::size_t> unnumbered;
        for (std::size_t file = 0; file < m_all.size(); ++file) {
            std::optional<std::int64_t> number = m_all[file].rank;
            sources[file] = RankSource::File;
            if (!number || *number < 0) {
                number = rankOfFileName(m_all[file].file);
                sources[file] = RankSource::FileName;
            }
            if (!number) {
                sources[file] = RankSource::Order;
                unnumbered.push_back(file);
                continue;
            }
            const auto [found, isNew] = files.try_emplace(*number, file);
            if (!isNew)
                find(RankFinding::RepeatedRank, {*number},
                     fmt::format("rank {} is in {} and in {}: the second is left out", *number,
                                 plainLine(m_all[found->second].file), plainLine(m_all[file].file)));
        }
        std::int64_t next = 0;
        for (const std::size_t file : unnumbered) {
            while (files.contains(next)) ++next;
            files[next] = file;
        }
        for (const auto& [number, file] : files) {
            m_numbers.push_back(number);
            m_records.push_back(&m_all[file]);
            m_result.files.push_back(file);
            m_result.ranks.push_back({.rank = number,
                                      .source = sources[file],
                                      .file = m_all[file].file,
                                      .lostEvents = m_all[file].lostEvents});
            if (m_result.backend.empty()) m_result.backend = m_all[file].backend;
        }
        findMissingRanks();
    }

    void findMissingRanks() {
        std::set<std::int64_t> sizes;
        for (const RankRecord* const record : m_records)
            if (record->worldSize) sizes.insert(*record->worldSize);
        if (sizes.empty()) return;
        m_result.worldSize = *sizes.rbegin();
        if (sizes.size() > 1)
            find(RankFinding::DifferentJobs, {},
                 fmt::format("the files are of jobs of {} and of {} ranks: they may not belong together",
                             *sizes.begin(), *sizes.rbegin()));
        constexpr std::int64_t kMostRanks = 1'000'000;
        if (*m_result.worldSize > kMostRanks) return;
        std::vector<std::int64_t> missing;
        for (std::int64_t rank = 0; rank < *m_result.worldSize; ++rank)
            if (!std::ranges::binary_search(m_numbers, rank)) missing.push_back(rank);
        if (missing.empty()) return;
        std::string sentence =
            fmt::format("{} of {}: no trace is here, and others may wait for what is not seen",
                        rankNames(missing), *m_result.worldSize);
        find(RankFinding::MissingRank, std::move(missing), std::move(sentence));
    }

    /// A step of all ranks has a name that occurs as often before it on each.
    void findCommonSteps() {
        using Key = std::pair<std::string, std::uint32_t>;
        std::map<Key, std::vector<std::size_t>> known;  // its place on the ranks that have it, in their order
        std::size_t most = 0;
        for (std::size_t rank = 0; rank < m_records.size(); ++rank) {
            std::map<NameId, std::uint32_t> seen;
            const RankRecord& record = *m_records[rank];
            most = std::max(most, record.steps.size());
            for (std::size_t i = 0; i < record.steps.size(); ++i) {
                const NameId name = record.steps[i].name;
                std::vector<std::size_t>& places = known[{std::string(record.names.at(name)), seen[name]++}];
                if (places.size() == rank) places.push_back(i);
            }
        }
        std::erase_if(known, [&](const auto& each) { return each.second.size() != m_records.size(); });
        std::vector<const std::vector<std::size_t>*> common;
        for (const auto& [key, places] : known) common.push_back(&places);
        std::ranges::sort(common, {}, [](const auto* places) { return places->front(); });
        m_result.isOfWholeTraces = common.empty();
        m_stepOf.resize(m_records.size());
        if (common.size() < most)
            find(RankFinding::UnequalSteps, {},
                 common.empty() ? fmt::format("no step is on all ranks: figures are of whole traces")
                                : fmt::format("{} of up to {} steps are on all ranks: figures are of those",
                                              common.size(), most));
        if (common.empty()) return;
        for (std::size_t rank = 0; rank < m_records.size(); ++rank)
            m_stepOf[rank].assign(m_records[rank]->steps.size(), RankCollective::kNoStep);
        for (std::uint32_t step = 0; step < common.size(); ++step) {
            const RankRecord& first = *m_records.front();
            ComparedStep& compared = m_result.steps.emplace_back();
            compared.name = std::string(first.names.at(first.steps[common[step]->front()].name));
            compared.waited.resize(m_records.size());
            compared.timesLast.resize(m_records.size());
            for (std::size_t rank = 0; rank < m_records.size(); ++rank) {
                const std::size_t place = (*common[step])[rank];
                m_stepOf[rank][place] = step;
                const RankStep& own = m_records[rank]->steps[place];
                compared.durations.push_back(own.duration);
                compared.busy.push_back(own.sums.busy);
            }
        }
    }

    /// Its common step; kNoStep where it is in none.
    std::uint32_t stepOf(const CollectivePart& part) const {
        const std::uint32_t own = entryOf(part).step;
        const auto& steps = m_stepOf[part.rank];
        return own < steps.size() ? steps[own] : RankCollective::kNoStep;
    }

    void takeCollective(const MatchedCollective& matched) {
        if (matched.parts.size() < 2) {
            ++m_result.alone;
            return;
        }
        ComparedCollective compared;
        Nanoseconds uncertainty = 0;
        std::vector<const CollectivePart*> order;
        for (const CollectivePart& part : matched.parts) order.push_back(&part);
        std::ranges::stable_sort(order, {}, [&](const CollectivePart* part) {
            return saturated(entryOf(*part).begin, m_result.ranks[part->rank].clock.shift);
        });
        for (const CollectivePart* const part : order) {
            const RankClock& clock = m_result.ranks[part->rank].clock;
            const RankCollective& entry = entryOf(*part);
            compared.arrivals.push_back({part->rank, entry.slice, saturated(entry.begin, clock.shift),
                                         saturated(entry.end, clock.shift), 0});
            uncertainty = std::max(uncertainty, clock.uncertainty.value_or(0));
        }
        const Nanoseconds last = compared.arrivals.back().begin;
        compared.skew = saturated(last, -compared.begin());
        compared.lead = saturated(last, -compared.arrivals[compared.arrivals.size() - 2].begin);
        for (RankArrival& arrival : compared.arrivals) {
            arrival.waited = std::max<Nanoseconds>(0, saturated(std::min(arrival.end, last), -arrival.begin));
            compared.waited = saturated(compared.waited, arrival.waited);
        }
        // Who receives waits for who sends by nature: that is no straggling.
        const bool counts = matched.isWhole && !matched.isMessage;
        if (counts && compared.lead > uncertainty) compared.last = compared.arrivals.back().rank;
        describe(compared, *order.back());
        count(compared, counts, *order.back());
        m_result.collectives.push_back(std::move(compared));
    }

    void describe(ComparedCollective& compared, const CollectivePart& part) const {
        const RankRecord& record = *m_records[part.rank];
        const RankCollective& entry = entryOf(part);
        compared.name = std::string(record.names.at(entry.name));
        compared.group = record.groups[entry.group].label;
        compared.sequence = entry.sequence;
        if (entry.step != RankCollective::kNoStep)
            compared.step = std::string(record.names.at(record.steps[entry.step].name));
        const std::int64_t bytes = elementBytes(record.names.at(entry.elementType));
        std::int64_t product = 0;
        if (bytes > 0 && entry.elementsIn >= 0 && !__builtin_mul_overflow(bytes, entry.elementsIn, &product))
            compared.bytes = product;
    }

    /// Adds it to the figures of ranks and steps; of what lies outside of common steps nothing counts.
    void count(const ComparedCollective& compared, bool isWhole, const CollectivePart& lastPart) {
        if (compared.sequence < 0) ++m_result.unnumbered;
        const std::uint32_t step = stepOf(lastPart);
        if (!m_result.isOfWholeTraces && step == RankCollective::kNoStep) return;
        if (!isWhole) return;
        for (const RankArrival& arrival : compared.arrivals) {
            RankFigures& figures = m_result.ranks[arrival.rank];
            ++figures.collectives;
            figures.waited = saturated(figures.waited, arrival.waited);
            if (step != RankCollective::kNoStep) {
                Nanoseconds& waited = m_result.steps[step].waited[arrival.rank];
                waited = saturated(waited, arrival.waited);
            }
        }
        if (!compared.last) return;
        RankFigures& figures = m_result.ranks[*compared.last];
        ++figures.timesLast;
        figures.delay = saturated(figures.delay, compared.lead);
        if (entryOf(lastPart).isLateByHost) ++figures.lateByHost;
        if (step != RankCollective::kNoStep) ++m_result.steps[step].timesLast[*compared.last];
    }

    /// Calls `take` with the sums of each stretch of a rank that counts.
    template <class Take>
    void eachStretch(std::size_t rank, Take&& take) const {
        const RankRecord& record = *m_records[rank];
        if (m_result.isOfWholeTraces) return take(record.sums);
        for (std::size_t i = 0; i < record.steps.size(); ++i)
            if (m_stepOf[rank][i] != RankCollective::kNoStep) take(record.steps[i].sums);
    }

    void sumRanks() {
        std::vector<Nanoseconds> computing;
        for (std::size_t rank = 0; rank < m_records.size(); ++rank) {
            RankFigures& figures = m_result.ranks[rank];
            eachStretch(rank, [&](const RankSums& sums) {
                figures.busy = saturated(figures.busy, sums.busy);
                figures.compute = saturated(figures.compute, sums.compute);
                figures.communication = saturated(figures.communication, sums.communication);
                figures.exposed = saturated(figures.exposed, sums.exposed);
            });
            computing.push_back(figures.compute);
            std::vector<Nanoseconds> durations;
            for (const ComparedStep& step : m_result.steps) durations.push_back(step.durations[rank]);
            if (!durations.empty()) figures.stepTime = middleOf(std::move(durations));
        }
        for (std::size_t rank = 0; computing.size() > 1 && rank < computing.size(); ++rank)
            m_result.ranks[rank].computeExcess = saturated(computing[rank], -middleOfOthers(computing, rank));
    }

    void compareKernels() {
        std::map<std::string_view, std::vector<WorkSum>> kernels;
        for (std::size_t rank = 0; rank < m_records.size(); ++rank)
            eachStretch(rank, [&](const RankSums& sums) {
                for (const KernelSum& kernel : sums.kernels) {
                    auto& ofRanks = kernels[m_records[rank]->names.at(kernel.name)];
                    ofRanks.resize(m_records.size());
                    ofRanks[rank].count += kernel.sum.count;
                    ofRanks[rank].time = saturated(ofRanks[rank].time, kernel.sum.time);
                }
            });
        if (m_records.size() < 2) return;
        for (const auto& [name, ofRanks] : kernels) {
            std::vector<Nanoseconds> times;
            for (const WorkSum& sum : ofRanks) times.push_back(sum.time);
            for (std::size_t rank = 0; rank < times.size(); ++rank) {
                const Nanoseconds others = middleOfOthers(times, rank);
                if (times[rank] > others)
                    m_result.ranks[rank].kernels.push_back(
                        {std::string(name), ofRanks[rank], others, times[rank] - others});
            }
        }
        for (RankFigures& figures : m_result.ranks) {
            std::ranges::stable_sort(figures.kernels, std::ranges::greater(), &KernelExcess::excess);
            figures.kernels.resize(std::min(figures.kernels.size(), RankFigures::kMostKernels));
        }
    }

    void rankStragglers() {
        for (std::uint32_t rank = 0; rank < m_result.ranks.size(); ++rank)
            if (m_result.ranks[rank].timesLast > 0) m_result.stragglers.push_back(rank);
        std::ranges::stable_sort(m_result.stragglers, std::ranges::greater(), [&](std::uint32_t rank) {
            return std::pair(m_result.ranks[rank].timesLast, m_result.ranks[rank].delay);
        });
    }

    void findUnaligned() {
        for (const RankFigures& figures : m_result.ranks)
            if (!figures.clock.isAligned)
                find(RankFinding::UnalignedClock, {figures.rank},
                     fmt::format(
                         "rank {} shares no collective that would join its clock with that of rank {}: "
                         "its times are placed by {}",
                         figures.rank, m_numbers.front(),
                         m_records.front()->baseNanoseconds ? "the clocks of the machines"
                                                            : "the beginning of its file"));
    }

    const std::vector<RankRecord>& m_all;
    std::vector<const RankRecord*> m_records;  ///< by number
    std::vector<std::int64_t> m_numbers;
    std::vector<std::vector<std::uint32_t>>
        m_stepOf;  ///< common step of each rank's steps; empty without any
    RankComparison m_result;
};

}  // namespace

std::vector<std::size_t> RankComparison::greatestSkews(std::size_t most) const {
    std::vector<std::size_t> order(collectives.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](std::size_t i) { return collectives[i].skew; });
    order.resize(std::min(order.size(), most));
    return order;
}

std::string RankComparison::verdict() const {
    if (collectives.empty())
        return "No collective of two ranks is the same: nothing says who waits for whom.";
    if (stragglers.empty()) return "No rank is later than the others by more than clocks tell.";
    const RankFigures& worst = ranks[stragglers.front()];
    const auto share = static_cast<double>(worst.timesLast) / static_cast<double>(worst.collectives);
    // Midway between an even share and always.
    if (share <= (1 + 1 / static_cast<double>(ranks.size())) / 2)
        return fmt::format("No rank stands out: rank {} is last most often, at {} of {} collectives.",
                           worst.rank, worst.timesLast, worst.collectives);
    std::string text = fmt::format("Rank {} is last at {} of {} collectives; others lost {} by it alone.",
                                   worst.rank, worst.timesLast, worst.collectives, timeText(worst.delay));
    if (2 * worst.lateByHost > worst.timesLast)
        text +=
            fmt::format(" It launches late: at {} of them all its earlier work had ended before the launch.",
                        worst.lateByHost);
    if (worst.computeExcess > 0 && !worst.kernels.empty())
        text += fmt::format(" It computes for {} longer than the others, most of all {} (+{}).",
                            timeText(worst.computeExcess), plainLine(worst.kernels.front().name, 60),
                            timeText(worst.kernels.front().excess));
    return text;
}

RankComparison compareRanks(const std::vector<RankRecord>& records) {
    return RankComparer(records).compare();
}

std::optional<std::int64_t> rankOfFileName(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    const std::string name = lowerCase(slash == std::string_view::npos ? path : path.substr(slash + 1));
    if (const auto rank = numberBehind(name, "rank")) return rank;
    return numberBehind(name, "worker");
}

}  // namespace plumb::trace
