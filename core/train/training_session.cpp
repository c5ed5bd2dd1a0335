// SPDX-License-Identifier: Apache-2.0
#include "core/train/training_session.h"

#include "core/measure/counter_comparison.h"
#include "core/train/weights_inspection.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace plumb {

namespace {

/// Steps whose ops are timed before the whole step is replayed.
constexpr std::int64_t kStepsOpByOp = 5;
/// As many as the timeline of an executor's own clock has.
constexpr std::int64_t kActivitySteps = 3;
/// Between two steps that follow each other.
constexpr Seconds kLongWait = 0.01;

/// Steps of an epoch; 1 where nothing is held out.
std::int64_t epochOf(const BatchSource* source, std::int64_t batch) {
    if (source == nullptr || source->heldOut() == 0) return 1;
    return (source->samples() + batch - 1) / batch;
}

std::string failedAfter(std::int64_t steps, const Error& error) {
    return fmt::format("failed after step {}: {}", steps - 1, error.message);
}
/// Whether rank 0 goes on, or whatever else is asked; what others want does not count. Errors: those of
/// World::broadcast().
Result<bool> asFirstRank(const RankLink& link, bool goesOn) {
    PLUMB_TRY(const std::string said, link.world->broadcast(goesOn ? "1" : "0", 0));
    return said == "1";
}

std::string stoppedAfter(std::int64_t steps) { return fmt::format("stopped after {} steps", steps); }

}  // namespace

TrainingSession::TrainingSession(TrainingParts parts, const RunConfig& config, Backend& backend,
                                 const TrainOptions& options, TrainingSink& sink)
    : m_config(config),
      m_backend(backend),
      m_options(options),
      m_sink(sink),
      m_parts(std::move(parts)),
      m_executor(*m_parts.executor),
      m_first(m_executor.stepsDone()),
      m_known(m_first),
      m_trained(m_parts.trained),
      m_judge(config, m_parts.source.get(), m_parts.skipped),
      m_heldOut(epochOf(m_parts.source.get(), config.batch)),
      m_speed(backend, options.probeInterval),
      m_telemetry(backend, options.sampleInterval),
      m_requests(m_executor, options, sink),
      m_writesStatistics(options.statistics) {
    if (m_parts.source) m_result.data = provenanceOf(*m_parts.source);
    if (!m_parts.movedData.empty())
        m_result.data->description +=
            fmt::format("; of the same content as when the training began ({})", m_parts.movedData);
}

Result<TrainResult> TrainingSession::run() {
    bool goesOn = true;
    while (goesOn && (m_options.steps == 0 || m_executor.stepsDone() < m_options.steps)) {
        PLUMB_TRY(goesOn, runStep());
    }
    PLUMB_CHECK(finish());
    return std::move(m_result);
}

Result<bool> TrainingSession::runStep() {
    const std::int64_t step = m_executor.stepsDone();
    if (!waitToGoOn()) return false;
    m_requests.take();
    if (measuresHeldOut() && m_heldOut.isDue(step) && !measureHeldOut()) return false;
    const bool watching = m_requests.beginStep();
    probeSpeed();
    // A step with statistics or a watched tensor does more than the plan says, so it is not measured.
    const bool isMeasured = isWarm(step) && !m_writesStatistics && !watching;
    m_executor.timing().setMeasuring(isMeasured);
    if (!watchDevice(isMeasured)) return false;
    m_executor.statistics().setOn(m_writesStatistics);
    if (!advance()) return false;
    const bool hasStatistics = std::exchange(m_writesStatistics, false);
    if (hasStatistics && !takeStatistics()) return false;
    if (!saveCheckpoint(m_parts.checkpoints && m_parts.checkpoints->savesAfter(m_executor.stepsDone())))
        return false;
    // After a step with statistics there is nothing new to read; steps longer than the interval take turns.
    if (isWarm(step) && !hasStatistics && m_sinceReading.seconds() >= m_options.readingInterval) report();
    return true;
}

// What is no measured step takes none of their energy.
void TrainingSession::probeSpeed() {
    if (m_executor.replaysSteps() || !m_speed.isDue()) return;
    m_telemetry.pause();
    m_speed.look();
}

