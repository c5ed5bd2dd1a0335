// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace_links.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plumb::trace {

/// A rank's trace and where it goes.
struct RankPart {
    Trace trace;
    std::int64_t rank = 0;
    Nanoseconds shift = 0;  ///< is added to its times
};

/// The traces of several ranks as one.
struct MergedRanks {
    Trace trace;
    std::vector<std::size_t> firstSlices;  ///< of each part: its slice 0 among all
};

/// One trace with the tracks of all parts, part after part, on one clock; each track says its rank.
/// Correlations and sequence numbers join within a rank alone, and each part's memory is given back as it is
/// taken. Losses of the files add up; what stands around the events is that of the first part, but for
/// the devices, which are those of all. Pre: one part
/// at least.
[[nodiscard]] MergedRanks mergeRanks(std::vector<RankPart> parts);

/// Leaves the steps of one rank: those of all lie over each other.
void keepStepsOf(std::int64_t rank, const Trace& trace, TraceLinks& links);

}  // namespace plumb::trace
