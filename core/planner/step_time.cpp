// SPDX-License-Identifier: Apache-2.0
#include "core/planner/step_time.h"

#include "core/machine/attainable.h"
#include "core/machine/op_cost_key.h"
#include "core/planner/holding.h"
#include "core/planner/inputs.h"
#include "core/planner/memory.h"
#include "core/planner/offload.h"
#include "core/planner/step_ops.h"
#include "core/planner/step_parts.h"
#include "core/planner/traffic.h"
#include "core/planner/work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

/// What was measured of the whole says nothing of its parts: all take longer by as much.
void multiply(StepTime& time, double factor) {
    for (const StepPart& part : kStepParts) time.*(part.seconds) *= factor;
    for (TimedOp& op : time.ops) op.seconds *= factor;
    for (StepTraffic& traffic : time.traffic) {
        traffic.seconds *= factor;
        traffic.exposed *= factor;
    }
}

/// MFU and HFU from the times.
Result<StepTime> finish(const Scenario& s, StepTime time, const Work& work) {
    PLUMB_TRY(const double peak, numberOf(s, Input::Peak));
    PLUMB_TRY(const double factor, numberOf(s, Input::StepFactor));
    if (factor != 1) multiply(time, factor);
    time.modelFlops = work.model() * time.tokens;
    time.hardwareFlops = work.hardware() * time.tokens;
    const double possible = time.total() * static_cast<double>(s.cluster.devices) * peak;
    time.mfu = time.modelFlops / possible;
    time.hfu = time.hardwareFlops / possible;
    time.executedMfu = time.mfu * (1 - work.skippedShare());
    if (std::string note = skippedPairsNote(work, time.mfu); !note.empty())
        time.notes.push_back(std::move(note));
    return time;
}

Result<StepTime> ofStage(const Scenario& s, const Transformer& m, const ResolvedLayout& layout,
                         const Stage& stage, const Roofs& roofs, const Links& links) {
    PLUMB_TRY(StageOps ops, opsOf(s, m, layout, stage, roofs));
    StepTime time{
        .ops = std::move(ops.ops), .compute = ops.forward + ops.backward, .recomputed = ops.recomputed};
    const double own = ownParameters(s, m, layout, stage).updated;
    if (s.recipe.offload.optimizer) {
        PLUMB_TRY(TimedOp update, hostUpdate(s, own));
        time.ops.push_back(std::move(update));
    } else {
        time.ops.push_back(updateOp(effectiveRecipe(s), own, roofs));
    }
    time.update = time.ops.back().seconds;
    // Weights can be gathered at any time; gradients are there during the backward pass only, and where they
    // are summed first, of the last micro-batch.
    const auto once = static_cast<double>(layout.microBatches);
    const Sharding sharding = shardingOfTraffic(s.parallel);
    const double dataBehind = sharding == Sharding::Weights     ? time.compute
                              : sharding == Sharding::Gradients ? ops.backward
                                                                : ops.backward / once;
    PLUMB_TRY(time.traffic, trafficOf(s, m, layout, stage, links, time.compute, dataBehind));
    if (s.recipe.offload.any()) {
        PLUMB_TRY(StepTraffic host, hostTraffic(s, m, layout, stage, time.compute));
        time.traffic.push_back(std::move(host));
    }
    PLUMB_TRY(const double contention, numberOf(s, Input::Contention));
    PLUMB_TRY(const double straggling, numberOf(s, Input::Straggling));
    double withinMicroBatches = 0;
    for (const StepTraffic& traffic : time.traffic) {
        const double slowed = traffic.exposed + contention * (traffic.seconds - traffic.exposed);
        time.communication += slowed;
        if (traffic.axis != "data" && traffic.axis != "host") withinMicroBatches += slowed;
    }
    const double idle = static_cast<double>(s.parallel.pipeline - 1) /
                        (static_cast<double>(s.parallel.chunks) * static_cast<double>(layout.microBatches));
    time.bubble = idle * (time.compute + time.recomputed + withinMicroBatches);
    const double nodes = static_cast<double>(s.cluster.devices) / static_cast<double>(links.devicesPerNode);
    time.waiting = straggling * std::log2(std::max(nodes, 1.0)) * time.total();
    return time;
}

