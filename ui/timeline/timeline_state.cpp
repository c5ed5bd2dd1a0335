// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_state.h"

#include "core/base/entry_at.h"
#include "ui/theme/text.h"
#include "ui/workbench/recording.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

/// Rows of one lane; records that overlap even more share the last.
constexpr std::size_t kMostRows = 6;
constexpr std::size_t kMostPredictedRows = 2;

std::uint8_t groupOf(const Reading& reading, const TimelineRecord& record) {
    if (record.op >= 0) return static_cast<std::uint8_t>(entryAt(reading.ops, record.op).phase);
    switch (record.kind) {
    case TimelineKind::Copy:
        return static_cast<std::uint8_t>(BarGroup::Copy);
    case TimelineKind::Memset:
        return static_cast<std::uint8_t>(BarGroup::Memset);
    case TimelineKind::Call:
        return static_cast<std::uint8_t>(BarGroup::Call);
    default:
        return static_cast<std::uint8_t>(BarGroup::Unknown);
    }
}

std::vector<TimelineBar> barsOf(const TimelineState& state, std::size_t lane) {
    const Timeline& timeline = *state.timeline;
    const auto records = timeline.ofLane(lane);
    std::vector<TimelineBar> bars;
    bars.reserve(records.size());
    for (const TimelineRecord& record : records)
        if (record.kind != TimelineKind::Memory)
            bars.push_back({record.begin, record.end,
                            static_cast<std::int32_t>(&record - timeline.records.data()), record.op,
                            groupOf(state.reading(), record)});
    return bars;
}

/// A hollow bar for each measured op: from where that began, or one after the other from where its step
/// began.
std::vector<TimelineBar> predictedBars(const TimelineState& state, const std::vector<TimelineBar>& measured,
                                       PredictedAt at) {
    std::vector<TimelineBar> bars;
    bars.reserve(measured.size());
    std::int32_t step = -1;
    Seconds next = 0;
    for (const TimelineBar& bar : measured) {
        if (bar.op < 0) continue;
        const auto& seconds = state.predictedOf(bar.op);
        if (!seconds) continue;
        if (const std::int32_t now = state.stepAt(bar.begin); now != step && now >= 0) {
            step = now;
            next = entryAt(state.timeline->steps, now).begin;
        }
        const Seconds begin = at == PredictedAt::Op ? bar.begin : next;
        next = begin + *seconds;
        bars.push_back({begin, begin + *seconds, -1, bar.op, bar.group});
    }
    // A prediction that is too long reaches beyond the end of its step.
    std::ranges::stable_sort(bars, {}, &TimelineBar::begin);
    return bars;
}

void addRows(TimelineState& state, TimelineRow::Kind kind, const QString& label, const QString& help,
             std::vector<BarRow> packed) {
    for (BarRow& bars : packed) {
        const bool first = &bars == packed.data();
        state.rows.push_back({kind, first ? label : QString(), help, std::move(bars)});
    }
}

QString laneHelp(const TimelineState& state, const TimelineLane& lane) {
    const Source source = state.timeline->source;
    switch (lane.kind) {
    case LaneKind::Ops:
        if (source == Source::Activity)
            return tr("From the beginning of the first to the end of the last kernel of each operation");
        return source == Source::Clock
                   ? tr("When each operation ran, by the host's clock before and after it")
                   : tr("When each operation ran, by events on the device's clock before and after it");
    case LaneKind::Stream:
        return tr("Kernels on %1, from the driver's records").arg(toText(lane.name));
    case LaneKind::Copies:
        return tr("Copies and fills of memory, from the driver's records");
    case LaneKind::Traffic:
        return tr("When each collective was on its way, by the host's clock: from when it was its turn until "
                  "its last byte");
    case LaneKind::Host:
        return tr("Launches, copies and waits on %1").arg(toText(lane.name));
    case LaneKind::Memory:
        if (!state.scene->measured->plan)
            return tr("Bytes of the tensors that live while each operation runs");
        return source == Source::Activity
                   ? tr("Bytes alive, from the driver's records of allocations")
                   : tr("Bytes alive, counted by the allocator: the most while each operation ran, and "
                        "what was left after it");
    }
    return {};
}

