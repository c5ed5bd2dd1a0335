// SPDX-License-Identifier: Apache-2.0
#include "app/cli/rank_report.h"

#include "core/base/plain_text.h"
#include "core/base/quantity.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace plumb::cli {

namespace {

using nlohmann::json;
using trace::Nanoseconds;
using trace::RankComparison;
using trace::RankFigures;

constexpr std::string_view kNotSaid = "–";

using trace::timeText;
std::string timeText(const std::optional<Nanoseconds>& time) {
    return time ? timeText(*time) : std::string(kNotSaid);
}

template <class Value>
json orNull(const std::optional<Value>& value) {
    return value ? json(*value) : json();
}
json textOrNull(const std::string& text) { return text.empty() ? json() : json(text); }

std::string ranksHead(const RankComparison& comparison) {
    std::string text =
        fmt::format("{} rank{}", comparison.ranks.size(), comparison.ranks.size() == 1 ? "" : "s");
    if (comparison.worldSize) text += fmt::format(" of {}", *comparison.worldSize);
    if (!comparison.backend.empty()) text += fmt::format(" ({})", comparison.backend);
    text += comparison.isOfWholeTraces ? ", no step of all ranks: figures are of whole traces"
                                       : fmt::format(", {} step{} of all ranks", comparison.steps.size(),
                                                     comparison.steps.size() == 1 ? "" : "s");
    text += fmt::format(", {} collectives\n", comparison.collectives.size());
    for (const RankFigures& rank : comparison.ranks)
        if (rank.lostEvents > 0)
            text += fmt::format("  {} events of rank {} are lost\n", rank.lostEvents, rank.rank);
    return text;
}

std::string rankTable(const RankComparison& comparison) {
    Table table;
    table.add({"Rank", "step", "busy", "computes", "exposed comm.", "waited", "times last", "others lost",
               "clock", "give or take"});
    for (const RankFigures& rank : comparison.ranks)
        table.add({std::to_string(rank.rank), timeText(rank.stepTime), timeText(rank.busy),
                   timeText(rank.compute), timeText(rank.exposed), timeText(rank.waited),
                   fmt::format("{} of {}", rank.timesLast, rank.collectives), timeText(rank.delay),
                   rank.clock.isAligned ? timeText(rank.clock.shift) : "not aligned",
                   timeText(rank.clock.uncertainty)});
    return "\n" + table.text();
}

std::string skewTable(const RankComparison& comparison, std::int64_t top) {
    const std::vector<std::size_t> order = comparison.greatestSkews(static_cast<std::size_t>(top));
    if (order.empty()) return {};
    Table table(3);
    table.add({fmt::format("Collective ({} of {} by skew)", order.size(), comparison.collectives.size()),
               "group", "step", "number", "size", "skew", "last", "waited by all"});
    for (const std::size_t i : order) {
        const trace::ComparedCollective& one = comparison.collectives[i];
        table.add({plainLine(one.name, 40),
                   one.group.empty() ? std::string(kNotSaid) : plainLine(one.group, 40),
                   one.step.empty() ? std::string(kNotSaid) : plainLine(one.step, 24),
                   one.sequence < 0 ? std::string(kNotSaid) : std::to_string(one.sequence),
                   one.bytes ? bytesText(static_cast<double>(*one.bytes)) : std::string(kNotSaid),
                   timeText(one.skew),
                   one.last ? std::to_string(comparison.ranks[*one.last].rank) : std::string(kNotSaid),
                   timeText(one.waited)});
    }
    return "\n" + table.text();
}

std::string differenceText(const RankComparison& comparison, std::int64_t top) {
    std::string text;
    for (const std::uint32_t place : comparison.stragglers) {
        const RankFigures& rank = comparison.ranks[place];
        text +=
            fmt::format("\nRank {}: last {} times ({} by a late launch), computes {} {} than the others\n",
                        rank.rank, rank.timesLast, rank.lateByHost, timeText(std::abs(rank.computeExcess)),
                        rank.computeExcess < 0 ? "shorter" : "longer");
        if (rank.kernels.empty()) continue;
        Table table;
        table.add({"  kernel", "count", "time", "of others", "more"});
        const std::size_t most = std::min(rank.kernels.size(), static_cast<std::size_t>(top));
        for (const trace::KernelExcess& kernel : std::span(rank.kernels).first(most))
            table.add({"  " + plainLine(kernel.name, 60), std::to_string(kernel.sum.count),
                       timeText(kernel.sum.time), timeText(kernel.others), timeText(kernel.excess)});
        text += table.text();
    }
    return text;
}

std::string notesText(const RankComparison& comparison) {
    std::string text;
    for (const trace::FoundInRanks& found : comparison.findings) text += "  " + found.sentence + "\n";
    if (comparison.moreFindings > 0)
        text += fmt::format("  and {} more of these kinds\n", comparison.moreFindings);
    if (!text.empty()) text = "\nWhat does not fit together:\n" + text;
    std::string notes;
    if (comparison.unnumbered > 0)
        notes += fmt::format("{} collectives have no number in their group and are matched by order. ",
                             comparison.unnumbered);
    if (comparison.alone > 0) notes += fmt::format("{} are on one rank alone. ", comparison.alone);
    if (comparison.pointToPoint > 0)
        notes += fmt::format("{} sends and receives are not matched. ", comparison.pointToPoint);
    return text + "\n" + notes +
           "Clocks are joined by the ends of collectives: a collective is taken to end on all ranks at "
           "once.\n";
}

json clockJson(const trace::RankClock& clock) {
    return {{"shift_ns", clock.shift},
            {"uncertainty_ns", orNull(clock.uncertainty)},
            {"collectives", clock.collectives},
            {"aligned", clock.isAligned}};
}

json rankJson(const RankFigures& rank, std::int64_t top) {
    json kernels = json::array();
    const std::size_t most = std::min(rank.kernels.size(), static_cast<std::size_t>(top));
    for (const trace::KernelExcess& kernel : std::span(rank.kernels).first(most))
        kernels.push_back({{"name", kernel.name},
                           {"count", kernel.sum.count},
                           {"total_ns", kernel.sum.time},
                           {"others_ns", kernel.others},
                           {"excess_ns", kernel.excess}});
    return {{"rank", rank.rank},
            {"rank_from", trace::kRankSourceNames.name(rank.source)},
            {"file", rank.file},
            {"lost_events", rank.lostEvents},
            {"clock", clockJson(rank.clock)},
            {"step_ns", orNull(rank.stepTime)},
            {"busy_ns", rank.busy},
            {"compute_ns", rank.compute},
            {"communication_ns", rank.communication},
            {"exposed_communication_ns", rank.exposed},
            {"collectives", rank.collectives},
            {"waited_ns", rank.waited},
            {"times_last", rank.timesLast},
            {"late_by_host", rank.lateByHost},
            {"others_lost_ns", rank.delay},
            {"compute_excess_ns", rank.computeExcess},
            {"slower_kernels", std::move(kernels)}};
}

json collectiveJson(const RankComparison& comparison, const trace::ComparedCollective& one) {
    json arrivals = json::array();
    for (const trace::RankArrival& arrival : one.arrivals)
        arrivals.push_back({{"rank", comparison.ranks[arrival.rank].rank},
                            {"start_ns", arrival.begin},
                            {"duration_ns", arrival.end - arrival.begin},
                            {"waited_ns", arrival.waited}});
    return {{"name", one.name},
            {"group", textOrNull(one.group)},
            {"sequence", one.sequence < 0 ? json() : json(one.sequence)},
            {"step", textOrNull(one.step)},
            {"bytes", orNull(one.bytes)},
            {"skew_ns", one.skew},
            {"lead_ns", one.lead},
            {"waited_ns", one.waited},
            {"last", one.last ? json(comparison.ranks[*one.last].rank) : json()},
            {"arrivals", std::move(arrivals)}};
}

}  // namespace

