// SPDX-License-Identifier: Apache-2.0
// Steps that are captured once and then replayed by the device.
#include "core/plan/control_tensors.h"
#include "core/train/executor_impl.h"

#include <algorithm>
#include <utility>

namespace plumb {

namespace {

/// A step that is started op by op takes the host a few microseconds for each; one that is captured takes
/// memory for each, and time to begin with.
constexpr std::int64_t kMostCapturedOps = 20'000;

/// Steps that were started run to their end, whatever is asked for meanwhile (Executor::setStop()): so many
/// that a device is never without work, and of long ones no more.
std::int64_t mostAhead(const SampleWindow& stepSeconds, const StepReplay& replay) {
    constexpr std::int64_t kFewest = 2;  // the next one waits on the device when one ends
    constexpr Seconds kMostAhead = 0.25;
    const std::int64_t most = replay.mostStepsAhead();
    const std::optional<double> seconds = stepSeconds.median();
    if (!seconds || *seconds * static_cast<double>(most) <= kMostAhead) return most;
    return std::clamp(static_cast<std::int64_t>(kMostAhead / *seconds), std::min(kFewest, most), most);
}

}  // namespace

// `alsoLater`: the other micro-batches as well, all in one capture.
Result<int> Executor::Impl::captureRange(std::int32_t begin, std::int32_t end, std::int64_t microBatch,
                                         bool alsoLater) {
    const auto note = [&](std::int32_t from, std::int32_t to, std::int64_t which) -> Result<void> {
        for (std::int32_t index = from; index < to; ++index) {
            OpCall call;
            call.opIndex = index;
            call.tensors = residency.buffers();
            call.step = steps;
            call.microBatch = which;
            PLUMB_CHECK(backend.run(call));
        }
        return {};
    };
    const auto noteAll = [&]() -> Result<void> {
        PLUMB_CHECK(note(begin, end, microBatch));
        if (!alsoLater) return {};
        for (std::int64_t later = 1; later < plan->config.microBatches(); ++later)
            PLUMB_CHECK(note(plan->passBegin[1], plan->passEnd[1], later));
        return note(std::max(plan->passEnd[0], plan->passEnd[1]), static_cast<std::int32_t>(plan->ops.size()),
                    0);
    };
    PLUMB_CHECK(can.replay->beginCapture());
    const Result<void> noted = noteAll();
    if (!noted.has_value()) {
        can.replay->cancelCapture();
        return noted.error();
    }
    return can.replay->endCapture();
}

// Data from a file arrives micro-batch by micro-batch, so that there is a capture for each; otherwise one
// does.
Result<void> Executor::Impl::record() {
    const auto opCount = static_cast<std::int32_t>(plan->ops.size());
    const std::int64_t microBatches = plan->config.microBatches();
    if (prefetcher == nullptr) {
        PLUMB_TRY(const int all, captureRange(plan->passBegin[0], plan->passEnd[0], 0, true));
        captures = {all};
        return {};
    }
    std::vector<int> made;
    for (std::int64_t microBatch = 0; microBatch < microBatches; ++microBatch) {
        const std::size_t pass = microBatch == 0 ? 0 : 1;
        PLUMB_TRY(const int part,
                  captureRange(plan->passBegin[pass], plan->passEnd[pass], microBatch, false));
        made.push_back(part);
    }
    PLUMB_TRY(const int end, captureRange(std::max(plan->passEnd[0], plan->passEnd[1]), opCount, 0, false));
    made.push_back(end);
    captures = std::move(made);
    return {};
}

Result<void> Executor::recordSteps() {
    Impl& impl = *m_impl;
    if (impl.can.replay == nullptr || !impl.plan->traits.recordsSteps || !impl.captures.empty()) return {};
    const std::int64_t passes = impl.plan->config.microBatches();
    if (static_cast<std::int64_t>(impl.plan->ops.size()) * passes > kMostCapturedOps) return {};
    PLUMB_CHECK(impl.residency.layOutArena(*impl.can.replay));
    return {};
}

bool Executor::recordsSteps() const { return m_impl->residency.hasArena(); }

Result<void> Executor::Impl::startReplayed() {
    for (std::size_t i = 0; i < captures.size(); ++i) {
        const auto replay = [&] { return can.replay->replay(captures[i]); };
        if (prefetcher == nullptr || i + 1 == captures.size()) {
            PLUMB_CHECK(replay());
            continue;
        }
        const auto microBatch = static_cast<std::int64_t>(i);
        PLUMB_TRY(const std::int32_t half,
                  prefetcher->take(steps * plan->config.microBatches() + microBatch));
        PLUMB_CHECK(withStagedHalf(half, replay));
    }
    PLUMB_CHECK(can.replay->endReplayedStep(steps));
    ++steps;
    return {};
}

Result<void> Executor::Impl::collect(std::vector<StepMetrics>& results, bool waits) {
    if (firstUnknown == steps) return {};
    const std::int64_t most = mostAhead(stepSeconds, *can.replay);
    while (firstUnknown < steps) {
        const bool mustWait = waits || steps - firstUnknown >= most;
        PLUMB_TRY(const auto done, can.replay->finishedStep(firstUnknown, mustWait));
        if (!done) return {};
        results.push_back(metricsOf(*plan, *done));
        if (measuring && done->seconds) {
            if (!stepsRepeated) stepSeconds.clear();
            stepsRepeated = true;
            stepSeconds.add(*done->seconds);
        }
        ++firstUnknown;
    }
    return {};
}

Result<std::vector<StepMetrics>> Executor::advance() {
    Impl& impl = *m_impl;
    std::vector<StepMetrics> results;
    const bool opByOp = !impl.residency.hasArena() || impl.observing || impl.observer != nullptr ||
                        impl.watchedSlot >= 0 || impl.captures.empty();
    if (opByOp) {
        PLUMB_CHECK(impl.collect(results, true));
        const bool measured = std::exchange(impl.measuring, impl.measuring && !impl.residency.hasArena());
        auto result = impl.runMeasured();
        impl.measuring = measured;
        if (impl.interrupted) return results;
        if (!result.has_value()) return result.error();
        results.push_back(*result);
        // Everything was run where it will be replayed: kernels are loaded, and tables of addresses written.
        if (impl.residency.hasArena() && impl.captures.empty()) PLUMB_CHECK(impl.record());
        return results;
    }
    PLUMB_CHECK(impl.startReplayed());
    PLUMB_CHECK(impl.collect(results, false));
    return results;
}

Result<std::vector<StepMetrics>> Executor::drain() {
    std::vector<StepMetrics> results;
    PLUMB_CHECK(m_impl->collect(results, true));
    return results;
}

}  // namespace plumb
