// SPDX-License-Identifier: Apache-2.0
#include "core/planner/step_ops.h"

#include "core/planner/holding.h"
#include "core/planner/inputs.h"
#include "core/planner/work.h"

#include <algorithm>

namespace plumb::planner {

namespace {

constexpr double kLogitBytes = 4;  // losses are worked out in fp32

/// Of one operation whose FLOPs go at `rate` (0: memory limits it).
double secondsAt(double rate, const OpWork& work, const Roofs& roofs) {
    const double compute = rate > 0 ? work.flops / rate : 0;
    return std::max(compute, work.bytes / roofs.bandwidth) + roofs.overhead;
}

TimedOp timedAt(double rate, std::string label, const OpWork& work, double count, bool product,
                const Roofs& roofs) {
    const double compute = rate > 0 ? work.flops / rate : 0, memory = work.bytes / roofs.bandwidth;
    TimedOp op;
    op.label = std::move(label);
    op.flops = count * work.flops;
    op.bytes = count * work.bytes;
    op.product = product;
    op.seconds = count * secondsAt(rate, work, roofs);
    op.bound = roofs.overhead > std::max(compute, memory) ? Bound::Overhead
               : compute >= memory                        ? Bound::Compute
                                                          : Bound::Memory;
    return op;
}

/// Parts of an op's runs that have a gradient of their input, and of their weight.
struct GradientShares {
    double input = 1;
    double weight = 1;
};

/// Collects the ops of one stage: each forward op brings its backward ones, and again when it is recomputed.
class Collector {
public:
    Collector(const Scenario& scenario, const Roofs& roofs, double microBatches, const TrainedLayers& layers)
        : m_recipe(scenario.recipe),
          m_adaptation(scenario.adaptation),
          m_roofs(roofs),
          m_microBatches(microBatches),
          m_layers(layers) {}

    /// A product of a layer: backward two of the same work, for its input and, where it is trained, for its
    /// weight. In fp8 its operands are rounded before it, each with a transposed copy.
    void product(const char* label, const ProductShape& shape, double perMicroBatch, ModelPart part) {
        addProduct(label, shape, perMicroBatch, m_roofs.productFlops, shareAgain(false), ofLayers(part));
        if (m_recipe.compute != Dtype::Fp8E4M3) return;
        const double cast = m_recipe.activationBytes + 2;  // read, written twice
        pass("rounding to fp8", {0, cast * (shape.m * shape.k + shape.k * shape.n)}, perMicroBatch,
             shape.m * shape.n / (shape.m * shape.k + shape.k * shape.n));
    }
    /// What stays in 16 bits: the router, and products outside of the layers, such as the head.
    void router(const ProductShape& shape, double perMicroBatch) {
        addProduct("router", shape, perMicroBatch, m_roofs.halfFlops, shareAgain(false),
                   ofLayers(ModelPart::Router));
    }
    void outerProduct(const char* label, const ProductShape& shape, const GradientShares& gradients) {
        addProduct(label, shape, 1, m_roofs.halfFlops, 0, gradients);
    }
    /// A product of an adapter, which is trained wherever it is.
    void adapterProduct(const std::string& label, const ProductShape& shape, double perMicroBatch) {
        addProduct(label, shape, perMicroBatch * m_layers.trainable, m_roofs.halfFlops, adaptersAgain(false),
                   {});
    }
    void adapterSum(const std::string& label, const OpWork& work, double perMicroBatch) {
        // Backward hands the same gradient on, scaled for the adapter.
        addPass(label + ", sums", work, perMicroBatch * m_layers.trainable, adaptersAgain(true), 2.0 / 3);
    }
    /// Weights that are kept in 4 bits are made whole before each product: nothing is fused with that.
    void dequantisation(double entries, double bytesOfEach, double perMicroBatch) {
        const OpWork work{0, entries * (bytesOfEach + m_recipe.activationBytes)};
        const TimedOp once = timedOp("weights out of 4 bits", work, 1, false, m_roofs);
        add("weights out of 4 bits", once, m_layers.backward * once.seconds, m_layers.backward, perMicroBatch,
            shareAgain(false));
    }
    /// Element-wise, in the layers: backward reads the gradient as well.
    void pass(const char* label, const OpWork& work, double perMicroBatch, double backward = 1.5) {
        addPass(label, work, perMicroBatch, shareAgain(true), m_layers.backward * backward);
    }
    void outerPass(const char* label, const OpWork& work, bool backward) {
        addPass(label, work, 1, 0, backward ? 1.5 : 0);
    }
    void attention(const OpWork& work, double headWidth, double perMicroBatch) {
        // Narrow heads leave half of a tensor core's depth unused between softmaxes.
        const double rate = m_recipe.fusedAttention ? m_roofs.attentionFlops * headWidth /
                                                          (headWidth + kHeadRamp) * (1 + kHeadRamp / 128)
                                                    : m_roofs.halfFlops;
        const TimedOp once = timedAt(rate, "", work, 1, true, m_roofs);
        const double backward = m_layers.backward * (m_recipe.fusedAttention ? 2.5 : 2);
        const bool scoresOnly = m_recipe.recompute == Recompute::Selective && !m_recipe.fusedAttention;
        add("attention scores and sums", once, backward * once.seconds, backward, perMicroBatch,
            scoresOnly ? m_layers.backward : shareAgain(false));
    }
    [[nodiscard]] StageOps result() && { return std::move(m_result); }

private:
    static constexpr double kHeadRamp = 48;

