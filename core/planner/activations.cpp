// SPDX-License-Identifier: Apache-2.0
#include "core/planner/memory.h"
#include "core/planner/trained.h"

#include <algorithm>

namespace plumb::planner {

namespace {

/// Bytes per token of one layer that tensor parallelism divides, and those that only sequence parallelism
/// divides as well.
struct PerToken {
    double divided = 0;
    double replicated = 0;
};

/// Bytes of an element that a product reads: rounded in fp8; nothing where it is worked out again from what
/// is kept.
double inputBytes(const Recipe& recipe) {
    if (recipe.recompute == Recompute::PerOp) return 0;
    return recipe.compute == Dtype::Fp8E4M3 ? std::min(recipe.activationBytes, 1.0) : recipe.activationBytes;
}

/// 1 for a result that is kept, 0 where recomputation by parts works it out again.
double keptOf(const Recipe& recipe, LayerPart part) {
    return recipe.recompute == Recompute::PerOp && recipe.again[part] ? 0 : 1;
}

void addAttention(PerToken& bytes, const Transformer& m, const Recipe& recipe, double sequence,
                  const KeptInputs& kept) {
    const double e = recipe.activationBytes;
    const auto h = static_cast<double>(m.hidden), heads = static_cast<double>(m.heads);
    bytes.replicated += e * h;  // the norm's input
    if (kept.attention) bytes.replicated += inputBytes(recipe) * h;
    using enum LayerPart;
    // After products, and the input of the output's product.
    bytes.divided += e * (keptOf(recipe, Queries) * static_cast<double>(m.queryWidth()) +
                          keptOf(recipe, Keys) * static_cast<double>(m.keyWidth()) +
                          keptOf(recipe, Attention) * static_cast<double>(m.valueWidth()));
    if (m.latent) {
        // What the narrow products make, before and after its norm.
        const LatentAttention& l = *m.latent;
        bytes.replicated += e * static_cast<double>(2 * l.queryRank + 2 * l.keyValueRank + l.rotaryWidth);
        if (!kept.attention) bytes.replicated -= e * static_cast<double>(l.queryRank + l.keyValueRank);
        bytes.divided += e * keptOf(recipe, Values) * static_cast<double>(m.valueWidth());
    } else {
        bytes.divided += e * keptOf(recipe, Values) * static_cast<double>(m.keyWidth());
    }
    if (!recipe.fusedAttention && !kept.output) bytes.divided -= e * static_cast<double>(m.valueWidth());
    if (recipe.dropout) bytes.replicated += h;
    if (recipe.fusedAttention) {
        bytes.divided += 4 * heads;  // an fp32 statistic per row
    } else if (recipe.recompute != Recompute::Selective) {
        const double perScore = e + (recipe.dropout ? 1 + e : 0);  // softmax, its mask, what the mask left
        bytes.divided += perScore * heads * sequence;
    }
}

/// A feed-forward block of inner width `inner`, without its input: what its first product makes, with a gate
/// also the activated one, and the input of its second.
double innerBytes(const Transformer& m, const Recipe& recipe, double inner, const KeptInputs& kept) {
    const double e = recipe.activationBytes;
    if (recipe.recompute == Recompute::PerOp)
        return (keptOf(recipe, LayerPart::Up) + (m.gated ? keptOf(recipe, LayerPart::Gate) : 0)) * e * inner;
    return ((m.gated ? 3 : 1) * e + (kept.down ? inputBytes(recipe) : 0)) * inner;
}

void addFeedForward(PerToken& bytes, const Transformer& m, const Recipe& recipe, bool expertLayer,
                    const KeptInputs& kept) {
    const double e = recipe.activationBytes;
    const auto h = static_cast<double>(m.hidden);
    // The inputs of the norm and of the block. Side by side with attention, the former is attention's own,
    // and so is the latter where both blocks share a norm. A norm behind a block keeps its input as well.
    const std::int64_t behind = std::max<std::int64_t>(m.normsPerLayer - 2, 0);
    bytes.replicated +=
        (m.parallel ? 0 : keptOf(recipe, LayerPart::Output)) * e * h + static_cast<double>(behind) * e * h;
    if (kept.feedForward && (!m.parallel || m.normsPerLayer > 1)) bytes.replicated += inputBytes(recipe) * h;
    if (recipe.dropout) bytes.replicated += h;
    if (!expertLayer || !m.experts) {
        bytes.divided += innerBytes(m, recipe, static_cast<double>(m.inner), kept);
        return;
    }
    const Experts& x = *m.experts;
    const auto active = static_cast<double>(x.active);
    bytes.divided += active * innerBytes(m, recipe, static_cast<double>(x.hidden), kept) +
                     innerBytes(m, recipe, static_cast<double>(x.sharedHidden), kept);
    bytes.replicated += 2 * active * e * h;                // tokens as they are sent out and come back
    bytes.replicated += 4 * static_cast<double>(x.count);  // the router's probabilities in fp32
}

}  // namespace

KeptInputs keptInputs(const Transformer& m, const Adaptation& a, bool expertLayer, bool frozenLayer) {
    using enum AdapterTarget;
    const ModelPart block = expertLayer && m.experts ? ModelPart::Experts : ModelPart::FeedForward;
    const bool shared = expertLayer && m.experts && m.experts->sharedHidden > 0;
    const bool blocks = trains(a, block) || (shared && trains(a, ModelPart::FeedForward)) ||
                        (expertLayer && m.experts && trains(a, ModelPart::Router));
    KeptInputs kept;
    kept.attention = !frozenLayer && (trains(a, ModelPart::Attention) || a.adapts({Query, Key, Value}));
    kept.output = !frozenLayer && (trains(a, ModelPart::Attention) || a.adapts({Output}));
    kept.feedForward = !frozenLayer && (blocks || a.adapts({Gate, Up}));
    kept.down = !frozenLayer && (blocks || a.adapts({Down}));
    // Blocks side by side can read the same norm.
    if (m.parallel && m.normsPerLayer < 2) kept.attention = kept.attention || kept.feedForward;
    if (frozenLayer) return kept;
    const LayerKind other = expertLayer ? LayerKind::Plain : LayerKind::WithExperts;
    for (const Adapter& adapter : adaptersOf(m, a))
        if (adapter.kind != other) kept.adapters += adapter.active * static_cast<double>(a.rank);
    return kept;
}

double activationBytesPerLayer(const Transformer& model, const Recipe& recipe, const ParallelLayout& layout,
                               std::int64_t sequence, bool expertLayer, const KeptInputs& kept) {
    PerToken bytes;
    addAttention(bytes, model, recipe, static_cast<double>(sequence), kept);
    addFeedForward(bytes, model, recipe, expertLayer, kept);
    bytes.replicated += recipe.activationBytes * kept.adapters;
    const auto t = static_cast<double>(layout.tensor);
    const double perToken = bytes.divided / t + bytes.replicated / (layout.sequence ? t : 1);
    const double tokens = static_cast<double>(sequence) * static_cast<double>(layout.microBatch) /
                          static_cast<double>(layout.context);
    return perToken * tokens;
}

}  // namespace plumb::planner
