// SPDX-License-Identifier: Apache-2.0
#include "core/planner/attention_time.h"

#include "core/base/enum_array.h"
#include "core/planner/work.h"

#include <algorithm>

namespace plumb::planner {

namespace {

using ByKernel = EnumArray<AttentionKernel, double>;

/// PyTorch's attention is that of Ampere also on newer devices; hand-fused steps have newer kernels.
constexpr EnumArray<Software, AttentionKernel> kUsual{
    {AttentionKernel::Flash2, AttentionKernel::Flash2, AttentionKernel::Flash3, AttentionKernel::Flash3}};

/// FlashAttention to FlashAttention-2: of the four pairs of published trainings that differ in that alone
/// (table 1 of arXiv 2307.08691), by tests/core/planner/fit_attention.py.
constexpr double kFirst = 0.47;
/// FlashAttention in Triton: 1.3 to 1.5 times slower than the second forward, twice backward (section 4.1 of
/// arXiv 2307.08691).
constexpr double kTritonForward = 1 / 1.4, kTritonBackward = 1 / 2.0;
/// FlashAttention-2 to what uses Hopper's instructions: fitted with the other priors (fit_priors.py).
constexpr double kThird = 1 / 0.6;

/// Rates of the backward pass to those of the forward one: up to 63 and 73 % of the peak of an A100
/// (FlashAttention-2), 25 to 35 and 30 to 50 % (the first); the third is 1.5 to 1.75 times as fast as the
/// second backward and 1.5 to 2 times forward (arXiv 2407.08608).
constexpr double kSecondBackward = 0.63 / 0.73;
constexpr ByKernel kBackward{{kSecondBackward, 0.30 / 0.40, kSecondBackward* kTritonBackward / kTritonForward,
                              kSecondBackward, kSecondBackward * 1.625 / 1.75}};

constexpr double kTile = 128;  ///< tokens, of queries and of keys
constexpr double kUsualTokens = 8192;

/// Part of the pairs in tiles that are worked out which count, where a token sees as many in the mean.
constexpr double countedOf(double pairs) { return pairs / (pairs + kTile / 2); }

}  // namespace

AttentionKernel attentionKernelOf(const Recipe& recipe, Software software) {
    return recipe.attentionKernel == AttentionKernel::Usual ? kUsual[software] : recipe.attentionKernel;
}

double speedBesideFlash2(AttentionKernel kernel, bool hasNewer) {
    switch (kernel) {
    case AttentionKernel::Flash1:
        return kFirst;
    case AttentionKernel::Flash1Triton:
        return (1 + kFusedBackwardWork / kSecondBackward) /
               (1 / kTritonForward + kFusedBackwardWork / kSecondBackward / kTritonBackward);
    case AttentionKernel::Flash3:
        return hasNewer ? kThird : 1;
    case AttentionKernel::Usual:
    case AttentionKernel::Flash2:
        break;
    }
    return 1;
}

PassRates passRatesOf(AttentionKernel kernel, double both, double ceiling) {
    both = std::min(both, ceiling);
    const double share = (1 + kFusedBackwardWork / kBackward[kernel]) / (1 + kFusedBackwardWork);
    const double forward = std::min(both * share, ceiling);
    return {forward, kFusedBackwardWork / ((1 + kFusedBackwardWork) / both - 1 / forward)};
}

double shareOfFullTiles(const Transformer& model, const Recipe& recipe, std::int64_t sequence) {
    if (!recipe.fusedAttention || !model.causal) return 1;
    const double perPair = 2 * static_cast<double>(model.layers * (model.queryWidth() + model.valueWidth()));
    const double pairs = workPerToken(model, recipe, sequence).executedForward / perPair;
    return countedOf(pairs) / countedOf((kUsualTokens + 1) / 2);
}

}  // namespace plumb::planner
