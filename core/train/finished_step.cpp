// SPDX-License-Identifier: Apache-2.0
#include "core/train/finished_step.h"

#include "core/plan/control_tensors.h"

#include <array>
#include <cmath>
#include <span>

namespace plumb {

Result<LossScaleState> readLossScale(const StepPlan& plan, const StepTensors& tensors) {
    if (plan.lossScale < 0) return LossScaleState{};
    std::array<double, kLossScaleColumns> columns{};
    PLUMB_CHECK(tensors.download(plan.lossScale, std::as_writable_bytes(std::span(columns))));
    return LossScaleState{columns[kLossScaleValue], columns[kLossScaleSkipped]};
}

StepMetrics metricsOf(const StepPlan& plan, const FinishedStep& done) {
    StepMetrics metrics{
        .step = done.step, .loss = done.loss, .stepSeconds = done.seconds.value_or(kNotKnown)};
    if (plan.lossScale >= 0) metrics.lossScale = done.lossScale;
    metrics.skipped = done.skipped;
    if (done.skipped) {
        metrics.updateRatio = 0;
        return metrics;
    }
    metrics.gradientNorm = std::sqrt(done.gradientSquares);
    metrics.updateRatio = std::sqrt(done.updateSquares / done.weightSquares);
    // A ReLU of a matrix library turns what is not a number into 0: behind weights that are lost the loss may
    // look like one.
    if (std::isnan(done.weightSquares)) metrics.loss = kNotKnown;
    return metrics;
}

Result<StepMetrics> readMetrics(const StepPlan& plan, const StepTensors& tensors, std::int64_t step,
                                const LossScaleState& before) {
    std::array<double, kLossColumns> numbers{};
    PLUMB_CHECK(tensors.download(plan.loss, std::as_writable_bytes(std::span(numbers))));
    PLUMB_TRY(const LossScaleState after, readLossScale(plan, tensors));
    FinishedStep done{.step = step,
                      .loss = numbers[kLossValue],
                      .gradientSquares = numbers[kLossGradientSquares],
                      .updateSquares = numbers[kLossUpdateSquares],
                      .weightSquares = numbers[kLossWeightSquares],
                      .lossScale = before.scale,
                      .skipped = after.skippedSteps > before.skippedSteps};
    return metricsOf(plan, done);
}

}  // namespace plumb
