// SPDX-License-Identifier: Apache-2.0
#include "core/train/step_timing.h"

#include <algorithm>
#include <utility>

namespace plumb {

namespace {

std::optional<Spread> spreadOf(const SampleWindow& repeats) {
    const auto low = repeats.quantile(0.1), high = repeats.quantile(0.9);
    return low && high ? std::optional(Spread{*low, *high}) : std::nullopt;
}

}  // namespace

StepTiming::StepTiming(const StepPlan& plan, Backend& backend)
    : m_plan(plan),
      m_backend(backend),
      m_clockTimer(backend),
      m_timer(backend.capabilities().timer != nullptr ? *backend.capabilities().timer : m_clockTimer),
      m_memory(backend.capabilities().memory),
      m_opSecondsThisStep(plan.ops.size(), 0.0),
      m_opSeconds(plan.ops.size()),
      m_curve(plan.ops.size()) {}

Result<void> StepTiming::beginStep() {
    m_marks.clear();
    m_timer.forgetMarks();
    if (m_measuring && m_keepsTimeline) {
        PLUMB_TRY(m_clock, m_backend.clock());
    }
    PLUMB_TRY(m_begin, m_timer.mark());
    return {};
}

void StepTiming::noteMemory(std::size_t op, int before, int after) {
    const CategoryBytes seen = m_backend.allocationCount().highWater;
    m_marks.push_back({op, before, after, total(seen), 0});
    for (std::size_t category = 0; category < kCategoryCount; ++category)
        m_curve[op][category] = std::max(m_curve[op][category], seen[category]);
}

Result<Seconds> StepTiming::endStep(std::int64_t step) {
    PLUMB_TRY(const int end, m_timer.mark());
    PLUMB_TRY(const Seconds whole, m_timer.secondsBetween(m_begin, end));
    if (m_measuring) PLUMB_CHECK(takeTimes(step, whole));
    return whole;
}

Result<void> StepTiming::takeTimes(std::int64_t step, Seconds whole) {
    if (!m_areReplayed) m_stepSeconds.add(whole);
    std::fill(m_opSecondsThisStep.begin(), m_opSecondsThisStep.end(), 0.0);
    if (m_keepsTimeline) m_timelineRecorder.beginStep(step, m_clock);
    for (const TimedOp& op : m_marks) {
        PLUMB_TRY(const Seconds seconds, m_timer.secondsBetween(op.before, op.after));
        m_opSecondsThisStep[op.op] += seconds;
        if (!m_keepsTimeline) continue;
        // Both from the start of the step, so that rounding keeps them in order.
        PLUMB_TRY(const Seconds since, m_timer.secondsBetween(m_begin, op.before));
        PLUMB_TRY(const Seconds until, m_timer.secondsBetween(m_begin, op.after));
        m_timelineRecorder.addOp(static_cast<std::int32_t>(op.op), m_clock + since, m_clock + until, op.live);
        m_timelineRecorder.addReleased(op.released);
    }
    if (m_keepsTimeline) m_timelineRecorder.endStep(m_clock + whole);
    for (std::size_t index = 0; index < m_opSeconds.size(); ++index)
        m_opSeconds[index].add(m_opSecondsThisStep[index]);
    return {};
}

void StepTiming::addReplayed(Seconds seconds) {
    if (!std::exchange(m_areReplayed, true)) m_stepSeconds.clear();
    m_stepSeconds.add(seconds);
}

void StepTiming::forget() {
    m_stepSeconds.clear();
    for (SampleWindow& window : m_opSeconds) window.clear();
    std::fill(m_curve.begin(), m_curve.end(), CategoryBytes{});
    m_timelineRecorder.clear();
}

Reading StepTiming::reading(const Machine& machine) const {
    Reading reading;
    reading.source = m_timer.timeSource();
    reading.stepsMeasured = m_stepSeconds.count();
    // The rates stay: they are the model's FLOPs over measured seconds. The counts themselves nobody
    // measured.
    reading.totals = makeTotals(m_plan, machine, m_stepSeconds.median());
    reading.totals.spread = spreadOf(m_stepSeconds);
    if (reading.totals.seconds) reading.totals.tier = Tier::Measured;
    reading.totals.flops.reset();
    reading.totals.matmulFlops.reset();
    reading.totals.bytes.reset();
    reading.countersAbsent = "none were asked for";
    if (!m_opSeconds.empty() && m_opSeconds.front().count() > 0) {
        reading.memory = summariseCurve(m_curve);
        reading.memory->source = Source::Allocator;
        if (m_memory != nullptr) reading.memory->device = m_memory->memoryShares();
    }
    reading.ops.reserve(m_plan.ops.size());
    for (std::size_t index = 0; index < m_plan.ops.size(); ++index) {
        OpReading entry = describeOp(m_plan, static_cast<std::int64_t>(index));
        entry.flops.reset();
        entry.bytes.reset();
        entry.seconds = m_opSeconds[index].median();
        entry.spread = spreadOf(m_opSeconds[index]);
        if (entry.seconds) entry.tier = Tier::Measured;
        entry.source = reading.source;
        reading.ops.push_back(std::move(entry));
    }
    return reading;
}

std::shared_ptr<const Timeline> StepTiming::timeline() const {
    return m_timelineRecorder.timeline(m_timer.timeSource());
}

}  // namespace plumb
