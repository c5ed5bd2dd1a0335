// SPDX-License-Identifier: Apache-2.0
#include "core/train/profiled_steps.h"

#include "core/engine/capabilities.h"
#include "core/engine/lost_device.h"
#include "core/measure/counter_comparison.h"
#include "core/measure/timeline.h"

#include <fmt/format.h>

#include <utility>

namespace plumb {

namespace {

/// The loss itself is told by the run.
constexpr const char* kLostMeanwhile = "the device was lost before they were complete";

/// Takes the listener away again, however the steps end.
class Listening {
public:
    Listening(Executor& executor, OpListener& listener) : m_executor(executor) {
        executor.timing().setMeasuring(false);
        executor.statistics().setOn(false);
        executor.setListener(&listener);
    }
    ~Listening() { m_executor.setListener(nullptr); }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

private:
    Executor& m_executor;
};

/// Whether steps can be replayed from now on, as a training would; false where the device does not, or has no
/// room for what that takes.
Result<bool> preparesReplay(Executor& executor) {
    const auto laidOut = executor.captureSteps();
    if (!laidOut.has_value() && laidOut.error().code != ErrorCode::OutOfMemory) return laidOut.error();
    if (!executor.replaysSteps()) return false;
    executor.timing().setMeasuring(false);
    executor.statistics().setOn(false);
    PLUMB_CHECK(executor.runStep());
    return true;
}

Result<void> runOpByOp(Executor& executor, ActivityCollector& collector, std::int64_t steps,
                       const std::stop_token& stop) {
    const Listening listening(executor, collector);
    for (std::int64_t step = 0; step < steps && !stop.stop_requested(); ++step)
        PLUMB_CHECK(executor.runStep());
    return {};
}

}  // namespace

Result<std::vector<OpCounters>> countOps(Executor& executor, CounterCollector& collector,
                                         const std::stop_token& stop, const ProfilingProgress& progress) {
    const std::int64_t passes = collector.run().passes;
    {
        const Listening listening(executor, collector);
        for (std::int64_t pass = 0; pass < passes && !collector.complete(); ++pass) {
            if (progress) progress(pass, passes);
            if (stop.stop_requested())
                return Error{ErrorCode::RunFailed, "counting was stopped", "profile again"};
            PLUMB_TRY(const StepMetrics step, executor.runStep());
            if (step.skipped)
                return Error{
                    ErrorCode::RunFailed,
                    fmt::format("fp16 skipped step {} while it was counted", executor.stepsDone() - 1),
                    "profile again with a smaller --loss-scale"};
        }
    }
    if (!collector.complete())
        return Error{ErrorCode::RunFailed,
                     fmt::format("the counters were not complete after the announced steps ({})", passes),
                     "profile again, or with fewer of them (--counters quick)"};
    if (progress) progress(passes, passes);
    PLUMB_TRY(std::vector<OpCounters> counters, collector.take());
    if (counters.size() != executor.plan().ops.size())
        return internalError(fmt::format("{} ops were counted, and the step has {}", counters.size(),
                                         executor.plan().ops.size()));
    return counters;
}

Result<void> addCounters(Reading& measured, Executor& executor, Backend& backend, CounterDetail detail,
                         const std::stop_token& stop, const ProfilingProgress& progress) {
    const auto count = [&]() -> Result<void> {
        PLUMB_TRY(const auto collector, openCounters(backend, detail));
        PLUMB_TRY(const std::vector<OpCounters> counters, countOps(executor, *collector, stop, progress));
        applyCounters(measured, counters, collector->run());
        measured.countersAbsent = collector->missing();
        return {};
    };
    const Result<void> counted = count();
    if (counted.has_value()) return {};
    const Error cause = causeOf(counted.error(), backend);
    dropCounters(measured, isLost(cause) ? kLostMeanwhile : cause.text());
    if (isLost(cause)) return cause;
    return {};
}

Result<void> addActivity(Reading& measured, Executor& executor, Backend& backend, std::int64_t steps,
                         const std::stop_token& stop) {
    const auto collect = [&]() -> Result<void> {
        // Only where there are records is a step laid out to be replayed.
        PLUMB_TRY(const auto collector, openActivity(backend));
        PLUMB_TRY(const bool replays, preparesReplay(executor));
        PLUMB_CHECK(replays ? executor.recordReplays(*collector, steps, stop)
                            : runOpByOp(executor, *collector, steps, stop));
        PLUMB_TRY(measured.timeline, collector->take());
        if (replays) addRecordedSeconds(measured);
        return {};
    };
    const Result<void> collected = collect();
    if (collected.has_value()) return {};
    const Error cause = causeOf(collected.error(), backend);
    if (measured.timeline != nullptr) {
        // That of the clock stays, and says why it is no better one.
        auto timeline = std::make_shared<Timeline>(*measured.timeline);
        timeline->driverRecordsAbsent = isLost(cause) ? kLostMeanwhile : cause.text();
        measured.timeline = std::move(timeline);
    }
    if (isLost(cause)) return cause;
    return {};
}

}  // namespace plumb
