// SPDX-License-Identifier: Apache-2.0
// What the sources of the executor share.
#pragma once

#include "core/data/batch_prefetcher.h"
#include "core/data/sample_window.h"
#include "core/engine/capabilities.h"
#include "core/io/json_values.h"
#include "core/plan/control_tensors.h"
#include "core/train/executor.h"
#include "core/train/residency.h"
#include "core/train/timeline_recorder.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace plumb {

/// What a step was like, from the numbers that a device wrote down.
[[nodiscard]] StepMetrics metricsOf(const StepPlan& plan, const FinishedStep& done);

struct Executor::Impl {
    Impl(std::shared_ptr<const StepPlan> stepPlan, Backend& device, const BatchSource* batches)
        : plan(std::move(stepPlan)), backend(device), source(batches), residency(*plan, device) {}

    Result<void> startPrefetching();
    /// Where the ops read what the host writes, it is the host's cores that run them: a thread beside them
    /// takes from the step what it gives to it, so it is worth while only where it waits for a disk.
    [[nodiscard]] bool gathersItself() const;
    Result<void> gather(std::int64_t number);
    [[nodiscard]] BatchPrefetcher::Shape microBatchShape() const;
    [[nodiscard]] std::span<float> stagedFloats() const;
    /// Gives the tensors that this op is the first to name their memory, and says what the op works on.
    Result<OpCall> callOf(std::int32_t index);
    Result<void> runOp(std::int32_t index, std::int64_t microBatch);
    Result<void> execute(OpCall& call);
    Result<void> executeObserved(OpCall& call);
    /// Runs work() with the half of Staging that the prefetcher has filled, and gives the half back.
    template <class Work>
    Result<void> withStagedHalf(std::int32_t half, const Work& work) {
        if (can.staging != nullptr) {
            PLUMB_CHECK(can.staging->stage(residency[plan->staging], half));
            prefetcher->release();
            return work();
        }
        PLUMB_CHECK(work());
        PLUMB_CHECK(backend.synchronize());  // nobody reads the half any more
        prefetcher->release();
        return {};
    }
    /// `count` fp64 numbers at the start of a tensor.
    Result<void> readNumbers(TensorId id, std::span<double> numbers) const;
    Result<void> capture(const Op& op);
    Result<WatchedTensor> copyOf(TensorId id) const;
    Result<StepMetrics> readResult(double lossScale, double skippedBefore) const;
    void findUpdates();
    Result<void> keepControls();
    Result<void> undoControls();
    Result<StepMetrics> runOnce();
    Result<StepMetrics> runObserved();
    Result<StepMetrics> runMeasured();
    /// Turns the marks of the step into seconds; `begin` was set at its start, when the clock showed `clock`.
    Result<void> takeTimes(int begin, Seconds clock, Seconds whole);

    /// Sum of squares over the first `count` samples of the staged micro-batch, whose targets these are.
    Result<double> lossOf(std::span<const float> targets, std::int64_t count);
    Result<double> sumHeldOut();

    Result<void> record();
    Result<int> captureRange(std::int32_t begin, std::int32_t end, std::int64_t microBatch, bool alsoLater);
    Result<void> startReplayed();
    Result<void> collect(std::vector<StepMetrics>& results, bool waits);

    std::shared_ptr<const StepPlan> plan;
    Backend& backend;
    Capabilities can = backend.capabilities();
    ClockTimer clockTimer{backend};
    EventTimer& timer = can.timer != nullptr ? *can.timer : clockTimer;
    const BatchSource* source;
    Residency residency;
    std::unique_ptr<BatchPrefetcher>
        prefetcher;  ///< null: synthetic data, or gathersItself(); writes into a buffer
    std::int64_t steps = 0;

    std::stop_token stop;
    bool interrupted = false;
    std::vector<bool> updates;  ///< by op: whether it writes a weight or a state
    /// The scalings of fp16 and fp8 as they were before the step, which changes them on its way.
    std::vector<std::pair<TensorId, std::vector<std::byte>>> controls;

    OpObserver* observer = nullptr;
    std::int64_t watchedSlot = -1;  ///< of statisticsSlot(); -1: nothing is watched
    double lossScaleThisStep = 1;
    std::optional<WatchedTensor> watched;
    bool observing = false;
    std::int64_t observedStep = -1;  ///< the newest one; -1: none yet
    bool measuring = false;
    struct TimedOp {
        std::size_t op;
        int before, after;   ///< marks
        Bytes live = 0;      ///< most that was handed out while it ran
        Bytes released = 0;  ///< what was left afterwards
    };
    std::vector<TimedOp> timed;  ///< of this step
    std::vector<Seconds> opSecondsThisStep;
    std::vector<SampleWindow> opSeconds;
    SampleWindow stepSeconds;
    std::vector<CategoryBytes> curve;  ///< by op: high water while it ran
    bool recording = false;            ///< a timeline of measured steps
    TimelineRecorder recorder;

    std::vector<int> captures;      ///< replayed one after the other; empty: steps run op by op
    std::int64_t firstUnknown = 0;  ///< the first repeated step whose result was not told
    bool stepsRepeated = false;     ///< stepSeconds are of repeated steps
};

}  // namespace plumb