    /// Part of the layers in which an op of the forward pass runs again.
    [[nodiscard]] double shareAgain(bool isPass) const { return m_layers.backward * adaptersAgain(isPass); }
    /// The same of adapters, which the backward pass always reaches.
    [[nodiscard]] double adaptersAgain(bool isPass) const {
        if (m_recipe.recompute == Recompute::Full) return m_recipe.recomputeShare;
        return m_recipe.recompute == Recompute::PerOp && isPass ? 1 : 0;
    }
    [[nodiscard]] GradientShares ofLayers(ModelPart part) const {
        return {m_layers.backward, trains(m_adaptation, part) ? m_layers.trainable : 0};
    }
    void addPass(const std::string& label, OpWork work, double perMicroBatch, double again, double backward) {
        work.bytes *= m_roofs.passFactor;
        const TimedOp once = timedOp(label, work, 1, false, m_roofs);
        add(label, once, backward * once.seconds, backward, perMicroBatch, again);
    }
    void addProduct(const std::string& label, const ProductShape& shape, double perMicroBatch, double rate,
                    double again, const GradientShares& gradients) {
        const auto workOf = [&](const ProductShape& of) { return productWork(of, m_recipe.activationBytes); };
        const auto rateOf = [&](const ProductShape& of) {
            return rate * shareOfBestProduct(of, m_roofs.tiles);
        };
        const auto secondsOf = [&](const ProductShape& of) {
            return secondsAt(rateOf(of), workOf(of), m_roofs);
        };
        const double backward =
            gradients.input * secondsOf(shape.ofInput()) + gradients.weight * secondsOf(shape.ofWeight());
        add(label, timedAt(rateOf(shape), label, workOf(shape), 1, true, m_roofs), backward,
            gradients.input + gradients.weight, perMicroBatch, again);
    }
    /// `once`: one forward op; its backward ones are `backward` times its work.
    void add(const std::string& label, const TimedOp& once, double backwardSeconds, double backward,
             double perMicroBatch, double again) {
        if (perMicroBatch <= 0 || once.bytes <= 0) return;
        const double count = perMicroBatch * m_microBatches;
        const auto of = [&](const char* when, double work, double seconds) {
            TimedOp op = once;
            op.label = label + when;
            op.flops *= count * work;
            op.bytes *= count * work;
            op.seconds = count * seconds;
            m_result.ops.push_back(std::move(op));
            return count * seconds;
        };
        m_result.forward += of(", forward", 1, once.seconds);
        if (backward > 0) m_result.backward += of(", backward", backward, backwardSeconds);
        if (again > 0) m_result.recomputed += of(", again", again, again * once.seconds);
    }

