// SPDX-License-Identifier: Apache-2.0
// Memory that comes and goes with the ops, and one step, op by op.
#include "core/io/json_values.h"
#include "core/plan/control_tensors.h"
#include "core/train/executor_impl.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <span>
#include <utility>

namespace plumb {

namespace {

/// What the update of a step changes, and what later steps begin from.
bool isUpdated(TensorRole role) {
    switch (role) {
    case TensorRole::Weight:
    case TensorRole::Master:
    case TensorRole::Moment1:
    case TensorRole::Moment2:
    case TensorRole::Moment3:
        return true;
    default:
        return false;
    }
}

}  // namespace

StepMetrics metricsOf(const StepPlan& plan, const FinishedStep& done) {
    StepMetrics metrics;
    metrics.step = done.step;
    metrics.loss = done.loss;
    metrics.stepSeconds = done.seconds.value_or(kNotKnown);
    if (plan.lossScale >= 0) metrics.lossScale = done.lossScale;
    metrics.skipped = done.skipped;
    if (done.skipped) {
        metrics.updateRatio = 0;
        return metrics;
    }
    metrics.gradientNorm = std::sqrt(done.gradientSquares);
    metrics.updateRatio = std::sqrt(done.updateSquares / done.weightSquares);
    // A ReLU of a matrix library turns what is not a number into 0: behind weights that are lost the loss may
    // look like one.
    if (std::isnan(done.weightSquares)) metrics.loss = kNotKnown;
    return metrics;
}

void Executor::Impl::findUpdates() {
    updates.assign(plan->ops.size(), false);
    for (std::size_t index = 0; index < plan->ops.size(); ++index)
        for (const TensorRange& range : plan->ops[index].writes)
            for (TensorId id = range.first; id < range.first + range.count; ++id)
                if (isUpdated(plan->tensor(id).role)) updates[index] = true;
}

Result<void> Executor::Impl::keepControls() {
    controls.clear();
    if (!stop.stop_possible()) return {};
    for (const TensorId id : {plan->lossScale, plan->scales}) {
        if (id < 0) continue;
        const Buffer& buffer = residency[id];
        controls.emplace_back(id, std::vector<std::byte>(static_cast<std::size_t>(buffer.bytes)));
        PLUMB_CHECK(backend.download(controls.back().second, buffer));
    }
    return {};
}

Result<void> Executor::Impl::undoControls() {
    PLUMB_CHECK(backend.synchronize());  // ops that were started before may still write
    for (const auto& [id, bytes] : controls) PLUMB_CHECK(backend.upload(residency[id], bytes));
    return {};
}

Result<void> Executor::Impl::startPrefetching() {
    if (plan->staging < 0) return {};
    if (source == nullptr)
        return Error{ErrorCode::Internal, "the step reads data from a file, and none was opened", ""};
    if (gathersItself()) return {};
    PLUMB_TRY(prefetcher, BatchPrefetcher::create(*source, microBatchShape(), stagedFloats(),
                                                  steps * plan->config.microBatches()));
    return {};
}

bool Executor::Impl::gathersItself() const {
    return source != nullptr && source->isInMemory() && plan->staging >= 0 && can.hostCores != nullptr;
}

BatchPrefetcher::Shape Executor::Impl::microBatchShape() const {
    const RunConfig& config = plan->config;
    return {config.microBatchSize(), config.dim, config.outputWidth()};
}

std::span<float> Executor::Impl::stagedFloats() const {
    const Buffer& staging = residency[plan->staging];
    return {static_cast<float*>(staging.host != nullptr ? staging.host : staging.data),
            static_cast<std::size_t>(staging.bytes) / sizeof(float)};
}

Result<void> Executor::Impl::gather(std::int64_t number) {
    constexpr std::int64_t kOrderCost = 64;  // where a row lies takes as long as copying so many floats
    const BatchPrefetcher::Shape shape = microBatchShape();
    const std::span<float> half = stagedFloats();
    const auto dim = static_cast<std::size_t>(shape.dim), outputs = static_cast<std::size_t>(shape.outputs);
    const std::size_t features = static_cast<std::size_t>(shape.rows) * dim;
    std::mutex mutex;
    std::optional<std::pair<std::int64_t, Error>>
        failure;  // with where the part begins: the first one counts
    can.hostCores->onHostCores(
        shape.rows, shape.dim + shape.outputs + kOrderCost, [&](std::int64_t begin, std::int64_t end) {
            const auto at = static_cast<std::size_t>(begin), count = static_cast<std::size_t>(end - begin);
            const auto copied =
                source->copySamples(number * shape.rows + begin, half.subspan(at * dim, count * dim),
                                    half.subspan(features + at * outputs, count * outputs));
            if (copied.has_value()) return;
            const std::lock_guard lock(mutex);
            if (!failure || begin < failure->first) failure.emplace(begin, copied.error());
        });
    return failure ? Result<void>(failure->second) : Result<void>();
}

Result<OpCall> Executor::Impl::callOf(std::int32_t index) {
    PLUMB_CHECK(residency.beforeOp(index));
    OpCall call;
    call.opIndex = index;
    call.tensors = residency.buffers();
    call.optimizer = {learningRateAt(plan->config, steps), steps + 1};
    call.step = steps;
    return call;
}

Result<void> Executor::Impl::runOp(std::int32_t index, std::int64_t microBatch) {
    const auto slot = static_cast<std::size_t>(index);
    if (measuring) backend.resetHighWater();
    PLUMB_TRY(OpCall call, callOf(index));
    call.observe = observing;
    call.microBatch = microBatch;
    if (measuring) {
        PLUMB_TRY(const int before, timer.mark());
        PLUMB_CHECK(executeObserved(call));
        PLUMB_TRY(const int after, timer.mark());
        const CategoryBytes seen = backend.allocationCount().highWater;
        timed.push_back({slot, before, after, total(seen), 0});
        for (std::size_t category = 0; category < kCategoryCount; ++category)
            curve[slot][category] = std::max(curve[slot][category], seen[category]);
    } else {
        PLUMB_CHECK(executeObserved(call));
    }
    return watchedSlot < 0 ? Result<void>() : capture(plan->ops[slot]);
}

Result<void> Executor::Impl::executeObserved(OpCall& call) {
    if (observer == nullptr) return execute(call);
    PLUMB_CHECK(observer->beginOp(call.opIndex));
    PLUMB_CHECK(execute(call));
    return observer->endOp();
}

// Gathering the micro-batch is part of the load, or waiting for it: what the prefetching could not hide.
Result<void> Executor::Impl::execute(OpCall& call) {
    const OpKind kind = plan->op(call.opIndex).kind;
    if (kind != OpKind::LoadBatch || plan->staging < 0) return backend.run(call);
    const std::int64_t number = steps * plan->config.microBatches() + call.microBatch;
    if (prefetcher == nullptr) {
        PLUMB_CHECK(gather(number));
        call.stagedHalf = 0;
        return backend.run(call);
    }
    PLUMB_TRY(call.stagedHalf, prefetcher->take(number));
    return withStagedHalf(call.stagedHalf, [&] { return backend.run(call); });
}

Result<void> Executor::Impl::readNumbers(TensorId id, std::span<double> numbers) const {
    return backend.download(std::as_writable_bytes(numbers), residency[id]);
}

Result<StepMetrics> Executor::Impl::readResult(double lossScale, double skippedBefore) const {
    std::array<double, kLossColumns> numbers{};
    PLUMB_CHECK(readNumbers(plan->loss, numbers));
    FinishedStep done;
    done.step = steps;
    done.loss = numbers[kLossValue];
    done.gradientSquares = numbers[kLossGradientSquares];
    done.updateSquares = numbers[kLossUpdateSquares];
    done.weightSquares = numbers[kLossWeightSquares];
    done.lossScale = lossScale;
    if (plan->lossScale >= 0) {
        std::array<double, kLossScaleColumns> scale{};
        PLUMB_CHECK(readNumbers(plan->lossScale, scale));
        done.skipped = scale[kLossScaleSkipped] > skippedBefore;
    }
    return metricsOf(*plan, done);
}

Result<StepMetrics> Executor::Impl::runOnce() {
    std::array<double, kLossScaleColumns> before{};
    if (plan->lossScale >= 0) PLUMB_CHECK(readNumbers(plan->lossScale, before));
    lossScaleThisStep = plan->lossScale >= 0 ? before[kLossScaleValue] : 1;
    StepMetrics result;
    const auto opCount = static_cast<std::int32_t>(plan->ops.size());
    bool updated = false;
    const auto runRange = [&](std::int32_t begin, std::int32_t end, std::int64_t microBatch) -> Result<void> {
        for (std::int32_t index = begin; index < end; ++index) {
            updated = updated || updates[static_cast<std::size_t>(index)];
            if (!updated && stop.stop_requested()) {
                interrupted = true;
                return Error{ErrorCode::RunFailed, "the step was interrupted", ""};
            }
            PLUMB_CHECK(runOp(index, microBatch));
            if (index == opCount - 1) {
                PLUMB_TRY(result, readResult(before[kLossScaleValue], before[kLossScaleSkipped]));
            }
            residency.afterOp(index);
            if (measuring && recording) timed.back().released = total(backend.allocationCount().live);
        }
        return {};
    };
    PLUMB_CHECK(runRange(plan->passBegin[0], plan->passEnd[0], 0));
    if (plan->passEnd[1] > plan->passBegin[1])
        for (std::int64_t microBatch = 1; microBatch < plan->config.microBatches(); ++microBatch)
            PLUMB_CHECK(runRange(plan->passBegin[1], plan->passEnd[1], microBatch));
    PLUMB_CHECK(runRange(std::max(plan->passEnd[0], plan->passEnd[1]), opCount, 0));
    return result;
}

Result<StepMetrics> Executor::Impl::runObserved() {
    if (observer == nullptr) return runOnce();
    PLUMB_CHECK(observer->beginStep(steps));
    auto result = runOnce();
    if (!result.has_value()) return result;
    PLUMB_CHECK(observer->endStep());
    return result;
}

Executor::Executor(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Executor::~Executor() = default;

Result<std::unique_ptr<Executor>> Executor::create(std::shared_ptr<const StepPlan> plan, Backend& backend,
                                                   const BatchSource* source) {
    PLUMB_CHECK(backend.prepare(*plan));
    auto impl = std::make_unique<Impl>(std::move(plan), backend, source);
    impl->findUpdates();
    impl->opSecondsThisStep.assign(impl->plan->ops.size(), 0.0);
    impl->opSeconds.resize(impl->plan->ops.size());
    impl->curve.assign(impl->plan->ops.size(), CategoryBytes{});
    PLUMB_CHECK(impl->residency.allocatePersistent());
    PLUMB_CHECK(backend.initialise(impl->residency.buffers(), impl->plan->config.seed));
    PLUMB_CHECK(impl->startPrefetching());
    return std::unique_ptr<Executor>(new Executor(std::move(impl)));
}

Result<StepMetrics> Executor::runStep() { return m_impl->runMeasured(); }
std::int64_t Executor::stepsDone() const { return m_impl->steps; }
void Executor::resumeAt(std::int64_t steps) { m_impl->steps = m_impl->firstUnknown = steps; }
void Executor::setStop(std::stop_token stop) { m_impl->stop = std::move(stop); }
bool Executor::isInterrupted() const { return m_impl->interrupted; }
void Executor::setObserver(OpObserver* observer) { m_impl->observer = observer; }
const StepPlan& Executor::plan() const { return *m_impl->plan; }

}  // namespace plumb
