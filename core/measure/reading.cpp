// SPDX-License-Identifier: Apache-2.0
#include "core/measure/reading.h"

#include "core/plan/traffic.h"

#include <cmath>
#include <utility>

namespace plumb {

OpReading describeOp(const Step& step, std::int64_t index) {
    const StepOp& op = step.op(index);
    return OpReading{.id = step.opId(index),
                     .name = step.opName(index),
                     .phase = op.phase,
                     .kind = std::string(step.opKind(index)),
                     .layer = step.opLayer(index),
                     .executions = op.executions,
                     .flops = op.knownFlops(),
                     .bytes = op.knownBytes()};
}

Totals makeTotals(const Step& step, const Machine& machine, std::optional<Seconds> stepSeconds) {
    // Ops of which nothing is known add nothing up; a step that has only those says nothing of itself.
    const bool saysFlops = step.hasAllFlops || step.flops > 0;
    Totals totals{.flops = step.hasAllFlops ? std::optional(step.flops) : std::nullopt,
                  .seconds = stepSeconds};
    if (saysFlops) totals.matmulFlops = step.matmulFlops;
    if (step.bytes > 0 || step.hasAllFlops) totals.bytes = step.bytes;
    if (!stepSeconds || !(*stepSeconds > 0) || !std::isfinite(*stepSeconds)) return totals;
    if (step.samples > 0) totals.samplesPerSecond = static_cast<double>(step.samples) / *stepSeconds;
    if (saysFlops) totals.flopPerSecond = static_cast<double>(step.flops) / *stepSeconds;
    if (const std::optional<double> peak = machine.peak(step.productDtype); peak && saysFlops) {
        const Flops useful = step.matmulFlops - step.recomputedFlops;
        totals.mfu = static_cast<double>(useful * step.ranksOfMachine) / *stepSeconds / *peak;
    }
    return totals;
}

MemoryReading summariseCurve(std::vector<CategoryBytes> curve) {
    MemoryReading memory;
    memory.curve = std::move(curve);
    for (std::size_t op = 0; op < memory.curve.size(); ++op) {
        const CategoryBytes& at = memory.curve[op];
        for (const Category category : kAllCategories)
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

Reading toReading(const Step& step, const Prediction& prediction) {
    Reading reading{.source = Source::Predicted, .totals = prediction.totals, .memory = prediction.memory};
    const auto opCount = static_cast<std::size_t>(step.opCount());
    reading.ops.reserve(opCount);
    for (std::size_t index = 0; index < opCount; ++index) {
        OpReading entry = describeOp(step, static_cast<std::int64_t>(index));
        entry.seconds = prediction.opSeconds[index];
        entry.spread = prediction.opSpreads[index];
        if (entry.seconds) entry.tier = prediction.opTiers[index];
        reading.ops.push_back(std::move(entry));
    }
    reading.collectives = prediction.collectives;
    return reading;
}

std::vector<CollectiveReading> collectivesOf(const StepPlan& plan) {
    std::vector<CollectiveReading> collectives;
    for (std::int32_t index = 0; index < plan.opCount(); ++index)
        if (const Op& op = plan.op(index); op.lane == Lane::Traffic)
            collectives.push_back(
                {.op = index, .bytes = op.executions * movedBytes(plan, op), .sentBytes = op.wireBytes});
    return collectives;
}

Reading predictedReading(const StepPlan& plan, const Machine& machine) {
    return toReading(plan, predict(plan, machine));
}

}  // namespace plumb
