// SPDX-License-Identifier: Apache-2.0
#include "core/trace/memory_curve.h"

#include "tests/core/trace/trace_files.h"

#include <gtest/gtest.h>

namespace plumb::trace {
namespace {

std::string mark(double ts, std::int64_t bytes, std::int64_t allocated, int type, int device) {
    return R"(  {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": )" +
           test::microseconds(ts) + R"(, "args": {"Bytes": )" + std::to_string(bytes) +
           (allocated < 0
                ? ""
                : R"(, "Total Allocated": )" + std::to_string(allocated) + R"(, "Total Reserved": 9000)") +
           R"(, "Device Type": )" + std::to_string(type) + R"(, "Device Id": )" + std::to_string(device) +
           "}}";
}

TEST(MemoryCurve, IsOfEachDeviceThatSaysItsTotals) {
    const Trace trace = test::readText(test::document({mark(5, 100, 100, 0, -1), mark(1, 512, 512, 1, 0),
                                                       mark(9, -512, 0, 1, 0), mark(7, 64, -1, 1, 1)}))
                            .value();
    const std::vector<MemoryCurve> curves = memoryCurves(trace);
    ASSERT_EQ(curves.size(), 2U);
    EXPECT_TRUE(curves[0].isOfGpu());
    EXPECT_EQ(curves[0].peak(), 512);
    EXPECT_EQ(curves[0].reservedPeak(), 9000);
    EXPECT_EQ(curves[0].at(999), nullptr);
    EXPECT_EQ(curves[0].at(8'999)->allocated, 512);
    EXPECT_EQ(curves[0].at(9'000)->allocated, 0);
    EXPECT_FALSE(curves[1].isOfGpu());
    EXPECT_TRUE(memoryCurves(Trace{}).empty());
}

/// Each column is the most of the points in it and of what was held before them, however many there are.
TEST(MemoryCurve, ColumnsAreTheMostOfTheirPart) {
    test::Draws draw(3);
    MemoryCurve curve({.deviceType = 1, .device = 0});
    Nanoseconds time = 0;
    for (int i = 0; i < 5000; ++i) {
        time += draw.below(40);
        curve.add({time, draw.below(100'000), draw.below(100'000)});
    }
    std::vector<MemoryCurve::Point> columns;
    for (const std::size_t count : {std::size_t{1}, std::size_t{7}, std::size_t{400}}) {
        const Nanoseconds from = -50 + draw.below(1000);
        const Nanoseconds to = from + draw.below(static_cast<int>(time)) + 500;
        curve.columns(from, to, count, columns);
        ASSERT_EQ(columns.size(), count);
        for (std::size_t i = 0; i < count; ++i) {
            const Nanoseconds begin = columns[i].time;
            const Nanoseconds end = i + 1 < count ? columns[i + 1].time : to;
            const auto* held = curve.at(begin - 1);
            std::int64_t most = held == nullptr ? -1 : held->allocated;
            for (const MemoryCurve::Point& point : curve.points())
                if (point.time >= begin && point.time < end) most = std::max(most, point.allocated);
            EXPECT_EQ(columns[i].allocated, most) << i << " of " << count;
        }
    }
}

}  // namespace
}  // namespace plumb::trace
