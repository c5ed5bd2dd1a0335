// SPDX-License-Identifier: Apache-2.0
#include "core/planner/work.h"

#include "core/plan/step_plan.h"
#include "core/planner/trained.h"

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

/// FLOPs of the products that recomputation by parts repeats, over all layers.
double productsAgain(const Transformer& m, const LayerParts& again) {
    double weights = 0;
    for (const bool expertLayer : {false, true}) {
        const auto layers = static_cast<double>(expertLayer ? m.expertLayers() : m.layers - m.expertLayers());
        const EnumArray<LayerPart, double> each = weightsOf(m, expertLayer);
        for (const LayerPart part : kEnumerators<LayerPart>)
            if (again[part]) weights += layers * each[part];
    }
    return 2 * weights;
}

/// Weights beside the layers that a token is multiplied with in the mean.
struct OuterWeights {
    double embedding = 0;  ///< of patches; words are looked up
    double head = 0;
};
/// The head runs once. Of an image every token but that of the class is a patch that is embedded, and the
/// head is for that one alone.
OuterWeights weightsOutsideLayers(const MatrixCounts& matrices, const Transformer& m, std::int64_t sequence) {
    const auto head = static_cast<double>(matrices.head);
    if (m.patch == 0) return {0, head};
    const auto s = static_cast<double>(sequence);
    return {static_cast<double>(matrices.patches) * (s - 1) / s, head / s};
}

/// Weights whose inputs, and whose own entries, have gradients: 2 FLOPs for each.
double backwardOf(const Transformer& m, const Adaptation& a, const OuterWeights& outside, double inLayers,
                  double share) {
    const TrainedCounts trained = countTrained(m, a);
    // The first product of all gives no gradient to what it reads, but is counted like the others.
    const double embedding = trains(a, ModelPart::Embeddings) ? 2 * outside.embedding : 0;
    const double head =
        (trainsBeforeHead(m, a) ? outside.head : 0) + (trains(a, ModelPart::Head) ? outside.head : 0);
    return 2 * (share * inLayers + static_cast<double>(trained.own.multiplied) + embedding + head +
                2 * trained.multipliedAdapters);
}

/// Of a token of the decoder with what belongs to it of the encoder's: as many of its tokens as there are for
/// each, and attention of the one to the others. Trained in full.
Work workOfBothStacks(const Transformer& m, const Recipe& recipe, std::int64_t sequence) {
    const std::int64_t tokens = encoderTokens(m, sequence);
    const double each = static_cast<double>(tokens) / static_cast<double>(sequence);
    const Work encoder = workPerToken(encoderStack(m), recipe, tokens);
    Work work = workPerToken(decoderStack(m), recipe, sequence);
    for (const auto sum :
         {&Work::weightForward, &Work::weightBackward, &Work::attentionForward, &Work::executedForward,
          &Work::causalForward, &Work::recomputed, &Work::rule, &Work::ruleWithAttention})
        work.*sum += each * (encoder.*sum);
    const auto layers = static_cast<double>(m.layers), h = static_cast<double>(m.hidden);
    const auto query = static_cast<double>(m.queryWidth()), value = static_cast<double>(m.valueWidth());
    const double across = 2 * layers * h * (query + value + 2 * each * static_cast<double>(m.keyWidth()));
    const double pairs = 2 * layers * (query + value) * static_cast<double>(tokens);  // none is masked
    const double convolutions = 2 * each * convolutionsPerToken(m);
    work.weightForward += across + convolutions;
    work.weightBackward += 2 * (across + convolutions);
    work.attentionForward += pairs;
    work.executedForward += pairs;
    work.causalForward += pairs;
    work.rule += 3 * (across + convolutions);
    work.ruleWithAttention += 3 * (across + convolutions + pairs);
    if (recipe.recompute == Recompute::Full) work.recomputed += recipe.recomputeShare * (across + pairs);
    if (recipe.recompute == Recompute::Selective && !recipe.fusedAttention) work.recomputed += pairs;
    if (recipe.fusedAttention) work.recomputed += pairs / 2;
    return work;
}

