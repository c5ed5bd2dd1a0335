// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/sample_window.h"
#include "core/engine/capabilities.h"
#include "core/measure/reading.h"
#include "core/train/timeline_recorder.h"
#include "core/train/traffic_cost.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace plumb {

/// What ops and steps took, in seconds and bytes: medians over the newest measured steps (at most 63), and
/// the timeline of the last ones.
///
/// A device that queues its work is held back, stretch by stretch, until the host has enqueued all ops of
/// the stretch: seconds are the device's alone, and those of a step are the sum of its stretches. A step in
/// which a hold did not last counts for the memory only.
class StepTiming {
public:
    /// Both outlive it.
    StepTiming(const StepPlan& plan, Backend& backend);
    StepTiming(const StepTiming&) = delete;
    StepTiming& operator=(const StepTiming&) = delete;

    /// Time every op and follow the memory counter at every op, in steps that begin from now on.
    void setMeasuring(bool on) { m_measuring = on; }
    [[nodiscard]] bool isMeasuring() const { return m_measuring; }
    /// Also keep when each op of the measured steps ran.
    void setKeepsTimeline(bool on) { m_keepsTimeline = on; }

    [[nodiscard]] Result<void> beginStep();
    /// Before the tensors of op `index` get their memory.
    [[nodiscard]] Result<void> beforeOp(std::int32_t index) {
        if (!m_measuring) return {};
        m_backend.resetHighWater();
        return m_holds ? holdFor(index) : Result<void>();
    }
    /// Runs op `index` by run(), measured or not.
    template <class Run>
    [[nodiscard]] Result<void> timeOp(std::int32_t index, const Run& run) {
        if (!m_measuring) return run();
        PLUMB_TRY(const int before, m_timer.mark());
        PLUMB_CHECK(run());
        PLUMB_TRY(const int after, m_timer.mark());
        noteMemory(static_cast<std::size_t>(index), before, after);
        return {};
    }
    /// A collective goes on beside other ops: of the step it takes what somebody waited for it.
    void addTraffic(const TrafficCost& cost);
    /// What was joined in the newest measured step, in the order of the first time; an op's executions
    /// together.
    [[nodiscard]] const std::vector<TrafficCost>& traffic() const { return m_traffic; }
    /// After the tensors that are not needed any more have lost their memory.
    void afterOp() {
        if (m_measuring && m_keepsTimeline) m_marks.back().released = total(m_backend.allocationCount().live);
    }
    /// After the last op: the host may wait for the device again.
    [[nodiscard]] Result<void> endOps() { return endStretch(); }
    /// The step that began will not end.
    void dropStep() { m_timer.endHold(); }
    /// Returns what the whole step took; `step` is its number.
    [[nodiscard]] Result<Seconds> endStep(std::int64_t step);

    /// A step that was replayed as a whole. What was measured of single ops stays; steps that are run op by
    /// op count for the ops alone from now on.
    void addReplayed(Seconds seconds);

    /// Absent before a step was measured.
    [[nodiscard]] std::optional<Seconds> medianStep() const { return m_stepSeconds.median(); }
    /// Medians: seconds per op and per step; and the allocator's curve. FLOPs and bytes are absent, since
    /// only counters measure them; the totals' rates are the plan's FLOPs over measured seconds. Null curve
    /// and seconds before a step was measured.
    [[nodiscard]] Reading reading(const Machine& machine) const;
    /// Timeline of the newest measured steps while it was kept; null without any. Made anew by each call.
    [[nodiscard]] std::shared_ptr<const Timeline> timeline() const;
    void forget();

private:
    struct TimedOp {
        std::size_t op;
        int before, after;   ///< marks
        bool held = false;   ///< or timed by a clock that needs no hold
        Bytes live = 0;      ///< most that was handed out while it ran
        Bytes released = 0;  ///< what was left afterwards
    };

    /// Ops that were held back together, between two marks.
    struct Stretch {
        int begin, end;
        bool held;
        std::size_t firstOp;  ///< index into m_marks
        Seconds seconds = 0;  ///< known after the step
    };

    void noteMemory(std::size_t op, int before, int after);
    [[nodiscard]] Result<void> holdFor(std::int32_t index);
    [[nodiscard]] Result<void> beginStretch(bool held);
    [[nodiscard]] Result<void> endStretch();
    /// Sums of the stretches.
    [[nodiscard]] Result<Seconds> stretchSeconds();
    [[nodiscard]] Result<void> keepTimeline(std::int64_t step, Seconds whole);
    [[nodiscard]] Result<void> takeTimes(std::int64_t step, Seconds whole);

    const StepPlan& m_plan;
    Backend& m_backend;
    ClockTimer m_clockTimer;
    EventTimer& m_timer;
    const DeviceMemory* m_memory;      ///< null: what others use is not known
    const ProductRecords* m_products;  ///< null: products are the backend's own
    const bool m_holds;                ///< the device queues its work
    bool m_measuring = false;
    bool m_keepsTimeline = false;

    // Marks of this step.
    Seconds m_clock = 0;  ///< what the clock showed then; only while the timeline is kept
    std::vector<TimedOp> m_marks;
    std::vector<Stretch> m_stretches;
    std::int64_t m_launches = 0;  ///< about as many are in the open stretch
    bool m_isStretchOpen = false;
    std::vector<std::optional<Seconds>> m_opSecondsThisStep;  ///< absent: not held
    std::vector<TrafficCost> m_traffic;
    std::vector<TrafficCost> m_turns;  ///< the same, each time by itself; only while the timeline is kept
    std::map<std::int32_t, std::size_t> m_trafficOf;  ///< by op: its place in m_traffic

    std::vector<SampleWindow> m_opSeconds;
    std::map<std::int32_t, SampleWindow>
        m_laneSeconds;  ///< by op of traffic: its own, see Communicator::Cost
    SampleWindow m_stepSeconds;
    SampleWindow m_waitedSeconds;
    bool m_areReplayed = false;          ///< m_stepSeconds
    bool m_isMemoryKnown = false;        ///< m_curve
    std::vector<CategoryBytes> m_curve;  ///< by op: high water while it ran
    TimelineRecorder m_timelineRecorder;
};

}  // namespace plumb
