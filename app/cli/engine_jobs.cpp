// SPDX-License-Identifier: Apache-2.0
#include "app/cli/engine_jobs.h"

#include "app/cli/backends.h"
#include "app/cli/lab_timing.h"
#include "app/cli/pytorch_engine.h"
#include "core/calibrate/cost_survey.h"
#include "core/engine/lost_device.h"
#include "core/machine/calibration_file.h"
#include "core/measure/training_series.h"
#include "core/train/fit_proof_run.h"
#include "core/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace plumb::cli {

namespace {

/// A quarter of a gigabyte: more is no exercise, and would double what a training takes of the host's memory.
constexpr std::int64_t kMostKeptWeights = std::int64_t{1} << 26U;

class WriterSink final : public TrainingSink {
public:
    explicit WriterSink(const EngineJob& job) : m_job(job) {}
    void onStep(const StepMetrics& point) override { m_job.writer.addLoss(point); }
    void onReading(const Reading& measured) override {
        // Before the warm-up is over there is nothing to show.
        if (measured.stepsMeasured > 0) m_job.writer.setReading(m_job.id, measured);
    }

    void onStatistics(const LayerStatistics& statistics) override {
        // The newest of the later ones is enough; the first, to which they are compared, must arrive.
        if (std::exchange(m_isFirst, false))
            m_job.writer.send({m_job.id, protocol::StatisticsEvent{statistics}});
        else
            m_job.writer.setStatistics(m_job.id, statistics);
    }
    void onHoldOut(const HoldOutLoss& loss) override {
        m_job.writer.send({m_job.id, protocol::HoldOutEvent{loss}});
    }
    void onDevice(const DeviceMoment& moment) override { m_job.writer.setDevice(m_job.id, moment); }
    void onCheckpoint(const CheckpointReport& report) override {
        m_job.writer.sendLast({m_job.id, protocol::CheckpointEvent{report}});
    }

