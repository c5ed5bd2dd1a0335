// SPDX-License-Identifier: Apache-2.0
// What the last block of the optimizer does for the step as a whole, and the tick before the next one.
#pragma once

#include "kernels/cuda/bodies/loss_body.h"
#include "kernels/cuda/bodies/parameters.h"

namespace plumb::cuda {

PLUMB_BODY bool skipsUpdate(const Controls& controls) {
    return controls.lossScale != nullptr && controls.lossScale[kLossScaleNotFinite] != 0;
}
PLUMB_BODY float updateFactor(const OptimizerArguments& a) {
#ifdef __CUDACC__
    const double norm = a.clipNorm > 0 ? sqrt(a.controls.loss[kLossGradientSquares]) : 0;
#else
    const double norm = a.clipNorm > 0 ? __builtin_sqrt(a.controls.loss[kLossGradientSquares]) : 0;
#endif
    return common::gradientFactor(a.controls.lossScale, a.clipNorm, norm);
}
PLUMB_BODY float* scalesRow(const OptimizerArguments& a, SlotKind kind, Index layer) {
    return a.controls.scales + slotOf(a.parameters, kind, layer) * kScalesColumns;
}
/// Whether the weights are looked at: for statistics, or for the next scale of fp8.
PLUMB_BODY bool talliesWeights(const OptimizerArguments& a) {
    return a.writesStatistics || common::isFp8(a.parameters.weight);
}

/// The scales of all tensors but the weights, from the amaxes that were seen.
template <class Block>
PLUMB_BODY void setScales(Block& block, const OptimizerArguments& a) {
    const Index layers = a.parameters.layers;
    block.forThreads([&](int thread) {
        for (Index layer = thread; layer <= layers + 1; layer += kThreads) {
            // The head's row stays empty; without a head the last one is the last layer's.
            if (common::isFp8(a.activations)) {
                float* row = scalesRow(a, SlotKind::Activation, layer);
                *row = common::fp8NextScale(a.activations, row);
            }
            if (common::isFp8(a.activationGradients)) {
                float* row = scalesRow(a, SlotKind::ActivationGradient, layer);
                *row = common::fp8NextScale(a.activationGradients, row);
            }
        }
    });
}

/// Sets the norms, the loss scale and the fp8 scales, writes the ring and counts the step. By the last block;
/// for every weight matrix report(matrix) has been called before.
template <class Block>
PLUMB_BODY void endStep(Block& block, const OptimizerArguments& a, bool skipped, const StepSums& squares) {
    const Controls& c = a.controls;
    takeAmaxes(block, a.seen);
    if (c.scales != nullptr && !skipped) setScales(block, a);
    if (c.inverses != nullptr)
        block.forThreads([&](int thread) {
            for (Index slot = thread; slot < slotsOf(a.parameters); slot += kThreads) {
                const float scale = c.scales[slot * kScalesColumns];
                c.inverses[slot] = scale > 0 ? 1 / scale : 1;
            }
        });
    block.forThreads([&](int thread) {
        if (thread != 0) return;
        const double lossScale = c.lossScale == nullptr ? 1 : c.lossScale[kLossScaleValue];
        if (skipped) {
            common::backOff(c.lossScale, a.backoff);
            c.loss[kLossGradientSquares] = notANumber();
            c.loss[kLossUpdateSquares] = 0;
            c.loss[kLossWeightSquares] = 0;
        } else {
            // With clipping the norm before it has been written.
            if (a.clipNorm <= 0) c.loss[kLossGradientSquares] = squares.gradient;
            c.loss[kLossUpdateSquares] = squares.update;
            c.loss[kLossWeightSquares] = squares.parameter;
            if (c.lossScale != nullptr) common::countGoodStep(c.lossScale, a.growth, a.interval);
        }
        const std::int64_t step = c.state->step;
        if (a.ring != nullptr) {
            StepResult& result = a.ring[step % a.ringSize];
            result.loss = c.loss[kLossValue];
            result.gradientSquares = c.loss[kLossGradientSquares];
            result.updateSquares = c.loss[kLossUpdateSquares];
            result.weightSquares = c.loss[kLossWeightSquares];
            result.learningRate = c.state->learningRate;
            result.lossScale = lossScale;
            result.skipped = skipped ? 1 : 0;
            block.publish();
            result.step = step;
        }
        if (a.advances) c.state->step = step + 1;
    });
}

struct TickBody {
    using Arguments = TickArguments;
    struct Shared {};
    static Index blocks(const TickArguments& /*a*/) { return 1; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& /*shared*/, const Arguments& a) {
        block.waitForEarlier();
        block.forThreads([&](int thread) {
            if (thread != 0) return;
            StepState& state = *a.controls.state;
            if (a.step >= 0) state.step = a.step;
            state.learningRate = a.rateGiven ? a.learningRate : rateAt(*a.schedule, state.step);
            state.update = a.update > 0 ? a.update : state.step + 1;
            // Steps that were skipped are no updates.
            if (a.controls.lossScale != nullptr)
                state.update = static_cast<std::int64_t>(a.controls.lossScale[kLossScaleGoodSteps]) + 1;
            if (a.settings.kind == common::RuleSettings::Kind::Adafactor)
                state.adafactor = common::adafactorConstantsAt(a.settings, state.learningRate, state.update);
            else
                state.rule = common::ruleConstantsAt(a.settings, state.learningRate, state.update);
        });
    }
};

}  // namespace plumb::cuda
