// SPDX-License-Identifier: Apache-2.0
// What some backends can do and others need not: see Capabilities.
#pragma once

#include "core/base/entry_at.h"
#include "core/engine/backend.h"
#include "core/engine/op_listener.h"
#include "core/machine/machine_speed.h"
#include "core/measure/library_product.h"
#include "core/measure/memory_shares.h"
#include "core/measure/source.h"
#include "core/measure/telemetry.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace plumb {

/// What a device wrote down of a step, as it stands in the tensors Loss and LossScale.
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

/// Steps that are captured once, op by op, and then replayed by the device as often as wanted; the device
/// counts them itself.
class StepReplay {
public:
    virtual ~StepReplay() = default;
    /// One block for all tensors that come and go during a step (core/plan/arena_layout.h), to be released as
    /// any other. Memory that was free for reuse is given back first. Errors: OutOfMemory.
    [[nodiscard]] virtual Result<Buffer> allocateArena(Bytes bytes) = 0;
    /// Makes Backend::run() note what it would do until endCapture(). The tensors of its calls must be where
    /// they will be when the capture is replayed, and every op must have been run before with them there.
    [[nodiscard]] virtual Result<void> beginCapture() = 0;
    /// The capture's number, counted from 0 since prepare().
    [[nodiscard]] virtual Result<int> endCapture() = 0;
    /// The end of the capture that failed.
    virtual void cancelCapture() = 0;
    /// Starts a capture once more, after all work before it.
    [[nodiscard]] virtual Result<void> replay(int capture) = 0;
    /// Marks the end of a replayed step, for FinishedStep::seconds.
    [[nodiscard]] virtual Result<void> endReplayedStep(std::int64_t step) = 0;
    /// Steps between this one and the newest that was started must be fewer than mostStepsAhead(). Empty as
    /// long as it is not done; `waits`: comes back when it is. Errors: those of the work.
    [[nodiscard]] virtual Result<std::optional<FinishedStep>> finishedStep(std::int64_t step, bool waits) = 0;
    [[nodiscard]] virtual std::int64_t mostStepsAhead() const = 0;
    /// From the end of one part of a replayed step to the beginning of the next, which waits for it: measured
    /// now, in some milliseconds. Pre: nothing is captured or under way.
    [[nodiscard]] virtual Result<Seconds> gapBetweenNodes() = 0;
};

/// Marks in the order of the work: like Backend::clock(), but nobody waits for one before the time since
/// another is asked for. A device that falls behind its host runs what is between two marks without gaps; one
/// that is faster waits for the host there, unless the work is held back until all of it is enqueued.
class EventTimer {
public:
    virtual ~EventTimer() = default;
    /// False where an op is done when Backend::run() returns: no host is waited for, and nothing held back.
    [[nodiscard]] virtual bool holdsWork() const { return false; }
    /// The device begins nothing that is enqueued from now on before endHold(), so that marks say what the
    /// device takes and nothing of what its host does. No longer than some tenths of a second, and not while
    /// the backend waits for the device. Pre: no work is held.
    [[nodiscard]] virtual Result<void> hold() { return {}; }
    virtual void endHold() {}
    /// Whether each hold since forgetMarks() lasted until endHold(). Pre: the last mark was waited for.
    [[nodiscard]] virtual bool holdsLasted() const { return true; }
    [[nodiscard]] virtual Result<int> mark() = 0;
    [[nodiscard]] virtual Result<Seconds> secondsBetween(int from, int to) = 0;
    /// Numbers of marks begin at 0 again.
    virtual void forgetMarks() = 0;
    [[nodiscard]] virtual Source timeSource() const = 0;
};

