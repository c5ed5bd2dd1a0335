// SPDX-License-Identifier: Apache-2.0
#include "core/account/filed_prediction.h"

#include <algorithm>

namespace plumb {

std::optional<Prediction> filedPrediction(const StepPlan& plan, const Reading& predicted) {
    const auto sameOp = [](const Op& op, const OpReading& entry) {
        return entry.flops == op.flops && entry.bytes == op.bytes && entry.id == opId(op);
    };
    if (!predicted.memory || predicted.memory->curve.size() != plan.ops.size() ||
        !std::ranges::equal(plan.ops, predicted.ops, sameOp))
        return std::nullopt;
    Prediction prediction;
    prediction.totals = predicted.totals;
    prediction.memory = *predicted.memory;
    prediction.opSeconds.reserve(predicted.ops.size());
    for (const OpReading& entry : predicted.ops) prediction.opSeconds.push_back(entry.seconds);
    return prediction;
}

}  // namespace plumb
