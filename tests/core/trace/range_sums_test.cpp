// SPDX-License-Identifier: Apache-2.0
// Sums of a range, beside those of counting each nanosecond.
#include "core/trace/range_sums.h"

#include "tests/core/trace/trace_files.h"

namespace plumb::trace {
namespace {

TEST(RangeSums, AreThoseOfEachNanosecond) {
    test::Draws draws(7);
    for (int round = 0; round < 30; ++round) {
        Trace trace;
        std::vector<GpuWork> work;
        for (std::uint32_t i = 0; i < 12; ++i) {
            trace.slices.begin.push_back(draws.below(100));
            trace.slices.duration.push_back(draws.below(20));
            GpuWork piece;
            piece.slice = i;
            piece.category = static_cast<KernelCategory>(draws.below(3));
            work.push_back(piece);
        }
        const Nanoseconds from = draws.below(60);
        const Nanoseconds to = from + 1 + draws.below(60);
        std::array<Nanoseconds, kKernelCategories> times{};
        Nanoseconds busy = 0;
        for (Nanoseconds time = from; time < to; ++time) {
            bool runs = false;
            for (const GpuWork& piece : work) {
                if (time < trace.slices.begin[piece.slice] || time >= trace.slices.end(piece.slice)) continue;
                ++times[static_cast<std::size_t>(piece.category)];
                runs = true;
            }
            busy += runs ? 1 : 0;
        }
        const RangeSums sums = sumsOfRange(trace, work, from, to);
        EXPECT_EQ(sums.busy, busy);
        Nanoseconds all = 0;
        for (std::size_t i = 0; i < times.size(); ++i) {
            EXPECT_EQ(sums.categories[i].time, times[i]) << i;
            all += times[i];
        }
        EXPECT_EQ(sums.all.time, all);
    }
}

}  // namespace
}  // namespace plumb::trace
