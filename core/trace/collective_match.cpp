// SPDX-License-Identifier: Apache-2.0
#include "core/trace/collective_match.h"

#include "core/base/ascii.h"
#include "core/base/plain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace plumb::trace {

namespace {

constexpr std::size_t kLongestLabel = 60;

/// Which collective it is for all ranks: group, number and how many came before with the same; without a
/// number the step, the name and its place among those.
using CollectiveKey = std::tuple<std::uint32_t, std::int64_t, std::uint32_t, std::uint32_t, std::uint32_t>;

/// Letters and digits alone, in lower case: "_allgather_base" and "ncclDevKernel_AllGather_RING" are alike.
std::string squeezed(std::string_view name) {
    std::string text;
    for (const char c : name)
        if (isLetter(c) || isDigit(c)) text += lowerCase(c);
    return text;
}

class Matcher {
public:
    Matcher(std::span<const RankRecord* const> ranks, std::span<const std::int64_t> numbers,
            std::span<const std::vector<std::uint32_t>> steps)
        : m_ranks(ranks), m_numbers(numbers), m_steps(steps), m_groupOf(ranks.size()) {}

    CollectiveMatches match() {
        numberGroups();
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) take(rank);
        refuseUnequalCounts();
        matchMessages();
        for (auto& [key, parts] : m_parts) finish(key, std::move(parts));
        return std::move(m_matches);
    }

private:
    struct Group {
        std::string label;
        std::vector<bool> isMember;  ///< by rank of the comparison
        std::vector<std::optional<std::pair<std::int64_t, std::int64_t>>> recorded;  ///< numbers, by rank
    };

    struct Messages {
        std::vector<CollectivePart> sends;
        std::vector<CollectivePart> receives;
    };

