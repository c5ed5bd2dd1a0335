// SPDX-License-Identifier: Apache-2.0
#include "core/planner/memory.h"
#include "core/planner/trained.h"

#include <algorithm>

namespace plumb::planner {

namespace {

/// Sums what one layer keeps of a token: what tensor parallelism divides, and what only sequence parallelism
/// divides as well.
class PerToken {
public:
    PerToken(const Transformer& model, const Recipe& recipe, Software software, const KeptInputs& kept)
        : m_model(model),
          m_recipe(recipe),
          m_software(software),
          m_kept(kept),
          m_again(againOf(recipe, model.gated)) {}

    void addAttention(double sequence) {
        using enum LayerPart;
        const Transformer& m = m_model;
        const auto heads = static_cast<double>(m.heads);
        replicated += e() * h();  // the norm's input
        if (m_kept.attention) replicated += inputBytes() * h();
        // After products, and the input of the output's product.
        divided += e() * (share(Queries) * static_cast<double>(m.queryWidth()) +
                          share(Keys) * static_cast<double>(m.keyWidth()) +
                          share(Attention) * static_cast<double>(m.valueWidth()));
        if (m.latent) {
            // What the narrow products make, before and after its norm.
            const LatentAttention& l = *m.latent;
            replicated += e() * static_cast<double>(2 * l.queryRank + 2 * l.keyValueRank + l.rotaryWidth);
            if (!m_kept.attention) replicated -= e() * static_cast<double>(l.queryRank + l.keyValueRank);
            divided += e() * share(Values) * static_cast<double>(m.valueWidth());
        } else {
            divided += e() * share(Values) * static_cast<double>(m.keyWidth());
        }
        if (!m_recipe.fusedAttention && !m_kept.output) divided -= e() * static_cast<double>(m.valueWidth());
        if (m_recipe.dropout) replicated += h();
        if (m_recipe.fusedAttention) {
            divided += 4 * heads;  // an fp32 statistic per row
        } else if (m_recipe.recompute != Recompute::Selective) {
            // Softmax, its mask, what the mask left.
            divided += (e() + (m_recipe.dropout ? 1 + e() : 0)) * heads * sequence;
        }
    }

    void addFeedForward(bool expertLayer) {
        const Transformer& m = m_model;
        // The inputs of the norm and of the block. Side by side with attention, the former is attention's
        // own, and so is the latter where both blocks share a norm. A norm behind a block keeps its input as
        // well.
        const auto behind = static_cast<double>(std::max<std::int64_t>(m.normsPerLayer - 2, 0));
        replicated += ((m.parallel ? 0 : share(LayerPart::Output)) + behind) * e() * h();
        if (goesByParts(m_recipe)) replicated += share(LayerPart::Down) * e() * h();
        if (m_kept.feedForward && (!m.parallel || m.normsPerLayer > 1)) replicated += inputBytes() * h();
        if (m_recipe.dropout) replicated += h();
        if (!expertLayer || !m.experts) {
            divided += innerBytes(static_cast<double>(m.inner));
            return;
        }
        const Experts& x = *m.experts;
        const auto active = static_cast<double>(x.active);
        divided += active * innerBytes(static_cast<double>(x.hidden)) +
                   innerBytes(static_cast<double>(x.sharedHidden));
        replicated += 2 * active * e() * h();            // tokens as they are sent out and come back
        replicated += 4 * static_cast<double>(x.count);  // the router's probabilities in fp32
    }

    /// Attention to `seen` tokens of an encoder, of which `each` belong to a token of the decoder.
    void addCrossAttention(double seen, double each) {
        const Transformer& m = m_model;
        const auto heads = static_cast<double>(m.heads);
        replicated += (e() + inputBytes()) * h();
        divided += e() * static_cast<double>(m.queryWidth() + m.valueWidth());
        divided += each * e() * static_cast<double>(2 * m.keyWidth());
        if (m_recipe.dropout) replicated += h();
        if (m_recipe.fusedAttention)
            divided += 4 * heads;
        else if (m_recipe.recompute != Recompute::Selective)
            divided += (e() + (m_recipe.dropout ? 1 + e() : 0)) * heads * seen;
    }

    double divided = 0;
    double replicated = 0;

private:
    [[nodiscard]] double e() const { return m_recipe.activationBytes; }
    [[nodiscard]] double h() const { return static_cast<double>(m_model.hidden); }
    /// 1 for a result that is kept, 0 where recomputation by parts works it out again.
    [[nodiscard]] double share(LayerPart part) const { return m_again[part] ? 0 : 1; }
    /// Results of products are kept alone: passes between them run again, by a policy or because a compiler
    /// finds that cheaper than to read what they wrote (the partitioner of torch.compile).
    [[nodiscard]] bool keepsProductsAlone() const {
        return goesByParts(m_recipe) || m_software == Software::Compiled;
    }
    /// Bytes of an element that a product reads: rounded in fp8; nothing where it is worked out again from
    /// what is kept.
    [[nodiscard]] double inputBytes() const {
        if (keepsProductsAlone()) return 0;
        return m_recipe.compute == Dtype::Fp8E4M3 ? std::min(e(), 1.0) : e();
    }
    /// A feed-forward block of inner width `inner`, without its input: what its first product makes, the
    /// activated one and the input of its second. A kernel fused by hand keeps no activated gate (SwiGLU of
    /// Megatron-Core and Transformer Engine), and without a gate a fused GeLU still has its input.
    [[nodiscard]] double innerBytes(double inner) const {
        const bool gated = m_model.gated;
        if (keepsProductsAlone())
            return (share(LayerPart::Up) + (gated ? share(LayerPart::Gate) : 0)) * e() * inner;
        const double between = !gated ? 1 : m_software == Software::Fused ? 2 : 3;
        return (between * e() + (m_kept.down ? inputBytes() : 0)) * inner;
    }

    const Transformer& m_model;
    const Recipe& m_recipe;
    Software m_software;
    const KeptInputs& m_kept;
    LayerParts m_again;
};

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
                               std::int64_t sequence, bool expertLayer, Software software,
                               const KeptInputs& kept) {
    PerToken bytes(model, recipe, software, kept);
    bytes.addAttention(static_cast<double>(sequence));
    bytes.addFeedForward(expertLayer);
    if (model.encoder) {
        const auto seen = static_cast<double>(encoderTokens(model, sequence));
        bytes.addCrossAttention(seen, seen / static_cast<double>(sequence));
    }
    bytes.replicated += recipe.activationBytes * kept.adapters;
    const auto t = static_cast<double>(layout.tensor);
    const double perToken = bytes.divided / t + bytes.replicated / (layout.sequence ? t : 1);
    const double tokens = static_cast<double>(sequence) * static_cast<double>(layout.microBatch) /
                          static_cast<double>(layout.context);
    return perToken * tokens;
}

}  // namespace plumb::planner
