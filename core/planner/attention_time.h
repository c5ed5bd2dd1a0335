// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/model.h"
#include "core/planner/recipe.h"
#include "core/planner/scenario.h"

namespace plumb::planner {

/// The kernel that attention of this recipe runs on: the one that was chosen, or what the software has.
[[nodiscard]] AttentionKernel attentionKernelOf(const Recipe& recipe, Software software);

/// Its speed as part of FlashAttention-2's. `hasNewer`: the device has instructions (Hopper's) that the third
/// generation alone uses.
[[nodiscard]] double speedBesideFlash2(AttentionKernel kernel, bool hasNewer);

/// FLOPs of a backward pass of a fused kernel, of those of the forward one: five products instead of two.
inline constexpr double kFusedBackwardWork = 2.5;

/// FLOPs per second of a fused kernel in one of its passes.
struct PassRates {
    double forward = 0;
    double backward = 0;
};
/// Those that together go at the rate `both`; neither is above `ceiling`.
[[nodiscard]] PassRates passRatesOf(AttentionKernel kernel, double both, double ceiling);

/// Speed over sequences of this length, beside that over 8192 tokens: a tile on the diagonal of the mask is
/// worked out whole, of which half counts. 1 where nothing is masked or skipped.
[[nodiscard]] double shareOfFullTiles(const Transformer& model, const Recipe& recipe, std::int64_t sequence);

}  // namespace plumb::planner