    void numberGroups() {
        std::unordered_map<std::string, std::uint32_t> known;
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank)
            for (const RankGroup& group : m_ranks[rank]->groups) {
                const auto [found, isNew] =
                    known.try_emplace(group.key, static_cast<std::uint32_t>(m_groups.size()));
                if (isNew)
                    m_groups.push_back(
                        {group.label, membersOf(group), decltype(Group::recorded)(m_ranks.size())});
                m_groupOf[rank].push_back(found->second);
            }
    }

    std::vector<bool> membersOf(const RankGroup& group) const {
        std::vector<bool> isMember(m_ranks.size(), false);
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank)
            isMember[rank] = std::ranges::binary_search(group.ranks, m_numbers[rank]);
        return isMember;
    }

    std::uint32_t nameOf(std::uint32_t rank, const RankCollective& collective) {
        const auto [found, isNew] = m_names.try_emplace(std::string(m_ranks[rank]->names.at(collective.name)),
                                                        static_cast<std::uint32_t>(m_names.size()));
        return found->second;
    }

    void take(std::uint32_t rank) {
        std::map<std::tuple<std::uint32_t, std::int64_t, std::uint32_t, std::uint32_t>, std::uint32_t> seen;
        const RankRecord& record = *m_ranks[rank];
        for (std::uint32_t i = 0; i < record.collectives.size(); ++i) {
            const RankCollective& collective = record.collectives[i];
            if (collectiveKindOf(record.names.at(collective.name)) == CollectiveKind::PointToPoint) {
                takeMessage(rank, i);
                continue;
            }
            const std::uint32_t group = m_groupOf[rank][collective.group];
            std::uint32_t step = RankCollective::kNoStep;
            std::uint32_t name = 0;
            if (collective.sequence >= 0) {
                auto& recorded = m_groups[group].recorded[rank];
                if (!recorded) recorded = {collective.sequence, collective.sequence};
                recorded->first = std::min(recorded->first, collective.sequence);
                recorded->second = std::max(recorded->second, collective.sequence);
                // Only a list of the group's ranks says who else has to take part; without one those who do.
                m_groups[group].isMember[rank] = true;
            } else {
                if (collective.step != RankCollective::kNoStep) step = m_steps[rank][collective.step];
                if (step == RankCollective::kNoStep && !m_steps[rank].empty()) continue;
                name = nameOf(rank, collective) + 1;
            }
            const std::uint32_t before = seen[{group, collective.sequence, step, name}]++;
            m_parts[{group, collective.sequence, step, name, before}].push_back({rank, i});
        }
    }

    /// Numbers of sends and receives are counted by each rank for itself, so that order alone joins them.
    void takeMessage(std::uint32_t rank, std::uint32_t entry) {
        const RankCollective& message = m_ranks[rank]->collectives[entry];
        const bool sends = squeezed(m_ranks[rank]->names.at(message.name)) == "send";
        const auto peer = std::ranges::lower_bound(m_numbers, message.peer);
        std::uint32_t step = RankCollective::kNoStep;
        if (message.step != RankCollective::kNoStep) step = m_steps[rank][message.step];
        const bool isOutside = step == RankCollective::kNoStep && !m_steps[rank].empty();
        if (isOutside || peer == m_numbers.end() || *peer != message.peer) {
            ++m_matches.pointToPoint;
            return;
        }
        const auto other = static_cast<std::uint32_t>(peer - m_numbers.begin());
        Messages& both =
            m_messages[{m_groupOf[rank][message.group], step, sends ? rank : other, sends ? other : rank}];
        (sends ? both.sends : both.receives).push_back({rank, entry});
    }

    void matchMessages() {
        for (auto& [key, both] : m_messages) {
            const auto [group, step, from, to] = key;
            if (both.sends.size() == both.receives.size()) {
                for (std::size_t i = 0; i < both.sends.size(); ++i) {
                    MatchedCollective& one = m_matches.collectives.emplace_back();
                    one.parts = {both.sends[i], both.receives[i]};
                    if (to < from) std::swap(one.parts.front(), one.parts.back());
                    one.isWhole = true;
                    one.isMessage = true;
                }
                continue;
            }
            m_matches.pointToPoint += static_cast<std::int64_t>(both.sends.size() + both.receives.size());
            add(RankFinding::UnequalCounts, {m_numbers[from], m_numbers[to]},
                fmt::format("a step has {} sends from rank {} to rank {}, but {} receives of them: they are "
                            "not matched there",
                            both.sends.size(), m_numbers[from], m_numbers[to], both.receives.size()));
        }
    }

    /// Where ranks have different numbers of what has no number, order says nothing: those of that step and
    /// name stay alone.
    void refuseUnequalCounts() {
        using Kind = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // group, step, name
        std::map<Kind, std::vector<std::int64_t>> counts;
        for (const auto& [key, parts] : m_parts) {
            const auto [group, sequence, step, name, before] = key;
            if (sequence >= 0) continue;
            auto& count = counts[{group, step, name}];
            count.resize(m_ranks.size());
            for (const CollectivePart& part : parts) ++count[part.rank];
        }
        for (const auto& [kind, count] : counts) {
            const auto [group, step, name] = kind;
            const std::int64_t most = *std::ranges::max_element(count);
            std::vector<std::int64_t> fewer;
            for (std::size_t rank = 0; rank < count.size(); ++rank)
                // Those of a group that others are in are none of this rank's.
                if (count[rank] < most && (count[rank] > 0 || m_groups[group].label.empty()))
                    fewer.push_back(m_numbers[rank]);
            if (fewer.empty()) continue;
            const auto named =
                std::ranges::find(m_names, name - 1, [](const auto& each) { return each.second; });
            add(RankFinding::UnequalCounts, fewer,
                fmt::format("a step has {} of {} on others, but fewer on {}: they are not matched there",
                            most, plainLine(named->first, kLongestLabel), rankNames(fewer)));
            for (std::uint32_t before = 0; before < most; ++before)
                m_parts.erase({group, -1, step, name, before});
        }
    }

    void finish(const CollectiveKey& key, std::vector<CollectivePart> parts) {
        const std::uint32_t group = std::get<0>(key);
        const std::int64_t sequence = std::get<1>(key);
        MatchedCollective matched{std::move(parts), true};
        if (sequence >= 0) findMissing(group, sequence, matched);
        if (matched.parts.size() > 1) compareParts(group, sequence, matched);
        m_matches.collectives.push_back(std::move(matched));
    }

    void findMissing(std::uint32_t number, std::int64_t sequence, MatchedCollective& matched) {
        const Group& group = m_groups[number];
        std::vector<std::int64_t> missing;
        std::size_t part = 0;
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            if (part < matched.parts.size() && matched.parts[part].rank == rank) {
                ++part;
                continue;
            }
            if (!group.isMember[rank]) continue;
            matched.isWhole = false;
            const auto& recorded = group.recorded[rank];
            if (recorded && recorded->first < sequence && sequence < recorded->second)
                missing.push_back(m_numbers[rank]);
            else
                ++m_matches.outsideOfRecording;
        }
        if (missing.empty()) return;
        add(RankFinding::MissingCollective, missing,
            fmt::format("{} {} is missing on {}", nameAt(matched.parts.front()), placeOf(number, sequence),
                        rankNames(missing)));
    }

    void compareParts(std::uint32_t group, std::int64_t sequence, MatchedCollective& matched) {
        const RankCollective& first = entryOf(matched.parts.front());
        const std::string name = nameAt(matched.parts.front());
        const std::string type = typeAt(matched.parts.front());
        const auto [comparesIn, comparesOut] = sizesThatAgree(name);
        std::vector<std::int64_t> others, sizes;
        std::string otherName;
        std::string otherSize;
        for (const CollectivePart& part : matched.parts) {
            const RankCollective& entry = entryOf(part);
            if (nameAt(part) != name || typeAt(part) != type) {
                others.push_back(m_numbers[part.rank]);
                otherName = nameAt(part) + (typeAt(part).empty() ? "" : " of " + typeAt(part));
            } else if ((comparesIn && entry.elementsIn != first.elementsIn) ||
                       (comparesOut && entry.elementsOut != first.elementsOut)) {
                sizes.push_back(m_numbers[part.rank]);
                otherSize = fmt::format("{} in and {} out", entry.elementsIn, entry.elementsOut);
            }
        }
        const std::int64_t firstRank = m_numbers[matched.parts.front().rank];
        if (!others.empty())
            add(RankFinding::UnequalCollective, others,
                fmt::format("{} is {}{} on rank {}, but {} on {}", placeOf(group, sequence), name,
                            type.empty() ? "" : " of " + type, firstRank, otherName, rankNames(others)));
        if (!sizes.empty())
            add(RankFinding::UnequalSizes, sizes,
                fmt::format("{} {} has {} in and {} out elements on rank {}, but {} on {}", name,
                            placeOf(group, sequence), first.elementsIn, first.elementsOut, firstRank,
                            otherSize, rankNames(sizes)));
        matched.isWhole = matched.isWhole && others.empty();
    }

    /// Whether all ranks give, and get, the same number of elements. Of a gather only the root gets any, and
    /// an exchange may be uneven.
    static std::pair<bool, bool> sizesThatAgree(std::string_view name) {
        const std::string text = squeezed(name);
        const auto has = [&](std::string_view mark) { return text.find(mark) != std::string::npos; };
        if (has("alltoall")) return {false, false};
        if (has("allgather") || has("reducescatter")) return {true, true};
        if (has("gather")) return {true, false};
        if (has("scatter")) return {false, true};
        return {true, true};
    }

    const RankCollective& entryOf(const CollectivePart& part) const {
        return m_ranks[part.rank]->collectives[part.entry];
    }
    std::string nameAt(const CollectivePart& part) const {
        return plainLine(m_ranks[part.rank]->names.at(entryOf(part).name), kLongestLabel);
    }
    std::string typeAt(const CollectivePart& part) const {
        return plainLine(m_ranks[part.rank]->names.at(entryOf(part).elementType), kLongestLabel);
    }
    std::string placeOf(std::uint32_t group, std::int64_t sequence) const {
        const std::string& label = m_groups[group].label;
        std::string place = sequence >= 0 ? fmt::format("number {}", sequence) : std::string("in one place");
        return label.empty() ? place : place + " of group " + plainLine(label, kLongestLabel);
    }

    void add(RankFinding kind, std::vector<std::int64_t> ranks, std::string sentence) {
        if (++m_found[kind] <= CollectiveMatches::kMostFindings)
            m_matches.findings.push_back({kind, std::move(ranks), std::move(sentence)});
        else
            ++m_matches.moreFindings;
    }

    std::span<const RankRecord* const> m_ranks;
    std::span<const std::int64_t> m_numbers;
    std::span<const std::vector<std::uint32_t>> m_steps;
    std::vector<Group> m_groups;
    std::vector<std::vector<std::uint32_t>> m_groupOf;  ///< by rank, then RankRecord::groups
    std::unordered_map<std::string, std::uint32_t> m_names;
    std::map<CollectiveKey, std::vector<CollectivePart>> m_parts;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, Messages>
        m_messages;  ///< by group, step, from and to
    std::map<RankFinding, std::int64_t> m_found;
    CollectiveMatches m_matches;
};

}  // namespace

