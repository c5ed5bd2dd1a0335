// SPDX-License-Identifier: Apache-2.0
// The index over a replay against plain loops over all of it.
#include "core/memory_snapshot/memory_comparison.h"
#include "core/memory_snapshot/opened_memory.h"

#include "test_paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace plumb {
namespace {

std::shared_ptr<const OpenedMemory> openSample(const std::string& name) {
    auto opened = OpenedMemory::open(PLUMB_TEST_DATA "/memory/" + name);
    EXPECT_TRUE(opened.has_value());
    return *opened;
}

class HistorySamples : public testing::TestWithParam<const char*> {};

TEST_P(HistorySamples, SayOfEveryMomentWhatAPlainLoopSays) {
    const auto opened = openSample(GetParam());
    for (const auto& device : opened->devices()) {
        const MemoryReplay& replay = device->replay;
        const MemoryHistory& history = device->history;
        for (std::int64_t position = -1; position <= history.lastPosition(); ++position) {
            SCOPED_TRACE(position);
            auto living = history.livingAt(position);
            auto plain = livingAt(replay, position);
            const bool isSorted = std::ranges::is_sorted(
                living, std::greater(), [&](std::uint32_t i) { return replay.allocations[i].bytes; });
            EXPECT_TRUE(isSorted);
            Bytes rounded = 0;
            for (const std::uint32_t each : living) rounded += history.roundedBytes(each);
            std::ranges::sort(living);
            std::ranges::sort(plain);
            EXPECT_EQ(living, plain);
            for (std::size_t key = 0; key < kCurveKeys.size(); ++key) {
                std::vector<Bytes> expected(device->groups[key].names.size() + 1);
                for (const std::uint32_t each : plain)
                    expected[device->groups[key].of[each]] += replay.allocations[each].bytes;
                expected.back() = rounded;
                std::vector<Bytes> sums(expected.size());
                device->curves[key].sumsAt(position, sums);
                EXPECT_EQ(sums, expected);
            }
            // What lives is placed in the segments, and these are all that is reserved.
            const MemoryLayout layout = device->segments.layoutAt(position);
            EXPECT_EQ(layout.sums.allocated + layout.sums.pending + layout.unplaced, rounded);
            EXPECT_EQ(layout.sums.allocated + layout.sums.pending + layout.sums.free, layout.sums.reserved);
            EXPECT_EQ(layout.sums.reserved, reservedAt(replay, position));
        }
    }
}

TEST_P(HistorySamples, EndWithTheSegmentsOfTheFile) {
    const auto opened = openSample(GetParam());
    for (const auto& device : opened->devices()) {
        const MemoryLayout layout = device->segments.layoutAt(device->history.lastPosition());
        const Fragmentation& expected = device->replay.fragmentation;
        EXPECT_EQ(layout.sums.segments, expected.segments);
        EXPECT_EQ(layout.sums.reserved, expected.reserved);
        EXPECT_EQ(layout.sums.allocated + layout.sums.pending, expected.active);
        EXPECT_EQ(layout.sums.free, expected.inactive);
        EXPECT_EQ(layout.sums.freeInUsed, expected.inactiveSplit);
    }
}

INSTANTIATE_TEST_SUITE_P(All, HistorySamples, testing::Values("step_protocol4.pickle", "two_devices.pickle"),
                         [](const auto& each) {
                             const std::string name = each.param;
                             return name.substr(0, name.find('.'));
                         });

TEST(HighestIndex, FindsTheFirstHighestOfEveryStretch) {
    std::vector<int> values(10'000);
    std::uint32_t state = 7;
    for (int& value : values) value = static_cast<int>((state = state * 1664525U + 1013904223U) >> 24U);
    const auto valueAt = [&](std::size_t i) { return values[i]; };
    HighestIndex index;
    index.build(values.size(), valueAt);
    for (std::size_t begin = 0; begin < values.size(); begin += 97)
        for (std::size_t end = begin + 1; end <= values.size(); end += 1013) {
            const auto plain = std::max_element(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                                values.begin() + static_cast<std::ptrdiff_t>(end)) -
                               values.begin();
            EXPECT_EQ(index.highest(begin, end, valueAt), static_cast<std::size_t>(plain));
        }
}

TEST(CompareMemory, AddsUpToTheLiveBytesByEveryKey) {
    const auto opened = openSample("step_protocol4.pickle");
    const MemoryReplay& replay = opened->devices().front()->replay;
    for (const auto& [key, name] : kMemoryKeyNames) {
        const auto rows =
            compareMemory(key, {replay, opened->sites(), -1}, {replay, opened->sites(), replay.peakPosition});
        Bytes before = 0;
        Bytes after = 0;
        for (const SiteComparison& row : rows) {
            before += row.before.bytes;
            after += row.after.bytes;
        }
        EXPECT_EQ(before, replay.startBytes) << name;
        EXPECT_EQ(after, replay.peakBytes) << name;
    }
}

}  // namespace
}  // namespace plumb