std::string jsonOf(const RankComparison& comparison, std::int64_t top) {
    json ranks = json::array();
    for (const RankFigures& rank : comparison.ranks) ranks.push_back(rankJson(rank, top));
    json steps = json::array();
    for (const trace::ComparedStep& step : comparison.steps)
        steps.push_back({{"name", step.name},
                         {"duration_ns", step.durations},
                         {"busy_ns", step.busy},
                         {"waited_ns", step.waited},
                         {"times_last", step.timesLast}});
    json collectives = json::array();
    for (const std::size_t i : comparison.greatestSkews(static_cast<std::size_t>(top)))
        collectives.push_back(collectiveJson(comparison, comparison.collectives[i]));
    json stragglers = json::array();
    for (const std::uint32_t rank : comparison.stragglers) stragglers.push_back(comparison.ranks[rank].rank);
    json findings = json::array();
    for (const trace::FoundInRanks& found : comparison.findings)
        findings.push_back({{"kind", trace::kRankFindingNames.name(found.kind)},
                            {"ranks", found.ranks},
                            {"said", found.sentence}});
    const json document{{"format", "ranks"},
                        {"world_size", orNull(comparison.worldSize)},
                        {"backend", textOrNull(comparison.backend)},
                        {"verdict", comparison.verdict()},
                        {"ranks", std::move(ranks)},
                        {"stragglers", std::move(stragglers)},
                        {"steps", std::move(steps)},
                        {"of_whole_traces", comparison.isOfWholeTraces},
                        {"matched_collectives", comparison.collectives.size()},
                        {"top_collectives", std::move(collectives)},
                        {"matched_by_order", comparison.unnumbered},
                        {"on_one_rank_alone", comparison.alone},
                        {"point_to_point", comparison.pointToPoint},
                        {"outside_of_recording", comparison.outsideOfRecording},
                        {"findings", std::move(findings)},
                        {"more_findings", comparison.moreFindings}};
    return dumpJson(document, 1) + "\n";
}

std::string textOf(const RankComparison& comparison, std::int64_t top) {
    return ranksHead(comparison) + rankTable(comparison) + "\n" + comparison.verdict() + "\n" +
           differenceText(comparison, top) + skewTable(comparison, top) + notesText(comparison);
}

}  // namespace plumb::cli