std::string rankNames(std::span<const std::int64_t> numbers) {
    constexpr std::size_t kListed = 8;
    std::string text = numbers.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < std::min(numbers.size(), kListed); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", numbers[i]);
    return numbers.size() > kListed ? text + fmt::format(" and {} more", numbers.size() - kListed) : text;
}

CollectiveMatches matchCollectives(std::span<const RankRecord* const> ranks,
                                   std::span<const std::int64_t> numbers,
                                   std::span<const std::vector<std::uint32_t>> steps) {
    return Matcher(ranks, numbers, steps).match();
}

CollectiveKind collectiveKindOf(std::string_view name) {
    const std::string text = squeezed(name);
    const auto has = [&](std::string_view mark) { return text.find(mark) != std::string::npos; };
    for (const std::string_view mark : {"allreduce", "allgather", "reducescatter", "alltoall", "barrier"})
        if (has(mark)) return CollectiveKind::Symmetric;
    for (const std::string_view mark : {"send", "recv"})
        if (has(mark)) return CollectiveKind::PointToPoint;
    return CollectiveKind::Rooted;
}

std::int64_t elementBytes(std::string_view type) {
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 36> kTypes{
        {{"Float", 4},
         {"BFloat16", 2},
         {"Half", 2},
         {"Double", 8},
         {"Long", 8},
         {"Int", 4},
         {"Short", 2},
         {"Char", 1},
         {"Byte", 1},
         {"Bool", 1},
         {"Float8_e4m3fn", 1},
         {"Float8_e5m2", 1},
         {"ComplexFloat", 8},
         {"ComplexDouble", 16},
         {"UInt16", 2},
         {"UInt32", 4},
         {"UInt64", 8},
         {"float", 4},
         {"double", 8},
         {"long int", 8},
         {"long", 8},
         {"int", 4},
         {"short int", 2},
         {"short", 2},
         {"signed char", 1},
         {"char", 1},
         {"unsigned char", 1},
         {"bool", 1},
         {"c10::BFloat16", 2},
         {"c10::Half", 2},
         {"c10::Float8_e4m3fn", 1},
         {"c10::Float8_e5m2", 1},
         {"c10::complex<float>", 8},
         {"c10::complex<double>", 16},
         {"unsigned int", 4},
         {"unsigned long", 8}}};
    const auto found = std::ranges::find(kTypes, type, [](const auto& known) { return known.first; });
    return found == kTypes.end() ? 0 : found->second;
}

}  // namespace plumb::trace
