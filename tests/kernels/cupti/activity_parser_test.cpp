// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/activity_parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

namespace plumb::cupti {
namespace {

constexpr std::uint64_t kOrigin = 1'763'600'000'000'000'000;  // a date of today in nanoseconds

template <class Record>
const CUpti_Activity& asActivity(const Record& record) {
    return reinterpret_cast<const CUpti_Activity&>(record);
}

CUpti_ActivityKernel10 kernel(const char* name, std::uint64_t begin, std::uint64_t end,
                              std::uint32_t correlation, std::uint32_t stream = 7) {
    CUpti_ActivityKernel10 record{};
    record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    record.name = name;
    record.start = kOrigin + begin;
    record.end = kOrigin + end;
    record.correlationId = correlation;
    record.streamId = stream;
    return record;
}

CUpti_ActivityExternalCorrelation external(std::uint32_t correlation, std::uint64_t id) {
    CUpti_ActivityExternalCorrelation record{};
    record.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
    record.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
    record.correlationId = correlation;
    record.externalId = id;
    return record;
}

CUpti_ActivityMemory4 memory(CUpti_ActivityMemoryOperationType operation, std::uint64_t time,
                             std::uint64_t address, std::uint64_t bytes,
                             CUpti_ActivityMemoryKind kind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE) {
    CUpti_ActivityMemory4 record{};
    record.kind = CUPTI_ACTIVITY_KIND_MEMORY2;
    record.memoryOperationType = operation;
    record.memoryKind = kind;
    record.timestamp = kOrigin + time;
    record.address = address;
    record.bytes = bytes;
    record.isAsync = 1;
    return record;
}

std::vector<TimelineRecord> ofKind(const Timeline& timeline, TimelineKind kind) {
    std::vector<TimelineRecord> records;
    for (const TimelineRecord& record : timeline.records)
        if (record.kind == kind) records.push_back(record);
    return records;
}

std::string nameOf(const Timeline& timeline, const TimelineRecord& record) {
    return record.name < 0 ? "" : timeline.names[static_cast<std::size_t>(record.name)];
}

TEST(ActivityParser, LaysKernelsToTheOpsThatLaunchedThem) {
    ActivityParser parser(kOrigin);
    parser.addOp(4, kOrigin + 10, kOrigin + 20);
    parser.addOp(9, kOrigin + 20, kOrigin + 30);
    // Later ones first, and the correlation after the kernel that it belongs to.
    parser.add(asActivity(kernel("_Z4gemmv", 2000, 3000, 12)));
    parser.add(asActivity(kernel("split_k_reduce", 1500, 1800, 11)));
    parser.add(asActivity(kernel("split_k", 1000, 1400, 10)));
    parser.add(asActivity(external(12, 2)));
    parser.add(asActivity(external(11, 1)));
    parser.add(asActivity(external(10, 1)));
    parser.add(asActivity(kernel("of nobody", 5000, 6000, 99, 8)));
    const Timeline timeline = parser.timeline();
    EXPECT_EQ(timeline.source, Source::Activity);
    const auto kernels = ofKind(timeline, TimelineKind::Kernel);
    ASSERT_EQ(kernels.size(), 4U);
    EXPECT_EQ(nameOf(timeline, kernels[0]), "split_k");
    EXPECT_EQ(kernels[0].op, 4);
    EXPECT_EQ(kernels[1].op, 4);
    EXPECT_EQ(kernels[2].op, 9);
    EXPECT_EQ(nameOf(timeline, kernels[2]), "gemm()") << "names are readable";
    EXPECT_EQ(kernels[3].op, -1);
    EXPECT_DOUBLE_EQ(kernels[0].begin, 1e-6);
    EXPECT_DOUBLE_EQ(kernels[0].end, 1.4e-6);
    EXPECT_EQ(timeline.lanes[kernels[0].lane].name, "stream 7");
    EXPECT_EQ(timeline.lanes[kernels[3].lane].name, "stream 8");
    // An op lasts from its first kernel to its last.
    const auto ops = ofKind(timeline, TimelineKind::Op);
    ASSERT_EQ(ops.size(), 2U);
    EXPECT_EQ(ops[0].op, 4);
    EXPECT_DOUBLE_EQ(ops[0].begin, 1e-6);
    EXPECT_DOUBLE_EQ(ops[0].end, 1.8e-6);
    EXPECT_EQ(timeline.dropped, 0);
}

TEST(ActivityParser, KeepsNanosecondsOfToday) {
    ActivityParser parser(kOrigin);
    parser.add(asActivity(kernel("k", 1, 2, 1)));
    const Timeline timeline = parser.timeline();
    EXPECT_DOUBLE_EQ(timeline.records[0].begin, 1e-9);
    EXPECT_DOUBLE_EQ(timeline.records[0].end, 2e-9);
}

TEST(ActivityParser, ReadsCopiesMemsetsAndGraphs) {
    ActivityParser parser(kOrigin);
    CUpti_ActivityMemcpy6 copy{};
    copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
    copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
    copy.start = kOrigin + 100;
    copy.end = kOrigin + 300;
    copy.bytes = 4096;
    copy.streamId = 3;
    copy.correlationId = 5;
    parser.add(asActivity(copy));
    CUpti_ActivityMemcpyPtoP4 peer{};
    peer.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
    peer.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
    peer.start = kOrigin + 400;
    peer.end = kOrigin + 500;
    peer.bytes = 8;
    parser.add(asActivity(peer));
    CUpti_ActivityMemset4 memset{};
    memset.kind = CUPTI_ACTIVITY_KIND_MEMSET;
    memset.start = kOrigin + 600;
    memset.end = kOrigin + 700;
    memset.bytes = 16;
    memset.streamId = 3;
    parser.add(asActivity(memset));
    CUpti_ActivityGraphTrace2 graph{};
    graph.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
    graph.start = kOrigin + 800;
    graph.end = kOrigin + 900;
    parser.add(asActivity(graph));
    const Timeline timeline = parser.timeline();
    const auto copies = ofKind(timeline, TimelineKind::Copy);
    ASSERT_EQ(copies.size(), 2U);
    const auto host =
        std::find_if(copies.begin(), copies.end(), [](const auto& r) { return r.bytes == 4096; });
    ASSERT_NE(host, copies.end());
    EXPECT_EQ(nameOf(timeline, *host), "copy host to device");
    EXPECT_EQ(timeline.lanes[host->lane].kind, LaneKind::Copies);
    EXPECT_EQ(host->correlation, 5U);
    const auto memsets = ofKind(timeline, TimelineKind::Memset);
    ASSERT_EQ(memsets.size(), 1U);
    EXPECT_EQ(memsets[0].bytes, 16);
    EXPECT_EQ(timeline.lanes[memsets[0].lane].kind, LaneKind::Stream);
    ASSERT_EQ(ofKind(timeline, TimelineKind::Kernel).size(), 1U);
}

TEST(ActivityParser, ReadsCallsWaitsAndItsOwnCost) {
    ActivityParser parser(kOrigin, [](bool runtime, std::uint32_t id) {
        return runtime && id == 211 ? std::string("cudaLaunchKernel") : std::string();
    });
    CUpti_ActivityAPI call{};
    call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    call.cbid = 211;
    call.start = kOrigin + 5;
    call.end = kOrigin + 9;
    call.threadId = 4711;
    call.correlationId = 3;
    parser.add(asActivity(call));
    call.kind = CUPTI_ACTIVITY_KIND_DRIVER;
    call.cbid = 307;
    parser.add(asActivity(call));
    CUpti_ActivitySynchronization2 wait{};
    wait.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    wait.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;
    wait.start = kOrigin + 10;
    wait.end = kOrigin + 30;
    parser.add(asActivity(wait));
    CUpti_ActivityOverhead3 overhead{};
    overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
    overhead.start = kOrigin + 40;
    overhead.end = kOrigin + 50;
    parser.add(asActivity(overhead));
    parser.addOp(6, kOrigin, kOrigin + 60);
    parser.add(asActivity(external(3, 1)));
    const Timeline timeline = parser.timeline();
    std::vector<std::string> names;
    for (const TimelineRecord& record : ofKind(timeline, TimelineKind::Call)) {
        names.push_back(nameOf(timeline, record));
        if (record.correlation == 3) {
            EXPECT_EQ(timeline.lanes[record.lane].name, "host thread 4711");
            EXPECT_EQ(record.op, 6);
        }
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"CUPTI at work", "cudaLaunchKernel", "driver call 307",
                                               "wait for a stream"}));
    // The op ran nothing on the device: it lasts as long as its calls.
    EXPECT_DOUBLE_EQ(ofKind(timeline, TimelineKind::Op).at(0).end, 60e-9);
}

