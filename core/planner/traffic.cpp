// SPDX-License-Identifier: Apache-2.0
#include "core/planner/traffic.h"

#include "core/base/quantity.h"
#include "core/planner/inputs.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::planner {

namespace {

/// Hides `overlap` of the time, but no more than there is to hide behind.
void expose(StepTraffic& traffic, double overlap, double hideBehind) {
    traffic.exposed = traffic.seconds - std::min(overlap * traffic.seconds, hideBehind);
}

StepTraffic axis(std::string name, std::string label, const Group& group, const Links& links) {
    return StepTraffic{.axis = std::move(name),
                       .label = std::move(label),
                       .devices = group.devices,
                       .leavesNode = group.nodes(links) > 1};
}

/// The blocks of activations that axes move: s b h e of one device's tokens.
struct Blocks {
    double hidden = 0;  ///< bytes of [tokens, hidden]
    double microBatches = 0;
    double layers = 0;
    double expertLayers = 0;
    bool full = false;  ///< the layers' forward pass runs twice
};

/// Sets bytes, time and formula of `perLayer` collectives of one device's `bytes` in each of `layers` layers.
void setPerLayer(StepTraffic& traffic, int perLayer, double layers, const Blocks& blocks, double bytes,
                 Seconds seconds) {
    const double count = perLayer * layers * blocks.microBatches;
    traffic.bytes = count * allGatherBytes(bytes, traffic.devices);
    traffic.seconds = count * seconds;
    traffic.formula =
        fmt::format("{} per layer · {:g} layers · {:g} micro-batches · ({} - 1)/{} · {}", perLayer, layers,
                    blocks.microBatches, traffic.devices, traffic.devices, bytesText(bytes));
}

StepTraffic tensorTraffic(const ParallelLayout& p, const Blocks& blocks, const Links& links) {
    const Group group{p.tensor, 1};
    StepTraffic traffic = axis("tensor",
                               p.sequence ? "reduce-scatter and all-gather around attention and feed-forward"
                                          : "all-reduce after attention and feed-forward",
                               group, links);
    const double count = (blocks.full ? 6 : 4) * blocks.layers * blocks.microBatches;
    traffic.bytes = count * allReduceBytes(blocks.hidden, p.tensor);
    traffic.seconds = count * reduceSeconds(blocks.hidden, group, links);
    traffic.formula = fmt::format("{} per layer · {:g} layers · {:g} micro-batches · 2 ({} - 1)/{} · {}",
                                  blocks.full ? 6 : 4, blocks.layers, blocks.microBatches, p.tensor, p.tensor,
                                  bytesText(blocks.hidden));
    return traffic;
}

StepTraffic pipelineTraffic(const ParallelLayout& p, const Blocks& blocks, std::int64_t data,
                            const Links& links) {
    const Group group{p.pipeline, p.tensor * p.context * data};
    StepTraffic traffic = axis("pipeline", "activations to the next stage, gradients back", group, links);
    const double block = blocks.hidden / (p.sequence ? static_cast<double>(p.tensor) : 1);
    const double count = 2 * blocks.microBatches * static_cast<double>(p.chunks);
    traffic.bytes = count * block;
    traffic.seconds = count * sendSeconds(block, group, links);
    traffic.formula = fmt::format("2 directions · {:g} micro-batches · {} chunks · {}", blocks.microBatches,
                                  p.chunks, bytesText(block));
    return traffic;
}

StepTraffic contextTraffic(const Transformer& m, const Recipe& recipe, const ParallelLayout& p,
                           const ResolvedLayout& layout, const Blocks& blocks, const Links& links) {
    const Group group{p.context, p.tensor};
    StepTraffic traffic =
        axis("context", "all-gather of keys and values, reduce-scatter of their gradients", group, links);
    const double wide = m.latent ? static_cast<double>(m.latent->keyValueRank + m.latent->rotaryWidth)
                                 : 2 * static_cast<double>(m.keyWidth()) / static_cast<double>(p.tensor);
    const double whole = recipe.activationBytes * static_cast<double>(layout.sequence) *
                         static_cast<double>(p.microBatch) * wide;
    setPerLayer(traffic, blocks.full ? 4 : 3, blocks.layers, blocks, whole,
                gatherSeconds(whole, group, links));
    return traffic;
}

StepTraffic expertTraffic(const Transformer& m, const ParallelLayout& p, const Blocks& blocks,
                          const Links& links) {
    const Group group{p.expert, p.tensor};
    StepTraffic traffic = axis("expert", "all-to-all of tokens to their experts and back", group, links);
    const double sent = blocks.hidden * static_cast<double>(m.experts->active) /
                        (p.sequence ? static_cast<double>(p.tensor) : 1);
    setPerLayer(traffic, blocks.full ? 6 : 4, blocks.expertLayers, blocks, sent,
                exchangeSeconds(sent, group, links));
    return traffic;
}

/// What a gradient's shard still has to be summed over: the same shard in the other groups.
StepTraffic replicaTraffic(const Recipe& recipe, double parameters, std::int64_t shards, const Group& group,
                           const Links& links) {
    const double bytes = std::min(recipe.gradientBytes, 4.0) * parameters / static_cast<double>(shards);
    StepTraffic traffic = axis("data", "all-reduce of gradient shards between the groups", group, links);
    traffic.formula = fmt::format("2 ({0} - 1)/{0} · {1}", group.devices, bytesText(bytes));
    traffic.bytes = allReduceBytes(bytes, group.devices);
    traffic.seconds = reduceSeconds(bytes, group, links);
    return traffic;
}

}  // namespace