void addCurve(TimelineState& state, std::size_t lane) {
    const Step& step = *state.scene->measured->step;
    for (const TimelineRecord& record : state.timeline->ofLane(lane))
        if (record.kind == TimelineKind::Memory && record.bytes >= 0)
            state.live.push_back({record.begin, static_cast<double>(record.bytes)});
    for (const CurvePoint& point : state.live) state.peakBytes = std::max(state.peakBytes, point.value);
    state.highestBytes = std::max(state.highestBytes, state.peakBytes);
    // What the plan lets expect while an op runs, drawn where that op was measured. Bytes of a recorded step
    // are sums of its tensors: the same in both, so that only their categories are told apart.
    const Prediction* prediction = state.scene->measured->prediction.get();
    const bool isPlanned = state.scene->measured->plan != nullptr;
    if (isPlanned && (!prediction || std::ssize(prediction->memory.curve) != step.opCount())) return;
    const std::vector<CategoryBytes> parts = isPlanned ? prediction->memory.curve : memoryCurve(step);
    for (std::size_t i = 0; i < state.timeline->lanes.size(); ++i) {
        if (state.timeline->lanes[i].kind != LaneKind::Ops) continue;
        for (const TimelineRecord& record : state.timeline->ofLane(i)) {
            const std::int32_t op = record.op < 0 ? -1 : state.stepOp(record.op);
            if (op < 0) continue;
            state.categoryTimes.push_back(record.begin);
            state.categories.push_back(entryAt(parts, op));
            if (!isPlanned) continue;
            const auto bytes = static_cast<double>(total(state.categories.back()));
            state.predictedLive.push_back({record.begin, bytes});
            state.highestBytes = std::max(state.highestBytes, bytes);
        }
    }
}

void addLayers(TimelineState& state) {
    std::vector<double> below(state.categories.size(), 0);
    for (const Category category : kAllCategories) {
        MemoryLayer layer{category, {}};
        bool isThere = false;
        for (std::size_t i = 0; i < below.size(); ++i) {
            const Bytes bytes = state.categories[i][category];
            isThere = isThere || bytes > 0;
            below[i] += static_cast<double>(bytes);
            layer.edge.push_back({state.categoryTimes[i], below[i]});
        }
        if (isThere) state.layers.push_back(std::move(layer));
    }
}

void collectPlaces(TimelineState& state) {
    state.placesOfOp.assign(state.reading().ops.size(), {});
    for (std::size_t row = 0; row < state.rows.size(); ++row) {
        if (state.rows[row].kind == TimelineRow::Kind::Predicted) continue;
        const auto& bars = state.rows[row].bars.bars();
        for (std::size_t i = 0; i < bars.size(); ++i)
            if (bars[i].op >= 0)
                entryAt(state.placesOfOp, bars[i].op)
                    .push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(i)});
    }
}

QString subtitleOf(const TimelineState& state) {
    const Timeline& timeline = *state.timeline;
    QStringList parts;
    // First, since the end of the line goes where there is no room.
    if (timeline.dropped > 0) parts << tr("%1 records are missing").arg(exactText(timeline.dropped, ""));
    if (timeline.steps.size() == 1)
        parts << tr("step %1").arg(countText(timeline.steps.front().step));
    else if (!timeline.steps.empty())
        parts << tr("steps %1–%2")
                     .arg(countText(timeline.steps.front().step), countText(timeline.steps.back().step));
    parts << tr("%1 records").arg(exactText(static_cast<std::int64_t>(timeline.records.size()), ""));
    parts << (timeline.source == Source::Clock   ? tr("host clock")
              : timeline.source == Source::Event ? tr("device events")
                                                 : tr("driver records"));
    if (!state.scene->sameConfig()) parts << tr("of the %1").arg(whatRan(*state.scene));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

ChartColor barColor(std::uint8_t group) {
    if (group < kEnumCount<Phase>) return static_cast<Phase>(group);
    switch (static_cast<BarGroup>(group)) {
    case BarGroup::Copy:
        return Category::Data;
    case BarGroup::Memset:
        return Category::MasterParameters;
    case BarGroup::Call:
        return ColorRole::Ghost;
    case BarGroup::Unknown:
        break;
    }
    return ColorRole::Axis;
}

QString barGroupLabel(std::uint8_t group) {
    if (group < kEnumCount<Phase>) return coreText(phaseName(static_cast<Phase>(group)));
    switch (static_cast<BarGroup>(group)) {
    case BarGroup::Copy:
        return tr("copy");
    case BarGroup::Memset:
        return tr("fill");
    case BarGroup::Call:
        return tr("host call");
    case BarGroup::Unknown:
        break;
    }
    return tr("of no operation");
}

const TimelineRecord* TimelineState::record(const TimelineBar& bar) const {
    return bar.record < 0 ? nullptr : &entryAt(timeline->records, bar.record);
}

const CategoryBytes* TimelineState::categoriesAt(Seconds time) const {
    const auto after = std::ranges::upper_bound(categoryTimes, time);
    return after == categoryTimes.begin() ? nullptr : &entryAt(categories, after - categoryTimes.begin() - 1);
}

BarPlace TimelineState::placeOf(std::int32_t record) const {
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto& bars = rows[row].bars.bars();
        const auto found = std::ranges::find(bars, record, &TimelineBar::record);
        if (found != bars.end())
            return {static_cast<std::int32_t>(row), static_cast<std::int32_t>(found - bars.begin())};
    }
    return {};
}

