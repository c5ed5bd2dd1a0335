// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/batch_source.h"
#include "core/data/data_provenance.h"
#include "core/engine/backend.h"
#include "core/measure/loss_history.h"
#include "core/measure/reading.h"
#include "core/measure/training_series.h"
#include "core/measure/value_histogram.h"
#include "core/model/checkpoint_options.h"
#include "core/train/learned_weights.h"
#include "core/train/profiled_steps.h"
#include "core/train/rank_link.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace plumb {

/// A tensor of the training that somebody wants to look at: a role of statisticsRoleName() and a layer.
struct TensorRequest {
    std::int64_t id = 0;  ///< handed back with the answer
    TensorRole role = TensorRole::Weight;
    std::int32_t layer = 1;  ///< a weight of 0: the product of all
    std::string saveTo;      ///< write it there as .npy, or all weights as .safetensors; empty: nothing
};

/// What a training run reports while it goes on; called on the training thread, must return quickly.
class TrainingSink {
public:
    virtual ~TrainingSink() = default;
    virtual void onStep(const StepMetrics& point) = 0;  ///< every step
    /// Every `readingInterval` seconds, and at the end, then with the timeline.
    virtual void onReading(const Reading& measured) = 0;
    /// The scale of every tensor: of the first step, then about every `readingInterval` seconds.
    virtual void onStatistics(const LayerStatistics& statistics) { (void)statistics; }
    /// The loss over what is held out; see HoldOutHistory.
    virtual void onHoldOut(const HoldOutLoss& loss) { (void)loss; }
    /// The device while measured steps run, about every `sampleInterval` seconds; never of a backend that
    /// tells nothing of it.
    virtual void onDevice(const DeviceMoment& moment) { (void)moment; }
    /// A training checkpoint was written, or could not be; after the step during which that became known.
    virtual void onCheckpoint(const CheckpointReport& report) { (void)report; }
    /// The answer to TrainOptions::nextRequest, exactly one to each. Errors: BadInput for a tensor that the
    /// step does not have, RunFailed when the training ended before it was written.
    virtual void onTensor(std::int64_t id, const Result<TensorInspection>& inspection) {
        (void)id, (void)inspection;
    }
};

struct TrainOptions {
    std::int64_t steps = 0;  ///< steps of the whole training, also when it is resumed; 0: until stopped
    Seconds readingInterval = 0.5;  ///< at most one measured reading per interval
    std::int64_t warmUpSteps = 3;   ///< discarded from the measurement
    /// Time between two probes of the machine's speed (Backend::probeSpeed), between steps and some
    /// milliseconds each; 0: it is not probed. Never while steps are replayed.
    Seconds probeInterval = 2;
    /// Time between two samples of what the device tells of itself (DeviceTelemetry), between steps.
    Seconds sampleInterval = 0.5;
    /// Replay the steps of a backend that captures them, once their ops were measured a few times. Results
    /// then come a few steps late.
    bool replaySteps = true;
    bool statistics = true;    ///< look at the scale of the tensors now and then
    bool checksFit = true;     ///< refuse a step that is predicted not to fit; else the allocator decides
    bool keepWeights = false;  ///< hand the weights back at the end
    /// Keep when each op ran in the last steps that were timed op by op, for the reading at the end: where
    /// steps are replayed as a whole, those before the first of these.
    bool timeline = true;
    bool deviceActivity = false;  ///< the same by the device's own records, in further steps at the end
    std::optional<CounterDetail> counters;  ///< count every op in further steps, after those of the training
    ProfilingProgress countingProgress;     ///< progress of those steps
    CheckpointOptions checkpoints;          ///< none without a folder
    std::string resumeFrom;  ///< a checkpoint, or a folder whose newest is taken; empty: a new training
    std::stop_token stop;    ///< takes effect between two ops, as long as the step has changed nothing; see
                             ///< StepInterruption
    /// Called between steps; blocks while paused, true to go on. Calls `meanwhile` when requests have come.
    std::function<bool(const std::function<void()>& meanwhile)> waitWhilePaused;
    /// Asked between steps until it has none. A weight is looked at then and there, also while paused;
    /// anything else in the next step, one tensor a step.
    std::function<std::optional<TensorRequest>()> nextRequest;
    /// Set for one of several ranks, which take their steps together: rank 0 says when they end.
    const RankLink* ranks = nullptr;
    /// Makes the backend of another rank, where a configuration has several: they are then threads of this
    /// process. Empty: there is one rank. Called on the thread of the rank.
    std::function<Result<std::unique_ptr<Backend>>()> rankBackend = {};
    /// Set where this process is one of the ranks. Outlives the training.
    World* world = nullptr;
};

struct TrainResult {
    TrainingSeries series;
    Reading measured;
    std::optional<DataProvenance> data;  ///< what was read; empty for synthetic data
    LearnedWeights weights;              ///< after the last step; empty unless they were to be kept
    std::optional<Error> failure;        ///< divergence or NaN data: series and reading up to there are kept
    std::optional<Error> checkpointFailure;  ///< the newest; training goes on without
};

/// The training loop, once, for every backend and rank. Refuses a step that does not fit before allocating
/// anything. A loss that is not finite stops the run: RunFailed with the step, and whether the data holds the
/// NaN (row named) or the training diverged (remedy: a lower learning rate).
///
/// A resumed training goes on bit for bit: errors besides are those of TrainingCheckpoint, and BadInput when
/// its steps were all done. With checkpoints also those of CheckpointWriter::create(). The last state is
/// saved at the end and waited for, but not that of a training that failed.
[[nodiscard]] Result<TrainResult> train(const RunConfig& config, Backend& backend,
                                        const TrainOptions& options, TrainingSink& sink);

/// What a profile does besides timing.
struct ProfileExtras {
    std::optional<CounterDetail> counters;
    ProfilingProgress countingProgress;
    std::function<Result<std::unique_ptr<Backend>>()> rankBackend;  ///< as TrainOptions has it ...
    World* world = nullptr;                                         ///< ... and this
};

/// Runs `steps` measured steps after a warm-up and returns the medians, and the timeline of the last ones.
/// Errors: those of train(), BadInput for a number of steps below 1 or above 10^9.
/// Counters that were asked for and could not be read leave a reason in the reading.
[[nodiscard]] Result<TrainResult> profile(const RunConfig& config, Backend& backend, std::int64_t steps,
                                          std::stop_token stop,
                                          const std::function<void(std::int64_t done)>& progress,
                                          const ProfileExtras& extras = {});

}  // namespace plumb