/// The timer of a backend without events: marks are readings of its clock.
class ClockTimer final : public EventTimer {
public:
    explicit ClockTimer(Backend& backend) : m_backend(backend) {}
    Result<int> mark() override {
        PLUMB_TRY(const Seconds now, m_backend.clock());
        m_marks.push_back(now);
        return static_cast<int>(m_marks.size()) - 1;
    }
    Result<Seconds> secondsBetween(int from, int to) override {
        return entryAt(m_marks, to) - entryAt(m_marks, from);
    }
    void forgetMarks() override { m_marks.clear(); }
    Source timeSource() const override { return Source::Clock; }

private:
    Backend& m_backend;
    std::vector<Seconds> m_marks;
};

/// The cores of the host where they run the steps.
class HostCores {
public:
    virtual ~HostCores() = default;
    /// Calls work(begin, end) on parts of [0, count), several at a time. `cost` is what one of them takes, in
    /// floats that are copied. Returns when all are done.
    virtual void onHostCores(std::int64_t count, std::int64_t cost,
                             const std::function<void(std::int64_t begin, std::int64_t end)>& work) = 0;
    /// Threads between which products are shared (threadsForProduct()).
    [[nodiscard]] virtual int threads() const = 0;
};

/// Data from the host that are copied to where the ops read them.
class StagingCopies {
public:
    virtual ~StagingCopies() = default;
    /// Copies a half of Staging that the host has written. Returns when the host may write to it again.
    [[nodiscard]] virtual Result<void> stage(const Buffer& staging, std::int32_t half) = 0;
};

class SpeedProber {
public:
    virtual ~SpeedProber() = default;
    /// How fast the machine is right now, in some milliseconds. Leaves nothing of the step in the caches.
    /// Absent while there is no room for it.
    [[nodiscard]] virtual Result<std::optional<SpeedProbe>> probeSpeed() = 0;
};

class ProfilingTools {
public:
    virtual ~ProfilingTools() = default;
    /// Hardware counters of the prepared plan's ops. Errors: Unavailable with the reason and the remedy;
    /// everything else goes on without them.
    [[nodiscard]] virtual Result<std::unique_ptr<CounterCollector>> openCounters(CounterDetail detail) = 0;
    /// The device's own records of what it does for the prepared plan's ops. Errors: Unavailable likewise.
    [[nodiscard]] virtual Result<std::unique_ptr<ActivityCollector>> openActivity() = 0;
};

class DeviceMemory {
public:
    virtual ~DeviceMemory() = default;
    /// What the device's memory is in use for now, of this program and all others; empty where nobody knows.
    [[nodiscard]] virtual std::vector<MemoryShare> memoryShares() const = 0;
};

/// An allocator that can be held to less than the device has.
class MemoryLimit {
public:
    virtual ~MemoryLimit() = default;
    /// From now on allocate() refuses what would make more than so many bytes, counted as they are asked for.
    /// Returns what held before.
    virtual Bytes limitMemory(Bytes bytes) = 0;
};

/// What the device tells of itself. To be asked between steps: an answer takes up to some milliseconds of the
/// host, none of the device.
class DeviceTelemetry {
public:
    virtual ~DeviceTelemetry() = default;
    [[nodiscard]] virtual DeviceSample sample() = 0;
    /// Its energy counter, in joules since the driver was loaded. Errors: Unavailable with the reason.
    [[nodiscard]] virtual Result<double> energy() = 0;
};

/// What a matrix library was made to do, noted where it was called.
class ProductRecords {
public:
    virtual ~ProductRecords() = default;
    /// Products of the ops of the prepared plan that ran since it was prepared; an entry for each op.
    [[nodiscard]] virtual LibraryProducts productsRun() const = 0;
};

/// The counters of a backend, which may have none. Errors: Unavailable, as theirs.
[[nodiscard]] Result<std::unique_ptr<CounterCollector>> openCounters(Backend& backend, CounterDetail detail);
[[nodiscard]] Result<std::unique_ptr<ActivityCollector>> openActivity(Backend& backend);
/// Absent without a probe.
[[nodiscard]] Result<std::optional<SpeedProbe>> probeSpeed(Backend& backend);
/// Threads between which a product is shared: 1 where a device shares its work in ways of its own.
[[nodiscard]] int hostThreads(Backend& backend);

}  // namespace plumb
