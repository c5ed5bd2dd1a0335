// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/scenario.h"

namespace plumb::planner {

/// Which query-key pairs the attention's work is counted for: published utilisations use all of them.
enum class Pairs : std::uint8_t { FullSquare, Causal };

/// Floating-point work of one token in training; a sequence of s tokens makes s times that.
struct Work {
    double weightForward = 0;     ///< 2 for each weight that the token is multiplied with
    double attentionForward = 0;  ///< scores and weighted sums of all layers
    double recomputed = 0;        ///< what the recipe does again
    double rule = 0;              ///< 6N, N being all (active) parameters
    /// 6N + 12 L (a q) T with N without position table and untied input embedding: the published form.
    double ruleWithAttention = 0;

    [[nodiscard]] double model() const { return 3 * (weightForward + attentionForward); }
    [[nodiscard]] double hardware() const { return model() + recomputed; }
};
/// Of any model: a mere count has 6N, the deep linear model the matrix FLOPs of its plan per sample.
/// Errors: those of planStep().
[[nodiscard]] Result<Work> workPerToken(const Scenario& scenario, Pairs pairs = Pairs::FullSquare);
[[nodiscard]] Work workPerToken(const Transformer& model, const Recipe& recipe, std::int64_t sequence,
                                Pairs pairs = Pairs::FullSquare);

}  // namespace plumb::planner
