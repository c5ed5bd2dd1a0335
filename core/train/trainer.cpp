// SPDX-License-Identifier: Apache-2.0
#include "core/train/trainer.h"

#include "core/measure/training_series.h"
#include "core/measure/value_histogram.h"
#include "core/train/checkpoint_writer.h"
#include "core/train/executor.h"
#include "core/train/hold_out_history.h"
#include "core/train/speed_watch.h"
#include "core/train/tensor_requests.h"
#include "core/train/weights_inspection.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace plumb {

namespace {

/// Between two probes of a profile: often enough to see a shared machine change.
constexpr Seconds kProfileProbeInterval = 0.05;

/// Far more than anybody waits for, and far from where a sum with the warm-up would overflow.
constexpr std::int64_t kMostProfiledSteps = 1'000'000'000;

/// Everything a run needs, made in the order in which things can be refused: the configuration, the memory,
/// the data, and only then the first allocation.
struct Session {
    std::shared_ptr<const StepPlan> plan;
    std::unique_ptr<BatchSource> source;
    std::unique_ptr<Executor> executor;
    std::unique_ptr<CheckpointWriter> checkpoints;  ///< null: none are written
    Seconds trained = 0;                            ///< before this session ...
    std::int64_t skipped = 0;                       ///< ... and its steps that updated nothing
    std::string movedData;                          ///< movedData() of a resumed one
};

Result<TrainingCheckpoint> openCheckpoint(const TrainOptions& options, const StepPlan& plan,
                                          const std::vector<DataFingerprint>& data) {
    PLUMB_TRY(TrainingCheckpoint checkpoint, TrainingCheckpoint::open(options.resumeFrom));
    PLUMB_CHECK(checkpoint.check(plan));
    PLUMB_CHECK(checkpoint.checkData(data));
    if (options.steps > 0 && checkpoint.info().step >= options.steps)
        return Error{ErrorCode::BadInput,
                     fmt::format("nothing is left to train: {} holds {} steps, and {} were asked for",
                                 checkpoint.path(), checkpoint.info().step, options.steps),
                     "ask for more steps; those before it count"};
    return checkpoint;
}

Result<Session> openSession(const RunConfig& config, Backend& backend, const TrainOptions& options) {
    Session session;
    PLUMB_TRY(StepPlan plan, planStep(config, backend.traits()));
    if (backend.machine().memoryBytes) PLUMB_CHECK(checkFits(plan, *backend.machine().memoryBytes));
    PLUMB_TRY(session.source, openData(config));
    session.plan = std::make_shared<const StepPlan>(std::move(plan));
    std::optional<TrainingCheckpoint> resumed;
    std::vector<DataFingerprint> data;
    if (!options.resumeFrom.empty() || !options.checkpoints.folder.empty()) {
        PLUMB_TRY(data, dataFingerprints(config));
    }
    if (!options.resumeFrom.empty()) {
        PLUMB_TRY(resumed, openCheckpoint(options, *session.plan, data));
        if (const auto& then = resumed->info().data) session.movedData = movedData(*then, data);
    }
    PLUMB_TRY(session.executor, Executor::create(session.plan, backend, session.source.get()));
    session.executor->setStop(options.stop);
    if (resumed) {
        PLUMB_CHECK(resumed->restore(*session.executor));
        session.trained = resumed->info().trainedSeconds;
        PLUMB_TRY(session.skipped, resumed->skippedSteps());
    }
    if (!options.checkpoints.folder.empty()) {
        PLUMB_TRY(session.checkpoints,
                  CheckpointWriter::create(options.checkpoints, session.plan, resumed ? &*resumed : nullptr,
                                           std::move(data)));
    }
    return session;
}

/// Steps whose ops are timed before the whole step is repeated.
constexpr std::int64_t kStepsOpByOp = 5;
/// As many as the timeline of an executor's own clock has.
constexpr std::int64_t kRecordedSteps = 3;

/// After so many steps in a row whose loss was not finite, a smaller loss scale will not help any more.
constexpr std::int64_t kMostLostInARow = 32;

/// The row of the batch of `step` that holds a value that is not finite.
std::optional<Error> badRow(const RunConfig& config, const BatchSource* source, std::int64_t step) {
    if (source == nullptr) return std::nullopt;
    std::vector<float> x(static_cast<std::size_t>(config.dim));
    std::vector<float> t(static_cast<std::size_t>(config.outputWidth()));
    const auto isBad = [](float value) { return !std::isfinite(value); };
    for (std::int64_t sample = 0; sample < config.batch; ++sample) {
        if (!source->copySamples(step * config.batch + sample, x, t).has_value()) break;
        if (!std::any_of(x.begin(), x.end(), isBad) && !std::any_of(t.begin(), t.end(), isBad)) continue;
        const std::int64_t position = step * config.batch + sample;
        const std::optional<double> beyond = source->beyondFp32(position);
        return Error{ErrorCode::RunFailed,
                     fmt::format("the data holds {}, met at step {} ({})",
                                 beyond ? fmt::format("{}, which fp32 cannot hold", *beyond)
                                        : "a value that is not finite",
                                 step, source->describe(position)),
                     beyond ? "scale its column, or leave that row out" : "remove or replace that row"};
    }
    return std::nullopt;
}

/// Why a loss is not a number when the data is not to blame. `updates`: steps before this one that changed a
/// weight; `lostInARow`: so many steps up to this one had no finite loss.
Error explainLoss(const RunConfig& config, std::int64_t step, std::int64_t updates, std::int64_t lostInARow,
                  double loss) {
    std::string value = std::isnan(loss) ? "not a number" : fmt::format("{}", loss);
    if (lostInARow > 1) value += fmt::format(" since step {}", step - lostInARow + 1);
    const bool naive = config.initialisation == Initialisation::Naive;
    if (updates > 0)
        return {ErrorCode::RunFailed,
                fmt::format("training diverged at step {} (loss {}, learning rate {})", step, value,
                            config.effectiveLearningRate()),
                naive ? "use scaled initial weights (--init scaled), or lower the learning rate with --lr"
                      : "lower the learning rate with --lr"};
    return {
        ErrorCode::RunFailed,
        fmt::format("the loss was not finite at step {}, before any weight changed (loss {})", step, value),
        std::string(naive ? "use scaled initial weights (--init scaled): naive ones grow with every layer"
                    : config.scalesLoss() ? "values overflow fp16 on the way forward: use bf16 or smaller "
                                            "features"
                                          : "use smaller features or targets")};
}

/// Tells what the writer has done since it was last asked.
void reportCheckpoints(CheckpointWriter& writer, TrainingSink& sink, TrainResult& result) {
    for (const CheckpointReport& report : writer.takeReports()) {
        if (report.failure) result.checkpointFailure = report.failure;
        sink.onCheckpoint(report);
    }
}

}  // namespace

