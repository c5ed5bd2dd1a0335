// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/chain_capacity.h"

namespace plumb {

/// The schedule with the fewest recomputed layers whose peak is within config.recompute.budgetBytes. Exact;
/// about 0.1 s for the hardest budgets of 512 layers, and next to nothing when it is asked again.
/// Errors: those of planStep(), and BadInput when no schedule fits, with the least possible peak, or when
/// there are more than kMostFitLayers layers and not all recomputation is of one level.
[[nodiscard]] Result<RecomputeSchedule> fitSchedule(const RunConfig& config, const BackendTraits& traits);

inline constexpr std::int64_t kMostFitLayers = 1024;

/// The least peak that any schedule reaches, whatever the policy of `config`; with one byte less `fit` is
/// refused. Errors: those of planStep(), and BadInput beyond kMostFitLayers.
[[nodiscard]] Result<Bytes> leastPeak(const RunConfig& config, const BackendTraits& traits);

/// Whether `fit` with config.recompute.budgetBytes finds a schedule; much faster than finding it.
[[nodiscard]] bool hasFitSchedule(const RunConfig& config, const BackendTraits& traits);

/// How many h a pass of `plan`, made with the policy None, has room for under `budget`: at each op what the
/// rest leaves, the least over the micro-batches, since all of them run the same schedule.
[[nodiscard]] ChainCapacity chainCapacity(const StepPlan& plan, Bytes budget);

}  // namespace plumb
