// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/checkpoint_schedule.h"

namespace plumb {

/// The schedule with the fewest recomputed layers whose peak is within config.checkpoint.budgetBytes.
/// Errors: BadInput with the least possible peak when no schedule fits.
[[nodiscard]] Result<CheckpointSchedule> fitSchedule(const RunConfig& config, const BackendTraits& traits);

}  // namespace plumb