Result<StepTime> timeOfTransformer(const Scenario& s, const Transformer& m) {
    PLUMB_TRY(const ResolvedLayout layout, resolve(s));
    PLUMB_TRY(const Roofs roofs, roofsOf(s));
    PLUMB_TRY(const Links links, linksOf(s));
    std::optional<StepTime> slowest;
    for (const Stage& stage : stagesOf(m, s.parallel, s.adaptation)) {
        PLUMB_TRY(StepTime time, ofStage(s, m, layout, stage, roofs, links));
        if (!slowest || time.total() > slowest->total()) slowest = std::move(time);
    }
    slowest->tokens = static_cast<double>(layout.batch) * static_cast<double>(layout.sequence);
    if (s.parallel.pipeline > 1 && layout.microBatches < s.parallel.pipeline)
        slowest->notes.push_back(
            fmt::format("{} micro-batches do not fill {} stages", layout.microBatches, s.parallel.pipeline));
    if (s.cluster.devicesPerNode < s.parallel.tensor)
        slowest->notes.push_back(fmt::format("tensor parallelism over {} devices leaves the node of {}",
                                             s.parallel.tensor, s.cluster.devicesPerNode));
    return finish(s, std::move(*slowest), workPerToken(m, s.recipe, layout.sequence, s.adaptation));
}

/// The plan's own operations; on a calibrated machine their measured times.
Result<StepTime> timeOfLinear(const Scenario& s, RunConfig config) {
    PLUMB_TRY(const ResolvedLayout layout, resolve(s));
    config.batch = layout.batch / layout.data;
    PLUMB_TRY(const StepPlan step, planStep(config, traitsOf(s)));
    const bool calibrated = s.cluster.device && isCalibrated(*s.cluster.device);
    Roofs roofs;
    Prediction prediction;
    if (calibrated)
        prediction = predict(step, *s.cluster.device);
    else {
        PLUMB_TRY(roofs, roofsOf(s));
    }
    StepTime time;
    for (std::size_t i = 0; i < step.ops.size(); ++i) {
        const Op& op = step.ops[i];
        const auto count = static_cast<double>(op.executions * op.repeat);
        const OpWork work{static_cast<double>(op.flops) / count, static_cast<double>(op.bytes) / count};
        TimedOp timed;
        if (calibrated) {
            const std::optional<Seconds> measured = prediction.opSeconds[i];
            if (!measured)
                return Error{ErrorCode::BadInput,
                             fmt::format("{} has no time for an operation ({})", s.cluster.device->name,
                                         opName(step, op)),
                             "calibrate it again, or choose another device"};
            const std::optional<CostTables>& costs = s.cluster.device->costs;
            const Seconds between =
                costs ? secondsAfterOp(*costs, step.traits) * static_cast<double>(op.executions) : 0;
            timed = {opName(step, op),    static_cast<double>(op.flops),  static_cast<double>(op.bytes),
                     *measured + between, boundOf(op, *s.cluster.device), !einsumText(op.kind).empty()};
        } else {
            timed = timedOp(opName(step, op), work, count, !einsumText(op.kind).empty(), roofs);
        }
        if (op.phase == Phase::Optimizer)
            time.update += timed.seconds;
        else if (op.phase == Phase::Recompute)
            time.recomputed += timed.seconds;
        else
            time.compute += timed.seconds;
        time.ops.push_back(std::move(timed));
    }
    if (layout.data > 1) {
        PLUMB_TRY(const Links links, linksOf(s));
        PLUMB_TRY(const double overlap, numberOf(s, Input::DataOverlap));
        StepTraffic traffic =
            dataTraffic(recipeOf(config), Sharding::None, static_cast<double>(config.parameters()),
                        static_cast<double>(config.layers), 1, {layout.data, 1}, links);
        traffic.exposed = traffic.seconds - std::min(overlap * traffic.seconds, time.compute);
        time.communication = traffic.exposed;
        time.traffic.push_back(std::move(traffic));
    }
    time.tokens = static_cast<double>(layout.batch);
    PLUMB_TRY(const Work work, workPerToken(s));
    return finish(s, std::move(time), work);
}

}  // namespace

Result<StepTime> stepTime(const Scenario& scenario) {
    if (const Transformer* model = scenario.model.transformer()) return timeOfTransformer(scenario, *model);
    if (const RunConfig* config = scenario.model.linear()) return timeOfLinear(scenario, *config);
    return Error{ErrorCode::BadInput, "a mere number of parameters has no operations to time",
                 "choose a model (--model), or ask for the time at an assumed MFU (plan time)"};
}

}  // namespace plumb::planner
