// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/engine/op_observer.h"
#include "core/machine/machine.h"
#include "core/machine/machine_speed.h"
#include "core/measure/memory_shares.h"
#include "core/measure/source.h"
#include "core/plan/step_plan.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plumb {

/// Memory that a backend handed out. `data` is the backend's own address (a device pointer on a GPU).
struct Buffer {
    void* data = nullptr;
    Bytes bytes = 0;
    Category category = Category::Workspace;
    void* host = nullptr;  ///< of Staging: where the host writes, when that is not `data`
};

/// A step that a device has done by itself; the numbers are those of TensorRole::Loss and LossScale.
struct FinishedStep {
    std::int64_t step = 0;  ///< 0-based
    double loss = 0;
    double gradientSquares = 0;
    double updateSquares = 0;
    double weightSquares = 0;
    double lossScale = 1;  ///< that the step ran with
    bool skipped = false;
    std::optional<Seconds> seconds;  ///< from the end of the step before it, on the device's clock
};

/// What the optimizer needs to know about this step besides the plan's configuration and the tensors.
struct OptimizerScalars {
    double learningRate = 0;  ///< of this step
    std::int64_t step = 1;    ///< 1-based, for bias correction; fp16 counts its good steps in LossScale
};

/// One execution of one op of the prepared plan.
struct OpCall {
    std::int32_t opIndex = 0;
    std::span<const Buffer> tensors;  ///< by TensorId; entries that are not resident have data == nullptr
    OptimizerScalars optimizer;
    std::int64_t step = 0;        ///< 0-based training step
    std::int64_t microBatch = 0;  ///< 0-based within the step
    bool observe = false;         ///< also write sums of squares and largest magnitudes to Statistics
    std::int32_t stagedHalf = 0;  ///< data from a file: the half of Staging that holds this micro-batch
};

/// Bytes that the backend has handed out, counted where they are handed out, never computed from the plan.
struct AllocationCount {
    CategoryBytes live{};
    CategoryBytes highWater{};  ///< since resetHighWater()
};

/// One device that can run the operations of a StepPlan; it holds no training policy and knows no lifetimes.
/// Called from one thread. Work starts in call order and is complete after synchronize().
class Backend {
public:
    virtual ~Backend() = default;
    [[nodiscard]] virtual const Machine& machine() const = 0;
    [[nodiscard]] virtual BackendTraits traits() const = 0;

    /// Chooses and builds what `plan`'s ops need (library primitives); counted memory does not change.
    /// `plan` must outlive its use. Errors: BadInput for what this backend cannot run.
    [[nodiscard]] virtual Result<void> prepare(const StepPlan& plan) = 0;

    /// Room for a tensor of the prepared plan. The size is the backend's own: elements times the size of an
    /// element as it will address them, from the shape in the plan's config, not Tensor::bytes(). Staging is
    /// memory that the host writes, from another thread.
    /// Errors: OutOfMemory with need and free.
    [[nodiscard]] virtual Result<Buffer> allocate(const Tensor& tensor) = 0;
    virtual void release(const Buffer& buffer) = 0;
    [[nodiscard]] virtual AllocationCount allocationCount() const = 0;
    virtual void resetHighWater() = 0;
    /// What the device's memory is in use for now, of this program and all others; empty where nobody knows.
    [[nodiscard]] virtual std::vector<MemoryShare> memoryShares() const { return {}; }

    /// Runs one op. Scratch is allocated and released inside, through the same counter. Checks that every
    /// tensor it touches is resident and large enough. Errors: Internal naming op and tensor otherwise.
    [[nodiscard]] virtual Result<void> run(const OpCall& call) = 0;