bool TrainingSession::watchDevice(bool measured) {
    if (measured) {
        tellDevice(m_telemetry.beforeStep());
        return true;
    }
    // The step that comes next would wait for the others, too.
    if (m_telemetry.isCounting() && !takeResults(m_executor.drain())) return false;
    m_telemetry.pause();
    return true;
}

void TrainingSession::tellDevice(std::optional<DeviceSample> sample) {
    if (!sample) return;
    DeviceMoment moment{
        m_executor.stepsDone(), m_trained, *std::move(sample), m_telemetry.joulesPerStep(), {}};
    if (moment.joulesPerStep)
        moment.joulesPerSample = *moment.joulesPerStep / static_cast<double>(m_config.batch);
    m_result.series.device.add(moment);
    m_sink.onDevice(moment);
}

bool TrainingSession::waitToGoOn() {
    const Stopwatch watch;
    bool goesOn = !m_options.stop.stop_requested() &&
                  (!m_options.waitWhilePaused || m_options.waitWhilePaused([this] { m_requests.take(); }));
    // Somebody paused, and the device's energy was that of nothing.
    if (m_telemetry.isCounting() && watch.seconds() > kLongWait) {
        m_telemetry.drop();
        if (goesOn && !takeResults(m_executor.drain())) return false;
    }
    if (m_options.ranks != nullptr) {
        const Result<bool> all = asFirstRank(*m_options.ranks, goesOn);
        if (!all.has_value()) return fail(all.error());
        goesOn = *all;
    }
    if (!goesOn && !m_result.failure) m_outcome = stoppedAfter(m_executor.stepsDone());
    return goesOn;
}

bool TrainingSession::advance() {
    const std::int64_t step = m_executor.stepsDone();
    const Stopwatch watch;
    if (m_options.replaySteps && step - m_first == m_options.warmUpSteps + kStepsOpByOp) {
        m_telemetry.pause();
        const auto captured = m_executor.captureSteps();
        if (!captured.has_value()) return fail(captured.error());
    }
    const auto done = m_executor.advance();
    const bool interrupted = m_executor.interruption().isInterrupted();
    if (!interrupted) m_trained += watch.seconds();
    if (done.has_value() && !interrupted) m_requests.endStep();
    if (!takeResults(done)) return false;
    if (interrupted) m_outcome = stoppedAfter(step);
    return !interrupted;
}

bool TrainingSession::takeResults(const Result<std::vector<StepMetrics>>& results) {
    if (!results.has_value()) {
        // What ended before it counts; of what was started after that nobody knows.
        const auto rest = m_executor.drain();
        const bool good = !rest.has_value() || takeResults(rest);
        return good && fail(results.error());
    }
    return std::all_of((*results).begin(), (*results).end(),
                       [this](const StepMetrics& done) { return takeResult(done); });
}

bool TrainingSession::takeResult(StepMetrics done) {
    done.seconds = m_trained;
    done.learningRate = learningRateAt(m_config, done.step);
    m_history.add(done);
    m_known = done.step + 1;
    m_telemetry.addStep();
    m_sink.onStep(done);
    const std::optional<Error> lost = m_judge.judge(done);
    return !lost || fail(*lost, lost->message);
}

// Measures with the weights before the step that comes next.
bool TrainingSession::measureHeldOut() {
    if (!takeResults(m_executor.drain())) return false;
    m_telemetry.pause();
    const Result<double> loss = m_executor.heldOutLoss();
    if (!loss.has_value()) return fail(loss.error());
    const HoldOutLoss point{m_executor.stepsDone(), *loss};
    m_heldOut.add(point);
    m_sink.onHoldOut(point);
    return true;
}

// Where ranks share the state, the first one says when, and the others give it what they have.
bool TrainingSession::saveCheckpoint(bool isDue) {
    if (m_options.ranks != nullptr && m_options.ranks->savesState) {
        const Result<bool> said = asFirstRank(*m_options.ranks, isDue);
        if (!said.has_value()) return fail(said.error());
        isDue = *said;
    }
    Result<void> saved;
    if (isDue) {
        // What is saved is the state after this very step, which must be known to be good.
        if (!takeResults(m_executor.drain())) return false;
        m_telemetry.pause();
        const Stopwatch watch;
        saved =
            m_parts.checkpoints ? m_parts.checkpoints->save(m_executor, m_trained) : giveState(m_executor);
        m_trained += watch.seconds();  // training stands still meanwhile
    }
    if (m_parts.checkpoints) reportCheckpoints();
    return saved.has_value() || fail(saved.error(), failedAfter(m_known, saved.error()));
}

