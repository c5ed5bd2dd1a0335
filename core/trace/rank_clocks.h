// SPDX-License-Identifier: Apache-2.0
// One clock for several ranks: a collective in which all ranks give and get ends on all of them at about the
// same time, whatever their clocks say.
#pragma once

#include "core/trace/collective_match.h"

#include <optional>
#include <span>
#include <vector>

namespace plumb::trace {

/// How times of one rank become times of the first rank's clock.
struct RankClock {
    Nanoseconds shift = 0;  ///< to be added
    /// 90 % of the collectives that it was made from end within this of the others once it is added: jitter
    /// of ends and drift of clocks alike. Absent where fewer than three say anything.
    std::optional<Nanoseconds> uncertainty;
    std::int64_t collectives = 0;  ///< that it was made from
    bool isAligned = false;  ///< by collectives; else by absolute times, or by the first slice of each file
};

/// Clocks for all ranks; the first one's is the reference.
///
/// A rank's shift is the median, over the symmetric collectives that it shares with ranks whose clocks are
/// known, of how much later those saw their ends (the middle one of them). Ranks that share none with those
/// come after others that do; their uncertainty has that of the ranks between in it.
[[nodiscard]] std::vector<RankClock> alignClocks(std::span<const RankRecord* const> ranks,
                                                 std::span<const MatchedCollective> collectives);

}  // namespace plumb::trace
