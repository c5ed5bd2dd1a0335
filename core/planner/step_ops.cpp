// SPDX-License-Identifier: Apache-2.0
#include "core/planner/step_ops.h"

#include "core/planner/inputs.h"
#include "core/planner/work.h"

#include <algorithm>

namespace plumb::planner {

namespace {

constexpr double kLogitBytes = 4;  // losses are worked out in fp32

/// Collects the ops of one stage: each forward op brings its backward ones, and again when it is recomputed.
class Collector {
public:
    Collector(const Scenario& scenario, const Roofs& roofs, double microBatches)
        : m_recipe(scenario.recipe), m_roofs(roofs), m_microBatches(microBatches) {}

    /// A product: backward two of the same size.
    void product(const char* label, const OpWork& work, double perMicroBatch, bool inLayer = true) {
        add(label, work, perMicroBatch, true, 2, inLayer && m_recipe.recompute == Recompute::Full);
    }
    /// Element-wise: backward reads the gradient as well.
    void pass(const char* label, const OpWork& work, double perMicroBatch, bool inLayer = true) {
        add(label, work, perMicroBatch, false, 1.5, inLayer && m_recipe.recompute == Recompute::Full);
    }
    void attention(const OpWork& work, double perMicroBatch) {
        const bool again = m_recipe.recompute == Recompute::Full ||
                           (m_recipe.recompute == Recompute::Selective && !m_recipe.fusedAttention);
        add("attention scores and sums", work, perMicroBatch, true, m_recipe.fusedAttention ? 2.5 : 2, again);
    }
    [[nodiscard]] StageOps result() && { return std::move(m_result); }

private:
    void add(const std::string& label, const OpWork& work, double perMicroBatch, bool isProduct,
             double backward, bool again) {
        if (perMicroBatch <= 0 || work.bytes <= 0) return;
        const double count = perMicroBatch * m_microBatches;
        const TimedOp forward = timedOp(label + ", forward", work, count, isProduct, m_roofs);
        TimedOp back = timedOp(label + ", backward", work, count * backward, isProduct, m_roofs);
        m_result.forward += forward.seconds;
        m_result.backward += back.seconds;
        m_result.ops.push_back(forward);
        m_result.ops.push_back(std::move(back));
        if (!again) return;
        m_result.ops.push_back(forward);
        m_result.ops.back().label = label + ", again";
        m_result.recomputed += forward.seconds;
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
        ops.product("attention to narrow", productWork(z.tokens, z.h, narrow, z.e), layers);
        ops.product("attention queries", productWork(z.tokens, rank > 0 ? rank : z.h, query / z.t, z.e),
                    layers);
        const auto both = static_cast<double>(m.heads * (l.plainWidth + l.valueWidth));
        ops.product("attention keys and values", productWork(z.tokens, shared, both / z.t, z.e), layers);
    } else {
        ops.product("attention queries, keys and values",
                    productWork(z.tokens, z.h, (query + 2 * key) / z.t, z.e), layers);
    }
    const double flops =
        workPerToken(m, recipe, sequence).executedForward / static_cast<double>(m.layers) / z.t * z.tokens;
    double bytes = z.e * z.tokens * (query + 2 * (m.latent ? value : key) + value) / z.t;
    if (!recipe.fusedAttention)  // scores written, softmax read and written, read for the sums
        bytes += 4 * z.e * z.tokens * static_cast<double>(sequence) * z.heads / z.t;
    ops.attention({flops, bytes}, layers);
    ops.product("attention output", productWork(z.tokens, value / z.t, z.h, z.e), layers);
}

void addBlock(Collector& ops, const Transformer& m, const char* up, const char* down, const char* middle,
              double tokens, double inner, const Sizes& z, double count) {
    if (inner <= 0) return;
    ops.product(up, productWork(tokens, z.h, (m.gated ? 2 : 1) * inner, z.e), count);
    ops.pass(middle, passWork(tokens * inner, m.gated ? kSiluFlops + 1 : kGeluFlops, m.gated ? 3 : 2, z.e),
             count);
    ops.product(down, productWork(tokens, inner, z.h, z.e), count);
}

void addExperts(Collector& ops, const Transformer& m, const Sizes& z, const ParallelLayout& p,
                double imbalance, double layers) {
    const Experts& x = *m.experts;
    const double local = static_cast<double>(x.count) / static_cast<double>(p.expert);
    const double perExpert = z.tokens * static_cast<double>(x.active) / local * imbalance;
    const double rows = static_cast<double>(x.count) + (x.sharedGate ? 1 : 0);
    ops.product("router", productWork(z.tokens, z.h, rows, z.e), layers);
    addBlock(ops, m, "experts in", "experts out", "experts' activation", perExpert,
             static_cast<double>(x.hidden) / z.t, z, layers * local);
    addBlock(ops, m, "shared experts in", "shared experts out", "shared experts' activation", z.tokens,
             static_cast<double>(x.sharedHidden) / z.t, z, layers);
}

}  // namespace

Result<Roofs> roofsOf(const Scenario& scenario) {
    Roofs roofs;
    PLUMB_TRY(const double peak, numberOf(scenario, Input::Peak));
    PLUMB_TRY(const double bandwidth, numberOf(scenario, Input::Bandwidth));
    PLUMB_TRY(const double efficiency, numberOf(scenario, Input::MatmulEfficiency));
    PLUMB_TRY(const double memoryEfficiency, numberOf(scenario, Input::MemoryEfficiency));
    PLUMB_TRY(roofs.overhead, numberOf(scenario, Input::OpOverhead));
    roofs.productFlops = peak * efficiency;
    roofs.bandwidth = bandwidth * memoryEfficiency;
    if (scenario.cluster.device) roofs.passFlops = scenario.cluster.device->peak(Dtype::Fp32).value_or(0);
    return roofs;
}

TimedOp timedOp(std::string label, const OpWork& work, double count, bool product, const Roofs& roofs) {
    const double rate = product ? roofs.productFlops : roofs.passFlops;
    const double compute = rate > 0 ? work.flops / rate : 0;
    const double memory = work.bytes / roofs.bandwidth;
    TimedOp op;
    op.label = std::move(label);
    op.flops = count * work.flops;
    op.bytes = count * work.bytes;
    op.product = product;
    op.seconds = count * (std::max(compute, memory) + roofs.overhead);
    op.bound = roofs.overhead > std::max(compute, memory) ? Bound::Overhead
               : compute >= memory                        ? Bound::Compute
                                                          : Bound::Memory;
    return op;
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
        ops.product("embedding of patches",
                    productWork(z.tokens - answers, static_cast<double>(m.patch), z.h / z.t, z.e), 1, false);
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
        if (m.headLayer) ops.product("head's own layer", productWork(answers, z.h, z.h, z.e), 1, false);
        ops.product("head", productWork(answers, z.h, words, z.e), 1, false);
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
