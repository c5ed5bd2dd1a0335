// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/layer_statistics.h"
#include "core/measure/loss_history.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plumb {

/// The loss over all samples that are held out, with the weights before this step (steps done: the last
/// ones).
struct HoldOutLoss {
    std::int64_t step = 0;
    double loss = 0;
    bool operator==(const HoldOutLoss&) const = default;
};

/// The loss curve and its companions, decimated with extremes kept (see LossHistory); equal lengths.
struct TrainingSeries {
    std::vector<std::int64_t> step;
    std::vector<double> loss;
    std::vector<double> seconds;  ///< wall time since the start of training, pauses left out
    // As in LossPoint; not a number where it is not known. All empty in files of the first version.
    std::vector<double> stepSeconds;
    std::vector<double> gradientNorm;
    std::vector<double> updateRatio;
    std::vector<double> learningRate;
    std::vector<double> lossScale;
    std::optional<LayerStatistics> firstScales;  ///< tensor statistics of the first and of the newest ...
    std::optional<LayerStatistics> lastScales;   ///< ... observed step
    std::vector<HoldOutLoss> holdOut;            ///< empty where nothing is held out
    std::int64_t skippedSteps = 0;               ///< fp16: of stepsDone, those that updated nothing
    std::int64_t stepsDone = 0;
    std::string outcome;  ///< "finished", "stopped", "diverged at step 12: ...", "engine died ..."
};

/// The points as the columns of a series; everything else of it is the caller's.
[[nodiscard]] TrainingSeries seriesOf(const std::vector<LossPoint>& points);
/// The way back; what a file does not hold is not a number.
[[nodiscard]] std::vector<LossPoint> pointsOf(const TrainingSeries& series);

}  // namespace plumb
