// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/reading.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace plumb {

/// What the ops of one phase take together; absent where it is not known of one of them.
struct PhaseSummary {
    Phase phase{};
    std::int64_t ops = 0;
    std::optional<Flops> flops;
    std::optional<Bytes> bytes;
    std::optional<Seconds> seconds;
};

/// The phases that have ops, in the order of a step.
[[nodiscard]] std::vector<PhaseSummary> summarisePhases(const Reading& reading);

/// Median of |measured / predicted - 1| over the ops of which both are known; absent when there is none. Both
/// readings are of one step.
[[nodiscard]] std::optional<double> medianOpError(const Reading& predicted, const Reading& measured);

}  // namespace plumb
