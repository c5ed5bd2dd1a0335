// SPDX-License-Identifier: Apache-2.0
#include "core/train/executor.h"

#include "core/train/finished_step.h"
#include "core/train/op_call.h"

#include <utility>

namespace plumb {
namespace {

// What ranks have added up is whole now, and no op has seen it so.
Result<void> lookAtSums(const StepPlan& plan, const StepTraffic& traffic, std::int64_t microBatch,
                        StepStatistics& statistics, TensorWatch& watch) {
    for (const std::int32_t index : traffic.joined()) {
        const Op& op = plan.op(index);
        if (op.axis != RankAxis::Tensor) continue;
        if (statistics.isOn()) PLUMB_CHECK(statistics.addSum(op, microBatch));
        if (watch.isOn()) PLUMB_CHECK(watch.afterOp(op, 1));  // no fp16 here
    }
    return {};
}

}  // namespace

Executor::Executor(std::shared_ptr<const StepPlan> plan, Backend& backend, const BatchSource* source,
                   const RankLink* link)
    : m_plan(std::move(plan)),
      m_passes(passesOf(*m_plan)),
      m_backend(backend),
      m_residency(*m_plan, backend),
      m_traffic(*m_plan, m_residency, link),
      m_tensors(*m_plan, backend, m_residency, link),
      m_statistics(*m_plan, m_tensors),
      m_batches(*m_plan, backend, m_residency, source),
      m_interruption(*m_plan, backend, m_tensors),
      m_watch(*m_plan, m_tensors),
      m_timing(*m_plan, backend),
      m_captured(*m_plan, m_passes, backend, m_residency, m_batches, m_timing) {}

Result<std::unique_ptr<Executor>> Executor::create(std::shared_ptr<const StepPlan> plan, Backend& backend,
                                                   const BatchSource* source, const RankLink* link) {
    PLUMB_CHECK(backend.prepare(*plan));
    std::unique_ptr<Executor> made(new Executor(std::move(plan), backend, source, link));
    PLUMB_CHECK(made->m_residency.allocatePersistent());
    PLUMB_CHECK(backend.initialise(made->m_residency.buffers(), made->plan().config.seed));
    PLUMB_CHECK(made->m_batches.start(0));
    return made;
}

Result<StepMetrics> Executor::runStep() {
    PLUMB_CHECK(m_interruption.beginStep());
    PLUMB_CHECK(m_timing.beginStep());
    auto result = runWithListener();
    if (!result.has_value()) {
        m_timing.dropStep();
        m_traffic.giveUp(result.error());
        m_residency.releaseTransients();
        if (m_interruption.isInterrupted()) PLUMB_CHECK(m_interruption.undo());
        return result;
    }
    PLUMB_TRY((*result).stepSeconds, m_timing.endStep(m_steps));
    m_statistics.afterStep(m_steps);
    m_captured.beginAt(++m_steps);  // what it was like is told right here
    return result;
}

Result<StepMetrics> Executor::runWithListener() {
    if (m_listener == nullptr) return runPasses();
    PLUMB_CHECK(m_listener->beginStep(m_steps));
    auto result = runPasses();
    if (!result.has_value()) return result;
    PLUMB_CHECK(m_listener->endStep());
    return result;
}

Result<StepMetrics> Executor::runPasses() {
    PLUMB_TRY(const LossScaleState before, readLossScale(*m_plan, m_tensors));
    const auto last = static_cast<std::int32_t>(m_plan->ops.size()) - 1;
    StepMetrics result;
    for (const StepPass& pass : m_passes)
        for (std::int32_t index = pass.begin; index < pass.end; ++index) {
            // What does not run in this pass may be its last op all the same, after which much goes.
            const bool runs = runsIn(*m_plan, m_plan->op(index), pass.microBatch);
            if (m_interruption.endsBefore(index))
                return Error{ErrorCode::RunFailed, "the step was interrupted", "start it again"};
            if (runs) PLUMB_CHECK(runOp(index, pass.microBatch, before.scale));
            PLUMB_CHECK(m_traffic.joinAfter(index, &m_timing));
            if (index == last) {
                PLUMB_CHECK(m_timing.endOps());
                PLUMB_TRY(result, readMetrics(*m_plan, m_tensors, m_steps, before));
            }
            m_residency.afterOp(index);
            m_timing.afterOp();
        }
    return result;
}

Result<void> Executor::runOp(std::int32_t index, std::int64_t microBatch, double lossScale) {
    PLUMB_CHECK(m_traffic.joinBefore(index, &m_timing));
    PLUMB_CHECK(lookAtSums(*m_plan, m_traffic, microBatch, m_statistics, m_watch));
    PLUMB_CHECK(m_timing.beforeOp(index));
    PLUMB_CHECK(m_residency.beforeOp(index));
    if (m_plan->op(index).lane == Lane::Traffic)
        return m_timing.timeOp(index, [&] { return m_traffic.start(index); });
    OpCall call = opCall(*m_plan, m_residency, index, m_steps, microBatch);
    call.writesStatistics = m_statistics.isOn();
    PLUMB_CHECK(m_timing.timeOp(index, [&] { return executeWithListener(call); }));
    return m_watch.isOn() ? m_watch.afterOp(m_plan->op(index), lossScale) : Result<void>();
}

Result<void> Executor::executeWithListener(OpCall& call) {
    if (m_listener == nullptr) return execute(call);
    PLUMB_CHECK(m_listener->beginOp(call.opIndex));
    PLUMB_CHECK(execute(call));
    return m_listener->endOp();
}

// Gathering the micro-batch is part of the load, or waiting for it: what the prefetching could not hide.
Result<void> Executor::execute(OpCall& call) {
    if (!m_batches.areRead() || m_plan->op(call.opIndex).kind != OpKind::LoadBatch)
        return m_backend.run(call);
    const std::int64_t number = call.step * m_plan->config.microBatches() + call.microBatch;
    return m_batches.with(number, [&](std::int32_t half) {
        call.stagedHalf = half;
        return m_backend.run(call);
    });
}

bool Executor::runsOpByOp() const {
    return !m_captured.areCaptured() || m_statistics.isOn() || m_listener != nullptr || m_watch.isOn();
}

Result<std::vector<StepMetrics>> Executor::advance() {
    std::vector<StepMetrics> results;
    const auto go = [&]() -> Result<void> {
        if (!runsOpByOp()) {
            PLUMB_CHECK(m_captured.replay(m_steps));
            ++m_steps;
            return m_captured.collect(m_steps, false, results);
        }
        PLUMB_CHECK(m_captured.collect(m_steps, true, results));
        // Once steps are replayed, what was measured of single ops stays.
        const bool measures = m_timing.isMeasuring();
        m_timing.setMeasuring(measures && !replaysSteps());
        auto result = runStep();
        m_timing.setMeasuring(measures);
        if (m_interruption.isInterrupted()) return {};
        if (!result.has_value()) return result.error();
        results.push_back(*result);
        // Everything was run where it will be replayed.
        if (replaysSteps() && !m_captured.areCaptured()) return m_captured.capture(m_steps);
        return {};
    };
    const Result<void> went = go();
    if (went.has_value()) return results;
    // With those that the device was behind with and ended all the same.
    m_untold = std::move(results);
    static_cast<void>(m_captured.collect(m_steps, true, m_untold));
    return went.error();
}

Result<void> Executor::recordReplays(ActivityCollector& activity, std::int64_t steps,
                                     const std::stop_token& stop) {
    std::vector<StepMetrics> results;
    PLUMB_CHECK(m_captured.collect(m_steps, true, results));
    PLUMB_CHECK(activity.beginCapture());
    PLUMB_CHECK(m_captured.capture(m_steps, &activity));
    PLUMB_CHECK(activity.endCapture());
    for (std::int64_t step = 0; step < steps && !stop.stop_requested(); ++step) {
        PLUMB_CHECK(activity.beginStep(m_steps));
        PLUMB_CHECK(m_captured.replay(m_steps));
        ++m_steps;
        PLUMB_CHECK(m_captured.collect(m_steps, true, results));
        PLUMB_CHECK(activity.endStep());
    }
    return {};
}

Result<std::vector<StepMetrics>> Executor::drain() {
    std::vector<StepMetrics> results = std::exchange(m_untold, {});
    if (!results.empty()) return results;
    const Result<void> collected = m_captured.collect(m_steps, true, results);
    if (collected.has_value()) return results;
    m_untold = std::move(results);
    return collected.error();
}

void Executor::resumeAt(std::int64_t steps) {
    m_steps = steps;
    m_captured.beginAt(steps);
}

Result<double> Executor::heldOutLoss() {
    return HeldOutPass(*m_plan, m_backend, m_residency, m_traffic, m_tensors, m_batches).loss(m_steps);
}

}  // namespace plumb
