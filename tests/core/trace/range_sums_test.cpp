// SPDX-License-Identifier: Apache-2.0
// Sums of a range, beside those of counting each nanosecond.
#include "core/trace/range_sums.h"

#include "tests/core/trace/trace_files.h"

#include <algorithm>
#include <functional>

namespace plumb::trace {
namespace {
using test::kernel;
using test::launch;
using test::onHost;

TEST(RangeSums, AreThoseOfEachNanosecond) {
    test::Draws draws(7);
    for (int round = 0; round < 30; ++round) {
        Trace trace;
        trace.amounts.push_back(-1);
        trace.tracks.resize(2);
        trace.tracks[1].stream = 3;
        std::vector<GpuWork> work;
        for (std::uint32_t i = 0; i < 12; ++i) {
            trace.slices.name.push_back(static_cast<NameId>(draws.below(2)));
            trace.slices.track.push_back(i / 6);
            trace.slices.detail.push_back(0);
            trace.slices.category.push_back(draws.below(3) == 0 ? Category::Copy : Category::Kernel);
            trace.slices.begin.push_back(draws.below(100));
            trace.slices.duration.push_back(draws.below(20));
            GpuWork piece;
            piece.slice = i;
            piece.category = static_cast<KernelCategory>(draws.below(3));
            piece.communicates = trace.slices.category[i] == Category::Kernel && draws.below(2) == 0;
            work.push_back(piece);
        }
        const Nanoseconds from = draws.below(60);
        const Nanoseconds to = from + 1 + draws.below(60);
        std::array<Nanoseconds, kKernelCategories> times{};
        Nanoseconds busy = 0;
        Nanoseconds computing = 0;
        Nanoseconds hidden = 0;
        Nanoseconds exposed = 0;
        for (Nanoseconds time = from; time < to; ++time) {
            bool runs = false;
            bool computes = false;
            int traffic = 0;
            for (const GpuWork& piece : work) {
                if (time < trace.slices.begin[piece.slice] || time >= trace.slices.end(piece.slice)) continue;
                ++times[static_cast<std::size_t>(piece.category)];
                runs = true;
                if (piece.communicates || trace.slices.category[piece.slice] == Category::Copy)
                    ++traffic;
                else
                    computes = true;
            }
            busy += runs ? 1 : 0;
            computing += computes ? 1 : 0;
            (computes ? hidden : exposed) += traffic;
        }
        const RangeSums sums = sumsOfRange(trace, work, from, to);
        EXPECT_EQ(sums.busy, busy);
        Nanoseconds all = 0;
        for (std::size_t i = 0; i < times.size(); ++i) {
            EXPECT_EQ(sums.categories[i].time, times[i]) << i;
            all += times[i];
        }
        EXPECT_EQ(sums.all.work.time, all);
        EXPECT_EQ(sums.computing, computing);
        EXPECT_EQ(sums.all.hidden, hidden);
        EXPECT_EQ(sums.all.exposed, exposed);
        Nanoseconds ofRows = 0;
        for (const RangeRow& row : sums.rows) ofRows += row.sum.work.time;
        EXPECT_EQ(ofRows, all);
        EXPECT_TRUE(std::ranges::is_sorted(sums.rows, std::ranges::greater(),
                                           [](const RangeRow& row) { return row.sum.work.time; }));
    }
}

TEST(RangeSums, BytesAreWhatTheTraceTells) {
    const auto copy = [](double ts, double dur, const std::string& args) {
        return test::slice("gpu_memcpy", "Memcpy HtoD", "\"pid\": 0, \"tid\": 16", test::times(ts, dur),
                           "\"device\": 0, \"stream\": 16" + args);
    };
    const std::string collective =
        test::slice("kernel", "ncclDevKernel_AllReduce", "\"pid\": 0, \"tid\": 20", test::times(20, 10),
                    "\"device\": 0, \"stream\": 20, \"Collective name\": \"allreduce\", \"dtype\": "
                    "\"BFloat16\", \"In msg nelems\": 100, \"Out msg nelems\": 300");
    const auto read = test::readText(test::document(
        {copy(0, 10, ", \"bytes\": 1000"), copy(40, 1, ""), collective, kernel("gemm", 25, 20, 7, 1)}));
    ASSERT_TRUE(read.has_value());
    const TraceLinks links = linkTrace(*read);
    const RangeSums sums = sumsOfRange(*read, links.work, 5'000, 50'000);
    EXPECT_EQ(sums.all.bytes, 500 + 600) << "half of the copy lies in the range";
    EXPECT_EQ(sums.all.withBytes, 2);
    EXPECT_EQ(sums.all.work.count, 4);
    EXPECT_EQ(sums.all.traffic.count, 3);
    ASSERT_EQ(sums.rows.size(), 3U);
    EXPECT_EQ(read->names.at(sums.rows[0].name), "gemm");
    EXPECT_EQ(sums.rows[0].sum.withBytes, 0);
    EXPECT_EQ(sums.rows[1].sum.exposed, 5'000);
    EXPECT_EQ(sums.rows[1].sum.hidden, 5'000);
    EXPECT_EQ(sums.rows[1].streams, std::vector<std::int64_t>{20});
    EXPECT_EQ(sums.streams, (std::vector<std::int64_t>{7, 16, 20}));
}

TEST(WindowFigures, AreThoseOfDevicesAndStepsWhereTheWindowIsTheirs) {
    test::Draws draws(11);
    for (int round = 0; round < 20; ++round) {
        std::vector<std::string> events;
        for (int step = 0; step < 3; ++step)
            events.push_back(
                onHost("user_annotation", "ProfilerStep#" + std::to_string(step), step * 100, 90));
        for (int i = 1; i < 40; ++i) {
            const int start = draws.below(280);
            if (draws.below(5) > 0) events.push_back(launch(std::max(0, start - draws.below(30)), 1, i));
            events.push_back(kernel(draws.below(4) == 0 ? "ncclAllReduce" : "sgemm", start,
                                    1 + draws.below(11), draws.below(2), i, draws.below(2)));
        }
        const auto read = test::readText(test::document(events));
        ASSERT_TRUE(read.has_value());
        const TraceLinks links = linkTrace(*read);
        const TraceOverview overview = overviewOf(*read, links);
        for (std::size_t i = 0; i < overview.devices.size(); ++i) {
            const DeviceFigures& device = overview.devices[i];
            const DeviceWindow window =
                figuresOfWindow(*read, links.work, device.begin, device.end).devices[i];
            EXPECT_EQ(window.times.busy, device.busy);
            EXPECT_EQ(window.times.idleBy, device.idleBy);
            EXPECT_EQ(window.times.idleAtEnd, 0);
            EXPECT_EQ(window.times.exposedCommunication, device.exposedCommunication);
            EXPECT_EQ(window.kernelTime, device.kernelTime);
            EXPECT_EQ(window.kernels, device.kernels);
        }
        const Nanoseconds from = overview.begin;
        for (const StepFigures& step : overview.steps) {
            const auto times = figuresOfWindow(*read, links.work, step.step.begin, step.step.windowEnd)
                                   .devices.front()
                                   .times;
            EXPECT_EQ(times.busy, step.busy);
            EXPECT_EQ(times.idle, step.idle);
            Nanoseconds byCause = times.idleAtEnd;
            for (const Nanoseconds time : times.idleBy) byCause += time;
            EXPECT_EQ(byCause, times.idle);
            // Gaps that are cut at a border count with both parts, by the same cause.
            const auto before = figuresOfWindow(*read, links.work, from, step.step.windowEnd).devices.front();
            const auto first = figuresOfWindow(*read, links.work, from, step.step.begin).devices.front();
            for (std::size_t cause = 0; cause < kIdleCauses; ++cause)
                EXPECT_EQ(before.times.idleBy[cause], first.times.idleBy[cause] + times.idleBy[cause]);
        }
    }
}

}  // namespace
}  // namespace plumb::trace
