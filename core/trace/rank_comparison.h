// SPDX-License-Identifier: Apache-2.0
// Ranks of one job side by side: who arrives last at their collectives, who waits, and what the late ones do
// for longer. Each figure is as docs/trace.md defines it.
#pragma once

#include "core/trace/collective_match.h"
#include "core/trace/rank_clocks.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plumb::trace {

/// Where the number of a rank is from.
enum class RankSource : std::uint8_t { File, FileName, Order };
inline constexpr auto kRankSourceNames = enumNames<RankSource>(
    {{RankSource::File, "file"}, {RankSource::FileName, "file_name"}, {RankSource::Order, "order"}});

/// A rank's place in a collective.
struct RankArrival {
    std::uint32_t rank = 0;   ///< of RankComparison::ranks
    std::uint32_t slice = 0;  ///< of its trace
    Nanoseconds begin = 0;    ///< on the common clock
    Nanoseconds end = 0;
    Nanoseconds waited = 0;  ///< within it, before the last one came
};

struct ComparedCollective {
    std::string name;
    std::string group;                  ///< empty: not said
    std::int64_t sequence = -1;         ///< -1: matched by order
    std::string step;                   ///< of the rank that came last; empty: none
    std::optional<std::int64_t> bytes;  ///< that the last rank gave
    std::vector<RankArrival> arrivals;  ///< by begin
    Nanoseconds skew = 0;               ///< from the first one's begin to the last one's
    Nanoseconds lead = 0;               ///< from the second last one's begin to the last one's
    Nanoseconds waited = 0;             ///< by all
    /// Absent where a rank is missing, and where the two last ones are nearer than clocks tell.
    std::optional<std::uint32_t> last;

    [[nodiscard]] Nanoseconds begin() const { return arrivals.front().begin; }
};

/// A kernel on which a rank spends more time than others.
struct KernelExcess {
    std::string name;
    WorkSum sum;             ///< of this rank
    Nanoseconds others = 0;  ///< median time of the other ranks
    Nanoseconds excess = 0;  ///< sum.time - others, above 0
};

/// Figures of one rank, over the steps that all ranks have, or its whole trace where there are none.
struct RankFigures {
    std::int64_t rank = 0;
    RankSource source{};
    std::string file;
    std::int64_t lostEvents = 0;  ///< of the file
    RankClock clock;
    std::optional<Nanoseconds> stepTime;  ///< median of the common steps
    Nanoseconds busy = 0;
    Nanoseconds compute = 0;
    Nanoseconds communication = 0;
    Nanoseconds exposed = 0;
    std::int64_t collectives = 0;  ///< that it was in and in which nobody was missing
    Nanoseconds waited = 0;        ///< within them, before the last one came
    std::int64_t timesLast = 0;
    std::int64_t lateByHost = 0;        ///< of those: it launched only after all its earlier work had ended
    Nanoseconds delay = 0;              ///< sum of `lead` where it was last: what others lost by it alone
    Nanoseconds computeExcess = 0;      ///< compute - its median of the other ranks; may be below 0
    std::vector<KernelExcess> kernels;  ///< the largest excess first, at most kMostKernels
    static constexpr std::size_t kMostKernels = 20;
};

/// One step of all ranks.
struct ComparedStep {
    std::string name;
    std::vector<Nanoseconds> durations;  ///< by rank
    std::vector<Nanoseconds> busy;       ///< the same, as are
    std::vector<Nanoseconds> waited;
    std::vector<std::int64_t> timesLast;  ///< these
};

struct RankComparison {
    std::vector<RankFigures> ranks;  ///< by number
    std::vector<std::size_t> files;  ///< of each, its place among the records that were given
    std::optional<std::int64_t> worldSize;
    std::string backend;                          ///< of the first rank that says one
    std::vector<ComparedStep> steps;              ///< that all ranks have, in the order of the first one
    std::vector<ComparedCollective> collectives;  ///< of two ranks or more, by begin
    /// Ranks that held others up, those that were last most often first.
    std::vector<std::uint32_t> stragglers;
    std::vector<FoundInRanks> findings;
    std::int64_t moreFindings = 0;
    std::int64_t pointToPoint = 0;
    std::int64_t outsideOfRecording = 0;
    std::int64_t alone = 0;        ///< collectives of which only one rank's part is here
    std::int64_t unnumbered = 0;   ///< matched by step, name and order
    bool isOfWholeTraces = false;  ///< no step is common to all

    /// Collectives by skew, the greatest first, at most `most`.
    [[nodiscard]] std::vector<std::size_t> greatestSkews(std::size_t most) const;
    /// One sentence on who holds the others up and why, or that nobody does.
    [[nodiscard]] std::string verdict() const;
};

/// Pre: one record at least.
[[nodiscard]] RankComparison compareRanks(const std::vector<RankRecord>& records);

/// The number behind the last "rank" or "worker" of a file's name: 3 of "trace_rank-03.json"; empty without.
[[nodiscard]] std::optional<std::int64_t> rankOfFileName(std::string_view path);

}  // namespace plumb::trace
