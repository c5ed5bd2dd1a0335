// SPDX-License-Identifier: Apache-2.0
#include "core/measure/filed_prediction.h"

#include "core/machine/attainable.h"

#include <algorithm>

namespace plumb {

std::optional<Prediction> filedPrediction(const StepPlan& plan, const Reading& predicted,
                                          const Machine& machine) {
    const auto sameOp = [](const Op& op, const OpReading& entry) {
        return entry.flops == op.flops && entry.bytes == op.bytes && entry.id == opId(op);
    };
    if (!predicted.memory || predicted.memory->curve.size() != plan.ops.size() ||
        !std::ranges::equal(plan.ops, predicted.ops, sameOp))
        return std::nullopt;
    Prediction prediction;
    prediction.totals = predicted.totals;
    prediction.memory = *predicted.memory;
    // A file that names no tier: what its program made of ceilings alone is no better than those.
    const Tier unnamed = isCalibrated(machine) ? Tier::Calibrated : Tier::DataSheet;
    if (prediction.totals.seconds && !prediction.totals.tier) prediction.totals.tier = unnamed;
    for (const OpReading& entry : predicted.ops) {
        prediction.opSeconds.push_back(entry.seconds);
        prediction.opSpreads.push_back(entry.spread);
        prediction.opTiers.push_back(entry.tier.value_or(unnamed));
    }
    const auto isThere = [&](const CollectiveReading& collective) { return collective.op < plan.opCount(); };
    const bool areFiled =
        !predicted.collectives.empty() && std::ranges::all_of(predicted.collectives, isThere);
    prediction.collectives = areFiled ? predicted.collectives : collectivesOf(plan);
    return prediction;
}

}  // namespace plumb
