// SPDX-License-Identifier: Apache-2.0
// Which collectives of several ranks are one and the same.
#pragma once

#include "core/base/enum_names.h"
#include "core/trace/rank_record.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::trace {

/// What does not fit together in the traces of several ranks.
enum class RankFinding : std::uint8_t {
    MissingRank,        ///< the job has ranks of which no trace is here
    RepeatedRank,       ///< two files are of one rank: the second is left out
    DifferentJobs,      ///< the files say different world sizes
    UnequalSteps,       ///< steps that not all ranks have
    MissingCollective,  ///< a rank lacks one in the midst of what it recorded
    UnequalCollective,  ///< at one number of a group ranks call different collectives or element types
    UnequalSizes,       ///< ranks give or get different numbers of elements where they must not
    UnequalCounts,      ///< ranks have different numbers of a collective that has no number in its group
    UnalignedClock      ///< no collective joins the rank's clock with the others
};
inline constexpr auto kRankFindingNames =
    enumNames<RankFinding>({{RankFinding::MissingRank, "missing_rank"},
                            {RankFinding::RepeatedRank, "repeated_rank"},
                            {RankFinding::DifferentJobs, "different_jobs"},
                            {RankFinding::UnequalSteps, "unequal_steps"},
                            {RankFinding::MissingCollective, "missing_collective"},
                            {RankFinding::UnequalCollective, "unequal_collective"},
                            {RankFinding::UnequalSizes, "unequal_sizes"},
                            {RankFinding::UnequalCounts, "unequal_counts"},
                            {RankFinding::UnalignedClock, "unaligned_clock"}});

struct FoundInRanks {
    RankFinding kind{};
    std::vector<std::int64_t> ranks;  ///< those that it is about
    std::string sentence;
};

/// A rank's part in a collective.
struct CollectivePart {
    std::uint32_t rank = 0;   ///< index among the ranks that are compared
    std::uint32_t entry = 0;  ///< of RankRecord::collectives
};

/// One collective with all of its parts that were found.
struct MatchedCollective {
    std::vector<CollectivePart> parts;  ///< by rank, at least one
    bool isWhole = false;    ///< no rank of its group whose trace is here lacks it, and all say the same
    bool isMessage = false;  ///< a send and its receive
};

/// "rank 3", "ranks 0, 1", of many the first eight.
[[nodiscard]] std::string rankNames(std::span<const std::int64_t> numbers);

struct CollectiveMatches {
    std::vector<MatchedCollective> collectives;
    std::vector<FoundInRanks> findings;   ///< at most kMostFindings of each kind
    std::int64_t moreFindings = 0;        ///< beyond them
    std::int64_t pointToPoint = 0;        ///< sends and receives that are not matched
    std::int64_t outsideOfRecording = 0;  ///< on one rank before or behind what another one recorded
    static constexpr std::int64_t kMostFindings = 100;
};

/// Matches by group and number in the group; what has no number by step, name and order within the step.
/// A send and its receive by group, both ranks, step and order.
/// `steps` has for each rank the number that its steps have in common with those of others (kNoStep: none).
[[nodiscard]] CollectiveMatches matchCollectives(std::span<const RankRecord* const> ranks,
                                                 std::span<const std::int64_t> numbers,
                                                 std::span<const std::vector<std::uint32_t>> steps);

/// What a collective does, by its name or that of its kernel.
enum class CollectiveKind : std::uint8_t { Symmetric, Rooted, PointToPoint };
/// Symmetric ones end on no rank before all have arrived; of rooted ones (broadcast, reduce, gather, scatter)
/// some ranks may leave early.
[[nodiscard]] CollectiveKind collectiveKindOf(std::string_view name);
/// Bytes of an element type as PyTorch calls it ("BFloat16", "float"); 0 where it is none that is known.
[[nodiscard]] std::int64_t elementBytes(std::string_view type);

}  // namespace plumb::trace
