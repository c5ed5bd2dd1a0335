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

/// A queue that is full makes the host wait for the device: of CUDA's at some 1000 entries.
constexpr std::int64_t kMostLaunchesHeld = 768;

/// What an op enqueues, at most: its kernels, and memory and marks around them.
std::int64_t launchesOf(const Op& op) {
    constexpr std::int64_t kAround = 16;
    constexpr std::int64_t kKernels = 4;
    return kAround + kKernels * op.repeat;
}

RankReading ofOwnRank(const StepPlan& plan, const Reading& reading, const std::vector<TrafficCost>& traffic,
                      const SampleWindow& waited) {
    CommBytes bytes;
    for (const TrafficCost& cost : traffic) bytes += cost.bytes;
    return {.rank = plan.config.parallel.rankOf(plan.place),
            .peakBytes = reading.memory->peakBytes,
            .atPeak = reading.memory->atPeak,
            .sentBytes = bytes.sent,
            .receivedBytes = bytes.received,
            .seconds = reading.totals.seconds,
            .waited = waited.median()};
}

}  // namespace

StepTiming::StepTiming(const StepPlan& plan, Backend& backend)
    : m_plan(plan),
      m_backend(backend),
      m_clockTimer(backend),
      m_timer(backend.capabilities().timer != nullptr ? *backend.capabilities().timer : m_clockTimer),
      m_memory(backend.capabilities().memory),
      m_products(backend.capabilities().products),
      m_holds(m_timer.holdsWork()),
      m_opSecondsThisStep(plan.ops.size()),
      m_opSeconds(plan.ops.size()),
      m_curve(plan.ops.size()) {}

Result<void> StepTiming::beginStep() {
    m_marks.clear();
    m_stretches.clear();
    m_isStretchOpen = false;
    if (m_measuring) {
        m_traffic.clear();
        m_trafficOf.clear();
        m_turns.clear();
    }
    m_timer.forgetMarks();
    if (m_measuring && m_keepsTimeline) {
        PLUMB_TRY(m_clock, m_backend.clock());
    }
    // Without a hold all of the step is one stretch.
    return m_measuring && m_holds ? Result<void>() : beginStretch(false);
}

// A stretch begins anew where a micro-batch is loaded, since the host may have to wait there for the ops that
// read the one before.
Result<void> StepTiming::holdFor(std::int32_t index) {
    const Op& op = m_plan.op(index);
    const std::int64_t launches = launchesOf(op);
    m_launches += launches;
    if (m_isStretchOpen && m_launches <= kMostLaunchesHeld && op.kind != OpKind::LoadBatch) return {};
    PLUMB_CHECK(endStretch());
    m_launches = launches;
    return beginStretch(launches <= kMostLaunchesHeld);
}

Result<void> StepTiming::beginStretch(bool held) {
    if (held) PLUMB_CHECK(m_timer.hold());
    PLUMB_TRY(const int begin, m_timer.mark());
    m_stretches.push_back({begin, begin, held, m_marks.size()});
    m_isStretchOpen = true;
    return {};
}

Result<void> StepTiming::endStretch() {
    if (!std::exchange(m_isStretchOpen, false)) return {};
    const Result<int> end = m_timer.mark();
    m_timer.endHold();
    if (!end.has_value()) return end.error();
    m_stretches.back().end = *end;
    return {};
}

void StepTiming::noteMemory(std::size_t op, int before, int after) {
    const CategoryBytes seen = m_backend.allocationCount().highWater;
    m_marks.push_back({op, before, after, !m_holds || m_stretches.back().held, total(seen), 0});
    m_isMemoryKnown = true;
    for (const Category category : kAllCategories)
        m_curve[op][category] = std::max(m_curve[op][category], seen[category]);
}

void StepTiming::addTraffic(const TrafficCost& cost) {
    if (!m_measuring) return;
    if (m_keepsTimeline) m_turns.push_back(cost);
    const auto [known, isNew] = m_trafficOf.try_emplace(cost.op, m_traffic.size());
    if (isNew) return m_traffic.push_back(cost);
    TrafficCost& all = m_traffic[known->second];
    all.bytes += cost.bytes;
    all.seconds += cost.seconds;
    all.exposed += cost.exposed;
}

Result<Seconds> StepTiming::stretchSeconds() {
    Seconds sum = 0;
    for (Stretch& stretch : m_stretches) {
        PLUMB_TRY(stretch.seconds, m_timer.secondsBetween(stretch.begin, stretch.end));
        sum += stretch.seconds;
    }
    return sum;
}

Result<Seconds> StepTiming::endStep(std::int64_t step) {
    PLUMB_CHECK(endStretch());
    PLUMB_TRY(const Seconds whole, stretchSeconds());
    if (m_measuring && m_timer.holdsLasted()) PLUMB_CHECK(takeTimes(step, whole));
    return whole;
}

