// SPDX-License-Identifier: Apache-2.0
#include "core/planner/step_ops.h"

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

/// Collects the ops of one stage: each forward op brings its backward ones, and again when it is recomputed.
class Collector {
public:
    Collector(const Scenario& scenario, const Roofs& roofs, double microBatches)
        : m_recipe(scenario.recipe), m_roofs(roofs), m_microBatches(microBatches) {}

    /// A product of a layer: backward two of the same work. In fp8 its operands are rounded before it, each
    /// with a transposed copy.
    /// `alternate`: part of it that runs again where every second product does.
    void product(const char* label, const ProductShape& shape, double perMicroBatch, double alternate) {
        addProduct(label, shape, perMicroBatch, m_roofs.productFlops, productAgain(alternate));
        if (m_recipe.compute != Dtype::Fp8E4M3) return;
        const double cast = m_recipe.activationBytes + 2;  // read, written twice
        pass("rounding to fp8", {0, cast * (shape.m * shape.k + shape.k * shape.n)}, perMicroBatch, true,
             shape.m * shape.n / (shape.m * shape.k + shape.k * shape.n));
    }
    /// A product that stays in 16 bits, such as the head.
    void halfProduct(const char* label, const ProductShape& shape, double perMicroBatch, bool inLayer) {
        addProduct(label, shape, perMicroBatch, m_roofs.halfFlops, inLayer ? productAgain(0) : 0);
    }
    /// Element-wise: backward reads the gradient as well.
    void pass(const char* label, OpWork work, double perMicroBatch, bool inLayer = true,
              double backward = 1.5) {
        work.bytes *= m_roofs.passFactor;
        const TimedOp once = timedOp(label, work, 1, false, m_roofs);
        const double share = inLayer ? shareAgain(true) : 0;
        add(label, once, backward * once.seconds, backward, perMicroBatch, share);
    }
    void attention(const OpWork& work, double headWidth, double perMicroBatch) {
        // Narrow heads leave half of a tensor core's depth unused between softmaxes.
        const double rate = m_recipe.fusedAttention ? m_roofs.attentionFlops * headWidth /
                                                          (headWidth + kHeadRamp) * (1 + kHeadRamp / 128)
                                                    : m_roofs.halfFlops;
        const TimedOp once = timedAt(rate, "", work, 1, true, m_roofs);
        const double backward = m_recipe.fusedAttention ? 2.5 : 2;
        const bool scoresOnly = m_recipe.recompute == Recompute::Selective && !m_recipe.fusedAttention;
        add("attention scores and sums", once, backward * once.seconds, backward, perMicroBatch,
            scoresOnly ? 1 : shareAgain(false));
    }
    [[nodiscard]] StageOps result() && { return std::move(m_result); }

private:
    static constexpr double kHeadRamp = 48;

    /// Part of the layers in which an op of the forward pass runs again.
    [[nodiscard]] double shareAgain(bool isPass) const {
        if (m_recipe.recompute == Recompute::Full) return m_recipe.recomputeShare;
        const bool perOp =
            m_recipe.recompute == Recompute::PerOp || m_recipe.recompute == Recompute::Alternate;
        return perOp && isPass ? 1 : 0;
    }
    [[nodiscard]] double productAgain(double alternate) const {
        return m_recipe.recompute == Recompute::Alternate ? alternate : shareAgain(false);
    }
    void addProduct(const char* label, const ProductShape& shape, double perMicroBatch, double rate,
                    double again) {
        const auto workOf = [&](const ProductShape& of) { return productWork(of, m_recipe.activationBytes); };
        const auto rateOf = [&](const ProductShape& of) {
            return rate * shareOfBestProduct(of, m_roofs.tiles);
        };
        double backward = 0;
        for (const ProductShape& of : {shape.ofInput(), shape.ofWeight()})
            backward += secondsAt(rateOf(of), workOf(of), m_roofs);
        add(label, timedAt(rateOf(shape), label, workOf(shape), 1, true, m_roofs), backward, 2, perMicroBatch,
            again);
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
        m_result.backward += of(", backward", backward, backwardSeconds);
        if (again > 0) m_result.recomputed += of(", again", again, again * once.seconds);
    }

