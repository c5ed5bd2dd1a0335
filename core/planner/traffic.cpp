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
    bool full = false;    ///< the layers' forward pass runs twice
    double backward = 1;  ///< share of the layers that the backward pass reaches
    /// Collectives of a layer in the mean, of `forward` and `backward` ones; what runs again has the former
    /// once more.
    [[nodiscard]] double perLayer(double ofForward, double ofBackward) const {
        return ofForward + backward * (ofBackward + (full ? ofForward : 0));
    }
};

/// Sets bytes, time and formula of `perLayer` collectives of one device's `bytes` in each of `layers` layers.
void setPerLayer(StepTraffic& traffic, double perLayer, double layers, const Blocks& blocks, double bytes,
                 Seconds seconds) {
    const double count = perLayer * layers * blocks.microBatches;
    traffic.bytes = count * allGatherBytes(bytes, traffic.devices);
    traffic.seconds = count * seconds;
    traffic.formula =
        fmt::format("{:.3g} per layer · {:g} layers · {:g} micro-batches · ({} - 1)/{} · {}", perLayer,
                    layers, blocks.microBatches, traffic.devices, traffic.devices, bytesText(bytes));
}

StepTraffic tensorTraffic(const ParallelLayout& p, const Blocks& blocks, const Links& links) {
    const Group group{p.tensor, 1};
    StepTraffic traffic = axis("tensor",
                               p.sequence ? "reduce-scatter and all-gather around attention and feed-forward"
                                          : "all-reduce after attention and feed-forward",
                               group, links);
    const double perLayer = blocks.perLayer(2, 2);
    const double count = perLayer * blocks.layers * blocks.microBatches;
    traffic.bytes = count * allReduceBytes(blocks.hidden, p.tensor);
    traffic.seconds = count * reduceSeconds(blocks.hidden, group, links);
    traffic.formula =
        fmt::format("{:.3g} per layer · {:g} layers · {:g} micro-batches · 2 ({} - 1)/{} · {}", perLayer,
                    blocks.layers, blocks.microBatches, p.tensor, p.tensor, bytesText(blocks.hidden));
    return traffic;
}

StepTraffic pipelineTraffic(const ParallelLayout& p, const Blocks& blocks, std::int64_t data,
                            const Links& links) {
    const Group group{p.pipeline, p.tensor * p.context * data};
    StepTraffic traffic = axis("pipeline", "activations to the next stage, gradients back", group, links);
    const double block = blocks.hidden / (p.sequence ? static_cast<double>(p.tensor) : 1);
    // Below the first layer that is trained no gradients go back.
    const int directions = blocks.backward > 0 ? 2 : 1;
    const double count = directions * blocks.microBatches * static_cast<double>(p.chunks);
    traffic.bytes = count * block;
    traffic.seconds = count * sendSeconds(block, group, links);
    traffic.formula = fmt::format("{} directions · {:g} micro-batches · {} chunks · {}", directions,
                                  blocks.microBatches, p.chunks, bytesText(block));
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
    setPerLayer(traffic, blocks.perLayer(1, 2), blocks.layers, blocks, whole,
                gatherSeconds(whole, group, links));
    return traffic;
}

StepTraffic expertTraffic(const Transformer& m, const ParallelLayout& p, const Blocks& blocks,
                          const Links& links) {
    const Group group{p.expert, p.tensor};
    StepTraffic traffic = axis("expert", "all-to-all of tokens to their experts and back", group, links);
    const double sent = blocks.hidden * static_cast<double>(m.experts->active) /
                        (p.sequence ? static_cast<double>(p.tensor) : 1);
    setPerLayer(traffic, blocks.perLayer(2, 2), blocks.expertLayers, blocks, sent,
                exchangeSeconds(sent, group, links));
    return traffic;
}

/// What a gradient's shard still has to be summed over: the same shard in the other groups.
StepTraffic replicaTraffic(const Recipe& recipe, double trained, double pieces, std::int64_t shards,
                           const Group& group, const Links& links) {
    const double bytes = std::min(recipe.gradientBytes, 4.0) * trained / static_cast<double>(shards);
    StepTraffic traffic = axis("data", "all-reduce of gradient shards between the groups", group, links);
    traffic.formula = fmt::format("2 ({0} - 1)/{0} · {1}", group.devices, bytesText(bytes));
    traffic.bytes = allReduceBytes(bytes, group.devices);
    traffic.seconds = reduceSeconds(bytes, group, links, pieces);
    return traffic;
}

}  // namespace

