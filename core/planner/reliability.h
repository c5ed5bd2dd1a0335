// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/answer.h"

namespace plumb::planner {

// Answers about failures; `out` null: the value alone. Errors: those of evaluate().

/// Seconds of writing a checkpoint, by all devices at once; the storage takes no more than it does of all.
[[nodiscard]] Result<double> checkpointSeconds(const Scenario& scenario, Explanation* out);
/// Share of wall time that failures, restarts and checkpoints leave.
[[nodiscard]] Result<double> expectedGoodput(const Scenario& scenario, Explanation* out);

}  // namespace plumb::planner
