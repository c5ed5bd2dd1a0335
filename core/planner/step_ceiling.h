// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/mfu_judgement.h"
#include "core/planner/scenario.h"

#include <string>
#include <vector>

namespace plumb::planner {

/// The highest MFU of a step by the ceilings of devices and links alone, and what keeps it from the peak;
/// what is assumed of overlap, imbalance and launches stays. Errors: those of stepTime().
[[nodiscard]] Result<MfuCeiling> stepCeiling(const Scenario& scenario);

/// Sentences without a full stop that judge this MFU of `scenario`, without the masked pairs that MFU counts
/// and no kernel executes: see plumb::judgeMfu(). What a step of this size allows only where the step is
/// described well enough; what was published at the end.
[[nodiscard]] std::vector<std::string> judgeStepMfu(const Scenario& scenario, double mfu);

}  // namespace plumb::planner