Result<TrainResult> train(const RunConfig& config, Backend& backend, const TrainOptions& options,
                          TrainingSink& sink) {
    PLUMB_TRY(Session session, openSession(config, backend, options));
    Executor& executor = *session.executor;
    const auto now = [] { return std::chrono::steady_clock::now(); };
    const auto secondsSince = [&](auto from) { return std::chrono::duration<double>(now() - from).count(); };

    LossHistory history;
    TrainResult result;
    if (session.source) result.data = recordOf(*session.source);
    if (!session.movedData.empty())
        result.data->description +=
            fmt::format("; of the same content as when the training began ({})", session.movedData);
    const bool holdsOut = session.source != nullptr && session.source->heldOut() > 0;
    HoldOutHistory heldOut(holdsOut ? (session.source->samples() + config.batch - 1) / config.batch : 1);
    TrainingSeries& series = result.series;
    const auto observe = [&]() -> Result<void> {
        PLUMB_TRY(LayerStatistics statistics, executor.statistics());
        sink.onStatistics(statistics);
        if (!series.firstScales) series.firstScales = statistics;
        series.lastScales = std::move(statistics);
        return {};
    };
    TensorRequests requests(executor, options, sink);
    std::int64_t skipped = session.skipped;
    std::int64_t lostInARow = 0;
    bool observing = options.observe;  // the first step, and one step after each reading
    std::string outcome = "finished";
    Seconds trained = session.trained;  // pauses left out
    auto lastReading = now();
    executor.setRecording(options.timeline);
    SpeedWatch watch(backend, options.probeInterval);
    const std::int64_t first = executor.stepsDone();
    const auto reading = [&] {
        Reading measured = executor.timing().reading(backend.machine());
        measured.speed = watch.speed(*session.plan);
        return measured;
    };
    // Tells of a step and judges it; false when it was the last one.
    const auto take = [&](StepMetrics done) {
        done.seconds = trained;
        done.learningRate = learningRateAt(config, done.step);
        const std::int64_t skippedBefore = skipped;
        skipped += done.skipped ? 1 : 0;
        history.add(done);
        sink.onStep(done);
        lostInARow = std::isfinite(done.loss) ? 0 : lostInARow + 1;
        if (lostInARow == 0) return true;
        result.failure = badRow(config, session.source.get(), done.step);
        // A skipped step changed nothing, and the next batch may be better: so does GradScaler.
        const bool goesOn = done.skipped && lostInARow < kMostLostInARow;
        if (!result.failure && !goesOn)
            result.failure = explainLoss(config, done.step, done.step - skippedBefore, lostInARow, done.loss);
        if (result.failure) outcome = result.failure->message;
        return !result.failure;
    };
    const auto takeAll = [&](const Result<std::vector<StepMetrics>>& results) {
        if (!results.has_value()) {
            result.failure = results.error();
            outcome = fmt::format("failed at step {}: {}", executor.stepsDone(), results.error().message);
            return false;
        }
        return std::all_of((*results).begin(), (*results).end(), take);
    };
    // With the weights before the step that comes next; false when the training cannot go on.
    const auto measureHeldOut = [&] {
        if (!takeAll(executor.drain())) return false;
        const Result<double> loss = executor.heldOutLoss();
        if (!loss.has_value()) {
            result.failure = loss.error();
            outcome = fmt::format("failed at step {}: {}", executor.stepsDone(), loss.error().message);
            return false;
        }
        heldOut.add({executor.stepsDone(), *loss});
        sink.onHoldOut({executor.stepsDone(), *loss});
        return true;
    };
    for (std::int64_t step = first; options.steps == 0 || step < options.steps; ++step) {
        if (options.stop.stop_requested() ||
            (options.waitWhilePaused && !options.waitWhilePaused([&requests] { requests.take(); }))) {
            outcome = fmt::format("stopped after {} steps", step);
            break;
        }
        requests.take();
        if (holdsOut && options.observe && heldOut.isDue(step) && !measureHeldOut()) break;
        const bool watching = requests.beginStep();
        // An observed or watched step does more than the plan says, so it is not measured.
        if (!executor.recordsSteps()) watch.look();
        executor.setMeasuring(step - first >= options.warmUpSteps && !observing && !watching);
        executor.setObserving(observing);
        const auto begin = now();
        if (options.repeatSteps && step - first == options.warmUpSteps + kStepsOpByOp) {
            const auto recorded = executor.recordSteps();
            if (!recorded.has_value()) {
                result.failure = recorded.error();
                outcome = fmt::format("failed at step {}: {}", step, recorded.error().message);
                break;
            }
        }
        const auto done = executor.advance();
        const bool interrupted = executor.isInterrupted();
        if (!interrupted) trained += secondsSince(begin);
        if (done.has_value() && !interrupted) requests.endStep();
        if (!takeAll(done)) break;
        if (interrupted) {
            outcome = fmt::format("stopped after {} steps", step);
            break;
        }
        const bool observed = std::exchange(observing, false);
        if (observed) PLUMB_CHECK(observe());
        if (session.checkpoints) {
            // What is saved is the state after this very step, which must be known to be good.
            if (session.checkpoints->savesAfter(executor.stepsDone()) && !takeAll(executor.drain())) break;
            const auto copying = now();
            const auto saved = session.checkpoints->afterStep(executor, trained);
            trained += secondsSince(copying);  // training stands still meanwhile
            reportCheckpoints(*session.checkpoints, sink, result);
            if (!saved.has_value()) {
                result.failure = saved.error();
                outcome = fmt::format("failed after step {}: {}", step, saved.error().message);
                break;
            }
        }
        // After an observed step there is nothing new to read; steps longer than the interval take turns.
        if (step - first >= options.warmUpSteps && !observed &&
            secondsSince(lastReading) >= options.readingInterval) {
            sink.onReading(reading());
            lastReading = now();
            observing = options.observe;
        }
    }
    if (!result.failure) takeAll(executor.drain());
    if (!result.failure && holdsOut && options.observe && !heldOut.has(executor.stepsDone()))
        measureHeldOut();
    if (options.keepWeights && !result.failure) {
        PLUMB_TRY(result.weights, weightsOf(executor));
    }
    if (session.checkpoints) {
        if (!result.failure) {
            const auto saved = session.checkpoints->finish(executor, trained);
            if (!saved.has_value()) result.failure = saved.error();
        }
        session.checkpoints->wait();
        reportCheckpoints(*session.checkpoints, sink, result);
    }
    if (!result.failure && !executor.recordsSteps()) watch.lookAtTheEnd();
    result.measured = reading();
    if (options.timeline) result.measured.timeline = executor.timing().timeline();
    TrainingSeries curve;
    curve.steps = history.points();
    curve.stepsDone = executor.stepsDone();
    curve.skippedSteps = skipped;
    curve.outcome = std::move(outcome);
    curve.holdOut = heldOut.points();
    curve.firstScales = std::move(series.firstScales);
    curve.lastScales = std::move(series.lastScales);
    result.series = std::move(curve);
    // Records before counters: the two exclude each other, and counted steps run slowly.
    if (options.deviceRecords && !result.failure && !options.stop.stop_requested())
        addActivity(result.measured, executor, backend, kRecordedSteps, options.stop);
    if (options.counters && !result.failure && !options.stop.stop_requested())
        addCounters(result.measured, executor, backend, *options.counters, options.stop,
                    options.countingProgress);
    sink.onReading(result.measured);
    return result;
}

