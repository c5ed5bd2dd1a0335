// SPDX-License-Identifier: Apache-2.0
#include "core/trace/rank_merge.h"

#include "core/trace/memory_curve.h"
#include "core/trace/trace_overview.h"
#include "core/trace/trace_rows.h"
#include "tests/core/trace/rank_jobs.h"

#include <gtest/gtest.h>

#include <utility>

namespace plumb::trace {
namespace {

using test::Draws;
using test::eventsOf;
using test::rankDocument;
using test::RankJob;
using test::readText;

std::vector<Trace> tracesOf(RankJob& job) {
    std::vector<Trace> traces;
    const auto events = eventsOf(job);
    for (std::size_t rank = 0; rank < events.size(); ++rank) {
        std::vector<std::string> all = events[rank];
        all.push_back(test::slice("gpu_memcpy", "Memcpy HtoD", R"("pid": 0, "tid": 7)", test::times(1001, 2),
                                  R"("device": 0, "stream": 7, "bytes": )" + std::to_string(100 + rank)));
        all.push_back(
            test::onHost("cpu_op", "aten::mm", 1002, 3, R"("Input Dims": [[)" + std::to_string(rank) + "]]"));
        traces.push_back(readText(rankDocument(all, static_cast<int>(rank), job.ranks)).value());
    }
    return traces;
}

TEST(MergedRanks, KeepDevicesOfOneNumberApart) {
    std::vector<RankPart> parts(2);
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        RankPart& part = parts[static_cast<std::size_t>(rank)];
        part.rank = rank;
        part.trace.devices.push_back({.id = 0, .name = rank == 0 ? "H100" : "H200"});
        part.trace.tracks.push_back({.device = 0});
        for (const Nanoseconds time : {10, 20})
            part.trace.memory.push_back(
                {.time = time, .allocated = time * (1 + 9 * rank), .deviceType = 1, .device = 0});
    }
    const Trace all = mergeRanks(std::move(parts)).trace;
    ASSERT_EQ(all.tracks.size(), 2U);
    ASSERT_NE(all.deviceOf(all.tracks[0]), nullptr);
    ASSERT_NE(all.deviceOf(all.tracks[1]), nullptr);
    EXPECT_EQ(all.deviceOf(all.tracks[0])->name, "H100");
    EXPECT_EQ(all.deviceOf(all.tracks[1])->name, "H200");
    const std::vector<MemoryCurve> curves = memoryCurves(all);
    ASSERT_EQ(curves.size(), 2U);
    EXPECT_EQ(curves[0].peak(), 20);
    EXPECT_EQ(curves[1].peak(), 200);
    EXPECT_EQ(curves[1].rank(), 1);
}

TEST(MergedRanks, HoldEverySliceOfEachRankMoved) {
    Draws draw(3);
    for (int round = 0; round < 10; ++round) {
        RankJob job;
        job.ranks = 1 + draw.below(5);
        job.fill(100);
        const std::vector<Trace> single = tracesOf(job);
        std::vector<RankPart> parts;
        std::vector<Nanoseconds> shifts;
        for (Trace& trace : tracesOf(job)) {
            shifts.push_back(draw.below(1'000'000) - 500'000);
            parts.push_back({std::move(trace), static_cast<std::int64_t>(2 * shifts.size()), shifts.back()});
        }
        const auto [all, firstSlices] = mergeRanks(std::move(parts));
        ASSERT_EQ(firstSlices.size(), single.size());
        std::int64_t events = 0;
        for (std::size_t part = 0; part < single.size(); ++part) {
            const Trace& one = single[part];
            events += one.events;
            for (std::size_t i = 0; i < one.slices.size(); ++i) {
                const std::size_t at = firstSlices[part] + i;
                const Track& track = all.tracks[all.slices.track[at]];
                ASSERT_EQ(all.name(at), one.name(i));
                ASSERT_EQ(all.slices.begin[at], one.slices.begin[i] + shifts[part]);
                ASSERT_EQ(all.slices.duration[at], one.slices.duration[i]);
                ASSERT_EQ(all.bytesOf(at), one.bytesOf(i));
                ASSERT_EQ(track.rank, static_cast<std::int64_t>(2 * (part + 1)));
                ASSERT_TRUE(at >= track.first && at < track.first + track.count);
                if (one.slices.category[i] == Category::Op) {
                    ASSERT_EQ(all.names.at(all.slices.detail[at]), one.names.at(one.slices.detail[i]));
                }
                ASSERT_EQ(all.collectiveOf(at) == 0, one.collectiveOf(i) == 0);
                if (one.collectiveOf(i) == 0) continue;
                const std::size_t collective = all.collectiveOf(at);
                ASSERT_EQ(all.collectives.sequence[collective],
                          one.collectives.sequence[one.collectiveOf(i)]);
                ASSERT_EQ(all.names.at(all.groups[all.collectives.group[collective]].ranks),
                          one.names.at(one.groups[0].ranks));
            }
        }
        EXPECT_EQ(all.events, events);
        EXPECT_EQ(all.rowOrder.size(), all.slices.size());
        for (const Row& row : all.rows)
            for (std::size_t i = row.first; i < row.first + row.count; ++i)
                ASSERT_EQ(all.slices.track[all.rowOrder[i]], row.track);
    }
}

TEST(MergedRanks, LaunchesJoinWorkOfTheirOwnRank) {
    RankJob job;
    job.fill(100);
    std::vector<RankPart> parts;
    for (Trace& trace : tracesOf(job)) parts.push_back({std::move(trace), std::ssize(parts), 0});
    const MergedRanks merged = mergeRanks(std::move(parts));
    TraceLinks links = linkTrace(merged.trace);
    EXPECT_EQ(links.unlaunched, 4) << "the copies, which have none";
    EXPECT_EQ(links.duplicateLaunches, 0);
    const auto rankOf = [&](std::uint32_t slice) {
        return merged.trace.tracks[merged.trace.slices.track[slice]].rank;
    };
    for (const GpuWork& work : links.work)
        if (work.launch != kNone) {
            EXPECT_EQ(rankOf(work.launch), rankOf(work.slice));
        }
    EXPECT_EQ(links.steps.size(), 8U);
    keepStepsOf(1, merged.trace, links);
    ASSERT_EQ(links.steps.size(), 2U);
    EXPECT_EQ(rankOf(links.steps[1].slice), 1);
    EXPECT_EQ(links.steps[0].windowEnd, links.steps[1].begin);
    const TraceOverview overview = overviewOf(merged.trace, links);
    ASSERT_EQ(overview.devices.size(), 4U) << "device 0 of each rank";
    EXPECT_EQ(overview.devices[3].rank, 3);
}

}  // namespace
}  // namespace plumb::trace
