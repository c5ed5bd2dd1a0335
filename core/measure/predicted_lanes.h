// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/machine.h"
#include "core/measure/step_lanes.h"

#include <optional>
#include <vector>

namespace plumb {

/// What a rank does when, in both lanes, as it is predicted.
struct StepLanesTold {
    Seconds seconds = 0;  ///< of the step
    std::vector<LaneStretch> stretches;
};

/// The schedule that the predicted time of a step of several ranks comes from. Absent where predict() has no
/// time of it.
[[nodiscard]] std::optional<StepLanesTold> predictedLanes(const StepPlan& plan, const Machine& machine);

}  // namespace plumb
