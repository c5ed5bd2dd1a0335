// SPDX-License-Identifier: Apache-2.0
#include "core/measure/timeline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace plumb {
namespace {

TimelineRecord bar(std::uint16_t lane, Seconds begin, Seconds end) {
    return {begin, end, -1, -1, -1, 0, lane, TimelineKind::Kernel};
}

TEST(Timeline, RecordsComeByLaneAndThenByBeginningWhateverTheirOrderWas) {
    std::mt19937 random(3);
    TimelineBuilder builder(Source::Activity, 50);
    const std::uint16_t copies = builder.lane(LaneKind::Copies, "copies");
    const std::uint16_t stream = builder.lane(LaneKind::Stream, "stream 7");
    for (int i = 0; i < 1000; ++i) {
        const double begin = 50 + 1e-6 * static_cast<double>(random() % 5000);
        builder.add(bar(random() % 2 == 0 ? copies : stream, begin,
                        begin + 1e-7 * static_cast<double>(random() % 10)));
    }
    const Timeline timeline = builder.take();
    ASSERT_EQ(timeline.records.size(), 1000U);
    // Streams come before copies, although the copies were named first.
    ASSERT_EQ(timeline.lanes.size(), 2U);
    EXPECT_EQ(timeline.lanes[0], (TimelineLane{LaneKind::Stream, "stream 7"}));
    const auto first = timeline.ofLane(0), second = timeline.ofLane(1);
    EXPECT_EQ(first.size() + second.size(), 1000U);
    EXPECT_GT(first.size(), 300U);
    for (const auto lane : {first, second})
        for (std::size_t i = 1; i < lane.size(); ++i) {
            EXPECT_EQ(lane[i].lane, lane[0].lane);
            EXPECT_LE(lane[i - 1].begin, lane[i].begin);
        }
    EXPECT_TRUE(timeline.ofLane(2).empty());
}

TEST(Timeline, TimesAreWholeNanosecondsSinceItsBeginning) {
    TimelineBuilder builder(Source::Clock, 1234.5);
    builder.addStep(7, 1234.5, 1234.75);
    builder.add(bar(builder.lane(LaneKind::Ops, "ops"), 1234.5 + 1.23456789e-4, 1234.5 + 2e-4));
    const Timeline timeline = builder.take();
    EXPECT_DOUBLE_EQ(timeline.records[0].begin, 1.23457e-4);
    EXPECT_DOUBLE_EQ(timeline.records[0].end, 2e-4);
    EXPECT_EQ(timeline.steps[0], (TimelineStep{7, 0, 0.25}));
    EXPECT_DOUBLE_EQ(timeline.duration(), 0.25);
    EXPECT_EQ(Timeline{}.duration(), 0);
}

TEST(Timeline, WhatCannotBeShownIsCountedAsDropped) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    TimelineBuilder builder(Source::Activity, 10, 5);
    const std::uint16_t lane = builder.lane(LaneKind::Stream, "stream 7");
    builder.add(bar(lane, 0, 11));   // a driver's start = 0
    builder.add(bar(lane, 12, 11));  // ends before it begins
    builder.add(bar(lane, nan, 11));
    builder.add(bar(lane, 11, nan));
    builder.add(bar(lane, 11, std::numeric_limits<double>::infinity()));
    builder.addDropped(4);
    for (int i = 0; i < 7; ++i) builder.add(bar(lane, 11, 12));
    const Timeline timeline = builder.take();
    EXPECT_EQ(timeline.records.size(), 5U);
    EXPECT_EQ(timeline.dropped, 5 + 4 + 2);
}

TEST(Timeline, LanesAndNamesAreListedOnceAndAreBounded) {
    TimelineBuilder builder(Source::Activity, 0);
    EXPECT_EQ(builder.name("a"), 0);
    EXPECT_EQ(builder.name("b"), 1);
    EXPECT_EQ(builder.name("a"), 0);
    EXPECT_EQ(builder.lane(LaneKind::Stream, "7"), builder.lane(LaneKind::Stream, "7"));
    EXPECT_NE(builder.lane(LaneKind::Stream, "7"), builder.lane(LaneKind::Copies, "7"));
    for (std::size_t i = 0; i < Timeline::kMostNames; ++i) (void)builder.name(std::to_string(i));
    EXPECT_EQ(builder.name("one more"), -1);
    EXPECT_EQ(builder.name("one more"), -1);
    for (std::size_t i = 0; i < Timeline::kMostLanes + 5; ++i)
        EXPECT_LT(builder.lane(LaneKind::Host, std::to_string(i)), Timeline::kMostLanes);
    const Timeline timeline = builder.take();
    EXPECT_EQ(timeline.names.size(), Timeline::kMostNames);
    EXPECT_EQ(timeline.lanes.size(), Timeline::kMostLanes);
}

}  // namespace
}  // namespace plumb