    const Recipe& m_recipe;
    const Adaptation& m_adaptation;
    const Roofs& m_roofs;
    double m_microBatches;
    TrainedLayers m_layers;
    StageOps m_result;
};

/// Sizes of one micro-batch on one device.
struct Sizes {
    double tokens = 0;
    double e = 2;
    double t = 1;
    double h = 0;
    double heads = 0;
};

void addAttention(Collector& ops, const Transformer& m, const Recipe& recipe, const Sizes& z,
                  std::int64_t sequence, double layers) {
    const auto query = static_cast<double>(m.queryWidth()), key = static_cast<double>(m.keyWidth());
    const auto value = static_cast<double>(m.valueWidth());
    constexpr auto part = ModelPart::Attention;
    if (m.latent) {
        const LatentAttention& l = *m.latent;
        const auto rank = static_cast<double>(l.queryRank), shared = static_cast<double>(l.keyValueRank);
        const double narrow = rank + shared + static_cast<double>(l.rotaryWidth);
        ops.product("attention to narrow", {z.tokens, z.h, narrow}, layers, part);
        ops.product("attention queries", {z.tokens, rank > 0 ? rank : z.h, query / z.t}, layers, part);
        const auto both = static_cast<double>(m.heads * (l.plainWidth + l.valueWidth));
        ops.product("attention keys and values", {z.tokens, shared, both / z.t}, layers, part);
    } else {
        ops.product("attention queries, keys and values", {z.tokens, z.h, (query + 2 * key) / z.t}, layers,
                    part);
    }
    const double flops =
        workPerToken(m, recipe, sequence).executedForward / static_cast<double>(m.layers) / z.t * z.tokens;
    double bytes = z.e * z.tokens * (query + 2 * (m.latent ? value : key) + value) / z.t;
    if (!recipe.fusedAttention)  // scores written, softmax read and written, read for the sums
        bytes += 4 * z.e * z.tokens * static_cast<double>(sequence) * z.heads / z.t;
    ops.attention({flops, bytes}, value / static_cast<double>(m.heads), layers);
    ops.product("attention output", {z.tokens, value / z.t, z.h}, layers, part);
}

void addBlock(Collector& ops, const Transformer& m, const char* up, const char* down, const char* middle,
              double tokens, double inner, const Sizes& z, double count, ModelPart part) {
    if (inner <= 0) return;
    ops.product(up, {tokens, z.h, (m.gated ? 2 : 1) * inner}, count, part);
    ops.pass(middle, passWork(tokens * inner, m.gated ? kSiluFlops + 1 : kGeluFlops, m.gated ? 3 : 2, z.e),
             count);
    ops.product(down, {tokens, inner, z.h}, count, part);
}

void addExperts(Collector& ops, const Transformer& m, const Sizes& z, const ParallelLayout& p,
                double imbalance, double layers) {
    const Experts& x = *m.experts;
    const double local = static_cast<double>(x.count) / static_cast<double>(p.expert);
    const double perExpert = z.tokens * static_cast<double>(x.active) / local * imbalance;
    // Tokens are put in the order of their experts, and added up again where they came from.
    const double chosen = z.tokens * static_cast<double>(x.active) * z.h;
    ops.pass("order of tokens", passWork(chosen, 0, 2, z.e), layers);
    ops.pass("sums of experts", passWork(chosen, 2, 2, z.e), layers);
    ops.router({z.tokens, z.h, static_cast<double>(x.count) + (x.sharedGate ? 1 : 0)}, layers);
    addBlock(ops, m, "experts in", "experts out", "experts' activation", perExpert,
             static_cast<double>(x.hidden) / z.t, z, layers * local, ModelPart::Experts);
    addBlock(ops, m, "shared experts in", "shared experts out", "shared experts' activation", z.tokens,
             static_cast<double>(x.sharedHidden) / z.t, z, layers, ModelPart::FeedForward);
}

/// Two narrow products beside each matrix, and their sum onto what it makes. Tokens of an expert are those of
/// all of its matrices.
void addAdapters(Collector& ops, const Scenario& s, const Transformer& m, const Sizes& z, double imbalance,
                 const Stage& stage) {
    const auto rank = static_cast<double>(s.adaptation.rank);
    for (const Adapter& adapter : adaptersOf(m, s.adaptation)) {
        double count = stage.layers() * adapter.layers / static_cast<double>(m.layers), tokens = z.tokens;
        if (adapter.part == ModelPart::Experts) {
            const double local = adapter.copies / static_cast<double>(s.parallel.expert);
            tokens *= adapter.active / local * imbalance;
            count *= local;
        }
        const double in = adapter.inOf(z.t), out = adapter.outOf(z.t);
        const std::string label = std::string("adapters of ") + adapter.label;
        ops.adapterProduct(label + ", to the rank", {tokens, in, rank}, count);
        ops.adapterProduct(label + ", from the rank", {tokens, rank, out}, count);
        ops.adapterSum(label, passWork(tokens * out, 2, 3, z.e), count);
    }
}

constexpr double kRamp = 128;  ///< elements of k in 16 bits that filling and draining a tile costs

/// The peak in 16 bits; that of the compute format where that is no fp8.
double halfPeakOf(const Scenario& scenario, double peak) {
    if (computeDtype(scenario) != Dtype::Fp8E4M3) return peak;
    if (scenario.cluster.device)
        if (const auto half = scenario.cluster.device->peak(Dtype::Bf16)) return std::min(*half, peak);
    return peak / 2;
}

}  // namespace

Result<Roofs> roofsOf(const Scenario& scenario) {
    Roofs roofs;
    PLUMB_TRY(const double peak, numberOf(scenario, Input::Peak));
    PLUMB_TRY(const double bandwidth, numberOf(scenario, Input::Bandwidth));
    PLUMB_TRY(const double efficiency, numberOf(scenario, Input::MatmulEfficiency));
    PLUMB_TRY(const double memoryEfficiency, numberOf(scenario, Input::MemoryEfficiency));
    PLUMB_TRY(roofs.overhead, numberOf(scenario, Input::OpOverhead));
    PLUMB_TRY(const double attention, numberOf(scenario, Input::AttentionEfficiency));
    // The deep linear model's plan has the passes that run, and its predictions are of kernels.
    double sustained = 1;
    if (scenario.model.linear() == nullptr) {
        PLUMB_TRY(roofs.passFactor, numberOf(scenario, Input::PassFactor));
        PLUMB_TRY(sustained, numberOf(scenario, Input::Sustained));
    }
    const double half = halfPeakOf(scenario, peak);
    roofs.productFlops = peak * efficiency * sustained;
    roofs.halfFlops = half * efficiency * sustained;
    roofs.attentionFlops = half * attention * sustained;
    roofs.bandwidth = bandwidth * memoryEfficiency * sustained;
    roofs.overhead /= sustained;
    if (scenario.cluster.device && scenario.cluster.device->multiprocessors) {
        const bool is8 = computeDtype(scenario) == Dtype::Fp8E4M3;
        roofs.tiles = ProductTiles{*scenario.cluster.device->multiprocessors, (is8 ? 2 : 1) * kRamp};
    }
    if (scenario.cluster.device) roofs.passFlops = scenario.cluster.device->peak(Dtype::Fp32).value_or(0);
    return roofs;
}

TimedOp timedOp(std::string label, const OpWork& work, double count, bool product, const Roofs& roofs) {
    return timedAt(product ? roofs.productFlops : roofs.passFlops, std::move(label), work, count, product,
                   roofs);
}

Result<StageOps> opsOf(const Scenario& s, const Transformer& m, const ResolvedLayout& layout,
                       const Stage& stage, const Roofs& roofs) {
    PLUMB_TRY(const double imbalance, numberOf(s, Input::ExpertImbalance));
    const ParallelLayout& p = s.parallel;
    Sizes z{.tokens = static_cast<double>(layout.sequence) * static_cast<double>(p.microBatch) /
                      static_cast<double>(p.context),
            .e = s.recipe.activationBytes,
            .t = static_cast<double>(p.tensor),
            .h = static_cast<double>(m.hidden),
            .heads = static_cast<double>(m.heads)};
    const double wide = z.tokens * z.h / (p.sequence ? z.t : 1);

    const Adaptation& a = s.adaptation;
    const StageHolding held = holdingOf(s, m, stage);
    Collector ops(s, roofs, static_cast<double>(layout.microBatches), held.layers);
    const bool embeds = trains(a, ModelPart::Embeddings);
    // An image has one answer, and one token that is no patch.
    const double answers = m.patch > 0 ? z.tokens / static_cast<double>(layout.sequence) : z.tokens;
    if (stage.first && m.patch > 0)
        ops.outerProduct("embedding of patches",
                         {z.tokens - answers, static_cast<double>(m.patch), z.h / z.t},
                         {embeds ? 1.0 : 0, embeds ? 1.0 : 0});
    else if (stage.first)
        ops.outerPass("embedding", passWork(wide, 0, 2, z.e), embeds);
    ops.pass("norms", passWork(wide, m.normBias ? kLayerNormFlops : kRmsNormFlops, 2, z.e),
             stage.layers() * static_cast<double>(m.normsPerLayer) +
                 (stage.first && m.embeddingNorm ? 1 : 0) + (stage.last && m.finalNorm ? 1 : 0));
    addAttention(ops, m, s.recipe, z, layout.sequence, stage.layers());
    ops.pass("residual additions", passWork(wide, 1, 3, z.e), 2 * stage.layers());
    addBlock(ops, m, "feed-forward in", "feed-forward out", "feed-forward activation", z.tokens,
             static_cast<double>(m.inner) / z.t, z, stage.denseLayers, ModelPart::FeedForward);
    if (m.experts) addExperts(ops, m, z, p, imbalance, stage.expertLayers);
    addAdapters(ops, s, m, z, imbalance, stage);
    if (const double entries = held.dense.quantised + held.experts.quantised; entries > 0)
        ops.dequantisation(entries / stage.layers(), quantisedBytes(a), stage.layers());
    if (stage.last) {
        const double words = static_cast<double>(m.vocabulary) / z.t;
        const GradientShares gradients{trainsBeforeHead(m, a) ? 1.0 : 0,
                                       trains(a, ModelPart::Head) ? 1.0 : 0};
        if (m.headLayer) ops.outerProduct("head's own layer", {answers, z.h, z.h}, gradients);
        ops.outerProduct("head", {answers, z.h, words}, gradients);
        ops.outerPass("loss", passWork(answers * words, kCrossEntropyFlops, 2, kLogitBytes), true);
    }
    return std::move(ops).result();
}

TimedOp updateOp(const Recipe& recipe, double parameters, const Roofs& roofs) {
    // Reads gradient, master copy (or weight) and states, writes weight, master copy and states.
    const double bytes = recipe.gradientBytes + (recipe.masterBytes > 0 ? 1 : 2) * recipe.weightBytes +
                         2 * (recipe.masterBytes + recipe.stateBytes);
    return timedOp("optimizer", {recipe.updateFlops * parameters, bytes * parameters}, 1, false, roofs);
}

}  // namespace plumb::planner
