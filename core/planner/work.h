// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/scenario.h"

#include <string>

namespace plumb::planner {

/// Floating-point work of one token in training; a sequence of s tokens makes s times that.
struct Work {
    double weightForward = 0;  ///< 2 for each weight that the token is multiplied with
    /// 2 for each that the gradient of its input is worked out of, and 2 for each that has one itself.
    double weightBackward = 0;
    double attentionForward =
        0;  ///< scores and weighted sums of all layers, all pairs, as published MFU counts
    double executedForward = 0;  ///< part of these without the masked pairs where the kernel skips them
    double causalForward = 0;    ///< the same without masked pairs, whether or not the kernel skips them
    double backwardShare = 1;    ///< of the layers, that the backward pass reaches
    double recomputed = 0;       ///< what the recipe does again
    double rule = 0;             ///< 6N, N being all (active) parameters
    /// 6N + 12 L (a q) T with N without position table and untied input embedding: the published form.
    double ruleWithAttention = 0;

    /// Forward and backward pass with so many FLOPs of attention in the forward one.
    [[nodiscard]] double withAttention(double forward) const {
        return weightForward + weightBackward + (1 + 2 * backwardShare) * forward;
    }
    [[nodiscard]] double model() const { return withAttention(attentionForward); }
    /// FLOPs that a kernel executes: a utilisation by these is at most 100 %.
    [[nodiscard]] double executedModel() const { return withAttention(executedForward); }
    [[nodiscard]] double hardware() const { return executedModel() + recomputed; }
    /// Share of model() in masked pairs, which the kernel skips.
    [[nodiscard]] double skippedShare() const { return model() > 0 ? 1 - executedModel() / model() : 0; }
};
/// Work of any model: a mere count has 6N, the deep linear model the matrix FLOPs of its plan per sample.
/// Errors: those of planStep().
[[nodiscard]] Result<Work> workPerToken(const Scenario& scenario);
[[nodiscard]] Work workPerToken(const Transformer& model, const Recipe& recipe, std::int64_t sequence,
                                const Adaptation& adaptation = {});

/// Tokens that a token behind `before` others looks back on, summed over the layers: what their caches hold.
[[nodiscard]] double tokensLookedBackOn(const Transformer& model, double before);

/// Why MFU can exceed 100 % and what it is without the pairs that are skipped; empty where they are no
/// matter.
[[nodiscard]] std::string skippedPairsNote(const Work& work, double mfu);

}  // namespace plumb::planner