Sharding shardingOfTraffic(const ParallelLayout& layout) {
    return layout.sharding == Sharding::Weights && layout.pipeline > 1 ? Sharding::State : layout.sharding;
}

StepTraffic dataTraffic(const Recipe& recipe, Sharding sharding, double parameters, double rounds,
                        const Group& group, const Links& links) {
    // An accumulation buffer stays where it is; gradients travel in one piece of 4 bytes at most.
    const double gradients = std::min(recipe.gradientBytes, 4.0) * parameters;
    const double weights = recipe.weightBytes * parameters;
    double gathered = weights, scattered = gradients;
    const std::string g = bytesText(gradients), w = bytesText(weights);
    const std::string share = fmt::format("({0} - 1)/{0}", group.devices);
    std::string label, formula;
    switch (sharding) {
    case Sharding::None:
        label = "all-reduce of gradients";
        formula = fmt::format("2 {} · {}", share, g);
        gathered = gradients;
        break;
    case Sharding::State:
        label = "reduce-scatter of gradients, all-gather of weights";
        formula = fmt::format("{} · ({} + {})", share, g, w);
        break;
    case Sharding::Gradients:
        label = "reduce-scatter of gradients at each micro-batch, all-gather of weights";
        formula = fmt::format("{} · ({:g} · {} + {})", share, rounds, g, w);
        scattered *= rounds;
        break;
    case Sharding::Weights:
        label = "at each micro-batch two all-gathers of weights and a reduce-scatter of gradients";
        formula = fmt::format("{} · {:g} · (2 · {} + {})", share, rounds, w, g);
        scattered *= rounds;
        gathered = 2 * rounds * weights;
        break;
    }
    StepTraffic traffic = axis("data", std::move(label), group, links);
    traffic.formula = std::move(formula);
    traffic.bytes = allGatherBytes(gathered + scattered, group.devices);
    traffic.seconds = gatherSeconds(gathered, group, links) + gatherSeconds(scattered, group, links);
    return traffic;
}

Result<std::vector<StepTraffic>> trafficOf(const Scenario& s, const Transformer& m,
                                           const ResolvedLayout& layout, const Stage& stage,
                                           const Links& links, double behind, double dataBehind) {
    const ParallelLayout& p = s.parallel;
    const Recipe recipe = effectiveRecipe(s);
    Blocks blocks;
    const double tokens = static_cast<double>(layout.sequence) * static_cast<double>(p.microBatch);
    blocks.hidden =
        recipe.activationBytes * tokens * static_cast<double>(m.hidden) / static_cast<double>(p.context);
    blocks.microBatches = static_cast<double>(layout.microBatches);
    blocks.layers = stage.layers();
    blocks.expertLayers = stage.expertLayers;
    blocks.full = recipe.recompute == Recompute::Full;

    std::vector<StepTraffic> all;
    const auto add = [&](StepTraffic traffic, Input overlap) -> Result<void> {
        PLUMB_TRY(const double hidden, numberOf(s, overlap));
        expose(traffic, hidden, overlap == Input::DataOverlap ? dataBehind : behind);
        all.push_back(std::move(traffic));
        return {};
    };
    // Without sharding there are no groups: every device is a replica.
    const std::int64_t whole = layout.data * p.context;
    const std::int64_t group = p.sharding == Sharding::None ? whole : layout.shardGroup;
    if (group > 1) {
        const Sharding sharding = shardingOfTraffic(p);
        StepTraffic dense = dataTraffic(recipe, sharding, stage.denseParameters, blocks.microBatches,
                                        {group, p.tensor}, links);
        if (stage.expertParameters > 0 && group > p.expert) {
            const StepTraffic experts =
                dataTraffic(recipe, sharding, stage.expertParameters, blocks.microBatches,
                            {group / p.expert, p.tensor * p.expert}, links);
            dense.bytes += experts.bytes;
            dense.seconds += experts.seconds;
            dense.formula += " + experts " + experts.formula;
        }
        PLUMB_CHECK(add(std::move(dense), Input::DataOverlap));
    }
    if (whole > group)
        PLUMB_CHECK(
            add(replicaTraffic(recipe,
                               stage.denseParameters + stage.expertParameters * static_cast<double>(p.expert),
                               group, {whole / group, p.tensor * group}, links),
                Input::DataOverlap));
    if (p.tensor > 1) PLUMB_CHECK(add(tensorTraffic(p, blocks, links), Input::TensorOverlap));
    if (p.pipeline > 1)
        PLUMB_CHECK(add(pipelineTraffic(p, blocks, layout.data, links), Input::PipelineOverlap));
    if (p.context > 1)
        PLUMB_CHECK(add(contextTraffic(m, recipe, p, layout, blocks, links), Input::ContextOverlap));
    if (p.expert > 1) PLUMB_CHECK(add(expertTraffic(m, p, blocks, links), Input::ExpertOverlap));
    return all;
}

}  // namespace plumb::planner
