// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/loss_history.h"

#include <cstdint>
#include <optional>

namespace plumb {

/// What is wrong with a loss that no longer falls but runs away.
struct Divergence {
    enum class Kind : std::uint8_t {
        NotFinite,  ///< a loss is infinite or not a number
        Rising,     ///< the newest losses lie far above those before
    };
    Kind kind = Kind::NotFinite;
    std::int64_t step = 0;      ///< NotFinite: the first such step; Rising: where the losses were lowest
    double newest = 0;          ///< Rising: mean of the newest stretch ...
    double lowest = 0;          ///< ... and of the lowest
    bool isAboveStart = false;  ///< Rising: also above the first losses: all that was learned is gone
};

/// Where the rule cuts a run and what it calls a rise.
struct DivergenceRule {
    static constexpr std::size_t kStretches = 20;  ///< of equally many losses
    static constexpr std::size_t kRisen = 3;       ///< so many of the newest stretches have to lie above ...
    static constexpr double kAboveLowest = 3;      ///< ... this many times the lowest stretch before them ...
    static constexpr double kAboveFirst = 1.5;     ///< ... or this many times the first one ...
    static constexpr double kAboveBegun = 10;  ///< ... or each of their losses this many times that of step 1
    static constexpr std::int64_t kLeastLosses = 60;  ///< fewer say nothing about a rise
};

/// Whether a training diverges. A loss that is not finite says so at once, unless its step was skipped, as
/// those are whose values do not fit in fp16. A rise has to last: the mean loss of each of the newest three
/// twentieths of the run lies above 3 times that of the lowest twentieth before them, or above 1.5 times that
/// of the first; or, where the run blew up within the first, each single loss in them lies above 10 times
/// that of the first step. One spike, however high, raises one twentieth and is none.
[[nodiscard]] std::optional<Divergence> findDivergence(const LossHistory& history);

}  // namespace plumb
