// SPDX-License-Identifier: Apache-2.0
#include "core/measure/reading.h"

#include <cmath>
#include <utility>

namespace plumb {

OpReading describeOp(const StepPlan& plan, const Op& op) {
    OpReading entry;
    entry.id = opId(op);
    entry.name = opName(plan, op);
    entry.phase = op.phase;
    entry.kind = kindName(op.kind);
    entry.layer = op.layer;
    entry.executions = op.executions;
    entry.flops = op.flops;
    entry.bytes = op.bytes;
    return entry;
}

Totals makeTotals(const StepPlan& plan, const Machine& machine, std::optional<Seconds> stepSeconds) {
    Totals totals;
    totals.flops = plan.flops;
    totals.matmulFlops = plan.matmulFlops;
    totals.bytes = plan.bytes;
    totals.seconds = stepSeconds;
    if (!stepSeconds || !(*stepSeconds > 0) || !std::isfinite(*stepSeconds)) return totals;
    totals.samplesPerSecond = static_cast<double>(plan.config.batch) / *stepSeconds;
    totals.flopPerSecond = static_cast<double>(plan.flops) / *stepSeconds;
    if (const std::optional<double> peak = machine.peak(plan.config.computeDtype())) {
        const Flops useful = plan.matmulFlops - plan.recomputedFlops;
        totals.mfu = static_cast<double>(useful) / *stepSeconds / *peak;
    }
    return totals;
}

MemoryReading summariseCurve(std::vector<CategoryBytes> curve) {
    MemoryReading memory;
    memory.curve = std::move(curve);
    for (std::size_t op = 0; op < memory.curve.size(); ++op) {
        const CategoryBytes& at = memory.curve[op];
        for (std::size_t category = 0; category < kCategoryCount; ++category)
            memory.categoryPeak[category] = std::max(memory.categoryPeak[category], at[category]);
        const Bytes live = total(at);
        if (memory.peakOp < 0 || live > memory.peakBytes) {
            memory.peakBytes = live;
            memory.peakOp = static_cast<std::int32_t>(op);
            memory.atPeak = at;
        }
    }
    return memory;
}

Reading toReading(const StepPlan& plan, const Prediction& prediction) {
    Reading reading;
    reading.source = Source::Predicted;
    reading.totals = prediction.totals;
    reading.memory = prediction.memory;
    reading.ops.reserve(plan.ops.size());
    for (std::size_t index = 0; index < plan.ops.size(); ++index) {
        OpReading entry = describeOp(plan, plan.ops[index]);
        entry.seconds = prediction.opSeconds[index];
        entry.spread = prediction.opSpreads[index];
        if (entry.seconds) entry.tier = prediction.opTiers[index];
        reading.ops.push_back(std::move(entry));
    }
    return reading;
}

Reading predictedReading(const StepPlan& plan, const Machine& machine) {
    return toReading(plan, predict(plan, machine));
}

}  // namespace plumb
