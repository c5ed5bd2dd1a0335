// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/activity_collector.h"

#include "core/measure/timeline.h"
#include "kernels/cupti/activity_buffers.h"
#include "kernels/cupti/range_collector.h"
#include "tests/kernels/cupti/fake_cupti.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace plumb::cupti {
namespace {

using testing::HasSubstr;

class ActivityCollectorTest : public testing::Test {
protected:
    void expectOff() const {
        EXPECT_TRUE(fake.enabled.empty());
        EXPECT_TRUE(fake.correlations.empty());
        EXPECT_EQ(std::count(fake.order.begin(), fake.order.end(), "subscribe"),
                  std::count(fake.order.begin(), fake.order.end(), "unsubscribe"));
    }
    /// A node of a graph comes to be where its op is captured, and its clone where the graph is made ready.
    void makeNode() { tellOfNode(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, m_made, nullptr); }
    void cloneNode() { tellOfNode(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED, m_cloned, m_made); }
    /// What the device does for a node of a graph that is replayed.
    void runNode(std::uint64_t id) {
        CUpti_ActivityKernel10 kernel{};
        kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
        kernel.start = fake.time + 10;
        kernel.end = fake.time + 20;
        kernel.graphNodeId = id;
        fake.record(kernel);
    }
    /// What the device does for the execution that is open.
    void runKernel(const char* name, std::uint32_t correlation) {
        CUpti_ActivityExternalCorrelation external{};
        external.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
        external.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
        external.correlationId = correlation;
        external.externalId = fake.correlations.back();
        fake.record(external);
        CUpti_ActivityKernel10 kernel{};
        kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
        kernel.name = name;
        kernel.start = fake.time + 10;
        kernel.end = fake.time + 50;
        kernel.correlationId = correlation;
        fake.record(kernel);
    }
    FakeCupti fake;

private:
    void tellOfNode(CUpti_CallbackIdResource what, CUgraphNode node, CUgraphNode original) {
        fake.nodeIds = {{m_made, 100}, {m_cloned, 200}};
        CUpti_GraphData graph{};
        graph.node = node;
        graph.originalNode = original;
        CUpti_ResourceData data{};
        data.resourceDescriptor = &graph;
        fake.resource(what, data);
    }
    CUgraphNode m_made = reinterpret_cast<CUgraphNode>(0x10);
    CUgraphNode m_cloned = reinterpret_cast<CUgraphNode>(0x20);
};

TEST_F(ActivityCollectorTest, RecordsTheOpsOfSteps) {
    auto collector = openActivityCollector(fake.libraries());
    ASSERT_TRUE(collector.has_value()) << collector.error().text();
    EXPECT_EQ(std::count(fake.enabled.begin(), fake.enabled.end(), CUPTI_ACTIVITY_KIND_KERNEL), 0)
        << "that kind runs kernels one at a time";
    std::uint32_t correlation = 0;
    for (const std::int64_t step : {20, 21}) {
        ASSERT_TRUE((*collector)->beginStep(step).has_value());
        for (const std::int32_t op : {3, 5}) {
            ASSERT_TRUE((*collector)->beginOp(op).has_value());
            runKernel("k", ++correlation);
            ASSERT_TRUE((*collector)->endOp().has_value());
        }
        ASSERT_TRUE((*collector)->endStep().has_value());
    }
    fake.droppedRecords = 2;
    const auto taken = (*collector)->take();
    ASSERT_TRUE(taken.has_value()) << taken.error().text();
    const Timeline& timeline = **taken;
    EXPECT_EQ(timeline.dropped, 2);
    ASSERT_EQ(timeline.steps.size(), 2U);
    EXPECT_EQ(timeline.steps[0].step, 20);
    EXPECT_LT(timeline.steps[0].end, timeline.steps[1].begin);
    std::vector<std::int32_t> ops;
    for (const TimelineRecord& record : timeline.records)
        if (record.kind == TimelineKind::Kernel) ops.push_back(record.op);
    EXPECT_EQ(ops, (std::vector<std::int32_t>{3, 5, 3, 5}));
    expectOff();
    EXPECT_FALSE((*collector)->take().has_value()) << "there is nothing to take any more";
}

TEST_F(ActivityCollectorTest, FlushesBeforeAndAfterSwitchingOff) {
    {
        const auto collector = openActivityCollector(fake.libraries());
        ASSERT_TRUE(collector.has_value());
        fake.order.clear();
    }
    ASSERT_GE(fake.order.size(), 4U);
    EXPECT_EQ(fake.order.front(), "flush");
    EXPECT_EQ(fake.order[fake.order.size() - 2], "flush");
    EXPECT_EQ(fake.order.back(), "unsubscribe");
    EXPECT_TRUE(fake.enabled.empty());
}

TEST_F(ActivityCollectorTest, AStepThatEndsEarlyLeavesNothingOpen) {
    {
        const auto collector = openActivityCollector(fake.libraries());
        ASSERT_TRUE((*collector)->beginStep(0).has_value());
        ASSERT_TRUE((*collector)->beginOp(0).has_value());
    }
    expectOff();
}

TEST_F(ActivityCollectorTest, CountersAndRecordsTakeTurns) {
    StepPlan plan;
    plan.ops.resize(1);
    plan.ops[0].executions = 1;
    CollectorOptions options;
    options.libraries = fake.libraries();
    {
        const auto records = openActivityCollector(fake.libraries());
        ASSERT_TRUE(records.has_value());
        EXPECT_THAT(openRangeCollector(plan, CounterDetail::Quick, options).error().text(),
                    HasSubstr("activity is being recorded"));
    }
    const auto counters = openRangeCollector(plan, CounterDetail::Quick, options);
    ASSERT_TRUE(counters.has_value()) << counters.error().text();
    EXPECT_TRUE(fake.enabled.empty()) << "all kinds are off before counters are on";
    EXPECT_THAT(openActivityCollector(fake.libraries()).error().text(), HasSubstr("counters are being read"));
}

TEST_F(ActivityCollectorTest, AnotherProfilerOrNoDriverIsSaid) {
    fake.cuptiFails["cuptiSubscribe_v2"] = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    fake.oldSubscriber = "Nsight Systems";
    EXPECT_THAT(openActivityCollector(fake.libraries()).error().text(), HasSubstr("Nsight Systems"));
    fake.driverThere = false;
    EXPECT_THAT(openActivityCollector(fake.libraries()).error().text(), HasSubstr("no NVIDIA driver"));
    EXPECT_TRUE(fake.enabled.empty());
}

TEST_F(ActivityCollectorTest, EveryNeededCallThatFailsIsSaidAndCleanedUp) {
    for (const std::string function : {"cuptiEnableCallback", "cuptiActivityRegisterCallbacks",
                                       "cuptiActivityEnable", "cuptiGetTimestamp"}) {
        fake.cuptiFails = {{function, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES}};
        const auto collector = openActivityCollector(fake.libraries());
        ASSERT_FALSE(collector.has_value()) << function;
        EXPECT_THAT(collector.error().text(), HasSubstr("administrators")) << function;
        expectOff();
    }
}

TEST_F(ActivityCollectorTest, KindsThatOnlyAddSomethingMayFail) {
    for (const int kind : {CUPTI_ACTIVITY_KIND_MEMORY2, CUPTI_ACTIVITY_KIND_OVERHEAD})
        fake.cuptiFails["enable " + std::to_string(kind)] = CUPTI_ERROR_NOT_SUPPORTED;
    EXPECT_TRUE(openActivityCollector(fake.libraries()).has_value());
    expectOff();
}

TEST_F(ActivityCollectorTest, ABufferThatCannotBeReadCountsAsLoss) {
    auto collector = openActivityCollector(fake.libraries());
    ASSERT_TRUE((*collector)->beginStep(0).has_value());
    ASSERT_TRUE((*collector)->beginOp(0).has_value());
    runKernel("k", 1);
    ASSERT_TRUE((*collector)->endOp().has_value());
    ASSERT_TRUE((*collector)->endStep().has_value());
    fake.cuptiFails["cuptiActivityGetNextRecord"] = CUPTI_ERROR_UNKNOWN;
    EXPECT_EQ((*(*collector)->take())->dropped, 1);
}

TEST_F(ActivityCollectorTest, LaysNodesOfAGraphToTheOpThatWasCaptured) {
    auto collector = openActivityCollector(fake.libraries());
    ASSERT_TRUE((*collector)->beginStep(0).has_value());
    ASSERT_TRUE((*collector)->beginOp(6).has_value());
    makeNode();
    ASSERT_TRUE((*collector)->endOp().has_value());
    cloneNode();
    runNode(200);
    ASSERT_TRUE((*collector)->endStep().has_value());
    const auto taken = (*collector)->take();
    const auto& records = (*taken)->records;
    const auto found = std::find_if(records.begin(), records.end(),
                                    [](const auto& record) { return record.kind == TimelineKind::Kernel; });
    ASSERT_NE(found, records.end());
    EXPECT_EQ(found->op, 6);
}

TEST_F(ActivityCollectorTest, ShowsAReplayedStepByWhatWasCaptured) {
    auto collector = openActivityCollector(fake.libraries());
    ASSERT_TRUE((*collector)->beginCapture().has_value());
    ASSERT_TRUE((*collector)->beginOp(6).has_value());
    EXPECT_TRUE(fake.correlations.empty()) << "nothing runs that could have one";
    makeNode();
    ASSERT_TRUE((*collector)->endOp().has_value());
    ASSERT_TRUE((*collector)->endCapture().has_value());
    cloneNode();
    for (const std::int64_t step : {3, 4}) {
        ASSERT_TRUE((*collector)->beginStep(step).has_value());
        runNode(200);
        ASSERT_TRUE((*collector)->endStep().has_value());
    }
    const auto taken = (*collector)->take();
    const auto& records = (*taken)->records;
    ASSERT_EQ((*taken)->steps.size(), 2U);
    std::vector<TimelineRecord> ops;
    for (const TimelineRecord& record : records)
        if (record.kind == TimelineKind::Op) ops.push_back(record);
    ASSERT_EQ(ops.size(), 2U) << "one in each replayed step, none where it was captured";
    for (std::size_t i = 0; i < ops.size(); ++i) {
        EXPECT_EQ(ops[i].op, 6);
        EXPECT_NEAR(ops[i].end - ops[i].begin, 10e-9, 1e-12);
        EXPECT_GE(ops[i].begin, (*taken)->steps[i].begin);
    }
}

TEST(ActivityBuffers, AreAlwaysThereAndComeBack) {
    ActivityBuffers buffers;
    EXPECT_EQ(buffers.count(), ActivityBuffers::kPrepared);
    std::set<std::uint8_t*> given;
    for (std::size_t i = 0; i < ActivityBuffers::kPrepared + 2; ++i) {
        std::uint8_t* data = buffers.request();
        ASSERT_NE(data, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 8, 0U);
        EXPECT_TRUE(given.insert(data).second);
        buffers.complete(data, i % 2 == 0 ? 0 : 8);
        if (i % 2 == 0) given.erase(data);
    }
    const auto full = buffers.takeFull();
    EXPECT_EQ(full.size(), (ActivityBuffers::kPrepared + 2) / 2);
    for (const auto& buffer : full) buffers.recycle(buffer.data);
    EXPECT_TRUE(buffers.takeFull().empty());
    EXPECT_LE(buffers.count(), ActivityBuffers::kPrepared + 2);
}

}  // namespace
}  // namespace plumb::cupti
