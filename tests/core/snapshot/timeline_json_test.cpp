// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_fields.h"
#include "core/measure/reading_json.h"
#include "core/snapshot/chrome_trace.h"
#include "core/snapshot/snapshot.h"
#include "tests/core/snapshot/snapshot_samples.h"
#include "tests/support/random_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>

namespace plumb {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(TimelineJson, ComesBackEqual) {
    const Snapshot snapshot = sampleSnapshot();
    const auto read = fromJson<Reading>(toJson(*snapshot.measured));
    ASSERT_TRUE(read.has_value()) << read.error().text();
    ASSERT_NE(read->timeline, nullptr);
    EXPECT_EQ(*read->timeline, sampleTimeline());
    const json text = json::parse(dumpJson(toJson(*snapshot.measured)));
    EXPECT_EQ(*fromJson<Reading>(text)->timeline, sampleTimeline());
}

TEST(TimelineJson, KeepsWhyThereAreNoRecordsOfTheDriver) {
    json document = toJson(*sampleSnapshot().measured);
    document["timeline"]["driver_records_absent"] = "nobody may";
    EXPECT_EQ(fromJson<Reading>(document)->timeline->driverRecordsAbsent, "nobody may");
    document["timeline"].erase("driver_records_absent");
    EXPECT_EQ(fromJson<Reading>(document)->timeline->driverRecordsAbsent, "") << "a file of before";
}

TEST(TimelineJson, IsSortedWhateverTheFileHolds) {
    json document = toJson(*sampleSnapshot().measured);
    for (auto& [name, column] : document["timeline"]["records"].items())
        if (column.is_array()) std::reverse(column.begin(), column.end());
    const auto read = fromJson<Reading>(document);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(*read->timeline, sampleTimeline());
}

TEST(TimelineJson, RefusesWhatCannotBeATimeline) {
    const json original = toJson(*sampleSnapshot().measured);
    const auto errorOf = [&](const std::function<void(json&)>& change) {
        json document = original;
        change(document["timeline"]);
        const auto read = fromJson<Reading>(document);
        return read.has_value() ? std::string("no error") : read.error().message;
    };
    const auto records = [&](const char* column, std::size_t place, const json& value) {
        return errorOf([&](json& timeline) { timeline["records"][column][place] = value; });
    };
    EXPECT_EQ(errorOf([](json&) {}), "no error");
    EXPECT_THAT(records("lane", 0, 5), HasSubstr("timeline.records.lane[0]"));
    EXPECT_THAT(records("kind", 1, 6), HasSubstr("records.kind[1]"));
    EXPECT_THAT(records("kind", 1, nullptr), HasSubstr("records.kind[1]"));
    EXPECT_THAT(records("begin", 2, -1e-9), HasSubstr("records.begin[2]"));
    EXPECT_THAT(records("begin", 2, nullptr), HasSubstr("records.begin[2]"));
    EXPECT_THAT(records("end", 1, 0), HasSubstr("records.end[1] is 0, and it begins later"));
    EXPECT_THAT(records("end", 1, 1e300), HasSubstr("records.end[1]"));
    EXPECT_THAT(records("op", 0, 100000), HasSubstr("records.op[0]"));
    EXPECT_THAT(records("name", 0, 4), HasSubstr("records.name[0]"));
    EXPECT_THAT(records("correlation", 0, INT64_MAX), HasSubstr("records.correlation[0]"));
    EXPECT_THAT(errorOf([](json& timeline) { timeline["records"]["end"].erase(0); }),
                HasSubstr("records.end has 8 entries for 9 records"));
    EXPECT_THAT(errorOf([](json& timeline) { timeline["records"].erase("lane"); }),
                HasSubstr("records.lane is missing"));
    EXPECT_THAT(errorOf([](json& timeline) { timeline["lanes"] = json::array(); }),
                HasSubstr("points into an empty list"));
    EXPECT_THAT(errorOf([](json& timeline) { timeline["lanes"] = json(1000, timeline["lanes"][0]); }),
                HasSubstr("timeline.lanes has 1000 entries, and 256 is the most"));
    EXPECT_THAT(errorOf([](json& timeline) { timeline["source"] = "predicted"; }), HasSubstr("source"));
    EXPECT_THAT(errorOf([](json& timeline) { timeline["steps"][0]["begin"] = 2; }),
                HasSubstr("steps[0].end"));
}

TEST(TimelineJson, RefusesMoreRecordsThanATimelineTakes) {
    json document = toJson(*sampleSnapshot().measured);
    const std::size_t count = Timeline::kMostRecords + 1;
    document["timeline"]["records"] = {{"kind", json(count, 0)},
                                       {"lane", json(count, 0)},
                                       {"begin", json(count, 0)},
                                       {"end", json(count, 0)}};
    const auto read = fromJson<Reading>(document);
    ASSERT_FALSE(read.has_value());
    EXPECT_THAT(read.error().message, HasSubstr("has 250001 entries"));
}

json traceOf(const Snapshot& snapshot) {
    const auto trace = toChromeTrace(snapshot);
    EXPECT_TRUE(trace.has_value());
    return json::parse(trace.has_value() ? *trace : "{}");
}

TEST(ChromeTrace, HasEveryRecordOnceAndNamesItsLanes) {
    const Snapshot snapshot = sampleSnapshot();
    const json trace = traceOf(snapshot);
    std::map<std::string, int> phases;
    std::map<std::string, int> categories;
    std::map<int, std::string> threads;
    for (const json& event : trace["traceEvents"]) {
        if (event["pid"] != 1) continue;
        ++phases[event["ph"]];
        if (event["ph"] == "X") ++categories[event["cat"]];
        if (event["name"] == "thread_name") threads[event["tid"]] = event["args"]["name"];
    }
    EXPECT_EQ(phases["C"], 2);
    EXPECT_EQ(phases["s"], 1);  // one launch is joined to its kernel
    EXPECT_EQ(phases["f"], 1);
    EXPECT_EQ(categories,
              (std::map<std::string, int>{
                  {"step", 1}, {"op", 2}, {"kernel", 2}, {"copy", 1}, {"memset", 1}, {"call", 1}}));
    EXPECT_EQ(threads, (std::map<int, std::string>{
                           {1, "steps"}, {2, "ops"}, {3, "stream 7"}, {4, "copies"}, {5, "host thread 1"}}));
    EXPECT_EQ(trace["otherData"]["dropped"], "3");
}

TEST(ChromeTrace, TimesAreMicrosecondsAndNamesAreEscaped) {
    const Snapshot snapshot = sampleSnapshot();
    bool found = false;
    const json trace = traceOf(snapshot);
    for (const json& event : trace["traceEvents"]) {
        if (event["name"] != "gemm<\"bf16\">") continue;
        found = true;
        EXPECT_DOUBLE_EQ(event["ts"], 110);
        EXPECT_DOUBLE_EQ(event["dur"], 90);
        EXPECT_EQ(event["args"]["op"], snapshot.measured->ops[1].id);
        EXPECT_EQ(event["args"]["correlation"], 41);
    }
    EXPECT_TRUE(found);
}

/// Whether two complete events of one thread cross: neither lies within the other, nor beside it.
std::string crossingOf(const json& trace) {
    const auto nanos = [](const json& value) { return std::llround(value.get<double>() * 1e3); };
    std::map<std::pair<int, int>, std::vector<std::pair<std::int64_t, std::int64_t>>> threads;
    for (const json& event : trace["traceEvents"])
        if (event["ph"] == "X")
            threads[{event["pid"], event["tid"]}].emplace_back(nanos(event["ts"]),
                                                               -(nanos(event["ts"]) + nanos(event["dur"])));
    for (auto& [thread, bars] : threads) {
        std::ranges::sort(bars);  // by begin, the longer first
        std::vector<std::int64_t> open;
        for (const auto& [begin, minusEnd] : bars) {
            while (!open.empty() && open.back() <= begin) open.pop_back();
            if (!open.empty() && open.back() < -minusEnd)
                return "process " + std::to_string(thread.first) + " at " + std::to_string(begin) + " ns";
            open.push_back(-minusEnd);
        }
    }
    return "";
}

TEST(ChromeTrace, NoTwoBarsOfAThreadCrossInAnyStep) {
    std::mt19937_64 random(1);
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Snapshot snapshot = sampleSnapshot();
        snapshot.config = test::randomConfig(seed);
        const auto plan = planStep(snapshot.config, cpuTraits());
        ASSERT_TRUE(plan.has_value());
        snapshot.predicted = predictedReading(*plan, sampleMachine());
        snapshot.measured = snapshot.predicted;
        // Times that are no whole nanoseconds, from picoseconds on.
        const auto length = [&] { return std::exp2(-static_cast<double>(random() % 300) / 10) * 1e-3; };
        for (OpReading& op : snapshot.predicted->ops) op.seconds = length();
        // Records in any order, and some at the same time, as copies both ways are.
        TimelineBuilder builder(Source::Activity, 0);
        for (int step = 0; step < 3; ++step) builder.addStep(step, step * 0.001, step * 0.001 + length());
        for (int i = 0; i < 300; ++i) {
            TimelineRecord record;
            record.kind = TimelineKind::Copy;
            record.lane = builder.lane(LaneKind::Copies, i % 2 == 0 ? "copies" : "more copies");
            record.begin = static_cast<double>(random() % 1'000'000) * 1e-9;
            record.end = record.begin + length();
            record.correlation = static_cast<std::uint32_t>(random() % 10);
            builder.add(record);
        }
        snapshot.measured->timeline = std::make_shared<const Timeline>(builder.take());
        const json trace = traceOf(snapshot);
        ASSERT_EQ(crossingOf(trace), "") << "seed " << seed;
        std::size_t copies = 0;
        for (const json& event : trace["traceEvents"])
            if (event["ph"] == "X" && event["cat"] == "copy") ++copies;
        ASSERT_EQ(copies, snapshot.measured->timeline->records.size());
    }
}

