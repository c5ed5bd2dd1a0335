// SPDX-License-Identifier: Apache-2.0
// A timeline in columns: with a name before every number, a hundred thousand records would be four times as
// large.
#include "core/io/json_names.h"
#include "core/measure/reading_json.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb {

namespace {

using nlohmann::json;

constexpr std::array kKinds{TimelineKind::Op,     TimelineKind::Kernel, TimelineKind::Copy,
                            TimelineKind::Memset, TimelineKind::Memory, TimelineKind::Call};
static_assert(kKinds.size() == kTimelineKinds);
static_assert(kLaneKindNames.size() == kLaneKinds);
constexpr auto kTimelineSources = enumNames<Source>({{Source::Clock, sourceName(Source::Clock)},
                                                     {Source::Event, sourceName(Source::Event)},
                                                     {Source::Activity, sourceName(Source::Activity)}});
/// A century: times beyond are no times, and their nanoseconds no whole numbers.
constexpr double kMostSeconds = 3.2e9;

/// One number of each record; null where it is `absent`.
template <class Number>
json column(const Timeline& timeline, Number TimelineRecord::*number, Number absent) {
    const auto isKnown = [&](const TimelineRecord& record) { return record.*number != absent; };
    if (std::ranges::none_of(timeline.records, isKnown)) return {};
    json values = json::array();
    for (const TimelineRecord& record : timeline.records)
        values.push_back(isKnown(record) ? json(record.*number) : json());
    return values;
}

json recordsJson(const Timeline& timeline) {
    json kind = json::array(), lane = json::array(), begin = json::array(), end = json::array();
    for (const TimelineRecord& record : timeline.records) {
        kind.push_back(static_cast<int>(record.kind));
        lane.push_back(record.lane);
        begin.push_back(record.begin);
        end.push_back(record.end);
    }
    return json{{"kind", std::move(kind)},
                {"lane", std::move(lane)},
                {"begin", std::move(begin)},
                {"end", std::move(end)},
                {"op", column(timeline, &TimelineRecord::op, -1)},
                {"name", column(timeline, &TimelineRecord::name, -1)},
                {"bytes", column<Bytes>(timeline, &TimelineRecord::bytes, -1)},
                {"correlation", column<std::uint32_t>(timeline, &TimelineRecord::correlation, 0)}};
}

std::size_t sizeUpTo(const JsonField& list, std::size_t most) {
    const std::size_t size = list.arraySize();
    if (size <= most) return size;
    list.fail("has " + std::to_string(size) + " entries, and " + std::to_string(most) + " is the most");
    return 0;
}

double readTime(const JsonField& field) {
    const double seconds = field.number();
    if (seconds > kMostSeconds) field.fail("is " + field.json()->dump() + ", which is no time in seconds");
    return seconds;
}

void expectOrdered(const JsonField& end, Seconds from, Seconds to) {
    if (end.ok() && to < from) end.fail("is " + end.json()->dump() + ", and it begins later");
}

/// Calls `take(record, field)` for each entry of a column, which every record has.
template <class Take>
void readColumn(const JsonField& list, std::vector<TimelineRecord>& records, const Take& take) {
    if (!list.ok()) return;
    if (const std::size_t size = list.arraySize(); list.ok() && size != records.size())
        list.fail("has " + std::to_string(size) + " entries for " + std::to_string(records.size()) +
                  " records");
    for (std::size_t i = 0; i < records.size() && list.ok(); ++i) take(records[i], list.at(i));
}

/// The same for a column that may be missing, or null where a record has no such number.
template <class Take>
void readOptionalColumn(const JsonField& list, std::vector<TimelineRecord>& records, const Take& take) {
    if (list.isNull()) return;
    readColumn(list, records, [&](TimelineRecord& record, const JsonField& entry) {
        if (!entry.isNull()) take(record, entry);
    });
}

/// The index that `field` is into a list of `size`.
template <class Index>
Index readIndex(const JsonField& field, std::size_t size) {
    if (size > 0) return static_cast<Index>(field.count(0, static_cast<std::int64_t>(size) - 1));
    field.fail("points into an empty list");
    return {};
}

void readRecords(const JsonField& field, std::size_t ops, Timeline& timeline) {
    if (!field.expectObject()) return;
    const JsonField kind = field["kind"], lane = field["lane"], begin = field["begin"], end = field["end"];
    const JsonField op = field["op"], name = field["name"], bytes = field["bytes"],
                    correlation = field["correlation"];
    std::vector<TimelineRecord>& records = timeline.records;
    records.resize(sizeUpTo(kind, Timeline::kMostRecords));
    readColumn(kind, records, [](TimelineRecord& record, const JsonField& entry) {
        record.kind = static_cast<TimelineKind>(readIndex<std::uint8_t>(entry, kTimelineKinds));
    });
    readColumn(lane, records, [&](TimelineRecord& record, const JsonField& entry) {
        record.lane = readIndex<std::uint16_t>(entry, timeline.lanes.size());
    });
    readColumn(begin, records,
               [](TimelineRecord& record, const JsonField& entry) { record.begin = readTime(entry); });
    readColumn(end, records, [](TimelineRecord& record, const JsonField& entry) {
        record.end = readTime(entry);
        expectOrdered(entry, record.begin, record.end);
    });
    readOptionalColumn(op, records, [&](TimelineRecord& record, const JsonField& entry) {
        record.op = readIndex<std::int32_t>(entry, ops);
    });
    readOptionalColumn(name, records, [&](TimelineRecord& record, const JsonField& entry) {
        record.name = readIndex<std::int32_t>(entry, timeline.names.size());
    });
    readOptionalColumn(bytes, records,
                       [](TimelineRecord& record, const JsonField& entry) { record.bytes = entry.count(); });
    readOptionalColumn(correlation, records, [](TimelineRecord& record, const JsonField& entry) {
        record.correlation = static_cast<std::uint32_t>(entry.count(0, UINT32_MAX));
    });
}

}  // namespace