TEST(ActivityParser, MakesTheMemoryCurveOfAllocationsAndReleases) {
    ActivityParser parser(kOrigin);
    const auto allocate = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
    const auto release = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
    parser.add(asActivity(memory(release, 900, 0xa000, 100)));
    parser.add(asActivity(memory(allocate, 100, 0xa000, 100)));
    parser.add(asActivity(memory(allocate, 200, 0xb000, 30)));
    parser.add(asActivity(memory(release, 300, 0xdead, 7)));  // from before the records began
    parser.add(asActivity(memory(allocate, 400, 0xc000, 1, CUPTI_ACTIVITY_MEMORY_KIND_PINNED)));
    parser.add(asActivity(memory(allocate, 950, 0xa000, 8)));  // the address again
    const Timeline timeline = parser.timeline();
    std::vector<Bytes> alive;
    for (const TimelineRecord& record : ofKind(timeline, TimelineKind::Memory)) {
        alive.push_back(record.bytes);
        EXPECT_EQ(record.begin, record.end);
    }
    EXPECT_EQ(alive, (std::vector<Bytes>{100, 130, 30, 38}));
    EXPECT_EQ(parser.ignored(), 1) << "the host's memory is another account";
}

TEST(ActivityParser, TheMemoryCurveStartsFromWhatWasAliveBefore) {
    ActivityParser parser(kOrigin);
    parser.setAliveBefore(1000);
    parser.add(asActivity(memory(CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION, 100, 0xa000, 50)));
    parser.add(asActivity(memory(CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE, 200, 0xdead, 300)));
    parser.add(asActivity(memory(CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE, 300, 0xa000, 50)));
    parser.add(asActivity(memory(CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE, 400, 0xbeef, 5000)));
    std::vector<Bytes> alive;
    for (const TimelineRecord& record : ofKind(parser.timeline(), TimelineKind::Memory))
        alive.push_back(record.bytes);
    EXPECT_EQ(alive, (std::vector<Bytes>{1000, 1050, 750, 700, 0})) << "never below nothing";
}

