// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/comm/world.h"
#include "core/train/trainer.h"

namespace plumb {

/// The part of one rank in a training of several, from its first word to its last: every rank of `world`
/// calls it with the same configuration. Only rank 0 is told by its sink, writes checkpoints, is stopped from
/// outside and asked for tensors; of what `options` say the others do what a step needs. The reading of
/// rank 0 has those of all.
///
/// What fails on one rank ends all of them. Errors: as train(), of another rank with its number; BadInput
/// where ranks were given different configurations.
/// Pre: `world` has as many ranks as `config`, or it is refused on all of them.
[[nodiscard]] Result<TrainResult> trainAsRank(World& world, const RunConfig& config, Backend& backend,
                                              const TrainOptions& options, TrainingSink& sink);

}  // namespace plumb
