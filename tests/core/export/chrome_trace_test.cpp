// SPDX-License-Identifier: Apache-2.0
#include "core/export/chrome_trace.h"

#include "core/snapshot/snapshot.h"
#include "tests/core/snapshot/snapshot_samples.h"
#include "tests/support/random_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace plumb {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

json traceOf(const Snapshot& snapshot) {
    const auto trace = toChromeTrace(exportedStep(snapshot));
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
    EXPECT_EQ(categories, (std::map<std::string, int>{{"user_annotation", 2},
                                                      {"cpu_op", 2},
                                                      {"kernel", 2},
                                                      {"gpu_memcpy", 1},
                                                      {"gpu_memset", 1},
                                                      {"cuda_runtime", 1}}));
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
            if (event["ph"] == "X" && event["cat"] == "gpu_memcpy") ++copies;
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
    const auto trace = toChromeTrace(exportedStep(snapshot));
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
        bars += event["ph"] == "X" && event["cat"] == "cpu_op" ? 1U : 0U;
    }
    EXPECT_EQ(bars, snapshot.predicted->ops.size());
    for (OpReading& op : snapshot.predicted->ops) op.seconds.reset();
    const auto trace = toChromeTrace(exportedStep(snapshot));
    ASSERT_FALSE(trace.has_value());
    EXPECT_EQ(trace.error().code, ErrorCode::BadInput);
    EXPECT_THAT(trace.error().hint, HasSubstr("profile"));
}

TEST(ChromeTrace, StepsAreAnnotationsOfWhichTheLastIsEndedByOneMore) {
    const json trace = traceOf(sampleSnapshot());
    std::vector<std::string> steps;
    for (const json& event : trace["traceEvents"])
        if (event["pid"] == 1 && event["ph"] == "X" && event["cat"] == "user_annotation")
            steps.push_back(event["name"]);
    EXPECT_THAT(steps, ElementsAre("ProfilerStep#17", "ProfilerStep#18"));
}

TEST(ChromeTrace, WhatRunsOnADeviceHasAStreamAndWhatIsOfAnOpItsPlace) {
    const Snapshot snapshot = sampleSnapshot();
    const json trace = traceOf(snapshot);
    for (const json& event : trace["traceEvents"]) {
        if (event["ph"] != "X") continue;
        ASSERT_TRUE(event.contains("dur"));
        const std::string category = event["cat"];
        if (category == "kernel" || category.starts_with("gpu_")) {
            EXPECT_GT(event["args"]["stream"], 0) << event;
        }
        if (category == "kernel") {
            EXPECT_EQ(event["args"]["stream"], 7);
        }
        if (category == "cpu_op") {
            EXPECT_TRUE(event["args"].contains("phase")) << event;
            EXPECT_TRUE(event["args"].contains("kind")) << event;
        }
    }
    const std::string text = *toChromeTrace(exportedStep(snapshot));
    EXPECT_THAT(text, HasSubstr(R"("rank": 0)")) << "readers look for the space";
}

TEST(ChromeTrace, OpsOfAMeasurementWithoutATimelineStandEndToEnd) {
    Snapshot snapshot = sampleSnapshot();
    snapshot.predicted.reset();
    snapshot.measured->timeline.reset();
    double sum = 0;
    for (const OpReading& op : snapshot.measured->ops) sum += op.seconds.value_or(0) * 1e6;
    double end = 0;
    const json trace = traceOf(snapshot);
    for (const json& event : trace["traceEvents"]) {
        EXPECT_EQ(event["pid"], 1);
        if (event["ph"] != "X" || event["cat"] != "cpu_op") continue;
        EXPECT_NEAR(event["ts"], end, 1e-6);
        end = event["ts"].get<double>() + event["dur"].get<double>();
    }
    EXPECT_NEAR(end, sum, 1e-6);
}

}  // namespace
}  // namespace plumb
