// SPDX-License-Identifier: Apache-2.0
#include "core/planner/work.h"

#include "core/plan/step_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

enum class Pairs : std::uint8_t { FullSquare, Causal };

/// Mean number of tokens that a token looks at: of the whole sequence, or of itself and those before it,
/// `window` at most.
double meanSpan(double sequence, double window, Pairs pairs) {
    if (pairs == Pairs::FullSquare) return std::min(sequence, window);
    if (window >= sequence) return (sequence + 1) / 2;
    return (window * (window + 1) / 2 + (sequence - window) * window) / sequence;
}

/// The same where a token looks back to the last multiple of `chunk`, and not beyond it.
double meanChunk(double sequence, double chunk, Pairs pairs) {
    if (pairs == Pairs::FullSquare) return std::min(sequence, chunk);
    const double whole = std::floor(sequence / chunk), rest = sequence - whole * chunk;
    return (whole * chunk * (chunk + 1) / 2 + rest * (rest + 1) / 2) / sequence;
}

double attentionForward(const Transformer& m, std::int64_t sequence, Pairs pairs) {
    const auto s = static_cast<double>(sequence);
    const auto windowed = static_cast<double>(m.windowedLayers);
    const auto window = static_cast<double>(std::max<std::int64_t>(m.slidingWindow, 1));
    const double spans =
        windowed * (m.chunkedWindow ? meanChunk(s, window, pairs) : meanSpan(s, window, pairs)) +
        (static_cast<double>(m.layers) - windowed) * meanSpan(s, s, pairs);
    return 2 * static_cast<double>(m.queryWidth() + m.valueWidth()) * spans;
}

/// Weights beside the layers that a token is multiplied with in the mean: the head, which runs once. Of an
/// image every token but that of the class is a patch that is embedded, and the head is for that one alone.
double weightsOutsideLayers(const Transformer& m, std::int64_t sequence) {
    if (m.patch == 0) return static_cast<double>((m.vocabulary + (m.headLayer ? m.hidden : 0)) * m.hidden);
    const auto s = static_cast<double>(sequence);
    return static_cast<double>(m.hidden) *
           (static_cast<double>(m.patch) * (s - 1) + static_cast<double>(m.vocabulary)) / s;
}

/// Mean work per sample of the deep linear model: the matrix products of its plan.
Result<Work> workOf(const RunConfig& config) {
    PLUMB_TRY(const StepPlan layout, planStep(config, cpuTraits()));
    const auto batch = static_cast<double>(config.batch);
    Work work;
    work.recomputed = static_cast<double>(layout.recomputedFlops) / batch;
    work.weightForward = static_cast<double>(layout.matmulFlops - layout.recomputedFlops) / batch / 3;
    work.rule = static_cast<double>(layout.ruleOfThumbFlops()) / batch;
    work.ruleWithAttention = work.rule;
    return work;
}

/// FLOPs of every second product of the layers, in the order queries, keys, values, output, then with a gate
/// gate, up and down, without one in and out; experts as their blocks.
double alternateForward(const Transformer& m) {
    const auto h = static_cast<double>(m.hidden);
    const auto layers = static_cast<double>(m.layers), sparse = static_cast<double>(m.expertLayers());
    const double keys = m.latent ? 0 : static_cast<double>(m.keyWidth());
    double inner = (layers - sparse) * static_cast<double>(m.inner);
    if (m.experts)
        inner +=
            sparse * static_cast<double>(m.experts->active * m.experts->hidden + m.experts->sharedHidden);
    return 2 * h * (layers * (keys + static_cast<double>(m.valueWidth())) + inner);
}

}  // namespace

Work workPerToken(const Transformer& model, const Recipe& recipe, std::int64_t sequence) {
    const ParameterCounts counts = countParameters(model);
    const double outside = weightsOutsideLayers(model, sequence);
    Work work;
    const double inside = static_cast<double>(counts.multiplied) -
                          static_cast<double>(model.patch > 0 ? model.patch * model.hidden : 0);
    work.weightForward = model.patch > 0 ? 2 * (inside + outside) : 2 * inside;
    work.attentionForward = attentionForward(model, sequence, Pairs::FullSquare);
    // Only a fused kernel skips masked pairs, and an encoder has none.
    work.causalForward =
        model.causal ? attentionForward(model, sequence, Pairs::Causal) : work.attentionForward;
    work.executedForward = recipe.fusedAttention ? work.causalForward : work.attentionForward;
    work.rule = 6 * static_cast<double>(counts.active);
    const bool multiplies = model.tiedEmbeddings || model.patch > 0;
    const std::int64_t lookedUp = counts.positions + (multiplies ? 0 : counts.embedding);
    work.ruleWithAttention = 6 * static_cast<double>(counts.active - lookedUp) + 3 * work.attentionForward;
    switch (recipe.recompute) {
    case Recompute::None:
    case Recompute::PerOp:  // no product runs again
        break;
    case Recompute::Alternate:
        work.recomputed += alternateForward(model);
        break;
    case Recompute::Selective:
        if (!recipe.fusedAttention) work.recomputed += work.executedForward;
        break;
    case Recompute::Full:  // the layers run again, the head does not
        work.recomputed += recipe.recomputeShare * (work.weightForward - 2 * outside + work.executedForward);
        break;
    }
    // A fused kernel never stores the scores: its backward pass has five products instead of four.
    if (recipe.fusedAttention) work.recomputed += work.executedForward / 2;
    return work;
}

std::string skippedPairsNote(const Work& work, double mfu) {
    constexpr double kWorthSaying = 0.01;
    if (work.skippedShare() < kWorthSaying) return {};
    return fmt::format("MFU counts all query-key pairs, as published figures do, and can exceed 100 % by "
                       "that; {:.0f} % of these FLOPs are "
                       "masked pairs, which the kernel skips: without them MFU is {:.1f} %",
                       100 * work.skippedShare(), 100 * mfu * (1 - work.skippedShare()));
}

Result<Work> workPerToken(const Scenario& scenario) {
    if (const RunConfig* config = scenario.model.linear()) {
        PLUMB_TRY(const ResolvedLayout layout, resolve(scenario));
        RunConfig share = *config;
        share.batch = layout.batch / layout.data;
        return workOf(share);
    }
    if (const Transformer* model = scenario.model.transformer()) {
        PLUMB_CHECK(checkSequence(scenario));
        return workPerToken(*model, scenario.recipe, sequenceOf(scenario));
    }
    const double parameters = scenario.model.parameters();
    if (!(parameters > 0))
        return Error{ErrorCode::BadInput, "no model is given",
                     "give a number of parameters, a preset or a config.json"};
    Work work;
    work.weightForward = 2 * parameters;
    work.rule = work.ruleWithAttention = 6 * parameters;
    if (scenario.recipe.recompute == Recompute::Full) work.recomputed = work.weightForward;
    return work;
}

}  // namespace plumb::planner