json toJson(const Timeline& timeline) {
    json steps = json::array(), lanes = json::array(), kinds = json::array();
    for (const TimelineStep& step : timeline.steps)
        steps.push_back(json{{"step", step.step}, {"begin", step.begin}, {"end", step.end}});
    for (const TimelineLane& lane : timeline.lanes)
        lanes.push_back(json{{"kind", laneKindName(lane.kind)}, {"name", lane.name}});
    for (const TimelineKind kind : kKinds) kinds.push_back(timelineKindName(kind));
    return json{{"source", sourceName(timeline.source)},
                {"dropped", timeline.dropped},
                {"steps", std::move(steps)},
                {"kinds", std::move(kinds)},
                {"lanes", std::move(lanes)},
                {"names", timeline.names},
                {"driver_records_absent", timeline.driverRecordsAbsent},
                {"records", recordsJson(timeline)}};
}

Timeline readTimeline(const JsonField& field, std::size_t ops) {
    Timeline timeline;
    if (!field.expectObject()) return timeline;
    timeline.source = readName(field["source"], kTimelineSources);
    timeline.dropped = field["dropped"].count();
    const JsonField steps = field["steps"], lanes = field["lanes"], names = field["names"],
                    absent = field["driver_records_absent"];
    timeline.driverRecordsAbsent = absent.textOr("");  // files of before do not say
    const std::size_t stepCount = sizeUpTo(steps, Timeline::kMostRecords);
    for (std::size_t i = 0; i < stepCount && field.ok(); ++i) {
        const JsonField entry = steps.at(i);
        const JsonField end = entry["end"];
        timeline.steps.push_back({entry["step"].count(), readTime(entry["begin"]), readTime(end)});
        expectOrdered(end, timeline.steps.back().begin, timeline.steps.back().end);
    }
    const std::size_t laneCount = sizeUpTo(lanes, Timeline::kMostLanes);
    for (std::size_t i = 0; i < laneCount && field.ok(); ++i) {
        const JsonField entry = lanes.at(i);
        timeline.lanes.push_back({readName(entry["kind"], kLaneKindNames), entry["name"].text()});
    }
    const std::size_t nameCount = sizeUpTo(names, Timeline::kMostNames);
    for (std::size_t i = 0; i < nameCount && field.ok(); ++i) timeline.names.push_back(names.at(i).text());
    if (field.ok()) readRecords(field["records"], ops, timeline);
    if (field.ok()) sortRecords(timeline);
    return timeline;
}

}  // namespace plumb
