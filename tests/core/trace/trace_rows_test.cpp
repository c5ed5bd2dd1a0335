// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace_rows.h"

#include "tests/core/trace/trace_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumb::trace {
namespace {

using namespace test;
using testing::ElementsAre;

TEST(TraceRows, NestedSlicesLieBelowWhatEnclosesThem) {
    const auto read = readText(
        document({onHost("cpu_op", "c", 3, 1), onHost("cpu_op", "b", 1, 5), onHost("cpu_op", "a", 0, 10),
                  onHost("cpu_op", "d", 7, 2), onHost("cpu_op", "e", 10, 1)}));
    ASSERT_TRUE(read.has_value());
    EXPECT_THAT(read->slices.row, ElementsAre(0, 1, 2, 1, 0));  // a b c d e
    EXPECT_EQ(read->overlaps, 0);
    EXPECT_EQ(read->rows.size(), 3U);
}

TEST(TraceRows, OverlappingKernelsGoToASubRowAndAreCounted) {
    const auto read = readText(document({kernel("a", 0, 10, 7, 1), kernel("b", 9, 10, 7, 2),
                                         kernel("c", 18, 10, 7, 3), kernel("d", 28, 1, 7, 4)}));
    ASSERT_TRUE(read.has_value());
    EXPECT_THAT(read->slices.row, ElementsAre(0, 1, 0, 0));
    EXPECT_THAT(read->slices.duration, ElementsAre(10'000, 10'000, 10'000, 1'000));
    EXPECT_EQ(read->overlaps, 2);
}

/// Slices of a row never overlap, whatever a file says, up to the limit of rows.
TEST(TraceRows, SlicesOfARowNeverOverlap) {
    test::Draws draw(3);
    for (int round = 0; round < 60; ++round) {
        std::vector<std::string> events;
        const int range = 5 + draw.below(200);
        for (int i = 0; i < 60; ++i)
            events.push_back(draw.below(2) == 0 ? kernel("k", draw.below(range), draw.below(20), 7, i + 1)
                                                : onHost("cpu_op", "o", draw.below(range), draw.below(40)));
        const auto read = readText(document(events));
        ASSERT_TRUE(read.has_value());
        EXPECT_EQ(read->losses.stackedSlices, 0);
        std::size_t seen = 0;
        for (std::size_t r = 0; r < read->rows.size(); ++r) {
            const Row& row = read->rows[r];
            for (std::size_t i = 1; i < row.count; ++i) {
                const std::size_t before = read->rowOrder[row.first + i - 1];
                EXPECT_LE(read->slices.end(before), read->slices.begin[read->rowOrder[row.first + i]]);
                EXPECT_EQ(read->slices.track[before], row.track);
            }
            seen += row.count;
        }
        EXPECT_EQ(seen, read->slices.size());
    }
}

TEST(TraceRows, TooManyOverlapsShareTheLastRow) {
    std::vector<std::string> events;
    for (int i = 0; i < 600; ++i) events.push_back(kernel("k", i, 10'000, 7, i + 1));
    const auto read = readText(document(events));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->rows.size(), Trace::kMostRows);
    EXPECT_EQ(read->losses.stackedSlices, 600 - static_cast<int>(Trace::kMostRows));
    EXPECT_EQ(read->slices.size(), 600U);
}

/// What is drawn covers every slice of the range once, in order, and is short.
TEST(RowIndex, DrawsEverySliceOnceAndFewSpans) {
    test::Draws draw(5);
    std::vector<std::string> events;
    double time = 0;
    for (int i = 0; i < 5000; ++i) {
        const double duration = draw.below(50) == 0 ? draw.below(400) : draw.below(100) / 100.0;
        events.push_back(kernel("k", time, duration, 7, i + 1));
        time += duration + (draw.below(30) == 0 ? draw.below(200) : draw.below(10) / 10.0);
    }
    const auto read = readText(document(events));
    ASSERT_TRUE(read.has_value());
    const RowIndex index(*read);
    const auto isChosen = [](std::uint32_t slice) { return slice % 7 == 3; };
    const RowMask mask(*read, isChosen);
    const Row& row = read->rows[0];
    std::vector<DrawnSpan> spans;
    for (int round = 0; round < 300; ++round) {
        const auto whole = static_cast<Nanoseconds>(time * 1000);
        const Nanoseconds from = draw.below(static_cast<int>(whole)) - 1000;
        const Nanoseconds to = round == 0 ? whole : from + 1 + draw.below(static_cast<int>(whole));
        const Nanoseconds pixel = 1 + (to - from) / 200;
        index.draw(0, round == 0 ? 0 : from, to, pixel, spans);
        EXPECT_LE(spans.size(), 3U * 201);
        std::size_t entry = 0;
        while (entry < row.count &&
               read->slices.end(read->rowOrder[row.first + entry]) <= (round == 0 ? 0 : from) &&
               read->slices.begin[read->rowOrder[row.first + entry]] < (round == 0 ? 0 : from))
            ++entry;
        for (const DrawnSpan& span : spans) {
            ASSERT_LT(entry, row.count);
            EXPECT_EQ(span.slice, read->rowOrder[row.first + entry]);
            EXPECT_EQ(span.begin, read->slices.begin[span.slice]);
            EXPECT_EQ(span.end, read->slices.end(read->rowOrder[row.first + entry + span.count - 1]));
            EXPECT_EQ(span.entry, row.first + entry);
            std::optional<std::uint32_t> chosen;
            for (std::uint32_t k = span.entry; k < span.entry + span.count && !chosen; ++k)
                if (isChosen(read->rowOrder[k])) chosen = k;
            EXPECT_EQ(mask.firstIn(span), chosen);
            for (std::size_t k = 0; k < span.count; ++k)
                if (span.count > 1) {
                    EXPECT_LT(read->slices.duration[read->rowOrder[row.first + entry + k]], pixel);
                }
            entry += span.count;
        }
        // At least all that begin in the range.
        EXPECT_TRUE(entry == row.count || read->slices.begin[read->rowOrder[row.first + entry]] >= to);
    }
}

}  // namespace
}  // namespace plumb::trace