Sharding shardingOfTraffic(const ParallelLayout& layout) {
    return layout.sharding == Sharding::Weights && layout.pipeline > 1 ? Sharding::State : layout.sharding;
}

SharedBytes sharedBytes(const Recipe& recipe, const Adaptation& adaptation, const Holding& holding,
                        double backwardShare) {
    // An accumulation buffer stays where it is; gradients travel in one piece of 4 bytes at most.
    return {std::min(recipe.gradientBytes, 4.0) * holding.trained, recipe.weightBytes * holding.trained,
            weightBytes(holding, recipe, adaptation), 1 + backwardShare};
}

StepTraffic dataTraffic(const Recipe& recipe, Sharding sharding, double parameters, double pieces,
                        double rounds, const Group& group, const Links& links) {
    return dataTraffic(sharedBytes(recipe, {}, allTrained(parameters), 1), sharding, pieces, rounds, group,
                       links);
}

StepTraffic dataTraffic(const SharedBytes& shared, Sharding sharding, double pieces, double rounds,
                        const Group& group, const Links& links) {
    const double gradients = shared.gradients;
    const double weights = sharding == Sharding::Weights ? shared.weights : shared.updated;
    double gathered = weights, scattered = gradients;
    double gathers = pieces, scatters = pieces;
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
        scatters *= rounds;
        break;
    case Sharding::Weights:
        label = "at each micro-batch two all-gathers of weights and a reduce-scatter of gradients";
        formula = fmt::format("{} · {:g} · ({:.3g} · {} + {})", share, rounds, shared.gathers, w, g);
        scattered *= rounds;
        scatters *= rounds;
        gathered = shared.gathers * rounds * weights;
        gathers *= shared.gathers * rounds;
        break;
    }
    StepTraffic traffic = axis("data", std::move(label), group, links);
    traffic.formula = std::move(formula);
    traffic.bytes = allGatherBytes(gathered + scattered, group.devices);
    traffic.seconds = sharding == Sharding::None ? reduceSeconds(gradients, group, links, pieces)
                                                 : gatherSeconds(gathered, group, links, gathers) +
                                                       gatherSeconds(scattered, group, links, scatters);
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
    const StageHolding held = holdingOf(s, m, stage);
    blocks.backward = held.layers.backward;

    std::vector<StepTraffic> all;
    const auto add = [&](StepTraffic traffic, Input overlap) -> Result<void> {
        PLUMB_TRY(const double hidden, numberOf(s, overlap));
        expose(traffic, hidden, overlap == Input::DataOverlap ? dataBehind : behind);
        all.push_back(std::move(traffic));
        return {};
    };
    const auto among = [&](const Holding& holding, double inPieces, const Group& sharing) {
        return dataTraffic(sharedBytes(recipe, s.adaptation, holding, held.layers.backward),
                           shardingOfTraffic(p), inPieces, blocks.microBatches, sharing, links);
    };
    // Without sharding there are no groups: every device is a replica.
    const std::int64_t whole = layout.data * p.context;
    const std::int64_t group = p.sharding == Sharding::None ? whole : layout.shardGroup;
    const double pieces = blocks.layers + 1 + (m.encoder ? static_cast<double>(m.encoder->layers) : 0);
    if (group > 1) {
        StepTraffic dense = among(held.dense, pieces, {group, p.tensor});
        if (held.experts.parameters > 0 && group > p.expert) {
            const StepTraffic experts =
                among(held.experts, blocks.expertLayers, {group / p.expert, p.tensor * p.expert});
            dense.bytes += experts.bytes;
            dense.seconds += experts.seconds;
            dense.formula += " + experts " + experts.formula;
        }
        PLUMB_CHECK(add(std::move(dense), Input::DataOverlap));
    }
    if (whole > group)
        PLUMB_CHECK(add(
            replicaTraffic(recipe, held.dense.trained + held.experts.trained * static_cast<double>(p.expert),
                           pieces, group, {whole / group, p.tensor * group}, links),
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