/// Mean work per sample of the deep linear model: the matrix products of its plan.
Result<Work> workOf(const RunConfig& config) {
    PLUMB_TRY(const StepPlan layout, planStep(config, cpuTraits()));
    const auto batch = static_cast<double>(config.batch);
    Work work;
    work.recomputed = static_cast<double>(layout.recomputedFlops) / batch;
    work.weightForward = static_cast<double>(layout.matmulFlops - layout.recomputedFlops) / batch / 3;
    work.weightBackward = 2 * work.weightForward;
    work.rule = static_cast<double>(layout.ruleOfThumbFlops()) / batch;
    work.ruleWithAttention = work.rule;
    return work;
}

}  // namespace

Work workPerToken(const Transformer& model, const Recipe& recipe, std::int64_t sequence,
                  const Adaptation& adaptation) {
    if (model.encoder) return workOfBothStacks(model, recipe, sequence);
    const ParameterCounts counts = countParameters(model);
    const MatrixCounts matrices = countMatrices(model);
    const OuterWeights outside = weightsOutsideLayers(matrices, model, sequence);
    const auto layers = static_cast<double>(matrices.inLayers());
    const double adapters = countTrained(model, adaptation).multipliedAdapters;
    Work work;
    work.backwardShare = trainedLayers(model, adaptation).backward;
    work.weightForward = 2 * (layers + adapters + outside.embedding + outside.head);
    work.weightBackward = backwardOf(model, adaptation, outside, layers, work.backwardShare);
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
        break;
    case Recompute::PerOp:
    case Recompute::Alternate: {
        const LayerParts again = againOf(recipe, model.gated);
        work.recomputed += productsAgain(model, again);
        if (again[LayerPart::Attention]) work.recomputed += work.executedForward;
        break;
    }
    case Recompute::Selective:
        if (!recipe.fusedAttention) work.recomputed += work.executedForward;
        break;
    case Recompute::Full:  // the layers run again, the head does not
        work.recomputed += recipe.recomputeShare * (2 * layers + work.executedForward);
        break;
    }
    // A fused kernel never stores the scores: its backward pass has five products instead of four.
    if (recipe.fusedAttention) work.recomputed += work.executedForward / 2;
    work.recomputed *= work.backwardShare;
    if (recipe.recompute == Recompute::Full) work.recomputed += recipe.recomputeShare * 2 * adapters;
    return work;
}

double tokensLookedBackOn(const Transformer& model, double before) {
    const auto windowed = static_cast<double>(model.slidingWindow > 0 ? model.windowedLayers : 0);
    return (static_cast<double>(model.layers) - windowed) * before +
           windowed * std::min(before, static_cast<double>(model.slidingWindow));
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
    PLUMB_CHECK(checkTraining(scenario));
    if (const RunConfig* config = scenario.model.linear()) {
        PLUMB_TRY(const ResolvedLayout layout, resolve(scenario));
        RunConfig share = *config;
        share.batch = layout.batch / layout.data;
        return workOf(share);
    }
    if (const Transformer* model = scenario.model.transformer()) {
        PLUMB_CHECK(checkSequence(scenario));
        return workPerToken(*model, scenario.recipe, sequenceOf(scenario), scenario.adaptation);
    }
    const double parameters = scenario.model.parameters();
    if (!(parameters > 0))
        return Error{ErrorCode::BadInput, "no model is given",
                     "give a number of parameters, a preset or a config.json"};
    Work work;
    work.weightForward = 2 * parameters;
    work.weightBackward = 2 * work.weightForward;
    work.rule = work.ruleWithAttention = 6 * parameters;
    if (scenario.recipe.recompute == Recompute::Full) work.recomputed = work.weightForward;
    return work;
}

}  // namespace plumb::planner
