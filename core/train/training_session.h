// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/loss_history.h"
#include "core/train/checkpoint_writer.h"
#include "core/train/executor.h"
#include "core/train/hold_out_history.h"
#include "core/train/loss_judge.h"
#include "core/train/speed_watch.h"
#include "core/train/telemetry_watch.h"
#include "core/train/tensor_requests.h"
#include "core/train/trainer.h"
#include "core/train/training_parts.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace plumb {

/// Seconds since it was made.
class Stopwatch {
public:
    [[nodiscard]] Seconds seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

/// One training: the loop of train().
class TrainingSession {
public:
    /// All others outlive it.
    TrainingSession(TrainingParts parts, const RunConfig& config, Backend& backend,
                    const TrainOptions& options, TrainingSink& sink);
    TrainingSession(const TrainingSession&) = delete;
    TrainingSession& operator=(const TrainingSession&) = delete;

    /// Trains to the end. To be called once. Errors: of reading tensors; others are TrainResult::failure.
    [[nodiscard]] Result<TrainResult> run();

private:
    /// Each of these is false when the training ends here; why stands in m_outcome.
    [[nodiscard]] Result<bool> runStep();
    [[nodiscard]] bool waitToGoOn();
    [[nodiscard]] bool advance();
    [[nodiscard]] bool takeResults(const Result<std::vector<StepMetrics>>& results);
    [[nodiscard]] bool takeResult(StepMetrics done);
    [[nodiscard]] bool measureHeldOut();
    [[nodiscard]] bool saveCheckpoint(bool isDue);
    bool fail(const Error& error, std::string outcome);
    bool fail(const Error& error);

    [[nodiscard]] bool takeStatistics();
    [[nodiscard]] bool takeWeights();
    void report();
    void reportCheckpoints();
    [[nodiscard]] bool isWarm(std::int64_t step) const { return step - m_first >= m_options.warmUpSteps; }
    [[nodiscard]] bool measuresHeldOut() const;
    [[nodiscard]] Reading reading() const;
    [[nodiscard]] Result<void> finish();
    void finishCheckpoints();
    void finishSeries();
    void lookCloser();
    void probeSpeed();
    [[nodiscard]] bool watchDevice(bool measured);
    void tellDevice(std::optional<DeviceSample> sample);

    const RunConfig& m_config;
    Backend& m_backend;
    const TrainOptions& m_options;
    TrainingSink& m_sink;
    const TrainingParts m_parts;
    Executor& m_executor;
    const std::int64_t m_first;  ///< steps that were done before
    std::int64_t m_known;        ///< steps of which it is known what they were like, those before included

    TrainResult m_result;
    std::string m_outcome = "finished";
    Seconds m_trained;  ///< pauses left out
    LossHistory m_history;
    LossJudge m_judge;
    HoldOutHistory m_heldOut;
    SpeedWatch m_speed;
    TelemetryWatch m_telemetry;
    TensorRequests m_requests;
    bool m_writesStatistics;  ///< the next step: the first one, and one after each reading
    Stopwatch m_sinceReading;
};

}  // namespace plumb