Result<TrainResult> profile(const RunConfig& config, Backend& backend, std::int64_t steps,
                            std::stop_token stop, const std::function<void(std::int64_t)>& progress,
                            const ProfileExtras& extras) {
    struct ProgressSink final : TrainingSink {
        explicit ProgressSink(const std::function<void(std::int64_t)>& report) : m_report(report) {}
        void onStep(const StepMetrics& point) override {
            if (m_report) m_report(point.step + 1);
        }
        void onReading(const Reading&) override {}
        const std::function<void(std::int64_t)>& m_report;
    } sink(progress);
    TrainOptions options;
    if (steps < 1 || steps > kMostProfiledSteps)
        return Error{ErrorCode::BadInput,
                     fmt::format("the number of steps to profile is out of range ({})", steps),
                     fmt::format("give 1 to {}", kMostProfiledSteps)};
    options.steps = steps + options.warmUpSteps;
    options.readingInterval = 1e9;  // one reading at the end is enough
    options.observe = false;
    options.counters = extras.counters;
    options.countingProgress = extras.countingProgress;
    options.deviceRecords = true;
    options.repeatSteps = false;
    options.probeInterval = kProfileProbeInterval;
    options.stop = std::move(stop);
    return train(config, backend, options, sink);
}

}  // namespace plumb
