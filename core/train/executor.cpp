// SPDX-License-Identifier: Apache-2.0
#include "core/plan/control_tensors.h"
#include "core/train/executor_impl.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace plumb {

namespace {

template <class Visit>
void forEachOperand(const Op& op, Visit&& visit) {
    for (const auto* ranges : {&op.reads, &op.writes})
        for (const TensorRange& range : *ranges)
            for (TensorId id = range.first; id < range.first + range.count; ++id) visit(id);
}

}  // namespace

StepResult resultOf(const StepPlan& plan, const FinishedStep& done) {
    StepResult result;
    result.step = done.step;
    result.loss = done.loss;
    result.gradientNorm = std::sqrt(done.gradientSquares);
    result.updateRatio = std::sqrt(done.updateSquares / done.weightSquares);
    result.seconds = done.seconds;
    if (plan.lossScale >= 0) result.lossScale = done.lossScale;
    result.skipped = done.skipped;
    if (done.skipped) {
        result.gradientNorm = std::numeric_limits<double>::quiet_NaN();
        result.updateRatio = 0;
    } else if (std::isnan(done.weightSquares)) {
        // A ReLU of a matrix library turns what is not a number into 0: behind weights that are lost the loss
        // may look like one.
        result.loss = std::numeric_limits<double>::quiet_NaN();
    }
    return result;
}

// Reads and writes of the ops decide: the first op that names a tensor and the last one that does. A tensor
// of pass 1 comes and goes in every repetition of the pass. The loss is read by the executor after the last
// op.
void Executor::Impl::planResidency() {
    const auto opCount = static_cast<std::int32_t>(plan->ops.size());
    std::vector<std::int32_t> first(plan->tensors.size(), -1);
    std::vector<std::int32_t> last(plan->tensors.size(), -1);
    for (std::int32_t index = 0; index < opCount; ++index)
        forEachOperand(plan->ops[static_cast<std::size_t>(index)], [&](TensorId id) {
            auto& begin = first[static_cast<std::size_t>(id)];
            if (begin < 0) begin = index;
            last[static_cast<std::size_t>(id)] = index;
        });
    firstNamed.assign(plan->ops.size(), {});
    lastNamed.assign(plan->ops.size(), {});
    for (std::size_t id = 0; id < plan->tensors.size(); ++id) {
        if (static_cast<TensorId>(id) == plan->loss) last[id] = opCount - 1;
        if (livesAcrossSteps(plan->tensors[id].role) || first[id] < 0) continue;
        firstNamed[static_cast<std::size_t>(first[id])].push_back(static_cast<TensorId>(id));
        lastNamed[static_cast<std::size_t>(last[id])].push_back(static_cast<TensorId>(id));
    }
}

Result<void> Executor::Impl::makeResident() {
    buffers.assign(plan->tensors.size(), Buffer{});
    for (std::size_t id = 0; id < plan->tensors.size(); ++id) {
        if (!livesAcrossSteps(plan->tensors[id].role)) continue;
        PLUMB_TRY(buffers[id], backend.allocate(plan->tensors[id]));
    }
    return backend.initialise(buffers, plan->config.seed);
}

Result<void> Executor::Impl::startPrefetching() {
    if (plan->staging < 0) return {};
    if (source == nullptr)
        return Error{ErrorCode::Internal, "the step reads data from a file, and none was opened", ""};
    const Buffer& staging = buffers[static_cast<std::size_t>(plan->staging)];
    const RunConfig& config = plan->config;
    const BatchPrefetcher::Shape shape{config.microBatchSize(), config.dim, config.outputs};
    const std::span<float> floats(static_cast<float*>(staging.host != nullptr ? staging.host : staging.data),
                                  static_cast<std::size_t>(staging.bytes) / sizeof(float));
    PLUMB_TRY(prefetcher, BatchPrefetcher::create(*source, shape, floats, steps * config.microBatches()));
    return {};
}

