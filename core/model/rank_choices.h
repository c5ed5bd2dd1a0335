// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/run_config.h"

#include <cstdint>
#include <vector>

namespace plumb {

/// The configuration with so many ranks: those that divide matrices stay where their number divides this one,
/// and the others share the batch. A micro-batch that the part of a rank does not
/// hold becomes the largest one that divides both; one that was all of the part stays so. One
/// rank has nobody to share its states with.
[[nodiscard]] RunConfig withRanks(RunConfig config, std::int64_t ranks);

/// Numbers of ranks that can share its batch, from 1 on, by size; each stands for as many as divide matrices.
[[nodiscard]] std::vector<std::int64_t> rankCounts(const RunConfig& config);

}  // namespace plumb
