// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/batch_source.h"
#include "core/train/checkpoint_writer.h"
#include "core/train/executor.h"
#include "core/train/trainer.h"

#include <cstdint>
#include <memory>
#include <string>

namespace plumb {

/// What a training is made of, as openTraining() leaves it: ready for its next step.
struct TrainingParts {
    std::shared_ptr<const StepPlan> plan;
    std::unique_ptr<BatchSource> source;
    std::unique_ptr<Executor> executor;
    std::unique_ptr<CheckpointWriter> checkpoints;  ///< null: none are written
    Seconds trained = 0;                            ///< before this session ...
    std::int64_t skipped = 0;                       ///< ... and its steps that updated nothing
    std::string movedData;                          ///< movedData() of a resumed one
};

/// Makes everything that a run needs in the order in which things can be refused: the configuration, the
/// memory, the data, and only then the first allocation. The backend outlives it. Errors: see train().
[[nodiscard]] Result<TrainingParts> openTraining(const RunConfig& config, Backend& backend,
                                                 const TrainOptions& options);

}  // namespace plumb
