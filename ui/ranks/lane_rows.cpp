// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/lane_rows.h"

#include "core/base/entry_at.h"
#include "core/measure/predicted_lanes.h"
#include "core/measure/timeline.h"
#include "ui/theme/text.h"
#include "ui/workbench/step_text.h"

#include <algorithm>
#include <optional>

namespace plumb::ui {
namespace {

/// Waits below this part of the step are what lies between two ops.
constexpr double kLeastWait = 0.002;

/// Puts what computes into bars, and waits between them.
class ComputeLane {
public:
    explicit ComputeLane(Seconds step) : m_least(kLeastWait * step) {}

    void add(const LaneBar& next) {
        const Seconds gap = m_bars.empty() ? 0 : next.begin - m_bars.back().end;
        if (gap > m_least)
            m_bars.push_back({.kind = LaneBar::Kind::Wait, .begin = m_bars.back().end, .end = next.begin});
        LaneBar* const before = m_bars.empty() ? nullptr : &m_bars.back();
        const bool goesOn = before != nullptr && before->kind == next.kind && before->phase == next.phase &&
                            before->microBatch == next.microBatch;
        if (goesOn)
            before->end = next.end;
        else
            m_bars.push_back(next);
    }
    [[nodiscard]] std::vector<LaneBar> finish(Seconds end) {
        if (!m_bars.empty() && end - m_bars.back().end > m_least)
            m_bars.push_back({.kind = LaneBar::Kind::Wait, .begin = m_bars.back().end, .end = end});
        return std::move(m_bars);
    }

private:
    Seconds m_least;
    std::vector<LaneBar> m_bars;
};

void addPredicted(LaneRows& rows, const StepPlan& plan, const Machine& machine) {
    const std::optional<StepLanesTold> told = predictedLanes(plan, machine);
    if (!told) return;
    rows.predicted = told->seconds;
    ComputeLane compute(told->seconds);
    LaneRow traffic{.lane = Lane::Traffic};
    for (const LaneStretch& stretch : told->stretches) {
        LaneBar bar{
            .begin = stretch.begin, .end = stretch.end, .microBatch = stretch.microBatch, .op = stretch.op};
        if (stretch.lane == Lane::Traffic) {
            bar.kind = LaneBar::Kind::Traffic;
            traffic.bars.push_back(bar);
            continue;
        }
        bar.op = -1;
        if (stretch.op < 0) {
            if (bar.end <= bar.begin) continue;  // there are but two micro-batches
            bar.kind = LaneBar::Kind::Between;
            bar.lastMicroBatch = rows.microBatches - 2;
        } else {
            bar.phase = plan.op(stretch.op).phase;
        }
        compute.add(bar);
    }
    rows.rows.push_back({.lane = Lane::Compute, .bars = compute.finish(told->seconds)});
    rows.rows.push_back(std::move(traffic));
}

std::optional<std::size_t> laneOf(const Timeline& timeline, LaneKind kind) {
    const auto found = std::ranges::find(timeline.lanes, kind, &TimelineLane::kind);
    if (found == timeline.lanes.end()) return std::nullopt;
    return static_cast<std::size_t>(found - timeline.lanes.begin());
}

/// The newest step of the timeline, of which all records are there.
void addMeasured(LaneRows& rows, const MeasuredStep& measured) {
    const Timeline& timeline = *measured.reading->timeline;
    const TimelineStep& step = timeline.steps.back();
    const Step& plan = *measured.step;
    const auto isIn = [&](const TimelineRecord& record) {
        return record.begin >= step.begin && record.end <= step.end && record.op >= 0 &&
               record.op < plan.opCount();
    };
    rows.measured = step.end - step.begin;
    rows.step = step.step;
    ComputeLane compute(rows.measured);
    const std::vector<PassRange> passes = plan.passes();
    const auto passOf = [&](std::int32_t op) {
        return std::ranges::find_if(
            passes, [op](const PassRange& pass) { return op >= pass.begin && op < pass.end; });
    };
    std::int64_t microBatch = 0;
    std::int32_t before = -1;
    for (const TimelineRecord& record : timeline.ofLane(*laneOf(timeline, LaneKind::Ops))) {
        // What begins a collective takes no time of its own.
        if (!isIn(record) || plan.op(record.op).lane == Lane::Traffic) continue;
        const Phase phase = plan.op(record.op).phase;
        // The next one runs the same ops again, or the second one those of another pass.
        const bool isNext = before >= 0 && (record.op <= before || passOf(record.op) != passOf(before));
        if (isNext && passOf(record.op) != passes.end()) ++microBatch;
        before = record.op;
        compute.add({.begin = record.begin - step.begin,
                     .end = record.end - step.begin,
                     .phase = phase,
                     .microBatch = phase == Phase::Optimizer ? 0 : microBatch});
    }
    LaneRow traffic{.lane = Lane::Traffic, .isMeasured = true};
    for (const TimelineRecord& record : timeline.ofLane(*laneOf(timeline, LaneKind::Traffic)))
        if (isIn(record))
            traffic.bars.push_back({.kind = LaneBar::Kind::Traffic,
                                    .begin = record.begin - step.begin,
                                    .end = record.end - step.begin,
                                    .op = record.op});
    rows.rows.push_back({.lane = Lane::Compute, .isMeasured = true, .bars = compute.finish(rows.measured)});
    rows.rows.push_back(std::move(traffic));
}

}  // namespace

Seconds LaneRow::waiting() const {
    Seconds sum = 0;
    for (const LaneBar& bar : bars)
        if (bar.kind == LaneBar::Kind::Wait) sum += bar.end - bar.begin;
    return sum;
}

LaneRows makeLaneRows(const Scene& scene) {
    LaneRows rows;
    const StepPlan* const plan = scene.whatIf.plan.get();
    if (plan == nullptr || plan->config.parallel.ranks() < 2) return rows;
    rows.microBatches = plan->config.microBatches();
    addPredicted(rows, *plan, scene.whatIf.machine());
    const Timeline* const timeline = scene.sameConfig() ? scene.measured->reading->timeline.get() : nullptr;
    if (timeline == nullptr || timeline->steps.empty())
        rows.noMeasured = tr("Profile the step to see when it did what: a training measures medians only.");
    else if (!laneOf(*timeline, LaneKind::Traffic) || !laneOf(*timeline, LaneKind::Ops))
        rows.noMeasured = tr("What was measured does not say when the collectives were on their way.");
    else
        addMeasured(rows, *scene.measured);
    return rows;
}

QString barName(const Step& step, const LaneRows& rows, const LaneBar& bar) {
    switch (bar.kind) {
    case LaneBar::Kind::Traffic:
        return stepText(step, step.opName(bar.op));
    case LaneBar::Kind::Wait:
        return tr("waits for traffic");
    case LaneBar::Kind::Between:
        return bar.microBatch == bar.lastMicroBatch
                   ? tr("micro-batch %1").arg(bar.microBatch + 1)
                   : tr("micro-batches %1–%2").arg(bar.microBatch + 1).arg(bar.lastMicroBatch + 1);
    case LaneBar::Kind::Phase:
        break;
    }
    const QString phase = coreText(phaseName(bar.phase));
    const bool isCounted = rows.microBatches > 1 && bar.phase != Phase::Optimizer;
    return isCounted ? QStringLiteral("%1 %2").arg(phase).arg(bar.microBatch + 1) : phase;
}

QString briefBarName(const LaneRows& rows, const LaneBar& bar) {
    if (bar.kind == LaneBar::Kind::Between)
        return bar.microBatch == bar.lastMicroBatch
                   ? QString::number(bar.microBatch + 1)
                   : QStringLiteral("%1–%2").arg(bar.microBatch + 1).arg(bar.lastMicroBatch + 1);
    if (bar.kind != LaneBar::Kind::Phase) return {};
    if (bar.phase != Phase::Forward && bar.phase != Phase::Backward) return {};
    const QString letter = bar.phase == Phase::Forward ? QStringLiteral("F") : QStringLiteral("B");
    return rows.microBatches > 1 ? letter + QString::number(bar.microBatch + 1) : letter;
}

}  // namespace plumb::ui