Result<void> Executor::Impl::runOp(std::int32_t index, std::int64_t microBatch) {
    const auto slot = static_cast<std::size_t>(index);
    if (measuring) backend.resetHighWater();
    for (const TensorId id : firstNamed[slot]) {
        Buffer& buffer = buffers[static_cast<std::size_t>(id)];
        // Already there in the second and later repetitions of a pass when the tensor outlives it
        // (gradients).
        if (buffer.data != nullptr) continue;
        PLUMB_TRY(buffer, backend.allocate(plan->tensors[static_cast<std::size_t>(id)]));
    }
    OpCall call;
    call.opIndex = index;
    call.tensors = buffers;
    call.optimizer = {learningRateAt(plan->config, steps), steps + 1};
    call.observe = observing;
    call.step = steps;
    call.microBatch = microBatch;
    if (measuring) {
        PLUMB_TRY(const int before, backend.mark());
        PLUMB_CHECK(executeObserved(call));
        PLUMB_TRY(const int after, backend.mark());
        const CategoryBytes seen = backend.allocationCount().highWater;
        timed.push_back({slot, before, after, total(seen), 0});
        for (std::size_t category = 0; category < kCategoryCount; ++category)
            curve[slot][category] = std::max(curve[slot][category], seen[category]);
    } else {
        PLUMB_CHECK(executeObserved(call));
    }
    return watchedSlot < 0 ? Result<void>() : capture(plan->ops[slot]);
}

Result<void> Executor::Impl::capture(const Op& op) {
    for (const TensorRange& range : op.writes)
        for (TensorId id = range.first; id < range.first + range.count; ++id) {
            const Tensor& tensor = plan->tensors[static_cast<std::size_t>(id)];
            if (statisticsSlot(plan->config, tensor.role, tensor.layer) != watchedSlot) continue;
            PLUMB_TRY(watched, copyOf(id));
        }
    return {};
}

Result<void> Executor::Impl::executeObserved(OpCall& call) {
    if (observer == nullptr) return execute(call);
    PLUMB_CHECK(observer->beginOp(call.opIndex));
    PLUMB_CHECK(execute(call));
    return observer->endOp();
}

Result<WatchedTensor> Executor::Impl::copyOf(TensorId id) const {
    const Tensor& tensor = plan->tensors[static_cast<std::size_t>(id)];
    const Buffer& buffer = buffers[static_cast<std::size_t>(id)];
    WatchedTensor copy;
    copy.tensor = tensor;
    copy.bytes.resize(static_cast<std::size_t>(buffer.bytes));
    PLUMB_CHECK(backend.download(copy.bytes, buffer));
    copy.bytes.resize(static_cast<std::size_t>(tensor.bytes()));
    const bool isGradient = tensor.role == TensorRole::Gradient || tensor.role == TensorRole::HeadGradient ||
                            tensor.role == TensorRole::ActivationGradient;
    if (isGradient) copy.scale = lossScaleThisStep;
    const bool isFp8 = tensor.dtype == Dtype::Fp8E4M3 || tensor.dtype == Dtype::Fp8E5M2;
    if (!isFp8 || plan->scales < 0) return copy;
    const std::int64_t row = statisticsSlot(plan->config, tensor.role, tensor.layer);
    std::vector<float> scales(static_cast<std::size_t>(statisticsSlots(plan->config) * kScalesColumns));
    PLUMB_CHECK(backend.download(std::as_writable_bytes(std::span(scales)),
                                 buffers[static_cast<std::size_t>(plan->scales)]));
    copy.scale = static_cast<double>(scales[static_cast<std::size_t>(row * kScalesColumns)]);
    return copy;
}

// Waiting for the micro-batch is part of the load: it is what the prefetching could not hide.
Result<void> Executor::Impl::execute(OpCall& call) {
    const OpKind kind = plan->ops[static_cast<std::size_t>(call.opIndex)].kind;
    if (prefetcher == nullptr || kind != OpKind::LoadBatch) return backend.run(call);
    PLUMB_TRY(call.stagedHalf, prefetcher->take(steps * plan->config.microBatches() + call.microBatch));
    PLUMB_TRY(const bool copied,
              backend.stage(buffers[static_cast<std::size_t>(plan->staging)], call.stagedHalf));
    if (copied) prefetcher->release();
    PLUMB_CHECK(backend.run(call));
    if (copied) return {};
    PLUMB_CHECK(backend.synchronize());  // nobody reads the half any more
    prefetcher->release();
    return {};
}

