// SPDX-License-Identifier: Apache-2.0
// How the loss scale of fp16 and the scales of fp8 go from step to step.
#pragma once

#include "core/plan/control_tensors.h"
#include "kernels/common/formats.h"

#include <cstdint>

namespace plumb::common {

/// The largest finite number of an fp8 format.
[[nodiscard]] PLUMB_COMMON float largestFp8(Storage storage) {
    return storage == Storage::Fp8E4M3 ? 448.0F : 57344.0F;
}
[[nodiscard]] PLUMB_COMMON bool isFp8(Storage storage) {
    return storage == Storage::Fp8E4M3 || storage == Storage::Fp8E5M2;
}

/// The scale under which `amax` is the largest number that the format holds; `otherwise` when there is
/// none: `amax` is 0, or so small or so large that the scale is not a finite number above 0.
[[nodiscard]] PLUMB_COMMON float fp8Scale(Storage storage, float amax, float otherwise = 1) {
    const float scale = largestFp8(storage) / amax;
    return amax > 0 && scale > 0 && (bitsOf(scale) & kMagnitude) < kInfinity ? scale : otherwise;
}

/// The first scale of a tensor that one micro-batch after the other makes, from the amax of the
/// first: what follows in the step is stored with it too, and may be larger. It leaves room for numbers 16
/// times as large in E4M3 (features, activations) and 256 times in E5M2 (gradients, which are as small as the
/// error of the few samples that were seen). A power of two, so that the same number is rounded alike with
/// whatever first micro-batch, unless it is subnormal. 1 where fp8Scale() has none.
[[nodiscard]] PLUMB_COMMON float fp8FirstScale(Storage storage, float amax) {
    const float margin = storage == Storage::Fp8E4M3 ? 16.0F : 256.0F;
    const float scale = largestFp8(storage) / margin / amax;
    const std::int32_t exponent = bitsOf(scale) & kInfinity;
    return amax > 0 && exponent != 0 && exponent != kInfinity ? floatOf(exponent) : 1;
}

/// The scale of the next step, from a tensor's row of Scales: that under which the amax of the last steps
/// is just representable.
[[nodiscard]] PLUMB_COMMON float fp8NextScale(Storage storage, const float* row) {
    float amax = row[1];
    for (int i = 2; i <= kAmaxHistory; ++i) amax = amax < row[i] ? row[i] : amax;
    return fp8Scale(storage, amax, row[0]);
}

/// A step of fp16 that was skipped: its row of LossScale as torch.amp.GradScaler has it.
PLUMB_COMMON void backOff(double* row, double factor) {
    row[kLossScaleValue] = static_cast<double>(static_cast<float>(row[kLossScaleValue] * factor));
    row[kLossScaleTracker] = 0;
    row[kLossScaleSkipped] += 1;
    row[kLossScaleNotFinite] = 0;
}

/// A step that was not; the scale grows after `interval` in a row, as long as it stays finite in fp32.
PLUMB_COMMON void countGoodStep(double* row, double factor, std::int64_t interval) {
    row[kLossScaleGoodSteps] += 1;
    row[kLossScaleTracker] += 1;
    if (row[kLossScaleTracker] < static_cast<double>(interval)) return;
    row[kLossScaleTracker] = 0;
    const auto grown = static_cast<float>(row[kLossScaleValue] * factor);
    if ((bitsOf(grown) & kMagnitude) < kInfinity) row[kLossScaleValue] = static_cast<double>(grown);
}

/// What gradients are multiplied with: 1 / loss scale times min(1, clip-norm / (norm + 1e-6)), as
/// torch.nn.utils.clip_grad_norm_ has it; a norm that is not a number shows. `lossScale` null: 1.
[[nodiscard]] PLUMB_COMMON float gradientFactor(const double* lossScale, double clipNorm, double norm) {
    const double unscale = lossScale != nullptr ? 1 / lossScale[kLossScaleValue] : 1;
    if (clipNorm <= 0) return static_cast<float>(unscale);
    const double coefficient = clipNorm / (norm + 1e-6);
    return static_cast<float>(unscale * (coefficient > 1 ? 1 : coefficient));
}

}  // namespace plumb::common