Result<void> StepTiming::takeTimes(std::int64_t step, Seconds whole) {
    if (!m_areReplayed) m_stepSeconds.add(whole);
    Seconds waited = 0;
    for (const TrafficCost& cost : m_traffic) {
        m_opSeconds[static_cast<std::size_t>(cost.op)].add(cost.exposed);
        m_laneSeconds[cost.op].add(cost.seconds);
        waited += cost.exposed;
    }
    m_waitedSeconds.add(waited);
    std::fill(m_opSecondsThisStep.begin(), m_opSecondsThisStep.end(), std::optional<Seconds>());
    for (const TimedOp& op : m_marks) {
        if (!op.held || m_plan.ops[op.op].lane == Lane::Traffic) continue;
        PLUMB_TRY(const Seconds seconds, m_timer.secondsBetween(op.before, op.after));
        m_opSecondsThisStep[op.op] = m_opSecondsThisStep[op.op].value_or(0) + seconds;
    }
    for (std::size_t index = 0; index < m_opSeconds.size(); ++index)
        if (m_opSecondsThisStep[index]) m_opSeconds[index].add(*m_opSecondsThisStep[index]);
    return m_keepsTimeline ? keepTimeline(step, whole) : Result<void>();
}

// Stretches follow one another as if the host had taken no time between them.
Result<void> StepTiming::keepTimeline(std::int64_t step, Seconds whole) {
    m_timelineRecorder.beginStep(step, m_clock);
    Seconds begin = m_clock;
    for (std::size_t i = 0; i < m_stretches.size(); ++i) {
        const Stretch& stretch = m_stretches[i];
        const std::size_t next = i + 1 < m_stretches.size() ? m_stretches[i + 1].firstOp : m_marks.size();
        for (std::size_t at = stretch.firstOp; at < next; ++at) {
            const TimedOp& op = m_marks[at];
            // Both from the start of the stretch, so that rounding keeps them in order.
            PLUMB_TRY(const Seconds since, m_timer.secondsBetween(stretch.begin, op.before));
            PLUMB_TRY(const Seconds until, m_timer.secondsBetween(stretch.begin, op.after));
            m_timelineRecorder.addOp(static_cast<std::int32_t>(op.op), begin + since, begin + until, op.live);
            m_timelineRecorder.addReleased(op.released);
        }
        begin += stretch.seconds;
    }
    for (const TrafficCost& cost : m_turns)
        m_timelineRecorder.addTraffic(cost.op, cost.ended - cost.seconds, cost.ended, cost.bytes.sent);
    m_timelineRecorder.endStep(m_clock + whole);
    return {};
}

void StepTiming::addReplayed(Seconds seconds) {
    if (!std::exchange(m_areReplayed, true)) m_stepSeconds.clear();
    m_stepSeconds.add(seconds);
}

void StepTiming::forget() {
    m_stepSeconds.clear();
    m_waitedSeconds.clear();
    m_laneSeconds.clear();
    for (SampleWindow& window : m_opSeconds) window.clear();
    std::fill(m_curve.begin(), m_curve.end(), CategoryBytes{});
    m_isMemoryKnown = false;
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
    if (m_isMemoryKnown) {
        reading.memory = summariseCurve(m_curve);
        reading.memory->source = Source::Allocator;
        if (m_memory != nullptr) reading.memory->device = m_memory->memoryShares();
    }
    LibraryProducts products;
    if (m_products != nullptr) products = m_products->productsRun();
    const bool areKnown = products.ofOp.size() == m_plan.ops.size();
    reading.ops.reserve(m_plan.ops.size());
    for (std::size_t index = 0; index < m_plan.ops.size(); ++index) {
        OpReading entry = describeOp(m_plan, static_cast<std::int64_t>(index));
        entry.flops.reset();
        entry.bytes.reset();
        entry.seconds = m_opSeconds[index].median();
        entry.spread = spreadOf(m_opSeconds[index]);
        if (entry.seconds) entry.tier = Tier::Measured;
        entry.source = reading.source;
        if (areKnown) entry.products = std::move(products.ofOp[index]);
        reading.ops.push_back(std::move(entry));
    }
    if (areKnown) reading.products = std::move(products.products);
    reading.collectives = collectivesOf(m_plan);
    for (CollectiveReading& collective : reading.collectives) {
        if (const auto own = m_laneSeconds.find(collective.op); own != m_laneSeconds.end())
            collective.seconds = own->second.median();
        collective.sentBytes.reset();  // counted, not the plan's
        for (const TrafficCost& cost : m_traffic)
            if (cost.op == collective.op)
                collective.sentBytes = collective.sentBytes.value_or(0) + cost.bytes.sent;
    }
    if (m_plan.config.parallel.ranks() > 1 && reading.memory)
        reading.ranks.push_back(ofOwnRank(m_plan, reading, m_traffic, m_waitedSeconds));
    return reading;
}

std::shared_ptr<const Timeline> StepTiming::timeline() const {
    return m_timelineRecorder.timeline(m_timer.timeSource());
}

}  // namespace plumb
