// SPDX-License-Identifier: Apache-2.0
// What ops and steps took, in seconds and bytes.
#include "core/train/executor_impl.h"

#include <algorithm>
#include <utility>

namespace plumb {

namespace {

std::optional<Spread> spreadOf(const SampleWindow& repeats) {
    const auto low = repeats.quantile(0.1), high = repeats.quantile(0.9);
    return low && high ? std::optional(Spread{*low, *high}) : std::nullopt;
}

}  // namespace

Result<StepMetrics> Executor::Impl::runMeasured() {
    timed.clear();
    timer.forgetMarks();
    PLUMB_CHECK(keepControls());
    Seconds clock = 0;
    if (measuring && recording) {
        PLUMB_TRY(clock, backend.clock());
    }
    PLUMB_TRY(const int begin, timer.mark());
    auto result = runObserved();
    if (!result.has_value()) {
        residency.releaseTransients();
        if (!interrupted) return result;
        if (const auto undone = undoControls(); !undone.has_value()) {
            interrupted = false;  // a failure, then: nothing of the state may be kept
            return undone.error();
        }
        return result;
    }
    PLUMB_TRY(const int end, timer.mark());
    PLUMB_TRY(const Seconds whole, timer.secondsBetween(begin, end));
    (*result).stepSeconds = whole;
    if (measuring) PLUMB_CHECK(takeTimes(begin, clock, whole));
    if (observing) observedStep = steps;
    firstUnknown = ++steps;  // what it was like is told right here
    return result;
}

Result<void> Executor::Impl::takeTimes(int begin, Seconds clock, Seconds whole) {
    if (!stepsRepeated) stepSeconds.add(whole);
    std::fill(opSecondsThisStep.begin(), opSecondsThisStep.end(), 0.0);
    if (recording) recorder.beginStep(steps, clock);
    for (const TimedOp& op : timed) {
        PLUMB_TRY(const Seconds seconds, timer.secondsBetween(op.before, op.after));
        opSecondsThisStep[op.op] += seconds;
        if (!recording) continue;
        // Both from the start of the step, so that rounding keeps them in order.
        PLUMB_TRY(const Seconds since, timer.secondsBetween(begin, op.before));
        PLUMB_TRY(const Seconds until, timer.secondsBetween(begin, op.after));
        recorder.addOp(static_cast<std::int32_t>(op.op), clock + since, clock + until, op.live);
        recorder.addReleased(op.released);
    }
    if (recording) recorder.endStep(clock + whole);
    for (std::size_t index = 0; index < opSeconds.size(); ++index)
        opSeconds[index].add(opSecondsThisStep[index]);
    return {};
}

void Executor::setMeasuring(bool on) { m_impl->measuring = on; }
void Executor::setRecording(bool on) { m_impl->recording = on; }

void Executor::forgetMeasurements() {
    m_impl->stepSeconds.clear();
    for (SampleWindow& window : m_impl->opSeconds) window.clear();
    std::fill(m_impl->curve.begin(), m_impl->curve.end(), CategoryBytes{});
    m_impl->recorder.clear();
}

Reading Executor::measuredReading(const Machine& machine) const {
    const Impl& impl = *m_impl;
    Reading reading;
    reading.source = impl.timer.timeSource();
    reading.stepsMeasured = impl.stepSeconds.count();
    // The rates stay: they are the model's FLOPs over measured seconds. The counts themselves nobody
    // measured.
    reading.totals = makeTotals(*impl.plan, machine, impl.stepSeconds.median());
    reading.totals.spread = spreadOf(impl.stepSeconds);
    if (reading.totals.seconds) reading.totals.tier = Tier::Measured;
    reading.totals.flops.reset();
    reading.totals.matmulFlops.reset();
    reading.totals.bytes.reset();
    reading.countersAbsent = "none were asked for";
    if (!impl.opSeconds.empty() && impl.opSeconds.front().count() > 0) {
        reading.memory = summariseCurve(impl.curve);
        reading.memory->source = Source::Allocator;
        if (impl.can.memory != nullptr) reading.memory->device = impl.can.memory->memoryShares();
    }
    reading.ops.reserve(impl.plan->ops.size());
    for (std::size_t index = 0; index < impl.plan->ops.size(); ++index) {
        const Op& op = impl.plan->ops[index];
        OpReading entry = describeOp(*impl.plan, op);
        entry.flops.reset();
        entry.bytes.reset();
        entry.seconds = impl.opSeconds[index].median();
        entry.spread = spreadOf(impl.opSeconds[index]);
        if (entry.seconds) entry.tier = Tier::Measured;
        entry.source = reading.source;
        reading.ops.push_back(std::move(entry));
    }
    return reading;
}

std::shared_ptr<const Timeline> Executor::timeline() const {
    return m_impl->recorder.timeline(m_impl->timer.timeSource());
}

}  // namespace plumb
