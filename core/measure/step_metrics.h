// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace plumb {

inline constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

/// What one training step was like. Unknown numbers are NaN.
struct StepMetrics {
    std::int64_t step = 0;           ///< 0-based
    double loss = 0;                 ///< loss of the weights before the update
    double seconds = 0;              ///< training time since the start, pauses left out
    double stepSeconds = kNotKnown;  ///< that the step took; not known of the first of the replayed steps
    /// Norm over all parameters, unscaled, before clipping; not known when the step was skipped.
    double gradientNorm = kNotKnown;
    double updateRatio = kNotKnown;  ///< norm of the update / norm of the weights before it; 0 when skipped
    double learningRate = kNotKnown;
    double lossScale = kNotKnown;  ///< in force in this step; fp16 only
    bool skipped = false;          ///< fp16: a value was not finite, nothing was updated
};

/// A number of a step, as messages, snapshots and tables name it.
struct StepMetric {
    std::string_view name;  ///< "step_seconds"
    std::string_view unit;  ///< "s"; empty: none
    double StepMetrics::*value;
    std::string_view about;      ///< for the schema of files, in which null is a number that is not known
    bool isAlwaysThere = false;  ///< in files of every version
};
/// All of them beside the number of the step, in the order of tables.
inline constexpr std::array kStepMetrics{
    StepMetric{"loss", "", &StepMetrics::loss, "null is one that is not finite: the run diverged there",
               true},
    StepMetric{"seconds", "s", &StepMetrics::seconds, "Training time since the start, pauses left out", true},
    StepMetric{"step_seconds", "s", &StepMetrics::stepSeconds, "Of this step alone"},
    StepMetric{"gradient_norm", "", &StepMetrics::gradientNorm,
               "Of all parameters together, unscaled, before clipping; null for a skipped step"},
    StepMetric{"update_ratio", "", &StepMetrics::updateRatio,
               "Norm of the update / norm of the weights before it"},
    StepMetric{"learning_rate", "", &StepMetrics::learningRate, "In force in this step"},
    StepMetric{"loss_scale", "", &StepMetrics::lossScale, "fp16 only: in force in this step"}};

/// Whether the numbers of a step say that it was skipped, for messages and files, which hold nothing else:
/// where the loss is scaled, only a skipped step has no gradient norm.
[[nodiscard]] inline bool looksSkipped(const StepMetrics& step) {
    return !std::isnan(step.lossScale) && std::isnan(step.gradientNorm);
}

}  // namespace plumb
