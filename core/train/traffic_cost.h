// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/comm/comm_call.h"

#include <cstdint>

namespace plumb {

/// What a collective of a step cost.
struct TrafficCost {
    std::int32_t op = 0;
    CommBytes bytes;      ///< counted where they were posted
    Seconds seconds = 0;  ///< see Communicator::Cost
    Seconds ended = 0;    ///< when that was, by the clock of a CPU backend
    Seconds exposed = 0;  ///< of it what the step took to start it, and what an op had to wait
};

}  // namespace plumb