TEST(ActivityParser, CountsWhatHasNoTime) {
    ActivityParser parser(kOrigin);
    auto lost = kernel("lost", 10, 20, 1);
    lost.start = 0;
    parser.add(asActivity(lost));
    parser.add(asActivity(kernel("backwards", 30, 20, 1)));
    auto early = kernel("early", 0, 20, 1);
    early.start = kOrigin - 5;
    parser.add(asActivity(early));
    parser.add(asActivity(kernel("good", 1, 2, 1)));
    parser.addDropped(40);
    const Timeline timeline = parser.timeline();
    EXPECT_EQ(timeline.records.size(), 1U);
    EXPECT_EQ(timeline.dropped, 43);
}

TEST(ActivityParser, PassesOverKindsThatItDoesNotKnow) {
    ActivityParser parser(kOrigin);
    CUpti_ActivityMemoryPool3 pool{};
    pool.kind = CUPTI_ACTIVITY_KIND_MEMORY_POOL;
    parser.add(asActivity(pool));
    CUpti_Activity future{};
    future.kind = static_cast<CUpti_ActivityKind>(12345);
    parser.add(future);
    EXPECT_EQ(parser.ignored(), 2);
    EXPECT_TRUE(parser.timeline().records.empty());
}

TEST(ActivityParser, LaysKernelsOfGraphsToOpsByTheirNodes) {
    ActivityParser parser(kOrigin);
    parser.addOp(1, kOrigin + 1, kOrigin + 2);  // the launch of the graph
    parser.add(asActivity(external(50, 1)));
    for (const std::uint64_t node : {std::uint64_t{71}, std::uint64_t{72}, std::uint64_t{73}}) {
        auto record = kernel("k", 10 * node, 10 * node + 5, 50);
        record.graphId = 3;
        record.graphNodeId = node;
        parser.add(asActivity(record));
    }
    parser.setNodeOps({{71, {5, 0}}, {72, {6, 1}}});
    const auto kernels = ofKind(parser.timeline(), TimelineKind::Kernel);
    ASSERT_EQ(kernels.size(), 3U);
    EXPECT_EQ(kernels[0].op, 5);
    EXPECT_EQ(kernels[1].op, 6);
    EXPECT_EQ(kernels[2].op, -1) << "a node that nobody knows is of no op, not of the launch";
}

