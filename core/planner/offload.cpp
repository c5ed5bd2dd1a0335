// SPDX-License-Identifier: Apache-2.0
#include "core/planner/offload.h"

#include "core/base/quantity.h"
#include "core/planner/holding.h"
#include "core/planner/inputs.h"
#include "core/planner/memory.h"
#include "core/planner/step_ops.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::planner {

OwnParameters ownParameters(const Scenario& s, const Transformer& m, const ResolvedLayout& layout,
                            const Stage& stage) {
    const StageHolding held = holdingOf(s, m, stage);
    const Recipe recipe = effectiveRecipe(s);
    const auto asKept = [&](const Holding& holding) {
        return weightBytes(holding, recipe, s.adaptation) / recipe.weightBytes;
    };
    const auto group = static_cast<double>(layout.shardGroup);
    const double expertGroup = group / static_cast<double>(s.parallel.expert);
    const auto share = [&](Sharding from, double dense, double expert) {
        const bool spread = s.parallel.sharding >= from;
        return dense / (spread ? group : 1) + expert / (spread ? expertGroup : 1);
    };
    return {share(Sharding::State, held.dense.trained, held.experts.trained),
            share(Sharding::Weights, asKept(held.dense), asKept(held.experts))};
}

Result<double> hostBytes(const Scenario& s, const Transformer& m, const ResolvedLayout& layout,
                         const Stage& stage) {
    const Recipe recipe = effectiveRecipe(s);
    const OwnParameters own = ownParameters(s, m, layout, stage);
    double bytes = 0;
    if (recipe.offload.optimizer)
        bytes += (recipe.masterBytes + recipe.stateBytes + recipe.gradientBytes) * own.updated;
    if (recipe.offload.parameters) bytes += recipe.weightBytes * own.kept;
    if (recipe.offload.activations) {
        PLUMB_TRY(const double kept, keptActivationBytes(s, m, layout, stage));
        bytes += kept * layersInFlight(s.parallel, layout.microBatches, stage) / stage.layers();
    }
    return bytes;
}

Result<StepTraffic> hostTraffic(const Scenario& s, const Transformer& m, const ResolvedLayout& layout,
                                const Stage& stage, double behind) {
    PLUMB_TRY(const double bandwidth, numberOf(s, Input::HostBandwidth));
    PLUMB_TRY(const double overlap, numberOf(s, Input::HostOverlap));
    const Recipe recipe = effectiveRecipe(s);
    const OwnParameters own = ownParameters(s, m, layout, stage);
    const auto rounds = static_cast<double>(layout.microBatches);
    std::string formula;
    const auto part = [&](std::string text, double bytes) {
        formula += (formula.empty() ? "" : " + ") + std::move(text);
        return bytes;
    };
    double between = 0, beside = 0;  // around the update; while the step computes
    if (recipe.offload.optimizer) {
        const double gradient = std::min(recipe.gradientBytes, 4.0);
        // Weights that lie there too are updated where they are.
        const double weight = recipe.offload.parameters ? 0 : recipe.weightBytes;
        between += part(fmt::format("({:g} + {:g}) B · {:.4g} updated", gradient, weight, own.updated),
                        (gradient + weight) * own.updated);
    }
    if (recipe.offload.parameters) {
        beside += part(fmt::format("2 passes · {:g} micro-batches · {:g} B · {:.4g} weights", rounds,
                                   recipe.weightBytes, own.kept),
                       2 * rounds * recipe.weightBytes * own.kept);
        if (!recipe.offload.optimizer)
            between += part(fmt::format("{:g} B · {:.4g} updated", recipe.weightBytes, own.kept),
                            recipe.weightBytes * own.kept);
    }
    if (recipe.offload.activations) {
        PLUMB_TRY(const double kept, keptActivationBytes(s, m, layout, stage));
        beside += part(fmt::format("2 directions · {:g} micro-batches · {}", rounds, bytesText(kept)),
                       2 * rounds * kept);
    }
    StepTraffic traffic;
    traffic.axis = "host";
    traffic.label = fmt::format("to the host and back: {}", offloadText(recipe.offload));
    traffic.formula = std::move(formula);
    traffic.bytes = between + beside;
    traffic.seconds = traffic.bytes / bandwidth;
    traffic.exposed = traffic.seconds - std::min(overlap * beside / bandwidth, behind);
    return traffic;
}

Result<TimedOp> hostUpdate(const Scenario& s, double parameters) {
    Roofs host;
    PLUMB_TRY(host.bandwidth, numberOf(s, Input::HostMemoryBandwidth));
    TimedOp op = updateOp(effectiveRecipe(s), parameters, host);
    op.label = "optimizer on the host";
    return op;
}

}  // namespace plumb::planner