    const Recipe& m_recipe;
    const Roofs& m_roofs;
    double m_microBatches;
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
    if (m.latent) {
        const LatentAttention& l = *m.latent;
        const auto rank = static_cast<double>(l.queryRank), shared = static_cast<double>(l.keyValueRank);
        const double narrow = rank + shared + static_cast<double>(l.rotaryWidth);
        ops.product("attention to narrow", {z.tokens, z.h, narrow}, layers, 0);
        ops.product("attention queries", {z.tokens, rank > 0 ? rank : z.h, query / z.t}, layers, 0);
        const auto both = static_cast<double>(m.heads * (l.plainWidth + l.valueWidth));
        ops.product("attention keys and values", {z.tokens, shared, both / z.t}, layers, 0);
    } else {
        ops.product("attention queries, keys and values", {z.tokens, z.h, (query + 2 * key) / z.t}, layers,
                    key / (query + 2 * key));
    }
    const double flops =
        workPerToken(m, recipe, sequence).executedForward / static_cast<double>(m.layers) / z.t * z.tokens;
    double bytes = z.e * z.tokens * (query + 2 * (m.latent ? value : key) + value) / z.t;
    if (!recipe.fusedAttention)  // scores written, softmax read and written, read for the sums
        bytes += 4 * z.e * z.tokens * static_cast<double>(sequence) * z.heads / z.t;
    ops.attention({flops, bytes}, value / static_cast<double>(m.heads), layers);
    ops.product("attention output", {z.tokens, value / z.t, z.h}, layers, 1);
}

void addBlock(Collector& ops, const Transformer& m, const char* up, const char* down, const char* middle,
              double tokens, double inner, const Sizes& z, double count) {
    if (inner <= 0) return;
    ops.product(up, {tokens, z.h, (m.gated ? 2 : 1) * inner}, count, m.gated ? 0.5 : 0);
    ops.pass(middle, passWork(tokens * inner, m.gated ? kSiluFlops + 1 : kGeluFlops, m.gated ? 3 : 2, z.e),
             count);
    ops.product(down, {tokens, inner, z.h}, count, m.gated ? 0 : 1);
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
    ops.halfProduct("router", {z.tokens, z.h, static_cast<double>(x.count) + (x.sharedGate ? 1 : 0)}, layers,
                    true);
    addBlock(ops, m, "experts in", "experts out", "experts' activation", perExpert,
             static_cast<double>(x.hidden) / z.t, z, layers * local);
    addBlock(ops, m, "shared experts in", "shared experts out", "shared experts' activation", z.tokens,
             static_cast<double>(x.sharedHidden) / z.t, z, layers);
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

    Collector ops(s, roofs, static_cast<double>(layout.microBatches));
    // An image has one answer, and one token that is no patch.
    const double answers = m.patch > 0 ? z.tokens / static_cast<double>(layout.sequence) : z.tokens;
    if (stage.first && m.patch > 0)
        ops.halfProduct("embedding of patches", {z.tokens - answers, static_cast<double>(m.patch), z.h / z.t},
                        1, false);
    else if (stage.first)
        ops.pass("embedding", passWork(wide, 0, 2, z.e), 1, false);
    ops.pass("norms", passWork(wide, m.normBias ? kLayerNormFlops : kRmsNormFlops, 2, z.e),
             stage.layers() * static_cast<double>(m.normsPerLayer) +
                 (stage.first && m.embeddingNorm ? 1 : 0) + (stage.last && m.finalNorm ? 1 : 0));
    addAttention(ops, m, s.recipe, z, layout.sequence, stage.layers());
    ops.pass("residual additions", passWork(wide, 1, 3, z.e), 2 * stage.layers());
    addBlock(ops, m, "feed-forward in", "feed-forward out", "feed-forward activation", z.tokens,
             static_cast<double>(m.inner) / z.t, z, stage.denseLayers);
    if (m.experts) addExperts(ops, m, z, p, imbalance, stage.expertLayers);
    if (stage.last) {
        const double words = static_cast<double>(m.vocabulary) / z.t;
        if (m.headLayer) ops.halfProduct("head's own layer", {answers, z.h, z.h}, 1, false);
        ops.halfProduct("head", {answers, z.h, words}, 1, false);
        ops.pass("loss", passWork(answers * words, kCrossEntropyFlops, 2, kLogitBytes), 1, false);
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