    void onTensor(std::int64_t id, const Result<TensorInspection>& inspection) override {
        if (inspection.has_value())
            m_job.writer.send({id, protocol::TensorValues{*inspection}});
        else
            m_job.writer.send({id, protocol::ErrorEvent{inspection.error()}});
    }

private:
    const EngineJob& m_job;
    bool m_isFirst = true;
};

/// Every error of the work goes through here.
void sendError(const EngineJob& job, const Error& error) {
    if (isLost(error)) job.loss.note(error);
    job.writer.sendLast({job.id, protocol::ErrorEvent{error}});
}

protocol::Finished failed(const EngineJob& job, const Error& error) {
    sendError(job, error);
    return {"failed: " + error.message, 0};
}

protocol::Finished finished(const EngineJob& job, const TrainResult& result) {
    if (result.failure) sendError(job, *result.failure);
    return {result.series.outcome, result.series.stepsDone};
}

/// Where `wish` needs a GPU that this process has lost, that. Errors: as localDevice().
Result<void> checkNotLost(const DeviceWish& wish, const EngineJob& job) {
    const std::optional<Error> loss = job.loss.get();
    if (!loss) return {};
    PLUMB_TRY(const protocol::DeviceEntry device, localDevice(wish));
    if (device.target.machine.backend == "cuda") return *loss;
    return {};
}

Result<std::unique_ptr<Backend>> openBackend(const DeviceWish& wish, const EngineJob& job) {
    PLUMB_CHECK(checkNotLost(wish, job));
    return makeBackend(wish);
}

Result<RunBackends> openBackends(const RunConfig& config, const std::string& device, const EngineJob& job) {
    const DeviceWish wish{config.backend, device};
    PLUMB_CHECK(checkNotLost(wish, job));
    return makeRunBackends(config, wish);
}

Result<Machine> calibrateOn(const DeviceWish& wish, const SurveyProgress& progress, const EngineJob& job) {
    PLUMB_CHECK(checkNotLost(wish, job));
    return calibrate(wish, progress, job.stop);
}

Result<TrainResult> trainOn(const protocol::Run& command, const EngineJob& job) {
    PLUMB_CHECK(validate(command.config));
    if (command.steps < 0)
        return Error{ErrorCode::BadInput, fmt::format("steps cannot be negative ({})", command.steps),
                     "0 runs until stopped"};
    PLUMB_TRY(const RunBackends backends, openBackends(command.config, command.device, job));
    const TrainOptions options{.steps = command.steps,
                               .keepWeights = command.config.parameters() <= kMostKeptWeights,
                               .checkpoints = command.checkpoints,
                               .resumeFrom = command.resumeFrom,
                               .stop = job.stop,
                               .waitWhilePaused = job.waitWhilePaused,
                               .nextRequest = job.nextRequest,
                               .rankBackend = backends.others};
    WriterSink sink(job);
    return train(command.config, *backends.first, options, sink);
}

Result<TrainResult> profileOn(const protocol::Profile& command, const EngineJob& job) {
    PLUMB_CHECK(validate(command.config));
    if (command.steps < 1)
        return badInput("steps is too small (" + std::to_string(command.steps) + ")",
                        "give a whole number of at least 1");
    PLUMB_TRY(const RunBackends backends, openBackends(command.config, command.device, job));
    ProfileExtras extras;
    extras.rankBackend = backends.others;
    extras.counters = command.counters;
    extras.countingProgress = [&](std::int64_t done, std::int64_t total) {
        job.writer.setProgress(job.id, {"counters", done, total});
    };
    return profile(
        command.config, *backends.first, command.steps, job.stop,
        [&](std::int64_t done) {
            job.writer.setProgress(job.id, {"profile", std::min(done, command.steps), command.steps});
        },
        extras);
}

protocol::Finished relay(const EngineWork& work, const EngineJob& job) {
    const auto finished = job.pyTorch.relay(work, job);
    return finished.has_value() ? *finished : failed(job, finished.error());
}

protocol::Finished run(const protocol::Run& command, const EngineJob& job) {
    job.writer.send({job.id, protocol::Began{command}});
    job.writer.beginLosses(job.id);
    if (namesPyTorch(command.device)) return relay(command, job);
    auto result = trainOn(command, job);
    if (result.has_value() && !result->weights.empty())
        job.keepWeights(command.config, std::move(result->weights), result->series.stepsDone);
    return result.has_value() ? finished(job, *result) : failed(job, result.error());
}

protocol::Finished run(const protocol::Profile& command, const EngineJob& job) {
    if (namesPyTorch(command.device)) return relay(command, job);
    const auto result = profileOn(command, job);
    if (!result.has_value()) return failed(job, result.error());
    if (result->measured.stepsMeasured > 0) job.writer.setReading(job.id, result->measured);
    return finished(job, *result);
}

protocol::Finished run(const protocol::TimeEinsum& command, const EngineJob& job) {
    const auto timed = timeEinsum(command, job.stop);
    if (job.stop.stop_requested()) return {"stopped", 0};
    if (!timed.has_value()) return failed(job, timed.error());
    job.writer.sendLast({job.id, *timed});
    return {"finished", 0};
}

protocol::Finished run(const protocol::Prove& command, const EngineJob& job) {
    if (namesPyTorch(command.device))
        return failed(job, {ErrorCode::Unavailable,
                            fmt::format("the memory of PyTorch cannot be limited ({:s})", command.device),
                            "choose the device itself: the built-in trainer proves it there"});
    const auto backend = openBackend({command.config.backend, command.device}, job);
    if (!backend.has_value()) return failed(job, backend.error());
    FitProofOptions options;
    options.limitBytes = command.memoryLimit;
    options.freeBytes = safelyFreeBytes(**backend);
    options.stop = job.stop;
    options.progress = [&](std::int64_t done, std::int64_t total) {
        job.writer.setProgress(job.id, {"prove", done, total});
    };
    const auto proof = proveFit(command.config, **backend, options);
    if (job.stop.stop_requested()) return {"stopped", 0};
    if (!proof.has_value()) return failed(job, proof.error());
    job.writer.sendLast({job.id, protocol::Proved{*proof}});
    return {"finished", 0};
}

protocol::Finished run(const protocol::Calibrate& command, const EngineJob& job) {
    if (namesPyTorch(command.device))
        return failed(job, {ErrorCode::Unavailable,
                            fmt::format("PyTorch is not calibrated ({:s})", command.device),
                            "calibrate the device itself: its ceilings serve PyTorch, too"});
    const auto progress = [&](std::string_view what, int done, int total) {
        job.writer.setProgress(job.id, {std::string(what), done, total});
    };
    const auto turn = claimCalibration();
    if (!turn.has_value() && turn.error().code == ErrorCode::RunFailed) return failed(job, turn.error());
    const DeviceWish wish{BackendChoice::Auto, command.device};
    // Whoever waits for minutes is told before them what comes of it.
    if (const auto known = localMachine(wish); known.has_value())
        if (const auto place = checkCalibrationPlace(*known); !place.has_value())
            job.writer.send({job.id, protocol::ErrorEvent{place.error()}});
    const auto machine = calibrateOn(wish, progress, job);
    if (job.stop.stop_requested()) return {"stopped", 0};
    if (!machine.has_value()) return failed(job, machine.error());
    // A calibration that cannot be kept still holds for this session.
    const auto kept = keepCalibration(*machine);
    job.writer.sendLast({job.id, protocol::Calibrated{kept.has_value() ? kept->machine : *machine}});
    if (!kept.has_value()) job.writer.send({job.id, protocol::ErrorEvent{kept.error()}});
    if (kept.has_value() && !kept->note.empty())
        job.writer.send(
            {job.id, protocol::ErrorEvent{Error{ErrorCode::RunFailed, kept->note, kCalibrateWhenQuiet}}});
    return {"finished", 0};
}

}  // namespace

// The engine outlives what it runs.
protocol::Finished runJob(const EngineWork& work, const EngineJob& job) {
    try {
        return std::visit([&](const auto& command) { return run(command, job); }, work);
    } catch (const std::bad_alloc&) {
        return failed(
            job, {ErrorCode::OutOfMemory, "this machine has no memory left", "lower batch, dim or layers"});
    } catch (const std::exception& exception) {
        return failed(job, internalError(fmt::format("internal error ({})", exception.what())));
    }
}

}  // namespace plumb::cli
