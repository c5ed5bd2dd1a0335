// SPDX-License-Identifier: Apache-2.0
// A timeline in columns: with a name before every number, a hundred thousand records would be four times as
// large.
#include "core/measure/reading_json.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb {

namespace {

using nlohmann::json;
using enum Presence;

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

struct Time : Json<double> {
    static json write(Seconds value) { return value; }
    static Seconds read(const JsonField& field) {
        const double seconds = field.number();
        if (seconds > kMostSeconds)
            field.fail("is " + field.json()->dump() + ", which is no time in seconds");
        return seconds;
    }
};

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
               [](TimelineRecord& record, const JsonField& entry) { record.begin = Time::read(entry); });
    readColumn(end, records, [](TimelineRecord& record, const JsonField& entry) {
        record.end = Time::read(entry);
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

/// Read once the rest is there, by who knows the ops that they name.
struct Records {
    static json write(const Timeline& timeline) { return recordsJson(timeline); }
    static void read(const JsonField& /*field*/, Timeline& /*timeline*/) {}
    static json schema(json& definitions) {
        const auto orNone = [&](json number, const char* about) {
            return json{
                {"type", {"array", "null"}}, {"items", orNull(std::move(number))}, {"description", about}};
        };
        json kind = ListOf<Whole<0, kTimelineKinds - 1>, Timeline::kMostRecords>::schema(definitions),
             lane = ListOf<Whole<0, Timeline::kMostLanes - 1>>::schema(definitions),
             times = ListOf<Time>::schema(definitions), index = Whole<>::schema(definitions),
             correlation = Whole<1, UINT32_MAX>::schema(definitions);
        return {{"type", "object"},
                {"required", {"kind", "lane", "begin", "end"}},
                {"properties",
                 {{"kind", std::move(kind)},
                  {"lane", std::move(lane)},
                  {"begin", times},
                  {"end", times},
                  {"op", orNone(index, "null: of no op, or not known")},
                  {"name", orNone(index, "null: that of its op")},
                  {"bytes", orNone(index, "copy, memset: moved; memory: alive from here on")},
                  {"correlation", orNone(std::move(correlation), "Joins a call with what it launched")}}}};
    }
};

struct Kinds {
    static json write(const Timeline& /*timeline*/) {
        json kinds = json::array();
        for (const TimelineKind kind : kKinds) kinds.push_back(timelineKindName(kind));
        return kinds;
    }
    static void read(const JsonField& /*field*/, Timeline& /*timeline*/) {}
    static json schema(json& /*definitions*/) { return {{"const", write({})}}; }
};

}  // namespace

JsonType<TimelineStep> jsonType(Of<TimelineStep> /*type*/) {
    static constexpr JsonMember<TimelineStep> kMembers[]{
        member<&TimelineStep::step>("step", Required), member<&TimelineStep::begin, Time>("begin", Required),
        member<&TimelineStep::end, Time>("end", Required)};
    static constexpr auto kCheck = [](const JsonField& field, TimelineStep& step) {
        const JsonField end = field["end"];
        expectOrdered(end, step.begin, step.end);
    };
    return {{}, {}, kMembers, kCheck};
}

JsonType<TimelineLane> jsonType(Of<TimelineLane> /*type*/) {
    static constexpr JsonMember<TimelineLane> kMembers[]{
        member<&TimelineLane::kind, Named<kLaneKindNames>>("kind", Required),
        member<&TimelineLane::name>("name", Required)};
    return {{}, {}, kMembers};
}

JsonType<Timeline> jsonType(Of<Timeline> /*type*/) {
    static constexpr JsonMember<Timeline> kMembers[]{
        member<&Timeline::source, Named<kTimelineSources>>(
            "source", Required, "clock: the host's, around each op; activity: the driver's own records"),
        member<&Timeline::dropped>("dropped", Required,
                                   "Records that were lost or left out: what is here is not everything"),
        member<&Timeline::driverRecordsAbsent>(
            "driver_records_absent", Added,
            "Source clock: why these are not the driver's own records; empty where nothing is to be said"),
        member<&Timeline::steps, ListOf<Json<TimelineStep>, Timeline::kMostRecords>>(
            "steps", Required, "The optimizer steps that are covered"),
        custom<Timeline, Kinds>("kinds", Always,
                                "What the numbers in records.kind mean; memory is a point, call is on a "
                                "thread of the host"),
        member<&Timeline::lanes, ListOf<Json<TimelineLane>, Timeline::kMostLanes>>("lanes", Required),
        member<&Timeline::names, ListOf<Json<std::string>, Timeline::kMostNames>>("names", Required),
        custom<Timeline, Records>("records", Required,
                                  "By lane, then begin. A column that no record has a number in is null.")};
    return {
        "timeline",
        "What happened when, in a few measured steps, in columns. Times are seconds since the timeline "
        "began, all on one clock, to the nanosecond. Beyond what a schema can say: the columns of records "
        "have equal lengths; no end is before its begin; lane, kind, name and op are indices from 0 into "
        "lanes, kinds, names and the ops of the reading. At most 250000 records, 256 lanes, 65536 names.",
        kMembers};
}

Timeline readTimeline(const JsonField& field, std::size_t ops) {
    auto timeline = readJson<Timeline>(field);
    if (field.ok()) readRecords(field["records"], ops, timeline);
    if (field.ok()) sortRecords(timeline);
    return timeline;
}

}  // namespace plumb
