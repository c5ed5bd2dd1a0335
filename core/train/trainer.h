// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/account/reading.h"
#include "core/engine/backend.h"
#include "core/io/snapshot.h"
#include "core/train/batch_source.h"
#include "core/train/loss_history.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace plumb {

/// What a training run reports while it goes on; called on the training thread, must return quickly.
class TrainingSink {
public:
    virtual ~TrainingSink() = default;
    virtual void onLoss(const LossPoint& point) = 0;      ///< every step
    virtual void onReading(const Reading& measured) = 0;  ///< every `readingInterval` seconds, and at the end
    /// The scale of every tensor: of the first step, then about every `readingInterval` seconds.
    virtual void onStatistics(const LayerStatistics& statistics) { (void)statistics; }
};

struct TrainOptions {
    std::int64_t steps = 0;         ///< 0: until stopped
    Seconds readingInterval = 0.5;  ///< at most one measured reading per interval
    std::int64_t warmUpSteps = 3;   ///< discarded from the measurement
    bool observe = false;           ///< look at the scale of the tensors now and then
    std::stop_token stop;
    std::function<bool()> waitWhilePaused;  ///< called between steps; blocks while paused, true to go on
};

struct TrainResult {
    TrainingSeries series;
    Reading measured;
    std::optional<Error> failure;  ///< divergence or NaN data: series and reading up to there are kept
};

/// The training loop, once, for every backend. Refuses a step that does not fit before allocating anything.
/// A loss that is not finite stops the run: RunFailed with the step, and whether the data holds the NaN (row
/// named) or the training diverged (remedy: a lower learning rate).
[[nodiscard]] Result<TrainResult> train(const RunConfig& config, Backend& backend,
                                        const TrainOptions& options, TrainingSink& sink);

/// Runs `steps` measured steps after a warm-up and returns the medians. Errors: those of train(), BadInput
/// for a number of steps below 1 or above 10^9.
[[nodiscard]] Result<TrainResult> profile(const RunConfig& config, Backend& backend, std::int64_t steps,
                                          std::stop_token stop,
                                          const std::function<void(std::int64_t done)>& progress);

}  // namespace plumb
