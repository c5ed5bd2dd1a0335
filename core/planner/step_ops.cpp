// SPDX-License-Identifier: Apache-2.0
#include "core/planner/step_ops.h"

#include "core/planner/attention_time.h"
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

/// Parts of an op's runs that have a gradient of their input, and of their weight.
struct GradientShares {
    double input = 1;
    double weight = 1;
};

/// Collects the ops of one stage: each forward op brings its backward ones, and again when it is recomputed.
class Collector : public LayerOps {
public:
    Collector(const Scenario& scenario, const Transformer& model, const Roofs& roofs, double microBatches,
              const TrainedLayers& layers)
        : m_recipe(scenario.recipe),
          m_kernel(attentionKernelOf(scenario.recipe, scenario.software)),
          m_adaptation(scenario.adaptation),
          m_model(model),
          m_weights(weightsOf(model, model.expertLayers() == model.layers)),
          m_again(againOf(scenario.recipe, model.gated)),
          m_roofs(roofs),
          m_microBatches(microBatches),
          m_layers(layers) {}

    /// A product of a layer: backward two of the same work, for its input and, where it is trained, for its
    /// weight. In fp8 its operands are rounded before it, each with a transposed copy.
    void product(const LayerProduct& product) override {
        const auto& [label, shape, perMicroBatch, part, makes, together] = product;
        addProduct(label, shape, perMicroBatch, m_roofs.productFlops,
                   shareAgain(shareOf(m_again, m_weights, makes)), ofLayers(part), together);
        if (m_recipe.compute != Dtype::Fp8E4M3) return;
        const double cast = m_recipe.activationBytes + 2;  // read, written twice
        pass("rounding to fp8", {0, cast * together * (shape.m * shape.k + shape.k * shape.n)},
             perMicroBatch / together, true, shape.m * shape.n / (shape.m * shape.k + shape.k * shape.n));
    }
    void halfProduct(const char* label, const ProductShape& shape, double perMicroBatch,
                     ModelPart part) override {
        const bool inLayer = part == ModelPart::Router;
        addProduct(label, shape, perMicroBatch, m_roofs.halfFlops, inLayer ? shareAgain(0) : 0,
                   inLayer ? ofLayers(part) : ofOuter(part));
    }
    void pass(const char* label, OpWork work, double perMicroBatch, bool inLayer, double backward) override {
        addPass(label, work, perMicroBatch, inLayer ? shareAgain(1) : 0,
                inLayer ? m_layers.backward * backward : backward);
    }
    void attention(const OpWork& work, double headWidth, double fullTiles, double perMicroBatch) override {
        const double rate = fullTiles * attentionRate(m_recipe, m_roofs, headWidth);
        const PassRates rates =
            m_recipe.fusedAttention ? passRatesOf(m_kernel, rate, m_roofs.halfPeak) : PassRates{rate, rate};
        const TimedOp once = timedAt(rates.forward, "", work, 1, true, m_roofs);
        const double backward = m_layers.backward * (m_recipe.fusedAttention ? kFusedBackwardWork : 2);
        const bool scoresOnly = m_recipe.recompute == Recompute::Selective && !m_recipe.fusedAttention;
        add("attention scores and sums", once, backward * secondsAt(rates.backward, work, m_roofs), backward,
            perMicroBatch,
            scoresOnly ? m_layers.backward : shareAgain(m_again[LayerPart::Attention] ? 1 : 0));
    }
    /// A product of an adapter, which is trained wherever it is.
    void adapterProduct(const std::string& label, const ProductShape& shape, double perMicroBatch) {
        addProduct(label, shape, perMicroBatch * m_layers.trainable, m_roofs.halfFlops, adaptersAgain(0), {});
    }
    void adapterSum(const std::string& label, const OpWork& work, double perMicroBatch) {
        // Backward hands the same gradient on, scaled for the adapter.
        addPass(label + ", sums", work, perMicroBatch * m_layers.trainable, adaptersAgain(1), 2.0 / 3);
    }
    /// Weights that are kept in 4 bits are made whole before each product: nothing is fused with that.
    void dequantisation(double entries, double bytesOfEach, double perMicroBatch) {
        const OpWork work{0, entries * (bytesOfEach + m_recipe.activationBytes)};
        const TimedOp once = timedOp("weights out of 4 bits", work, 1, false, m_roofs);
        add("weights out of 4 bits", once, m_layers.backward * once.seconds, m_layers.backward, perMicroBatch,
            shareAgain(0));
    }
    [[nodiscard]] StageOps result() && { return std::move(m_result); }
    /// Puts this before the names of all further ops.
    void nameStack(std::string stack) { m_stack = std::move(stack); }

private:
    /// Part of an op of the forward pass that runs again; `byParts`: where that goes by parts.
    [[nodiscard]] double shareAgain(double byParts) const {
        return m_layers.backward * adaptersAgain(byParts);
    }
    /// The same of adapters, which the backward pass always reaches.
    [[nodiscard]] double adaptersAgain(double byParts) const {
        if (m_recipe.recompute == Recompute::Full) return m_recipe.recomputeShare;
        return goesByParts(m_recipe) ? byParts : 0;
    }
    [[nodiscard]] GradientShares ofLayers(ModelPart part) const {
        return {m_layers.backward, trains(m_adaptation, part) ? m_layers.trainable : 0};
    }
    /// Of what stands before or behind the layers.
    [[nodiscard]] GradientShares ofOuter(ModelPart part) const {
        const double own = trains(m_adaptation, part) ? 1 : 0;
        if (part != ModelPart::Head) return {own, own};
        return {trainsBeforeHead(m_model, m_adaptation) ? 1.0 : 0, own};
    }
    void addPass(const std::string& label, OpWork work, double perMicroBatch, double again, double backward) {
        work.bytes *= m_roofs.passFactor;
        const TimedOp once = timedOp(label, work, 1, false, m_roofs);
        add(label, once, backward * once.seconds, backward, perMicroBatch, again);
    }
    void addProduct(const std::string& label, const ProductShape& shape, double perMicroBatch, double rate,
                    double again, const GradientShares& gradients, double together = 1) {
        const auto workOf = [&](const ProductShape& of) {
            return together * productWork(of, m_recipe.activationBytes);
        };
        const auto rateOf = [&](const ProductShape& of) {
            return rate * shareOfBestProduct(of, m_roofs.tiles);
        };
        const auto secondsOf = [&](const ProductShape& of) {
            return secondsAt(rateOf(of), workOf(of), m_roofs);
        };
        const double backward =
            gradients.input * secondsOf(shape.ofInput()) + gradients.weight * secondsOf(shape.ofWeight());
        add(label, timedAt(rateOf(shape), label, workOf(shape), 1, true, m_roofs), backward,
            gradients.input + gradients.weight, perMicroBatch / together, again);
    }
    /// `once`: one forward op; its backward ones are `backward` times its work.
    void add(const std::string& which, const TimedOp& once, double backwardSeconds, double backward,
             double perMicroBatch, double again) {
        if (perMicroBatch <= 0 || once.bytes <= 0) return;
        const std::string label = m_stack + which;
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
    AttentionKernel m_kernel;
    const Adaptation& m_adaptation;
    const Transformer& m_model;
    EnumArray<LayerPart, double> m_weights;
    LayerParts m_again;
    const Roofs& m_roofs;
    double m_microBatches;
    TrainedLayers m_layers;
    StageOps m_result;
    std::string m_stack;
};

constexpr double kBackwardOfPass = 1.5;  ///< it reads the gradient as well

void addAttention(LayerOps& ops, const Transformer& m, const LayerSizes& z, double layers) {
    const auto query = static_cast<double>(m.queryWidth()), key = static_cast<double>(m.keyWidth());
    const auto value = static_cast<double>(m.valueWidth());
    using enum LayerPart;
    if (m.latent) {
        const LatentAttention& l = *m.latent;
        const auto rank = static_cast<double>(l.queryRank), shared = static_cast<double>(l.keyValueRank);
        const double narrow = rank + shared + static_cast<double>(l.rotaryWidth);
        ops.product({"attention to narrow",
                     {z.tokens, z.h, narrow},
                     layers,
                     ModelPart::Attention,
                     partsOf({Queries, Keys, Values})});
        ops.product({"attention queries",
                     {z.tokens, rank > 0 ? rank : z.h, query / z.t},
                     layers,
                     ModelPart::Attention,
                     partsOf({Queries})});
        const auto both = static_cast<double>(m.heads * (l.plainWidth + l.valueWidth));
        ops.product({"attention keys and values",
                     {z.tokens, shared, both / z.t},
                     layers,
                     ModelPart::Attention,
                     partsOf({Keys, Values})});
    } else {
        ops.product({"attention queries, keys and values",
                     {z.tokens, z.h, (query + 2 * key) / z.t},
                     layers,
                     ModelPart::Attention,
                     partsOf({Queries, Keys, Values})});
    }
    ops.attention(z.attention, value / static_cast<double>(m.heads), z.fullTiles, layers);
    ops.product({"attention output",
                 {z.tokens, value / z.t, z.h},
                 layers,
                 ModelPart::Attention,
                 partsOf({LayerPart::Output})});
}

/// `blocks`: how many of them a layer has.
void addBlock(LayerOps& ops, const Transformer& m, const char* up, const char* down, const char* middle,
              double tokens, double inner, const LayerSizes& z, double layers, double blocks,
              ModelPart part) {
    if (inner <= 0) return;
    const LayerParts makes = m.gated ? partsOf({LayerPart::Gate, LayerPart::Up}) : partsOf({LayerPart::Up});
    const double together = z.areGrouped ? blocks : 1, count = layers * blocks;
    ops.product({up, {tokens, z.h, (m.gated ? 2 : 1) * inner}, count, part, makes, together});
    ops.pass(middle,
             passWork(together * tokens * inner, m.gated ? kSiluFlops + 1 : kGeluFlops, m.gated ? 3 : 2, z.e),
             count / together, true, kBackwardOfPass);
    ops.product({down, {tokens, inner, z.h}, count, part, {}, together});
}

void addExperts(LayerOps& ops, const Transformer& m, const LayerSizes& z, double imbalance, double layers) {
    const Experts& x = *m.experts;
    const double perExpert = z.tokens * static_cast<double>(x.active) / z.experts * imbalance;
    // Tokens are put in the order of their experts, and added up again where they came from.
    const double chosen = z.tokens * static_cast<double>(x.active) * z.h;
    ops.pass("order of tokens", passWork(chosen, 0, 2, z.e), layers, true, kBackwardOfPass);
    ops.pass("sums of experts", passWork(chosen, 2, 2, z.e), layers, true, kBackwardOfPass);
    ops.halfProduct("router", {z.tokens, z.h, static_cast<double>(x.count) + (x.sharedGate ? 1 : 0)}, layers,
                    ModelPart::Router);
    addBlock(ops, m, "experts in", "experts out", "experts' activation", perExpert,
             static_cast<double>(x.hidden) / z.t, z, layers, z.experts, ModelPart::Experts);
    addBlock(ops, m, "shared experts in", "shared experts out", "shared experts' activation", z.tokens,
             static_cast<double>(x.sharedHidden) / z.t, z, layers, 1, ModelPart::FeedForward);
}

/// Two narrow products beside each matrix, and their sum onto what it makes. Tokens of an expert are those of
/// all of its matrices.
void addAdapters(Collector& ops, const Scenario& s, const Transformer& m, const LayerSizes& z,
                 double imbalance, const Stage& stage) {
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

/// The encoder's layers and what makes their tokens.
void addEncoder(Collector& ops, const Scenario& s, const Transformer& m, const LayerSizes& decoder,
                std::int64_t sequence) {
    const Transformer encoder = encoderStack(m);
    const std::int64_t tokens = encoderTokens(m, sequence);
    LayerSizes z = decoder;
    z.tokens = decoder.tokens * static_cast<double>(tokens) / static_cast<double>(sequence);
    z.wide = z.tokens * z.h;
    z.attention = attentionWork(encoder, s.recipe, tokens, z);
    z.fullTiles = shareOfFullTiles(encoder, s.recipe, tokens);
    const Stage stage{.first = true, .last = true, .denseLayers = static_cast<double>(encoder.layers)};
    ops.nameStack("encoder: ");
    if (m.encoder->frame > 0) {
        const auto frame = static_cast<double>(m.encoder->frame);
        ops.halfProduct("convolution of frames", {2 * z.tokens, 3 * frame, z.h}, 1, ModelPart::Embeddings);
        ops.halfProduct("convolution to tokens", {z.tokens, 3 * z.h, z.h}, 1, ModelPart::Embeddings);
        ops.pass("activation of convolutions", passWork(3 * z.wide, kGeluFlops, 2, z.e), 1, false,
                 kBackwardOfPass);
    } else {
        ops.pass("embedding", passWork(z.wide, 0, 2, z.e), 1, false, kBackwardOfPass);
    }
    addLayers(ops, encoder, z, stage, 1);
    ops.nameStack("");
}

/// The second attention of each decoder layer.
void addCrossAttention(LayerOps& ops, const Recipe& recipe, const Transformer& m, const LayerSizes& z,
                       std::int64_t sequence) {
    using enum LayerPart;
    const auto layers = static_cast<double>(m.layers);
    const auto seen = static_cast<double>(encoderTokens(m, sequence));
    const double others = z.tokens * seen / static_cast<double>(sequence);
    const auto query = static_cast<double>(m.queryWidth()), key = static_cast<double>(m.keyWidth());
    const auto value = static_cast<double>(m.valueWidth());
    ops.pass("norms of cross attention",
             passWork(z.wide, m.normBias ? kLayerNormFlops : kRmsNormFlops, 2, z.e), layers, true,
             kBackwardOfPass);
    ops.product({"cross attention queries",
                 {z.tokens, z.h, query},
                 layers,
                 ModelPart::Attention,
                 partsOf({Queries})});
    ops.product({"cross attention keys and values",
                 {others, z.h, 2 * key},
                 layers,
                 ModelPart::Attention,
                 partsOf({Keys, Values})});
    OpWork pairs{2 * (query + value) * seen * z.tokens,
                 z.e * (z.tokens * (query + value) + others * 2 * key)};
    if (!recipe.fusedAttention) pairs.bytes += 4 * z.e * z.tokens * seen * static_cast<double>(m.heads);
    ops.attention(pairs, value / static_cast<double>(m.heads), 1, layers);
    ops.product({"cross attention output",
                 {z.tokens, value, z.h},
                 layers,
                 ModelPart::Attention,
                 partsOf({LayerPart::Output})});
    ops.pass("residual additions of cross attention", passWork(z.wide, 1, 3, z.e), layers, true,
             kBackwardOfPass);
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
    roofs.halfPeak = half;
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

double attentionRate(const Recipe& recipe, const Roofs& roofs, double headWidth) {
    if (!recipe.fusedAttention) return roofs.halfFlops;
    // Narrow heads leave half of a tensor core's depth unused between softmaxes.
    constexpr double kHeadRamp = 48;
    return roofs.attentionFlops * headWidth / (headWidth + kHeadRamp) * (1 + kHeadRamp / 128);
}

OpWork attentionWork(const Transformer& m, const Recipe& recipe, std::int64_t sequence, const LayerSizes& z) {
    const auto query = static_cast<double>(m.queryWidth()), value = static_cast<double>(m.valueWidth());
    const double flops =
        workPerToken(m, recipe, sequence).executedForward / static_cast<double>(m.layers) / z.t * z.tokens;
    double bytes =
        z.e * z.tokens * (query + 2 * (m.latent ? value : static_cast<double>(m.keyWidth())) + value) / z.t;
    if (!recipe.fusedAttention)  // scores written, softmax read and written, read for the sums
        bytes += 4 * z.e * z.tokens * static_cast<double>(sequence) * static_cast<double>(m.heads) / z.t;
    return {flops, bytes};
}

void addLayers(LayerOps& ops, const Transformer& m, const LayerSizes& z, const Stage& stage,
               double imbalance) {
    ops.pass("norms", passWork(z.wide, m.normBias ? kLayerNormFlops : kRmsNormFlops, 2, z.e),
             stage.layers() * static_cast<double>(m.normsPerLayer) +
                 (stage.first && m.embeddingNorm ? 1 : 0) + (stage.last && m.finalNorm ? 1 : 0),
             true, kBackwardOfPass);
    addAttention(ops, m, z, stage.layers());
    ops.pass("residual additions", passWork(z.wide, 1, 3, z.e), 2 * stage.layers(), true, kBackwardOfPass);
    addBlock(ops, m, "feed-forward in", "feed-forward out", "feed-forward activation", z.tokens,
             static_cast<double>(m.inner) / z.t, z, stage.denseLayers, 1, ModelPart::FeedForward);
    if (m.experts) addExperts(ops, m, z, imbalance, stage.expertLayers);
}

void addHead(LayerOps& ops, const Transformer& m, const LayerSizes& z, double answers) {
    if (m.headLayer) ops.halfProduct("head's own layer", {answers, z.h, z.h}, 1, ModelPart::Head);
    ops.halfProduct("head", {answers, z.h, static_cast<double>(m.vocabulary) / z.t}, 1, ModelPart::Head);
}

TimedOp timedOp(std::string label, const OpWork& work, double count, bool product, const Roofs& roofs) {
    return timedAt(product ? roofs.productFlops : roofs.passFlops, std::move(label), work, count, product,
                   roofs);
}

Result<StageOps> opsOf(const Scenario& s, const Transformer& m, const ResolvedLayout& layout,
                       const Stage& stage, const Roofs& roofs) {
    PLUMB_TRY(const double imbalance, numberOf(s, Input::ExpertImbalance));
    const ParallelLayout& p = s.parallel;
    LayerSizes z{.tokens = static_cast<double>(layout.sequence) * static_cast<double>(p.microBatch) /
                           static_cast<double>(p.context),
                 .e = s.recipe.activationBytes,
                 .t = static_cast<double>(p.tensor),
                 .h = static_cast<double>(m.hidden),
                 .experts =
                     m.experts ? static_cast<double>(m.experts->count) / static_cast<double>(p.expert) : 0,
                 // Steps that nothing fuses go through their experts one after another.
                 .areGrouped = s.software != Software::Eager};
    z.wide = z.tokens * z.h / (p.sequence ? z.t : 1);
    z.attention = attentionWork(decoderStack(m), s.recipe, layout.sequence, z);
    z.fullTiles = shareOfFullTiles(decoderStack(m), s.recipe, layout.sequence);

    const StageHolding held = holdingOf(s, m, stage);
    Collector ops(s, m, roofs, static_cast<double>(layout.microBatches), held.layers);
    // An image has one answer, and one token that is no patch.
    const double answers = m.patch > 0 ? z.tokens / static_cast<double>(layout.sequence) : z.tokens;
    if (stage.first && m.patch > 0)
        ops.halfProduct("embedding of patches", {z.tokens - answers, static_cast<double>(m.patch), z.h / z.t},
                        1, ModelPart::Embeddings);
    else if (stage.first)
        ops.pass("embedding", passWork(z.wide, 0, 2, z.e), 1, false,
                 trains(s.adaptation, ModelPart::Embeddings) ? kBackwardOfPass : 0);
    if (m.encoder) addEncoder(ops, s, m, z, layout.sequence);
    addLayers(ops, m, z, stage, imbalance);
    if (m.encoder) addCrossAttention(ops, s.recipe, m, z, layout.sequence);
    addAdapters(ops, s, m, z, imbalance, stage);
    if (const double entries = held.dense.quantised + held.experts.quantised; entries > 0)
        ops.dequantisation(entries / stage.layers(), quantisedBytes(s.adaptation), stage.layers());
    if (stage.last) {
        addHead(ops, m, z, answers);
        const double words = static_cast<double>(m.vocabulary) / z.t;
        ops.pass("loss", passWork(answers * words, kCrossEntropyFlops, 2, kLogitBytes), 1, false,
                 kBackwardOfPass);
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
