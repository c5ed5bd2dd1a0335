// SPDX-License-Identifier: Apache-2.0
#include "core/planner/attention_time.h"
#include "core/planner/inputs.h"
#include "core/planner/links.h"
#include "core/planner/serving.h"
#include "core/planner/step_ops.h"
#include "core/planner/work.h"

#include <cmath>

namespace plumb::planner {

namespace {

/// Times the forward ops of a server, whose weights have a format of their own.
class ForwardOps final : public LayerOps {
public:
    ForwardOps(const Server& server, const Roofs& roofs)
        : m_server(server), m_roofs(roofs), m_is8(computeDtype(server.scenario) == Dtype::Fp8E4M3) {}

    void product(const LayerProduct& product) override {
        const auto& [label, shape, count, part, makes, together] = product;
        add(label, shape, count, together, m_roofs.productFlops, m_server.weightBytes());
        if (!m_is8) return;
        const double read = together * shape.m * shape.k;
        pass("rounding to fp8", {0, (activationBytes() + 1) * read}, count / together, true, 0);
    }
    void halfProduct(const char* label, const ProductShape& shape, double count,
                     ModelPart /*part*/) override {
        add(label, shape, count, 1, m_roofs.halfFlops, activationBytes());
    }
    void pass(const char* label, OpWork work, double count, bool /*inLayer*/, double /*backward*/) override {
        work.bytes *= m_roofs.passFactor;
        if (count > 0 && work.bytes > 0) m_time.ops.push_back(timedOp(label, work, count, false, m_roofs));
    }
    void attention(const OpWork& work, double headWidth, double fullTiles, double count) override {
        const Scenario& s = m_server.scenario;
        const double both = fullTiles * attentionRate(s.recipe, m_roofs, headWidth);
        const double rate =
            passRatesOf(attentionKernelOf(s.recipe, s.software), both, m_roofs.halfPeak).forward;
        m_time.ops.push_back(timedAt(rate, "attention scores and sums", work, count, true, m_roofs));
    }
    [[nodiscard]] ForwardTime result() && { return std::move(m_time); }

private:
    [[nodiscard]] double activationBytes() const { return m_server.scenario.recipe.activationBytes; }
    void add(const char* label, const ProductShape& shape, double count, double together, double rate,
             double weightBytes) {
        if (!(count > 0)) return;
        OpWork work = productWork(shape, activationBytes(), weightBytes);
        work = together * work;
        const double reached = rate * shareOfBestProduct(shape, m_roofs.tiles);
        const double launches = count / together;
        m_time.computeProducts += launches * work.flops / reached;
        m_time.memoryProducts += launches * work.bytes / m_roofs.bandwidth;
        m_time.ops.push_back(timedAt(reached, label, work, launches, true, m_roofs));
    }

    const Server& m_server;
    const Roofs& m_roofs;
    bool m_is8;
    ForwardTime m_time;
};

/// Experts that as many tokens go to, when each chooses its few without regard to the others.
double expertsReached(const Transformer& m, double tokens) {
    if (!m.experts) return 0;
    const auto count = static_cast<double>(m.experts->count);
    return count * (1 - std::pow(1 - static_cast<double>(m.experts->active) / count, tokens));
}

/// Scores and sums of the next token of every request, on one device, in a mean layer. Latent attention works
/// on what is cached, as engines do: its queries are multiplied into the latent width.
OpWork nextTokenAttention(const Server& server) {
    const Transformer& m = server.model;
    const double pairs = server.requests * tokensLookedBackOn(m, server.context) / server.layers;
    const double width =
        m.latent ? static_cast<double>(m.heads * (2 * m.latent->keyValueRank + m.latent->rotaryWidth))
                 : static_cast<double>(m.queryWidth() + m.valueWidth());
    const double own =
        server.requests * static_cast<double>(m.queryWidth() + m.valueWidth()) / server.devices;
    return {2 * width / server.devices * pairs, server.cacheBytes * cachedNumbers(m, server.devices) * pairs +
                                                    server.scenario.recipe.activationBytes * own};
}

/// `tokens` through the layers, `answers` of them through the head.
Result<ForwardTime> forward(const Server& server, double tokens, double answers, bool isPrompt) {
    const Scenario& s = server.scenario;
    const Transformer& m = server.model;
    PLUMB_TRY(Roofs roofs, roofsOf(s));
    if (roofs.tiles) roofs.tiles->splits = true;
    PLUMB_TRY(const double imbalance, numberOf(s, Input::ExpertImbalance));
    LayerSizes z{.tokens = tokens,
                 .e = s.recipe.activationBytes,
                 .t = server.devices,
                 .h = static_cast<double>(m.hidden),
                 .wide = tokens * static_cast<double>(m.hidden),
                 .experts = expertsReached(m, tokens)};
    z.attention = isPrompt ? attentionWork(m, s.recipe, static_cast<std::int64_t>(tokens), z)
                           : nextTokenAttention(server);
    if (isPrompt) z.fullTiles = shareOfFullTiles(m, s.recipe, static_cast<std::int64_t>(tokens));
    ForwardOps ops(server, roofs);
    addLayers(ops, m, z, stagesOf(m, s.parallel).front(), imbalance);
    addHead(ops, m, z, answers);
    ForwardTime time = std::move(ops).result();
    if (server.devices > 1) {
        PLUMB_TRY(const Links links, linksOf(s));
        const Group group{s.parallel.tensor, 1};
        constexpr double kReducesOfLayer = 2;  // behind attention and behind the block
        const double words = z.e * answers * static_cast<double>(m.vocabulary);
        time.traffic =
            kReducesOfLayer * server.layers * smallReduceSeconds(z.e * tokens * z.h, group, links) +
            gatherSeconds(words, group, links);
    }
    return time;
}

}  // namespace

double ForwardTime::total() const {
    double sum = traffic;
    for (const TimedOp& op : ops) sum += op.seconds;
    return sum;
}

Result<ForwardTime> promptTime(const Server& server) { return forward(server, server.prompt, 1, true); }

Result<ForwardTime> outputTime(const Server& server) {
    return forward(server, server.requests, server.requests, false);
}

}  // namespace plumb::planner
