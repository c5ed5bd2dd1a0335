// SPDX-License-Identifier: Apache-2.0
#include "core/train/captured_steps.h"

#include "core/base/entry_at.h"
#include "core/plan/early_updates.h"
#include "core/train/finished_step.h"
#include "core/train/op_call.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace plumb {

namespace {

/// A step that is started op by op takes the host a few microseconds for each; one that is captured takes
/// memory for each, and time to begin with.
constexpr std::int64_t kMostCapturedOps = 20'000;

}  // namespace

CapturedSteps::CapturedSteps(const StepPlan& plan, std::span<const StepPass> passes, Backend& backend,
                             Residency& residency, StagedBatches& batches, StepTiming& timing)
    : m_plan(plan),
      m_passes(passes),
      m_backend(backend),
      m_replay(plan.traits.replaysSteps ? backend.capabilities().replay : nullptr),
      m_residency(residency),
      m_batches(batches),
      m_timing(timing),
      m_earlyUpdates(m_replay != nullptr ? earlyUpdates(plan) : std::vector<std::int32_t>()) {}

Result<void> CapturedSteps::prepare() {
    if (m_replay == nullptr || areCaptured()) return {};
    const std::int64_t passes = m_plan.config.microBatches();
    if (static_cast<std::int64_t>(m_plan.ops.size()) * passes > kMostCapturedOps) return {};
    return m_residency.layOutArena(*m_replay);
}

// Data from a file arrives micro-batch by micro-batch, so that there is a capture for each; otherwise one
// does.
Result<void> CapturedSteps::capture(std::int64_t steps, OpListener* listener) {
    const std::size_t together = m_batches.isPrefetched() ? 1 : m_passes.size();
    std::vector<int> made;
    for (std::size_t pass = 0; pass < m_passes.size(); pass += together) {
        PLUMB_TRY(const int part, captureOne(m_passes.subspan(pass, together), steps, listener));
        made.push_back(part);
    }
    m_captures = std::move(made);
    return {};
}

Result<int> CapturedSteps::captureOne(std::span<const StepPass> passes, std::int64_t steps,
                                      OpListener* listener) {
    PLUMB_CHECK(m_replay->beginCapture());
    const Result<void> noted = noteOps(passes, steps, listener);
    if (!noted.has_value()) {
        m_replay->cancelCapture();
        return noted.error();
    }
    return m_replay->endCapture();
}

Result<void> CapturedSteps::noteOps(std::span<const StepPass> passes, std::int64_t steps,
                                    OpListener* listener) {
    const auto optimizer = static_cast<std::int32_t>(m_plan.ops.size()) - 1;
    for (const StepPass& pass : passes)
        for (std::int32_t index = pass.begin; index < pass.end; ++index) {
            PLUMB_CHECK(noteOp(opCall(m_plan, m_residency, index, steps, pass.microBatch), listener));
            const bool isLast = pass.microBatch + 1 == m_plan.config.microBatches();
            if (!isLast || m_earlyUpdates.empty()) continue;
            OpCall update = opCall(m_plan, m_residency, optimizer, steps, 0);
            update.updatedLayer = entryAt(m_earlyUpdates, index);
            if (update.updatedLayer > 0) PLUMB_CHECK(noteOp(update, listener));
        }
    return {};
}

Result<void> CapturedSteps::noteOp(const OpCall& call, OpListener* listener) {
    if (listener == nullptr) return m_backend.run(call);
    PLUMB_CHECK(listener->beginOp(call.opIndex));
    PLUMB_CHECK(m_backend.run(call));
    return listener->endOp();
}

Result<void> CapturedSteps::replay(std::int64_t steps) {
    for (std::size_t i = 0; i < m_captures.size(); ++i) {
        const auto start = [&] { return m_replay->replay(m_captures[i]); };
        if (!m_batches.isPrefetched() || i + 1 == m_captures.size()) {
            PLUMB_CHECK(start());
            continue;
        }
        const std::int64_t number = steps * m_plan.config.microBatches() + m_passes[i].microBatch;
        PLUMB_CHECK(m_batches.with(number, [&](std::int32_t) { return start(); }));
    }
    return m_replay->endReplayedStep(steps);
}

/// Steps that were started run to their end, whatever is asked for meanwhile (StepInterruption): so many that
/// a device is never without work, and of long ones no more.
std::int64_t CapturedSteps::mostAhead() const {
    constexpr std::int64_t kFewest = 2;  // the next one waits on the device when one ends
    constexpr Seconds kMostAhead = 0.25;
    const std::int64_t most = m_replay->mostStepsAhead();
    const std::optional<Seconds> seconds = m_timing.medianStep();
    if (!seconds || *seconds * static_cast<double>(most) <= kMostAhead) return most;
    return std::clamp(static_cast<std::int64_t>(kMostAhead / *seconds), std::min(kFewest, most), most);
}

Result<void> CapturedSteps::collect(std::int64_t steps, bool waits, std::vector<StepMetrics>& results) {
    if (m_firstUnknown == steps) return {};
    const std::int64_t most = mostAhead();
    while (m_firstUnknown < steps) {
        const bool mustWait = waits || steps - m_firstUnknown >= most;
        PLUMB_TRY(const auto done, m_replay->finishedStep(m_firstUnknown, mustWait));
        if (!done) return {};
        results.push_back(metricsOf(m_plan, *done));
        if (m_timing.isMeasuring() && done->seconds) m_timing.addReplayed(*done->seconds);
        ++m_firstUnknown;
    }
    return {};
}

}  // namespace plumb
