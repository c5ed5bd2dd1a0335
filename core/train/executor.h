// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/step_metrics.h"
#include "core/plan/step_passes.h"
#include "core/train/captured_steps.h"
#include "core/train/held_out_pass.h"
#include "core/train/residency.h"
#include "core/train/staged_batches.h"
#include "core/train/step_interruption.h"
#include "core/train/step_statistics.h"
#include "core/train/step_tensors.h"
#include "core/train/step_timing.h"
#include "core/train/step_traffic.h"
#include "core/train/tensor_watch.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace plumb {

/// Runs a StepPlan on a Backend, op by op or replayed as a whole, and measures it.
class Executor {
public:
    /// Allocates and initialises what lives across steps. `source` is needed when the plan stages data from a
    /// file (StagedBatches), `link` when it is one of several ranks. Errors: OutOfMemory, BadInput, those of
    /// the backend and of BatchPrefetcher.
    [[nodiscard]] static Result<std::unique_ptr<Executor>> create(std::shared_ptr<const StepPlan> plan,
                                                                  Backend& backend, const BatchSource* source,
                                                                  const RankLink* link = nullptr);
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    /// One optimizer step, op by op. Measures when asked to. What a step was like has no learning rate and no
    /// time since the start, which only the training knows. Pre: no replayed step is under way.
    [[nodiscard]] Result<StepMetrics> runStep();

    /// Captures the step on a backend that can do that, so that advance() replays it from now on: no op is
    /// started by the host any more, and no step waited for. What comes and goes gets one block of memory for
    /// good. Runs a few steps op by op first. A step with too many ops stays as it is: see replaysSteps().
    /// Errors: OutOfMemory; those of the backend.
    [[nodiscard]] Result<void> captureSteps() { return m_captured.prepare(); }
    [[nodiscard]] bool replaysSteps() const { return m_captured.arePrepared(); }
    /// Starts one more step. Returns, in order, the results that have become known: always that of this step
    /// when it ran op by op (not captured, or with statistics or a listener), and none, one or several when
    /// it is replayed.
    [[nodiscard]] Result<std::vector<StepMetrics>> advance();
    /// Captures the step once more, with `activity` told of its ops, and replays it `steps` times or until
    /// `stop`, each of them told and waited for. Pre: replaysSteps(), and a step has run op by op since.
    [[nodiscard]] Result<void> recordReplays(ActivityCollector& activity, std::int64_t steps,
                                             const std::stop_token& stop);
    /// What ends a step that runs op by op. After an interrupted one no further step can be run. Replayed
    /// steps that were started run to their end, which drain() waits for: a quarter of a second of them at
    /// most, or two longer ones.
    [[nodiscard]] StepInterruption& interruption() { return m_interruption; }
    /// Waits for the steps that are under way. After an error, its own or that of advance(): those that ended
    /// before it and were not told.
    [[nodiscard]] Result<std::vector<StepMetrics>> drain();
    /// Steps that were started.
    [[nodiscard]] std::int64_t stepsDone() const { return m_steps; }
    /// Goes on as if `steps` had been run: data, schedule and bias correction follow. The tensors are the
    /// caller's to upload.
    void resumeAt(std::int64_t steps);

    /// Tells `listener` about every step and op from now on; null: nobody. What it says ends the step. Meant
    /// for steps that are not measured: a listener may wait for the device around every op.
    void setListener(OpListener* listener) { m_listener = listener; }
    /// Mean square error over all samples that the source holds out, with the weights as they are. The
    /// training goes on as if nobody had asked, bit for bit. Pre: no replayed step is under way; a source
    /// that holds some out. Errors: those of the source and of the backend.
    [[nodiscard]] Result<double> heldOutLoss();

    [[nodiscard]] StepTiming& timing() { return m_timing; }
    [[nodiscard]] StepStatistics& statistics() { return m_statistics; }
    [[nodiscard]] TensorWatch& watch() { return m_watch; }
    [[nodiscard]] const StepPlan& plan() const { return *m_plan; }
    /// The weights and states, between two steps.
    [[nodiscard]] StepTensors& tensors() { return m_tensors; }
    [[nodiscard]] const StepTensors& tensors() const { return m_tensors; }

private:
    Executor(std::shared_ptr<const StepPlan> plan, Backend& backend, const BatchSource* source,
             const RankLink* link);

    [[nodiscard]] Result<StepMetrics> runWithListener();
    [[nodiscard]] Result<StepMetrics> runPasses();
    [[nodiscard]] Result<void> runOp(std::int32_t index, std::int64_t microBatch, double lossScale);
    [[nodiscard]] Result<void> execute(OpCall& call);
    [[nodiscard]] Result<void> executeWithListener(OpCall& call);
    [[nodiscard]] bool runsOpByOp() const;

    const std::shared_ptr<const StepPlan> m_plan;
    const std::vector<StepPass> m_passes;
    Backend& m_backend;
    Residency m_residency;
    StepTraffic m_traffic;
    StepTensors m_tensors;
    StepStatistics m_statistics;
    StagedBatches m_batches;
    StepInterruption m_interruption;
    TensorWatch m_watch;
    StepTiming m_timing;
    CapturedSteps m_captured;
    std::int64_t m_steps = 0;
    std::vector<StepMetrics> m_untold;  ///< that ended before an error
    OpListener* m_listener = nullptr;
};

}  // namespace plumb
