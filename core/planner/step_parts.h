// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/step_time.h"

#include <array>
#include <string_view>

namespace plumb::planner {

/// One of the parts whose sum is the time of a step.
struct StepPart {
    std::string_view key;    ///< in JSON
    std::string_view label;  ///< for people
    std::string_view how;    ///< what it is worked out from
    double StepTime::*seconds;
};
inline constexpr std::array kStepParts{
    StepPart{"compute", "compute", "rooflines of the operations, forward and backward", &StepTime::compute},
    StepPart{"recomputation", "recomputation", "forward operations that run again", &StepTime::recomputed},
    StepPart{"optimizer", "optimizer", "bytes of gradients, weights and states over bandwidth",
             &StepTime::update},
    StepPart{"communication", "exposed communication", "traffic that computation does not hide",
             &StepTime::communication},
    StepPart{"bubble", "pipeline bubble", "(p - 1) / (v · m) of the time of the micro-batches",
             &StepTime::bubble},
    StepPart{"waiting", "waiting", "for the slowest of many nodes", &StepTime::waiting}};

}  // namespace plumb::planner
