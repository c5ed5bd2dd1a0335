// SPDX-License-Identifier: Apache-2.0
// Steps that are recorded once and then repeated by the device.
#include "core/plan/arena_layout.h"
#include "core/plan/control_tensors.h"
#include "core/train/executor_impl.h"

#include <algorithm>
#include <utility>

namespace plumb {

namespace {

/// A step that is started op by op takes the host a few microseconds for each; one that is recorded takes
/// memory for each, and time to begin with.
constexpr std::int64_t kMostRecordedOps = 20'000;

/// Steps that were started run to their end, whatever is asked for meanwhile (Executor::setStop()): so many
/// that a device is never without work, and of long ones no more.
std::int64_t mostAhead(const SampleWindow& stepSeconds, const Backend& backend) {
    constexpr std::int64_t kFewest = 2;  // the next one waits on the device when one ends
    constexpr Seconds kMostAhead = 0.25;
    const std::int64_t most = backend.mostStepsAhead();
    const std::optional<double> seconds = stepSeconds.median();
    if (!seconds || *seconds * static_cast<double>(most) <= kMostAhead) return most;
    return std::clamp(static_cast<std::int64_t>(kMostAhead / *seconds), std::min(kFewest, most), most);
}

}  // namespace

Result<void> Executor::Impl::layOutArena() {
    const ArenaLayout layout = arenaLayout(*plan);
    PLUMB_TRY(arena, backend.allocateArena(layout.bytes));
    for (std::size_t id = 0; id < buffers.size(); ++id) {
        const Tensor& tensor = plan->tensors[id];
        if (livesAcrossSteps(tensor.role)) continue;
        buffers[id].data = static_cast<std::byte*>(arena.data) + layout.offset[id];
        buffers[id].bytes = tensor.bytes();
        buffers[id].category = tensor.category;
    }
    return {};
}

// `alsoLater`: the other micro-batches as well, all in one recording.
Result<int> Executor::Impl::recordRange(std::int32_t begin, std::int32_t end, std::int64_t microBatch,
                                        bool alsoLater) {
    const auto note = [&](std::int32_t from, std::int32_t to, std::int64_t which) -> Result<void> {
        for (std::int32_t index = from; index < to; ++index) {
            OpCall call;
            call.opIndex = index;
            call.tensors = buffers;
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
    PLUMB_CHECK(backend.beginRecording());
    const Result<void> noted = noteAll();
    if (!noted.has_value()) {
        backend.cancelRecording();
        return noted.error();
    }
    return backend.endRecording();
}

// Data from a file arrives micro-batch by micro-batch, so that there is a recording for each; otherwise one
// does.
Result<void> Executor::Impl::record() {
    const auto opCount = static_cast<std::int32_t>(plan->ops.size());
    const std::int64_t microBatches = plan->config.microBatches();
    if (prefetcher == nullptr) {
        PLUMB_TRY(const int all, recordRange(plan->passBegin[0], plan->passEnd[0], 0, true));
        recordings = {all};
        return {};
    }
    std::vector<int> made;
    for (std::int64_t microBatch = 0; microBatch < microBatches; ++microBatch) {
        const std::size_t pass = microBatch == 0 ? 0 : 1;
        PLUMB_TRY(const int part, recordRange(plan->passBegin[pass], plan->passEnd[pass], microBatch, false));
        made.push_back(part);
    }
    PLUMB_TRY(const int end, recordRange(std::max(plan->passEnd[0], plan->passEnd[1]), opCount, 0, false));
    made.push_back(end);
    recordings = std::move(made);
    return {};
}

Result<void> Executor::recordSteps() {
    Impl& impl = *m_impl;
    if (!impl.plan->traits.recordsSteps || !impl.recordings.empty()) return {};
    const std::int64_t passes = impl.plan->config.microBatches();
    if (static_cast<std::int64_t>(impl.plan->ops.size()) * passes > kMostRecordedOps) return {};
    PLUMB_CHECK(impl.layOutArena());
    return {};
}

bool Executor::recordsSteps() const { return m_impl->arena.data != nullptr; }

Result<void> Executor::Impl::startRepeated() {
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        if (prefetcher == nullptr || i + 1 == recordings.size()) {
            PLUMB_CHECK(backend.repeat(recordings[i]));
            continue;
        }
        const auto microBatch = static_cast<std::int64_t>(i);
        PLUMB_TRY(const std::int32_t half,
                  prefetcher->take(steps * plan->config.microBatches() + microBatch));
        PLUMB_TRY(const bool copied, backend.stage(buffers[static_cast<std::size_t>(plan->staging)], half));
        if (copied) prefetcher->release();
        PLUMB_CHECK(backend.repeat(recordings[i]));
        if (copied) continue;
        PLUMB_CHECK(backend.synchronize());  // nobody reads the half any more
        prefetcher->release();
    }
    PLUMB_CHECK(backend.endRepeatedStep(steps));
    ++steps;
    return {};
}

Result<void> Executor::Impl::collect(std::vector<StepMetrics>& results, bool waits) {
    if (firstUnknown == steps) return {};
    const std::int64_t most = mostAhead(stepSeconds, backend);
    while (firstUnknown < steps) {
        const bool mustWait = waits || steps - firstUnknown >= most;
        PLUMB_TRY(const auto done, backend.finishedStep(firstUnknown, mustWait));
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
    const bool opByOp = impl.arena.data == nullptr || impl.observing || impl.observer != nullptr ||
                        impl.watchedSlot >= 0 || impl.recordings.empty();
    if (opByOp) {
        PLUMB_CHECK(impl.collect(results, true));
        const bool measured = std::exchange(impl.measuring, impl.measuring && impl.arena.data == nullptr);
        auto result = impl.runMeasured();
        impl.measuring = measured;
        if (impl.interrupted) return results;
        if (!result.has_value()) return result.error();
        results.push_back(*result);
        // Everything was run where it will be repeated: kernels are loaded, and tables of addresses written.
        if (impl.arena.data != nullptr && impl.recordings.empty()) PLUMB_CHECK(impl.record());
        return results;
    }
    PLUMB_CHECK(impl.startRepeated());
    PLUMB_CHECK(impl.collect(results, false));
    return results;
}

Result<std::vector<StepMetrics>> Executor::drain() {
    std::vector<StepMetrics> results;
    PLUMB_CHECK(m_impl->collect(results, true));
    return results;
}

}  // namespace plumb
