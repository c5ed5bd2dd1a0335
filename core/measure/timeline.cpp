// SPDX-License-Identifier: Apache-2.0
#include "core/measure/timeline.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace plumb {

namespace {

/// The longer first, so that what lies within another record comes after it.
bool comesBefore(const TimelineRecord& a, const TimelineRecord& b) {
    if (a.lane != b.lane) return a.lane < b.lane;
    if (a.begin != b.begin) return a.begin < b.begin;
    return a.end > b.end;
}

}  // namespace

std::span<const TimelineRecord> Timeline::ofLane(std::size_t lane) const {
    const auto begin = std::ranges::lower_bound(records, lane, {}, &TimelineRecord::lane);
    const auto end = std::ranges::upper_bound(records, lane, {}, &TimelineRecord::lane);
    return {begin, end};
}

Seconds Timeline::duration() const {
    Seconds latest = 0;
    for (const TimelineRecord& record : records) latest = std::max(latest, record.end);
    for (const TimelineStep& step : steps) latest = std::max(latest, step.end);
    return latest;
}

void sortRecords(Timeline& timeline) {
    // Stable: points of memory at the same time stay in the order in which they happened.
    if (!std::ranges::is_sorted(timeline.records, comesBefore))
        std::stable_sort(timeline.records.begin(), timeline.records.end(), comesBefore);
}

TimelineBuilder::TimelineBuilder(Source source, Seconds zero, std::size_t most)
    : m_zero(zero), m_most(std::min(most, Timeline::kMostRecords)) {
    m_timeline.source = source;
}

std::uint16_t TimelineBuilder::lane(LaneKind kind, std::string_view name) {
    auto& lanes = m_timeline.lanes;
    const auto found = std::ranges::find_if(
        lanes, [&](const TimelineLane& lane) { return lane.kind == kind && lane.name == name; });
    if (found != lanes.end()) return static_cast<std::uint16_t>(found - lanes.begin());
    if (lanes.size() < Timeline::kMostLanes) lanes.push_back({kind, std::string(name)});
    return static_cast<std::uint16_t>(lanes.size() - 1);
}

std::int32_t TimelineBuilder::name(std::string_view text) {
    const auto [place, isNew] =
        m_names.try_emplace(std::string(text), static_cast<std::int32_t>(m_timeline.names.size()));
    if (isNew && m_timeline.names.size() < Timeline::kMostNames)
        m_timeline.names.emplace_back(text);
    else if (isNew)
        place->second = -1;
    return place->second;
}

Seconds TimelineBuilder::onTimeline(Seconds time) const { return std::round((time - m_zero) * 1e9) / 1e9; }

void TimelineBuilder::add(TimelineRecord record) {
    record.begin = onTimeline(record.begin);
    record.end = onTimeline(record.end);
    // Written so that a time that is not a number counts as well.
    const bool usable = record.begin >= 0 && record.end >= record.begin && std::isfinite(record.end);
    if (usable && m_timeline.records.size() < m_most)
        m_timeline.records.push_back(record);
    else
        ++m_timeline.dropped;
}

void TimelineBuilder::addStep(std::int64_t step, Seconds begin, Seconds end) {
    m_timeline.steps.push_back({step, std::max(0.0, onTimeline(begin)), std::max(0.0, onTimeline(end))});
}

Timeline TimelineBuilder::take() {
    Timeline timeline = std::exchange(m_timeline, {});
    m_timeline.source = timeline.source;
    m_names.clear();
    std::vector<std::uint16_t> order(timeline.lanes.size());
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::ranges::stable_sort(order, {}, [&](std::uint16_t lane) { return timeline.lanes[lane].kind; });
    std::vector<std::uint16_t> places(order.size());
    std::vector<TimelineLane> lanes;
    for (std::size_t i = 0; i < order.size(); ++i) {
        places[order[i]] = static_cast<std::uint16_t>(i);
        lanes.push_back(std::move(timeline.lanes[order[i]]));
    }
    timeline.lanes = std::move(lanes);
    for (TimelineRecord& record : timeline.records) record.lane = places[record.lane];
    sortRecords(timeline);
    return timeline;
}

}  // namespace plumb
