// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/batch_source.h"
#include "core/engine/backend.h"
#include "core/engine/op_observer.h"
#include "core/measure/layer_statistics.h"
#include "core/measure/reading.h"
#include "core/measure/step_metrics.h"
#include "core/plan/step_plan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace plumb {

/// The bytes of one tensor and what they say.
struct WatchedTensor {
    Tensor tensor;
    std::vector<std::byte> bytes;
    double scale =
        1;  ///< what its numbers are multiplied by: the loss scale of fp16, the tensor's own of fp8
};

/// Runs a StepPlan on a Backend, op by op, and measures it.
///
/// Residency is the executor's own: a tensor gets memory when the first op that names it runs and loses it
/// after the last op that reads or writes it has run, counted from the ops' reads and writes, not from the
/// plan's lifetimes. That makes the measured memory curve independent of the predicted one.
class Executor {
public:
    /// Allocates and initialises what lives across steps. `source` is needed when the plan stages data from a
    /// file, which is gathered into the memory of StepPlan::staging: as part of the step where that runs on
    /// the host's cores and the source is in memory, else by a thread of its own, ahead of it.
    /// Errors: OutOfMemory, BadInput, those of the backend and of BatchPrefetcher.
    [[nodiscard]] static Result<std::unique_ptr<Executor>>
    create(std::shared_ptr<const StepPlan> plan, Backend& backend, const BatchSource* source);
    ~Executor();

    /// One optimizer step, op by op. Measures when asked to. What a step was like has no learning rate and no
    /// time since the start, which only the training knows. Pre: no repeated step is under way.
    [[nodiscard]] Result<StepMetrics> runStep();

    /// Records the step on a backend that can do that, so that advance() repeats it from now on: no op is
    /// started by the host any more, and no step waited for. What comes and goes gets one block of memory for
    /// good. Runs a few steps op by op first. A step with too many ops stays as it is: see recordsSteps().
    /// Errors: OutOfMemory; those of the backend.
    [[nodiscard]] Result<void> recordSteps();
    [[nodiscard]] bool recordsSteps() const;
    /// Starts one more step. Returns, in order, the results that have become known: always that of this step
    /// when it ran op by op (not recorded, or observed), and none, one or several when it is repeated.
    [[nodiscard]] Result<std::vector<StepMetrics>> advance();
    /// From now on a step that runs op by op ends between two ops once `stop` asks for it, unless it has
    /// begun to change weights or states: such a step runs to its end. An interrupted step leaves everything
    /// that outlives steps as it was before and counts as not begun; after it no further step can be run.
    /// Repeated steps that were started run to their end, which drain() waits for: a quarter of a second of
    /// them at most, or two longer ones.
    void setStop(std::stop_token stop);
    [[nodiscard]] bool isInterrupted() const;
    /// Waits for the steps that are under way.
    [[nodiscard]] Result<std::vector<StepMetrics>> drain();
    /// Steps that were started.
    [[nodiscard]] std::int64_t stepsDone() const;
    /// Goes on as if `steps` had been run: data, schedule and bias correction follow. The tensors are the
    /// caller's to upload.
    void resumeAt(std::int64_t steps);

    /// From now on every step writes the scale of its tensors to Statistics. Slows a step by a few per cent,
    /// so an observed step is best not measured.
    void setObserving(bool on);
    /// Of the newest step that was observed; the counters are always current.
    [[nodiscard]] Result<LayerStatistics> statistics() const;

    /// From now on tells `observer` about every step and op; null: nobody. What it says ends the step. Meant
    /// for steps that are not measured: an observer may wait for the device around every op.
    void setObserver(OpObserver* observer);
    /// In steps from now on keeps a copy of a tracked tensor (see statisticsSlot()) as soon as an op has
    /// written it, the newest of the step's copies: of the last micro-batch, of a gradient when all have been
    /// added. Slows a step, so a watched one is best not measured. Errors: BadInput for a tensor that the
    /// step does not have.
    [[nodiscard]] Result<void> watch(TensorRole role, std::int32_t layer);
    /// What was watched, if a step has written it; ends the watching.
    [[nodiscard]] std::optional<WatchedTensor> takeWatched();
    /// A weight as it is between two steps. Errors as watch().
    [[nodiscard]] Result<WatchedTensor> weight(std::int32_t layer) const;

    /// Mean square error over all samples that the source holds out, with the weights as they are. The
    /// training goes on as if nobody had asked, bit for bit. Pre: no repeated step is under way; a source
    /// that holds some out. Errors: those of the source and of the backend.
    [[nodiscard]] Result<double> heldOutLoss();

    /// From now on time every op and record the memory counter at every op. Steps that are repeated are timed
    /// as a whole; what was measured of the ops before stays.
    void setMeasuring(bool on);
    /// Also keep when each op of the newest measured steps ran, for timeline().
    void setRecording(bool on);
    /// Medians over the newest measured steps (at most 63): seconds per op and per step; and the allocator's
    /// curve. FLOPs and bytes are absent, since only counters measure them; the totals' rates are the plan's
    /// FLOPs over measured seconds. Null curve and seconds before a step was measured.
    [[nodiscard]] Reading measuredReading(const Machine& machine) const;
    /// Of the newest measured steps while recording was on; null without any. Made anew by each call.
    [[nodiscard]] std::shared_ptr<const Timeline> timeline() const;
    void forgetMeasurements();

    [[nodiscard]] const StepPlan& plan() const;
    /// A copy of a persistent tensor's bytes (weights, states), by id.
    [[nodiscard]] Result<std::vector<std::byte>> download(TensorId tensor) const;
    /// The same into memory of the caller's, of the tensor's size.
    [[nodiscard]] Result<void> download(TensorId tensor, std::span<std::byte> target) const;
    [[nodiscard]] Result<void> upload(TensorId tensor, std::span<const std::byte> bytes);

    struct Impl;

private:
    explicit Executor(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

}  // namespace plumb
