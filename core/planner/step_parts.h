// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/step_time.h"

#include <array>
#include <string_view>

namespace plumb::planner {

/// One of the five parts whose sum is the time of a step.
struct StepPart {
    std::string_view key;    ///< in JSON
    std::string_view label;  ///< for people
    double StepTime::*seconds;
};
inline constexpr std::array kStepParts{
    StepPart{"compute", "compute", &StepTime::compute},
    StepPart{"recomputation", "recomputation", &StepTime::recomputed},
    StepPart{"optimizer", "optimizer", &StepTime::update},
    StepPart{"communication", "exposed communication", &StepTime::communication},
    StepPart{"bubble", "pipeline bubble", &StepTime::bubble},
    StepPart{"waiting", "waiting for the slowest node", &StepTime::waiting}};

}  // namespace plumb::planner
