// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/train/trainer.h"

namespace plumb {

/// train() on ranks that are threads of this process: rank 0 on the calling one with `backend`, every other
/// one with a backend of its own (TrainOptions::rankBackend). The sink hears of rank 0, which alone writes
/// checkpoints and is asked for tensors.
///
/// What fails on one rank ends all of them. Errors: as train(), of another rank with its number.
/// Pre: `config` has more than one rank.
[[nodiscard]] Result<TrainResult> trainOnThreads(const RunConfig& config, Backend& backend,
                                                 const TrainOptions& options, TrainingSink& sink);

}  // namespace plumb