std::int32_t TimelineState::readingOp(const QString& opId) const {
    if (!timeline || opId.isEmpty()) return -1;
    const std::string id = opId.toStdString();
    const OpReading* found = scene->measuredOp(id);
    return found ? static_cast<std::int32_t>(found - reading().ops.data()) : -1;
}

QString TimelineState::opId(std::int32_t readingOp) const {
    return readingOp < 0 ? QString() : toText(opReading(readingOp).id);
}

std::int32_t TimelineState::stepAt(Seconds time) const {
    const auto& steps = timeline->steps;
    const auto after = std::ranges::upper_bound(steps, time, {}, &TimelineStep::begin);
    return static_cast<std::int32_t>(after - steps.begin()) - 1;
}

TimelineState makeTimelineState(const ScenePtr& scene, PredictedAt predictedAt) {
    TimelineState state;
    state.scene = scene;
    state.timeline = scene->measured ? scene->measured->reading->timeline : nullptr;
    if (!state.timeline || state.timeline->records.empty()) {
        state.timeline = nullptr;
        state.emptyText =
            !scene->whatIf.plan ? tr("The file does not say when operations ran")
            : scene->measured
                ? tr("What ran kept no timeline: a training measures medians only. Profile records when "
                     "every "
                     "operation ran")
                : tr("No timeline yet. Profile records when every operation of the last steps ran");
        state.summary = state.emptyText;
        return state;
    }
    state.whole = std::max(state.timeline->duration(), 1e-9);
    const PlannedStep& measured = *scene->measured;
    const Prediction* prediction = measured.prediction.get();
    if (!scene->sameConfig() && measured.step == scene->whatIf.step) {
        prediction = scene->whatIf.prediction.get();
        state.predictedFor = deviceText(scene->whatIf.machine());
    }
    state.ops = matchOps(state.reading(), *measured.step, prediction);
    for (std::size_t lane = 0; lane < state.timeline->lanes.size(); ++lane) {
        const TimelineLane& entry = state.timeline->lanes[lane];
        const QString help = laneHelp(state, entry);
        if (entry.kind == LaneKind::Memory) {
            addCurve(state, lane);
            addLayers(state);
            if (state.highestBytes > 0)
                state.rows.push_back({TimelineRow::Kind::Curve, tr("memory"), help, {}});
            continue;
        }
        const std::vector<TimelineBar> bars = barsOf(state, lane);
        if (bars.empty()) continue;
        const bool isOps = entry.kind == LaneKind::Ops;
        addRows(state, isOps ? TimelineRow::Kind::Ops : TimelineRow::Kind::Bars,
                entry.kind == LaneKind::Traffic ? tr("traffic") : coreText(entry.name), help,
                packRows(bars, kMostRows));
        if (!isOps) continue;
        const std::vector<TimelineBar> predicted = predictedBars(state, bars, predictedAt);
        addRows(state, TimelineRow::Kind::Predicted,
                state.predictedFor.isEmpty() ? tr("predicted") : tr("what-if"),
                tr("The predicted time of each operation%1: %2")
                    .arg(state.predictedFor.isEmpty() ? QString() : tr(" on %1").arg(state.predictedFor),
                         predictedAt == PredictedAt::Op
                             ? tr("from where the measured one began")
                             : tr("one after the other from where its step began")),
                packRows(predicted, kMostPredictedRows));
    }
    collectPlaces(state);
    state.subtitle = subtitleOf(state);
    state.subtitleToolTip = state.subtitle;
    if (!state.timeline->driverRecordsAbsent.empty())
        state.subtitleToolTip +=
            tr("\nNo records of a driver: %1").arg(coreText(state.timeline->driverRecordsAbsent));
    state.summary = tr("Timeline: %1, %2 long").arg(state.subtitle, exactTime(state.whole));
    return state;
}

}  // namespace plumb::ui