TEST(ActivityParser, AReplayedOpLastsFromTheFirstOfItsNodesToTheLast) {
    ActivityParser parser(kOrigin);
    parser.addStep(7, kOrigin + 100, kOrigin + 200);
    parser.addStep(8, kOrigin + 300, kOrigin + 400);
    const auto add = [&](std::uint64_t node, std::uint64_t begin, std::uint64_t end) {
        auto record = kernel("k", begin, end, 50);
        record.graphNodeId = node;
        parser.add(asActivity(record));
    };
    for (const std::uint64_t step : {std::uint64_t{100}, std::uint64_t{300}}) {
        add(71, step + 10, step + 20);
        add(72, step + 30, step + 40);  // the same execution
        add(73, step + 50, step + 60);  // the next micro-batch
    }
    add(73, 250, 260);  // of no step
    parser.setNodeOps({{71, {5, 0}}, {72, {5, 0}}, {73, {5, 1}}});
    const auto ops = ofKind(parser.timeline(), TimelineKind::Op);
    ASSERT_EQ(ops.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        const double step = i < 2 ? 100e-9 : 300e-9;
        EXPECT_EQ(ops[i].op, 5);
        EXPECT_NEAR(ops[i].begin, step + (i % 2 == 0 ? 10e-9 : 50e-9), 1e-12);
        EXPECT_NEAR(ops[i].end, step + (i % 2 == 0 ? 40e-9 : 60e-9), 1e-12);
    }
}

TEST(ActivityParser, ReplayedOpsOfTheSideBranchHaveALaneOfTheirOwn) {
    ActivityParser parser(kOrigin);
    parser.addStep(7, kOrigin + 100, kOrigin + 200);
    parser.addStep(8, kOrigin + 300, kOrigin + 400);
    for (const std::uint64_t step : {0U, 200U})
        for (const std::uint64_t node : {71U, 72U, 73U, 74U}) {
            // The last is the end of the update, when nothing is beside it any more.
            const std::uint64_t begin = step + (node == 74 ? 160 : 110);
            auto record = kernel("k", begin, begin + 40, 50);
            record.graphNodeId = node;
            parser.add(asActivity(record));
        }
    parser.setNodeOps({{71, {0, 0}}, {72, {1, 1}}, {73, {2, 2}}, {74, {2, 3}}});
    parser.setBranches({OpBranch::Main, OpBranch::Side, OpBranch::SideButTheLast});
    const Timeline timeline = parser.timeline();
    std::map<std::string, std::vector<std::int32_t>> lanes;
    for (const TimelineRecord& record : ofKind(timeline, TimelineKind::Op))
        lanes[timeline.lanes[record.lane].name].push_back(record.op);
    EXPECT_EQ(lanes["ops"], (std::vector<std::int32_t>{0, 2, 0, 2}));
    EXPECT_EQ(lanes["ops, side branch"], (std::vector<std::int32_t>{1, 2, 1, 2}));
}

TEST(ActivityParser, ACorrelationThatComesAgainIsThatOfTheNewestLaunch) {
    ActivityParser parser(kOrigin);
    parser.addOp(1, kOrigin + 1, kOrigin + 2);
    parser.addOp(2, kOrigin + 3, kOrigin + 4);
    parser.add(asActivity(external(7, 1)));
    parser.add(asActivity(external(7, 2)));
    parser.add(asActivity(external(8, 999)));  // of an execution that was never ended
    parser.add(asActivity(kernel("k", 10, 20, 7)));
    parser.add(asActivity(kernel("k", 30, 40, 8)));
    const auto kernels = ofKind(parser.timeline(), TimelineKind::Kernel);
    EXPECT_EQ(kernels[0].op, 2);
    EXPECT_EQ(kernels[1].op, -1);
}

}  // namespace
}  // namespace plumb::cupti
