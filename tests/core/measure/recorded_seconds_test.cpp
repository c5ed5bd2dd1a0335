// SPDX-License-Identifier: Apache-2.0
#include "core/measure/reading.h"
#include "core/measure/timeline.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

/// Three steps of 10 s in which op 0 runs twice, and op 1 in the first two only.
Reading recorded(std::int64_t dropped = 0) {
    auto timeline = std::make_shared<Timeline>();
    timeline->source = Source::Activity;
    timeline->dropped = dropped;
    for (const int step : {0, 1, 2}) {
        const double begin = 10.0 * step;
        timeline->steps.push_back({step, begin, begin + 9});
        for (const double since : {1.0, 4.0})
            timeline->records.push_back(
                {begin + since, begin + since + 1 + step, -1, -1, 0, 0, 0, TimelineKind::Op});
        if (step < 2)
            timeline->records.push_back({begin + 8, begin + 8.5, -1, -1, 1, 0, 0, TimelineKind::Op});
    }
    Reading measured;
    measured.source = Source::Event;
    measured.ops.resize(3);
    for (OpReading& op : measured.ops) op.source = Source::Event;
    measured.timeline = std::move(timeline);
    return measured;
}

TEST(RecordedSeconds, AreTheMedianOfTheStepsOfAllExecutions) {
    Reading measured = recorded();
    addRecordedSeconds(measured);
    EXPECT_EQ(measured.ops[0].seconds, 4.0);
    EXPECT_EQ(measured.ops[0].source, Source::Activity);
    EXPECT_EQ(measured.ops[0].tier, Tier::Measured);
    EXPECT_FALSE(measured.ops[1].seconds) << "not in every step";
    EXPECT_FALSE(measured.ops[2].seconds);
    EXPECT_EQ(measured.ops[2].source, Source::Event);
}

TEST(RecordedSeconds, LeaveWhatWasTimed) {
    Reading measured = recorded();
    measured.ops[0].seconds = 3;
    addRecordedSeconds(measured);
    EXPECT_EQ(measured.ops[0].seconds, 3.0);
    EXPECT_EQ(measured.ops[0].source, Source::Event);
}

TEST(RecordedSeconds, AreAbsentWhereRecordsWereLost) {
    Reading measured = recorded(1);
    addRecordedSeconds(measured);
    EXPECT_FALSE(measured.ops[0].seconds);
}

}  // namespace
}  // namespace plumb