    /// Gives all persistent tensors of the prepared plan their first values: weights and masters from the
    /// configuration's initialisation and `seed` (the same numbers on every backend), states, loss scale,
    /// fp8 scales, and zero for the rest. `tensors` is by TensorId.
    [[nodiscard]] virtual Result<void> initialise(std::span<const Buffer> tensors, std::uint64_t seed) = 0;
    [[nodiscard]] virtual Result<void> fillZero(const Buffer& buffer) = 0;
    [[nodiscard]] virtual Result<void> upload(const Buffer& target, std::span<const std::byte> source) = 0;
    [[nodiscard]] virtual Result<void> download(std::span<std::byte> target, const Buffer& source) = 0;
    /// Seconds on the device's own clock; differences time ops. Includes waiting for the work before it.
    [[nodiscard]] virtual Result<Seconds> clock() = 0;
    /// What clock() and marks are: Clock of the host, or Event of the device.
    [[nodiscard]] virtual Source timeSource() const { return Source::Clock; }
    [[nodiscard]] virtual Result<void> synchronize() = 0;
    /// Calls work(begin, end) on parts of [0, count), several at a time where the host's own cores run the
    /// steps. `cost` is what one of them takes, in floats that are copied. Returns when all are done.
    virtual void onHostCores(std::int64_t count, std::int64_t cost,
                             const std::function<void(std::int64_t begin, std::int64_t end)>& work) {
        (void)cost;
        work(0, count);
    }
    /// Threads of the host between which products are shared (threadsForProduct()); 1 where a device shares
    /// its work in ways of its own.
    [[nodiscard]] virtual int threads() const { return 1; }
    /// How fast the machine is right now, in some milliseconds. Leaves nothing of the step in the caches.
    /// Absent where the backend has no such probe.
    [[nodiscard]] virtual Result<std::optional<SpeedProbe>> probeSpeed() {
        return std::optional<SpeedProbe>();
    }

    /// Hardware counters of the prepared plan's ops. Errors: Unavailable with the reason and the remedy; this
    /// is what a backend without counters answers. Everything else goes on without them.
    [[nodiscard]] virtual Result<std::unique_ptr<CounterCollector>> openCounters(CounterDetail detail);
    /// The device's own records of what it does for the prepared plan's ops. Errors: Unavailable likewise.
    [[nodiscard]] virtual Result<std::unique_ptr<ActivityCollector>> openActivity();

    // Marks in the order of the work: like clock(), but nobody waits for one before the time since another is
    // asked for, so that what is timed runs without gaps.
    [[nodiscard]] virtual Result<int> mark() {
        PLUMB_TRY(const Seconds now, clock());
        m_marks.push_back(now);
        return static_cast<int>(m_marks.size()) - 1;
    }
    [[nodiscard]] virtual Result<Seconds> secondsBetween(int from, int to) {
        return m_marks[static_cast<std::size_t>(to)] - m_marks[static_cast<std::size_t>(from)];
    }
    /// Their numbers begin at 0 again.
    virtual void forgetMarks() { m_marks.clear(); }

    /// Copies a half of Staging that the host has written to where the ops read it. Returns when the host may
    /// write to it again; false where the ops read what the host wrote itself, so that it may not before they
    /// have run.
    [[nodiscard]] virtual Result<bool> stage(const Buffer& staging, std::int32_t half) {
        (void)staging;
        (void)half;
        return false;
    }

    // Recorded steps, where traits().recordsSteps: the work of ops is noted instead of done, and then
    // repeated as often as wanted without anybody asking for it op by op. The device counts the steps itself.

    /// One block for all tensors that come and go during a step (core/plan/arena_layout.h). Memory that was
    /// free for reuse is given back first. Errors: OutOfMemory.
    [[nodiscard]] virtual Result<Buffer> allocateArena(Bytes bytes) {
        (void)bytes;
        return noRecordings();
    }
    /// From here on run() notes what it would do. The tensors of its calls must be where they will be when
    /// the recording is repeated, and every op must have been run before with them there.
    [[nodiscard]] virtual Result<void> beginRecording() { return noRecordings(); }
    /// The recording's number, counted from 0 since prepare().
    [[nodiscard]] virtual Result<int> endRecording() { return noRecordings(); }
    /// The end of the recording that failed.
    virtual void cancelRecording() {}
    /// Starts a recording once more, after all work before it.
    [[nodiscard]] virtual Result<void> repeat(int recording) {
        (void)recording;
        return noRecordings();
    }
    /// Marks the end of a step that was repeated, for FinishedStep::seconds.
    [[nodiscard]] virtual Result<void> endRepeatedStep(std::int64_t step) {
        (void)step;
        return noRecordings();
    }
    /// Steps between this one and the newest that was started must be fewer than mostStepsAhead(). Empty as
    /// long as it is not done; `waits`: comes back when it is. Errors: those of the work.
    [[nodiscard]] virtual Result<std::optional<FinishedStep>> finishedStep(std::int64_t step, bool waits) {
        (void)step;
        (void)waits;
        return noRecordings();
    }
    [[nodiscard]] virtual std::int64_t mostStepsAhead() const { return 0; }

protected:
    [[nodiscard]] static Error noRecordings() {
        return Error{ErrorCode::Internal, "this backend records no steps", ""};
    }

private:
    std::vector<Seconds> m_marks;
};

}  // namespace plumb