void Executor::Impl::releaseAfter(std::int32_t index) {
    if (arena.data != nullptr) return;
    for (const TensorId id : lastNamed[static_cast<std::size_t>(index)]) {
        Buffer& buffer = buffers[static_cast<std::size_t>(id)];
        if (buffer.data != nullptr) backend.release(buffer);
        buffer = Buffer{};
    }
}

void Executor::Impl::releaseTransients() {
    if (arena.data != nullptr) return;
    for (std::size_t id = 0; id < buffers.size(); ++id)
        if (!livesAcrossSteps(plan->tensors[id].role) && buffers[id].data != nullptr) {
            backend.release(buffers[id]);
            buffers[id] = Buffer{};
        }
}

Result<void> Executor::Impl::readNumbers(TensorId id, std::span<double> numbers) const {
    return backend.download(std::as_writable_bytes(numbers), buffers[static_cast<std::size_t>(id)]);
}

Result<StepResult> Executor::Impl::readResult(double lossScale, double skippedBefore) const {
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
    return resultOf(*plan, done);
}

Result<StepResult> Executor::Impl::runOnce() {
    std::array<double, kLossScaleColumns> before{};
    if (plan->lossScale >= 0) PLUMB_CHECK(readNumbers(plan->lossScale, before));
    lossScaleThisStep = plan->lossScale >= 0 ? before[kLossScaleValue] : 1;
    StepResult result;
    const auto opCount = static_cast<std::int32_t>(plan->ops.size());
    const auto runRange = [&](std::int32_t begin, std::int32_t end, std::int64_t microBatch) -> Result<void> {
        for (std::int32_t index = begin; index < end; ++index) {
            PLUMB_CHECK(runOp(index, microBatch));
            if (index == opCount - 1) {
                PLUMB_TRY(result, readResult(before[kLossScaleValue], before[kLossScaleSkipped]));
            }
            releaseAfter(index);
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

Result<StepResult> Executor::Impl::runObserved() {
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
    impl->planResidency();
    impl->opSecondsThisStep.assign(impl->plan->ops.size(), 0.0);
    impl->opSeconds.resize(impl->plan->ops.size());
    impl->curve.assign(impl->plan->ops.size(), CategoryBytes{});
    PLUMB_CHECK(impl->makeResident());
    PLUMB_CHECK(impl->startPrefetching());
    return std::unique_ptr<Executor>(new Executor(std::move(impl)));
}

Result<StepResult> Executor::Impl::runMeasured() {
    timed.clear();
    backend.forgetMarks();
    Seconds clock = 0;
    if (measuring && recording) {
        PLUMB_TRY(clock, backend.clock());
    }
    PLUMB_TRY(const int begin, backend.mark());
    auto result = runObserved();
    if (!result.has_value()) {
        releaseTransients();
        return result;
    }
    PLUMB_TRY(const int end, backend.mark());
    PLUMB_TRY(const Seconds whole, backend.secondsBetween(begin, end));
    (*result).seconds = whole;
    if (measuring) PLUMB_CHECK(takeTimes(begin, clock, whole));
    if (observing) observedStep = steps;
    ++steps;
    return result;
}

Result<void> Executor::Impl::takeTimes(int begin, Seconds clock, Seconds whole) {
    if (!stepsRepeated) stepSeconds.add(whole);
    std::fill(opSecondsThisStep.begin(), opSecondsThisStep.end(), 0.0);
    if (recording) recorder.beginStep(steps, clock);
    for (const TimedOp& op : timed) {
        PLUMB_TRY(const Seconds seconds, backend.secondsBetween(op.before, op.after));
        opSecondsThisStep[op.op] += seconds;
        if (!recording) continue;
        // Both from the start of the step, so that rounding keeps them in order.
        PLUMB_TRY(const Seconds since, backend.secondsBetween(begin, op.before));
        PLUMB_TRY(const Seconds until, backend.secondsBetween(begin, op.after));
        recorder.addOp(static_cast<std::int32_t>(op.op), clock + since, clock + until, op.live);
        recorder.addReleased(op.released);
    }
    if (recording) recorder.endStep(clock + whole);
    for (std::size_t index = 0; index < opSeconds.size(); ++index)
        opSeconds[index].add(opSecondsThisStep[index]);
    return {};
}

Result<StepResult> Executor::runStep() { return m_impl->runMeasured(); }

std::int64_t Executor::stepsDone() const { return m_impl->steps; }
void Executor::resumeAt(std::int64_t steps) { m_impl->steps = m_impl->firstUnknown = steps; }

Result<void> Executor::watch(TensorRole role, std::int32_t layer) {
    const StepPlan& plan = *m_impl->plan;
    // A row of its own does not mean that the step writes such a tensor: nobody needs the gradient of x.
    const bool isLayer = layer >= 0 && layer <= plan.config.layers + 1;
    const std::int64_t slot = isLayer ? statisticsSlot(plan.config, role, layer) : -1;
    const bool isThere =
        slot >= 0 && std::any_of(plan.ops.begin(), plan.ops.end(), [&](const Op& op) {
            return std::any_of(op.writes.begin(), op.writes.end(), [&](const TensorRange& range) {
                for (TensorId id = range.first; id < range.first + range.count; ++id) {
                    const Tensor& tensor = plan.tensors[static_cast<std::size_t>(id)];
                    if (statisticsSlot(plan.config, tensor.role, tensor.layer) == slot) return true;
                }
                return false;
            });
        });
    if (!isThere)
        return Error{
            ErrorCode::BadInput,
            "the step has no " + std::string(statisticsRoleName(role)) + " of layer " + std::to_string(layer),
            "the layers are 1 to " + std::to_string(plan.config.layers) + ", and the head behind them"};
    m_impl->watchedSlot = slot;
    m_impl->watched.reset();
    return {};
}

std::optional<WatchedTensor> Executor::takeWatched() {
    m_impl->watchedSlot = -1;
    return std::exchange(m_impl->watched, std::nullopt);
}

Result<WatchedTensor> Executor::weight(std::int32_t layer) const {
    const StepPlan& plan = *m_impl->plan;
    for (std::size_t id = 0; id < plan.tensors.size(); ++id)
        if (plan.tensors[id].role == TensorRole::Weight && plan.tensors[id].layer == layer)
            return m_impl->copyOf(static_cast<TensorId>(id));
    return Error{ErrorCode::BadInput, "the step has no weight of layer " + std::to_string(layer),
                 "the layers are 1 to " + std::to_string(plan.config.layers) + ", and the head behind them"};
}

void Executor::setObserving(bool on) { m_impl->observing = on; }
void Executor::setObserver(OpObserver* observer) { m_impl->observer = observer; }

Result<LayerStatistics> Executor::statistics() const {
    const StepPlan& plan = *m_impl->plan;
    const RunConfig& config = plan.config;
    std::vector<double> numbers(static_cast<std::size_t>(statisticsSlots(config) * kStatisticCount));
    PLUMB_CHECK(m_impl->readNumbers(plan.statistics, numbers));
    LayerStatistics statistics;
    statistics.step = std::max<std::int64_t>(m_impl->observedStep, 0);
    const auto layers = static_cast<std::int32_t>(config.layers);
    const auto add = [&](TensorRole role, std::int32_t layer, std::int64_t elements) {
        const auto row = static_cast<std::size_t>(statisticsSlot(config, role, layer) * kStatisticCount);
        const auto number = [&](Statistic which) { return numbers[row + static_cast<std::size_t>(which)]; };
        TensorStatistics tensor;
        tensor.role = role;
        tensor.layer = layer;
        if (m_impl->observedStep >= 0) {
            tensor.rootMeanSquare =
                std::sqrt(number(Statistic::SumOfSquares) / static_cast<double>(elements));
            tensor.largestMagnitude = number(Statistic::LargestMagnitude);
        }
        tensor.overflowed = number(Statistic::Overflowed);
        tensor.underflowed = number(Statistic::Underflowed);
        statistics.tensors.push_back(tensor);
    };
    const std::int64_t rows = config.batch * config.dim;
    for (std::int32_t layer = 0; layer <= layers; ++layer) add(TensorRole::Activation, layer, rows);
    for (const TensorRole role : {TensorRole::Weight, TensorRole::Gradient})
        for (std::int32_t layer = 1; layer <= layers + 1; ++layer)
            add(role, layer, config.dim * (layer > layers ? config.outputs : config.dim));
    for (std::int32_t layer = 1; layer <= layers + 1; ++layer)
        add(TensorRole::ActivationGradient, layer, layer > layers ? config.batch * config.outputs : rows);
    return statistics;
}

void Executor::setMeasuring(bool on) { m_impl->measuring = on; }
void Executor::setRecording(bool on) { m_impl->recording = on; }
const StepPlan& Executor::plan() const { return *m_impl->plan; }

void Executor::forgetMeasurements() {
    m_impl->stepSeconds.clear();
    for (SampleWindow& window : m_impl->opSeconds) window.clear();
    std::fill(m_impl->curve.begin(), m_impl->curve.end(), CategoryBytes{});
    m_impl->recorder.clear();
}

Reading Executor::measuredReading(const Machine& machine) const {
    const Impl& impl = *m_impl;
    Reading reading;
    reading.source = Source::Clock;
    reading.stepsMeasured = impl.stepSeconds.count();
    // The rates stay: they are the model's FLOPs over measured seconds. The counts themselves nobody
    // measured.
    reading.totals = makeTotals(*impl.plan, machine, impl.stepSeconds.median());
    reading.totals.flops.reset();
    reading.totals.matmulFlops.reset();
    reading.totals.bytes.reset();
    reading.countersAbsent = "none were asked for";
    if (!impl.opSeconds.empty() && impl.opSeconds.front().count() > 0) {
        reading.memory = summariseCurve(impl.curve);
        reading.memory->source = Source::Allocator;
        reading.memory->device = impl.backend.memoryShares();
    }
    reading.ops.reserve(impl.plan->ops.size());
    for (std::size_t index = 0; index < impl.plan->ops.size(); ++index) {
        const Op& op = impl.plan->ops[index];
        OpReading entry = describeOp(*impl.plan, op);
        entry.flops.reset();
        entry.bytes.reset();
        entry.seconds = impl.opSeconds[index].median();
        entry.source = Source::Clock;
        reading.ops.push_back(std::move(entry));
    }
    if (impl.recording) reading.timeline = impl.recorder.timeline();
    return reading;
}

Result<std::vector<std::byte>> Executor::download(TensorId tensor) const {
    std::vector<std::byte> bytes(
        static_cast<std::size_t>(m_impl->buffers[static_cast<std::size_t>(tensor)].bytes));
    PLUMB_CHECK(download(tensor, bytes));
    return bytes;
}

Result<void> Executor::download(TensorId tensor, std::span<std::byte> target) const {
    const Buffer& buffer = m_impl->buffers[static_cast<std::size_t>(tensor)];
    if (buffer.data == nullptr)
        return Error{ErrorCode::Internal,
                     "tensor " + std::to_string(tensor) + " is not resident between steps", ""};
    return m_impl->backend.download(target, buffer);
}

Result<void> Executor::upload(TensorId tensor, std::span<const std::byte> bytes) {
    const Buffer& buffer = m_impl->buffers[static_cast<std::size_t>(tensor)];
    if (buffer.data == nullptr || static_cast<Bytes>(bytes.size()) != buffer.bytes)
        return Error{ErrorCode::Internal,
                     "tensor " + std::to_string(tensor) + " takes " + std::to_string(buffer.bytes) +
                         " bytes, not " + std::to_string(bytes.size()),
                     ""};
    return m_impl->backend.upload(buffer, bytes);
}

}  // namespace plumb
