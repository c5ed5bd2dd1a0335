// SPDX-License-Identifier: Apache-2.0
#include "core/planner/memory.h"

#include <algorithm>

namespace plumb::planner {

namespace {

/// Bytes per token of one layer that tensor parallelism divides, and those that only sequence parallelism
/// divides as well.
struct PerToken {
    double divided = 0;
    double replicated = 0;
};

/// Results of products are kept alone: passes between them run again, by a policy or because a compiler
/// finds that cheaper than to read what they wrote (the partitioner of torch.compile).
bool keepsProductsAlone(const Recipe& recipe, Software software) {
    return recipe.recompute == Recompute::PerOp || software == Software::Compiled;
}

/// Bytes of an element that a product reads: rounded in fp8; nothing where it is worked out again from what
/// is kept.
double inputBytes(const Recipe& recipe, Software software) {
    if (keepsProductsAlone(recipe, software)) return 0;
    return recipe.compute == Dtype::Fp8E4M3 ? std::min(recipe.activationBytes, 1.0) : recipe.activationBytes;
}

/// What is kept where every second product of a layer runs again, in the order of torchtitan's models:
/// queries, values and what attention made (an op that is kept by name), and of the feed-forward block the
/// gate and the result, or without a gate what goes in.
PerToken alternateBytes(const Transformer& m, const Recipe& recipe, bool expertLayer) {
    const double e = recipe.activationBytes;
    const auto h = static_cast<double>(m.hidden);
    PerToken bytes;
    bytes.replicated = e * h * (m.gated ? 2 : 1);
    bytes.divided = e * static_cast<double>(m.queryWidth() + m.keyWidth() + m.valueWidth()) +
                    4 * static_cast<double>(m.heads);
    if (!expertLayer || !m.experts) {
        bytes.divided += e * static_cast<double>(m.inner);
        return bytes;
    }
    const Experts& x = *m.experts;
    const auto active = static_cast<double>(x.active);
    bytes.divided += e * (active * static_cast<double>(x.hidden) + static_cast<double>(x.sharedHidden));
    bytes.replicated += 2 * active * e * h + 4 * static_cast<double>(x.count);
    return bytes;
}

void addAttention(PerToken& bytes, const Transformer& m, const Recipe& recipe, Software software,
                  double sequence) {
    const double e = recipe.activationBytes;
    const auto h = static_cast<double>(m.hidden), heads = static_cast<double>(m.heads);
    // The norm's input and the products' input.
    bytes.replicated += e * h + inputBytes(recipe, software) * h;
    bytes.divided +=
        e * static_cast<double>(m.queryWidth() + m.keyWidth() + m.valueWidth());  // after products
    if (m.latent) {
        // What the narrow products make, before and after its norm.
        const LatentAttention& l = *m.latent;
        bytes.replicated += e * static_cast<double>(2 * l.queryRank + 2 * l.keyValueRank + l.rotaryWidth);
        bytes.divided += e * static_cast<double>(m.valueWidth());
    } else {
        bytes.divided += e * static_cast<double>(m.keyWidth());  // queries, keys, values, output's input
    }
    if (recipe.dropout) bytes.replicated += h;
    if (recipe.fusedAttention) {
        bytes.divided += 4 * heads;  // an fp32 statistic per row
    } else if (recipe.recompute != Recompute::Selective) {
        const double perScore = e + (recipe.dropout ? 1 + e : 0);  // softmax, its mask, what the mask left
        bytes.divided += perScore * heads * sequence;
    }
}

/// A feed-forward block of inner width `inner`, without its input: what its first product makes, the
/// activated one and the input of its second. A kernel fused by hand keeps no activated gate (SwiGLU of
/// Megatron-Core and Transformer Engine), and without a gate a fused GeLU still has its input.
double innerBytes(const Transformer& m, const Recipe& recipe, Software software, double inner) {
    const double e = recipe.activationBytes;
    if (keepsProductsAlone(recipe, software)) return (m.gated ? 2 : 1) * e * inner;
    const double between = !m.gated ? 1 : software == Software::Fused ? 2 : 3;
    return (between * e + inputBytes(recipe, software)) * inner;
}

void addFeedForward(PerToken& bytes, const Transformer& m, const Recipe& recipe, Software software,
                    bool expertLayer) {
    const double e = recipe.activationBytes;
    const auto h = static_cast<double>(m.hidden);
    // The inputs of the norm and of the block. Side by side with attention, the former is attention's own,
    // and so is the latter where both blocks share a norm. A norm behind a block keeps its input as well.
    const std::int64_t behind = std::max<std::int64_t>(m.normsPerLayer - 2, 0);
    bytes.replicated += static_cast<double>((m.parallel ? 0 : 1) + behind) * e * h;
    if (!m.parallel || m.normsPerLayer > 1) bytes.replicated += inputBytes(recipe, software) * h;
    if (recipe.dropout) bytes.replicated += h;
    if (!expertLayer || !m.experts) {
        bytes.divided += innerBytes(m, recipe, software, static_cast<double>(m.inner));
        return;
    }
    const Experts& x = *m.experts;
    const auto active = static_cast<double>(x.active);
    bytes.divided += active * innerBytes(m, recipe, software, static_cast<double>(x.hidden)) +
                     innerBytes(m, recipe, software, static_cast<double>(x.sharedHidden));
    bytes.replicated += 2 * active * e * h;                // tokens as they are sent out and come back
    bytes.replicated += 4 * static_cast<double>(x.count);  // the router's probabilities in fp32
}

}  // namespace

double activationBytesPerLayer(const Transformer& model, const Recipe& recipe, const ParallelLayout& layout,
                               std::int64_t sequence, bool expertLayer, Software software) {
    PerToken bytes;
    if (recipe.recompute == Recompute::Alternate) {
        bytes = alternateBytes(model, recipe, expertLayer);
    } else {
        addAttention(bytes, model, recipe, software, static_cast<double>(sequence));
        addFeedForward(bytes, model, recipe, software, expertLayer);
    }
    const auto t = static_cast<double>(layout.tensor);
    const double perToken = bytes.divided / t + bytes.replicated / (layout.sequence ? t : 1);
    const double tokens = static_cast<double>(sequence) * static_cast<double>(layout.microBatch) /
                          static_cast<double>(layout.context);
    return perToken * tokens;
}

}  // namespace plumb::planner