TEST(ChromeTrace, CrossingBarsAreFoundByTheTestAbove) {
    json trace = traceOf(sampleSnapshot());
    EXPECT_EQ(crossingOf(trace), "");
    const json bar{{"ph", "X"}, {"pid", 2}, {"tid", 9}, {"ts", 1.0}, {"dur", 1.001}};
    json next = bar;
    next["ts"] = 2.0;
    trace["traceEvents"].push_back(bar);
    trace["traceEvents"].push_back(next);
    EXPECT_NE(crossingOf(trace), "");
}

TEST(ChromeTrace, ATimeThatNoTraceHoldsIsRefused) {
    Snapshot snapshot = sampleSnapshot();
    snapshot.predicted->ops[0].seconds = 1e308;
    const auto trace = toChromeTrace(snapshot);
    ASSERT_FALSE(trace.has_value());
    EXPECT_THAT(trace.error().message, HasSubstr("285 years"));
}

TEST(ChromeTrace, WithoutATimelineHoldsThePredictionAndWithoutThatIsRefused) {
    Snapshot snapshot = sampleSnapshot();
    snapshot.measured.reset();
    std::size_t bars = 0;
    const json predicted = traceOf(snapshot);
    for (const json& event : predicted["traceEvents"]) {
        EXPECT_EQ(event["pid"], 2);
        bars += event["ph"] == "X" ? 1U : 0U;
    }
    EXPECT_EQ(bars, snapshot.predicted->ops.size());
    for (OpReading& op : snapshot.predicted->ops) op.seconds.reset();
    const auto trace = toChromeTrace(snapshot);
    ASSERT_FALSE(trace.has_value());
    EXPECT_EQ(trace.error().code, ErrorCode::BadInput);
    EXPECT_THAT(trace.error().hint, HasSubstr("profile"));
}

}  // namespace
}  // namespace plumb
