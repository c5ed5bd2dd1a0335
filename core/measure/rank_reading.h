// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/machine/target.h"
#include "core/plan/step.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace plumb {

/// What a step costs one of its ranks: predicted or measured, as the reading that it is part of.
struct RankReading {
    std::int64_t rank = 0;
    Bytes peakBytes = 0;             ///< most memory at one op ...
    CategoryBytes atPeak{};          ///< ... and what for; nothing in files that do not say it
    Bytes sentBytes = 0;             ///< to other ranks in one step ...
    Bytes receivedBytes = 0;         ///< ... and from them
    std::optional<Seconds> seconds;  ///< of one step, the median
    std::optional<Seconds> waited;   ///< of these, until what was on its way had come; the median
    bool operator==(const RankReading&) const = default;
};

/// Most ranks that a reading tells one by one.
inline constexpr std::int64_t kMostToldRanks = 256;

/// What the plans of all ranks say, by rank; none where there is one, or more than kMostToldRanks.
/// Errors: those of planStep().
[[nodiscard]] Result<std::vector<RankReading>> predictedRanks(const RunConfig& config, const Target& target);

}  // namespace plumb
