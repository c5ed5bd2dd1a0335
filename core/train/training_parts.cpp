// SPDX-License-Identifier: Apache-2.0
#include "core/train/training_parts.h"

#include "core/train/training_checkpoint.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

namespace plumb {

namespace {

Result<TrainingCheckpoint> openCheckpoint(const TrainOptions& options, const StepPlan& plan,
                                          const std::vector<DataFingerprint>& data) {
    PLUMB_TRY(TrainingCheckpoint checkpoint, TrainingCheckpoint::open(options.resumeFrom));
    PLUMB_CHECK(checkpoint.check(plan));
    PLUMB_CHECK(checkpoint.checkData(data));
    if (options.steps > 0 && checkpoint.info().step >= options.steps)
        return Error{ErrorCode::BadInput,
                     fmt::format("nothing is left to train: {} holds {} steps, and {} were asked for",
                                 checkpoint.path(), checkpoint.info().step, options.steps),
                     "ask for more steps; those before it count"};
    return checkpoint;
}

}  // namespace

Result<TrainingParts> openTraining(const RunConfig& config, Backend& backend, const TrainOptions& options) {
    TrainingParts parts;
    if (config.parallel.ranks() > 1 && options.ranks == nullptr)
        return Error{
            ErrorCode::BadInput,
            fmt::format("this runs on one rank, and the step is that of {}", config.parallel.ranks()),
            config.parallel.tensor == 1 ? "use data-parallel 1, or train on the CPU"
                                        : "use data-parallel 1 and tensor 1, or train on the CPU"};
    PLUMB_TRY(StepPlan plan,
              planStep(config, backend.traits(), options.ranks != nullptr ? options.ranks->place : Place{}));
    if (options.checksFit && backend.machine().memoryBytes)
        PLUMB_CHECK(checkFits(plan, *backend.machine().memoryBytes));
    PLUMB_TRY(parts.source, openData(config));
    parts.plan = std::make_shared<const StepPlan>(std::move(plan));
    std::optional<TrainingCheckpoint> resumed;
    std::vector<DataFingerprint> data;
    if (!options.resumeFrom.empty() || !options.checkpoints.folder.empty()) {
        PLUMB_TRY(data, dataFingerprints(config));
    }
    if (!options.resumeFrom.empty()) {
        PLUMB_TRY(resumed, openCheckpoint(options, *parts.plan, data));
        if (const auto& then = resumed->info().data) parts.movedData = movedData(*then, data);
    }
    PLUMB_TRY(parts.executor, Executor::create(parts.plan, backend, parts.source.get(), options.ranks));
    // Ranks stop between two steps, all at the same.
    if (options.ranks == nullptr) parts.executor->interruption().setStop(options.stop);
    parts.executor->timing().setKeepsTimeline(options.timeline);
    if (resumed) {
        PLUMB_CHECK(resumed->restore(*parts.executor));
        parts.trained = resumed->info().trainedSeconds;
        PLUMB_TRY(parts.skipped, resumed->skippedSteps());
    }
    if (!options.checkpoints.folder.empty()) {
        PLUMB_TRY(parts.checkpoints,
                  CheckpointWriter::create(options.checkpoints, parts.plan, resumed ? &*resumed : nullptr,
                                           std::move(data)));
    }
    return parts;
}

}  // namespace plumb