bool TrainingSession::fail(const Error& error, std::string outcome) {
    m_result.failure = error;
    m_outcome = std::move(outcome);
    return false;
}

bool TrainingSession::fail(const Error& error) {
    return fail(error, fmt::format("failed at step {}: {}", m_known, error.message));
}

bool TrainingSession::takeStatistics() {
    Result<LayerStatistics> statistics = m_executor.statistics().read();
    if (!statistics.has_value()) return fail(statistics.error());
    m_sink.onStatistics(*statistics);
    if (!m_result.series.firstScales) m_result.series.firstScales = *statistics;
    m_result.series.lastScales = *std::move(statistics);
    return true;
}

void TrainingSession::report() {
    m_sink.onReading(reading());
    m_sinceReading = Stopwatch();
    m_writesStatistics = m_options.statistics;
}

/// What the writer has done since it was last asked.
void TrainingSession::reportCheckpoints() {
    for (const CheckpointReport& report : m_parts.checkpoints->takeReports()) {
        if (report.failure) m_result.checkpointFailure = report.failure;
        m_sink.onCheckpoint(report);
    }
}

bool TrainingSession::measuresHeldOut() const {
    const bool asked =
        m_options.statistics || (m_options.ranks != nullptr && m_options.ranks->measuresHeldOut);
    return asked && m_parts.source != nullptr && m_parts.source->heldOut() > 0;
}

Reading TrainingSession::reading() const {
    Reading measured = m_executor.timing().reading(m_backend.machine());
    measured.speed = m_speed.speed(*m_parts.plan);
    m_telemetry.describe(measured, m_config.batch);
    return measured;
}

Result<void> TrainingSession::finish() {
    bool good = !m_result.failure && takeResults(m_executor.drain());
    if (good) tellDevice(m_telemetry.finish());
    if (good && measuresHeldOut() && !m_heldOut.has(m_executor.stepsDone())) good = measureHeldOut();
    if (good && m_options.keepWeights) good = takeWeights();
    finishCheckpoints();
    if (!m_result.failure && !m_executor.replaysSteps()) m_speed.lookAtTheEnd();
    m_result.measured = reading();
    if (m_options.timeline) m_result.measured.timeline = m_executor.timing().timeline();
    finishSeries();
    lookCloser();
    m_sink.onReading(m_result.measured);
    return {};
}

bool TrainingSession::takeWeights() {
    Result<LearnedWeights> weights = weightsOf(m_executor);
    if (!weights.has_value()) return fail(weights.error());
    m_result.weights = *std::move(weights);
    return true;
}

void TrainingSession::finishCheckpoints() {
    CheckpointWriter* const writer = m_parts.checkpoints.get();
    if (!m_result.failure)
        static_cast<void>(saveCheckpoint(writer != nullptr && writer->savesAtEnd(m_executor.stepsDone())));
    if (writer == nullptr) return;
    writer->wait();
    reportCheckpoints();
}

void TrainingSession::finishSeries() {
    TrainingSeries& series = m_result.series;
    series.steps = m_history.points();
    series.stepsDone = m_result.failure ? m_known : m_executor.stepsDone();
    series.skippedSteps = m_judge.skippedSteps();
    series.outcome = m_outcome;
    series.holdOut = m_heldOut.points();
    series.device.none = m_result.measured.telemetryAbsent;
}

// Activity before counters: the two exclude each other, and counted steps run slowly.
void TrainingSession::lookCloser() {
    const auto wants = [this] { return !m_result.failure && !m_options.stop.stop_requested(); };
    const auto keep = [this](const Result<void>& looked) {
        if (looked.has_value()) return;
        fail(looked.error(), failedAfter(m_known, looked.error()));
        m_result.series.outcome = m_outcome;
    };
    if (m_options.deviceActivity && wants())
        keep(addActivity(m_result.measured, m_executor, m_backend, kActivitySteps, m_options.stop));
    if (m_options.counters && wants())
        keep(addCounters(m_result.measured, m_executor, m_backend, *m_options.counters, m_options.stop,
                         m_options.countingProgress));
    else if (m_options.counters && m_result.failure)
        dropCounters(m_result.measured, "the run failed before they were counted");
}

}  // namespace plumb
