// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_fields.h"
#include "core/measure/reading_json.h"
#include "core/snapshot/snapshot.h"
#include "tests/core/snapshot/snapshot_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

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

}  // namespace
}  // namespace plumb
