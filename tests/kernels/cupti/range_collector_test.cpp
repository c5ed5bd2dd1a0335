// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/range_collector.h"

#include "tests/kernels/cupti/fake_cupti.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace plumb::cupti {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Ops 0 and 1 once, op 2 three times: five executions in a step.
StepPlan smallPlan() {
    StepPlan plan;
    plan.config.precision = Precision::Bf16;
    plan.ops.resize(3);
    plan.ops[0].executions = plan.ops[1].executions = 1;
    plan.ops[2].executions = 3;
    return plan;
}
constexpr std::int32_t kOrder[] = {0, 2, 2, 2, 1};

class RangeCollectorTest : public testing::Test {
protected:
    Result<std::unique_ptr<CounterCollector>> open(CounterDetail detail = CounterDetail::Full) {
        CollectorOptions options{
            .libraries = fake.libraries(), .mostRanges = mostRanges, .wait = [this] { ++waits; }};
        return openRangeCollector(smallPlan(), detail, options);
    }

    /// One training step; every op launches one kernel of its own.
    Result<void> step(CounterCollector& collector) {
        PLUMB_CHECK(collector.beginStep(7));
        for (const std::int32_t op : kOrder) {
            PLUMB_CHECK(collector.beginOp(op));
            if (std::count(withoutKernels.begin(), withoutKernels.end(), op) == 0)
                fake.launch(("kernel" + std::to_string(op)).c_str());
            if (extraLaunches) fake.launch("unexpected");
            PLUMB_CHECK(collector.endOp());
        }
        return collector.endStep();
    }

    /// All steps; the first error of opening, stepping or taking.
    Result<std::vector<OpCounters>> count(CounterDetail detail = CounterDetail::Full) {
        PLUMB_TRY(const auto collector, open(detail));
        passesTold = collector->run().passes;
        while (!collector->complete()) {
            PLUMB_CHECK(step(*collector));
            if (++steps > 20) return internalError("endless");
            if (betweenSteps) betweenSteps();
        }
        auto counters = collector->take();
        missing = collector->missing();
        return counters;
    }

    void expectClosed() const {
        EXPECT_EQ(fake.openRanges, 0);
        const auto times = [&](const char* what) {
            return std::count(fake.order.begin(), fake.order.end(), what);
        };
        EXPECT_EQ(times("enable"), times("disable"));
        EXPECT_EQ(times("start"), times("stop"));
        EXPECT_EQ(times("host open"), times("host close"));
        EXPECT_EQ(times("subscribe"), times("unsubscribe"));
    }

    FakeCupti fake;
    std::size_t mostRanges = 256;
    int waits = 0, steps = 0;
    std::int64_t passesTold = 0;
    bool extraLaunches = false;
    std::vector<std::int32_t> withoutKernels;  ///< ops that only copy
    std::function<void()> betweenSteps;
    std::string missing;
};

TEST_F(RangeCollectorTest, GivesEveryExecutionOfAnOpToThatOp) {
    fake.value = [](const std::string& range, const std::string& metric) {
        // The range of execution e of op o has 10^o bytes read, nothing else.
        const int op = range.back() - '0';
        return metric == "dram__bytes_read.sum" ? std::pow(10, op) : 0.0;
    };
    const auto counters = count();
    ASSERT_TRUE(counters.has_value()) << counters.error().text();
    ASSERT_EQ(counters->size(), 3U);
    EXPECT_EQ((*counters)[0][CounterKind::DramBytes], (Counted{1, Source::Counter}));
    EXPECT_EQ((*counters)[1][CounterKind::DramBytes], (Counted{10, Source::Counter}));
    EXPECT_EQ((*counters)[2][CounterKind::DramBytes], (Counted{300, Source::Counter}));
    EXPECT_EQ((*counters)[0][CounterKind::CoreFlops], (Counted{0, Source::Counter}))
        << "zero is measured here";
    EXPECT_EQ(steps, 2) << "one pass in each training step";
    EXPECT_EQ(passesTold, 2);
    EXPECT_EQ(missing, "");
    EXPECT_THAT(fake.configured, ElementsAre(5));
    expectClosed();
}

TEST_F(RangeCollectorTest, ClosesInTheOrderThatCuptiAsksFor) {
    ASSERT_TRUE(count().has_value());
    EXPECT_THAT(fake.order, ElementsAre("subscribe", "host open", "enable", "start", "stop", "start", "stop",
                                        "disable", "host close", "unsubscribe"));
}

TEST_F(RangeCollectorTest, KnowsThePassesAndTheCircumstancesBeforeTheFirstStep) {
    fake.passes = fake.passesNeeded = 3;
    const auto collector = open();
    ASSERT_TRUE(collector.has_value()) << collector.error().text();
    const CounterRun& run = (*collector)->run();
    EXPECT_EQ(run.passes, 3);
    EXPECT_EQ(run.chip, "GH100");
    EXPECT_EQ(run.driver, "CUDA 13.0");
    EXPECT_EQ(run.cupti, std::to_string(CUPTI_API_VERSION));
    EXPECT_THAT(run.metrics, testing::Contains("dram__bytes_write.sum"));
    EXPECT_FALSE((*collector)->complete());
    EXPECT_FALSE(fake.called("cuptiRangeProfilerStart"));
}

TEST_F(RangeCollectorTest, ALongStepIsCountedAPartAtATime) {
    mostRanges = 2;
    fake.value = [](const std::string& range, const std::string& metric) {
        return metric == "dram__bytes_read.sum" ? std::pow(10, range.back() - '0') : 0.0;
    };
    const auto counters = count();
    ASSERT_TRUE(counters.has_value()) << counters.error().text();
    EXPECT_EQ(passesTold, 6) << "three parts of two passes";
    EXPECT_EQ(steps, 6);
    EXPECT_THAT(fake.configured, ElementsAre(2, 2, 1));
    EXPECT_EQ((*counters)[2][CounterKind::DramBytes]->value, 300) << "its executions lie in two parts";
    EXPECT_EQ((*counters)[1][CounterKind::DramBytes]->value, 10);
    expectClosed();
}

TEST_F(RangeCollectorTest, DroppedRangesRejectTheRun) {
    fake.dropped = 1;
    EXPECT_THAT(count().error().text(), HasSubstr("dropped (1)"));
    expectClosed();
}

TEST_F(RangeCollectorTest, AnotherNumberOfRangesRejectsTheRun) {
    fake.changeRanges = [](auto& ranges) { ranges.pop_back(); };
    EXPECT_THAT(count().error().text(), HasSubstr("4 ops were counted instead of 5"));
    expectClosed();
}

// Op 1 of the small plan: a step whose op only copies.
TEST_F(RangeCollectorTest, AnOpWithoutAKernelMayComeBackWithoutCountsAndTheOthersStay) {
    withoutKernels = {1};
    fake.changeRanges = [](auto& ranges) { ranges.pop_back(); };
    const auto counters = count(CounterDetail::Full);
    ASSERT_TRUE(counters.has_value()) << counters.error().text();
    EXPECT_TRUE((*counters)[1].empty());
    EXPECT_EQ((*counters)[0][CounterKind::L1Bytes]->value, 1);
    EXPECT_EQ((*counters)[2][CounterKind::L1Bytes]->value, 3);
    EXPECT_THAT(missing, HasSubstr("without a kernel"));
    expectClosed();
}

TEST_F(RangeCollectorTest, AStepWhoseLaunchesNobodySawIsNotCounted) {
    withoutKernels = {0, 1, 2};
    const auto counters = count();
    ASSERT_FALSE(counters.has_value());
    EXPECT_THAT(counters.error().message, HasSubstr("no launch of a kernel was seen"));
    expectClosed();
}

TEST_F(RangeCollectorTest, AnOpThatIsCountedInSomeOfItsExecutionsOnlyHasNoCounts) {
    withoutKernels = {2};
    fake.changeRanges = [](auto& ranges) { ranges.erase(ranges.begin() + 2); };
    const auto counters = count();
    ASSERT_TRUE(counters.has_value()) << counters.error().text();
    EXPECT_TRUE((*counters)[2].empty()) << "two of three executions are no count of the op";
    EXPECT_FALSE((*counters)[1].empty());
}

TEST_F(RangeCollectorTest, WhatCuptiLeavesOutInOnePartOfAStepDoesNotMoveTheNext) {
    mostRanges = 2;
    withoutKernels = {0};
    fake.changeRanges = [](auto& ranges) {
        ranges.erase(std::remove(ranges.begin(), ranges.end(), "0000000:0"), ranges.end());
    };
    const auto counters = count();
    ASSERT_TRUE(counters.has_value()) << counters.error().text();
    EXPECT_TRUE((*counters)[0].empty());
    EXPECT_EQ((*counters)[2][CounterKind::L1Bytes]->value, 3);
    EXPECT_EQ((*counters)[1][CounterKind::L1Bytes]->value, 1);
    EXPECT_THAT(fake.configured, ElementsAre(2, 2, 1));
}

TEST_F(RangeCollectorTest, RangesOfAnotherNameOrTwiceTheSameRejectTheRun) {
    fake.changeRanges = [](auto& ranges) { ranges[1] = "0000009:9"; };
    EXPECT_THAT(count().error().text(), HasSubstr("0000009:9"));
    fake.changeRanges = [](auto& ranges) { ranges[1] = ranges[0]; };
    EXPECT_THAT(count().error().text(), HasSubstr("name that was not given"));
    fake.changeRanges = [](auto& ranges) { ranges[1] = ""; };
    EXPECT_FALSE(count().has_value());
}

TEST_F(RangeCollectorTest, RangesMayComeBackInAnyOrder) {
    fake.changeRanges = [](auto& ranges) { std::reverse(ranges.begin(), ranges.end()); };
    fake.value = [](const std::string& range, const std::string&) { return range.back() == '1' ? 5.0 : 0.0; };
    const auto counters = count();
    ASSERT_TRUE(counters.has_value()) << counters.error().text();
    EXPECT_EQ((*counters)[1][CounterKind::L1Bytes]->value, 5);
    EXPECT_EQ((*counters)[0][CounterKind::L1Bytes]->value, 0);
}

TEST_F(RangeCollectorTest, AValueThatIsNoNumberLeavesThatCountOfThatOpUnknown) {
    fake.value = [](const std::string& range, const std::string& metric) {
        return range == "0000002:2" && metric == "l1tex__t_bytes.sum" ? NAN : 1.0;
    };
    const auto counters = count();
    ASSERT_TRUE(counters.has_value()) << counters.error().text();
    EXPECT_FALSE((*counters)[2][CounterKind::L1Bytes]) << "one of its three executions is not known";
    EXPECT_TRUE((*counters)[2][CounterKind::L2Bytes]);
    EXPECT_TRUE((*counters)[1][CounterKind::L1Bytes]);
    EXPECT_EQ(missing, "the device had no number for l1tex__t_bytes.sum");
}

TEST_F(RangeCollectorTest, AQuickRunSaysWhatItLeavesOut) {
    const auto counters = count(CounterDetail::Quick);
    ASSERT_TRUE(counters.has_value());
    EXPECT_FALSE((*counters)[0][CounterKind::CoreFlops]);
    EXPECT_THAT(missing, HasSubstr("CUDA-core FLOPs"));
}

TEST_F(RangeCollectorTest, NothingButZerosIsNoMeasurement) {
    fake.value = [](const std::string&, const std::string&) { return 0.0; };
    EXPECT_THAT(count().error().text(), HasSubstr("no work of the GPU"));
}

TEST_F(RangeCollectorTest, PassesThatAreNotSubmittedInTimeEndTheRun) {
    fake.passesNeeded = 1000;
    EXPECT_THAT(count().error().text(), HasSubstr("more passes than announced (2)"));
    EXPECT_EQ(fake.calls["cuptiRangeProfilerStart"], 2);
    expectClosed();
}

TEST_F(RangeCollectorTest, PrivilegesMayBeRefusedAtTheStart) {
    fake.cuptiFails["cuptiRangeProfilerStart"] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
    const Error error = count().error();
    EXPECT_EQ(error.code, ErrorCode::Unavailable);
    EXPECT_THAT(error.text(), HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
    expectClosed();
}

TEST_F(RangeCollectorTest, BusyCountersAreAskedForAgainThreeTimes) {
    fake.cuptiFails["cuptiRangeProfilerStart"] = CUPTI_ERROR_HARDWARE_BUSY;
    fake.failsOnlyFor["cuptiRangeProfilerStart"] = 3;
    EXPECT_TRUE(count().has_value());
    EXPECT_EQ(waits, 3);
    fake.failsOnlyFor.clear();
    EXPECT_THAT(count().error().text(), HasSubstr("in use by another program"));
    EXPECT_EQ(waits, 6);
    expectClosed();
}

TEST_F(RangeCollectorTest, AChangedLaunchSequenceRejectsTheRun) {
    betweenSteps = [this] { extraLaunches = true; };
    EXPECT_THAT(count().error().text(),
                AllOf(HasSubstr("launch sequence changed"), HasSubstr("op 0 launched 1 kernels, then 2")));
    expectClosed();
}

TEST_F(RangeCollectorTest, OtherOpsInAnotherStepRejectTheRun) {
    const auto collector = open();
    ASSERT_TRUE(step(**collector).has_value());
    ASSERT_TRUE((*collector)->beginStep(8).has_value());
    EXPECT_THAT((*collector)->beginOp(1).error().text(), HasSubstr("ops of two steps differ"));
}

TEST_F(RangeCollectorTest, AStepThatEndsEarlyIsClosedProperly) {
    {
        const auto collector = open();
        ASSERT_TRUE((*collector)->beginStep(0).has_value());
        ASSERT_TRUE((*collector)->beginOp(0).has_value());
    }
    EXPECT_THAT(fake.order, ElementsAre("subscribe", "host open", "enable", "start", "stop", "disable",
                                        "host close", "unsubscribe"));
    expectClosed();
    const auto collector = open();
    ASSERT_TRUE((*collector)->beginStep(0).has_value());
    EXPECT_THAT((*collector)->endStep().error().text(),
                HasSubstr("0 ops ran in a counted step instead of 5"));
}

TEST_F(RangeCollectorTest, EveryFailingCallEndsTheRunAndLeavesNothingOpen) {
    for (const std::string function :
         {"cuptiEnableCallback", "cuptiRangeProfilerEnable", "cuptiRangeProfilerGetCounterDataSize",
          "cuptiRangeProfilerCounterDataImageInitialize", "cuptiRangeProfilerSetConfig",
          "cuptiRangeProfilerStart", "cuptiRangeProfilerPushRange", "cuptiRangeProfilerPopRange",
          "cuptiRangeProfilerStop", "cuptiRangeProfilerDecodeData", "cuptiRangeProfilerGetCounterDataInfo",
          "cuptiRangeProfilerCounterDataGetRangeInfo", "cuptiProfilerHostEvaluateToGpuValues"})
        for (const CUptiResult result :
             {CUPTI_ERROR_UNKNOWN, CUPTI_ERROR_OUT_OF_MEMORY, CUPTI_ERROR_INVALID_OPERATION,
              CUPTI_ERROR_INSUFFICIENT_PRIVILEGES}) {
            fake.cuptiFails = {{function, result}};
            fake.order.clear();
            const auto counters = count();
            ASSERT_FALSE(counters.has_value()) << function;
            EXPECT_FALSE(counters.error().hint.empty()) << function;
            expectClosed();
        }
}

TEST_F(RangeCollectorTest, AFailingCloseIsSurvived) {
    for (const char* function :
         {"cuptiRangeProfilerDisable", "cuptiProfilerHostDeinitialize", "cuptiUnsubscribe"})
        fake.cuptiFails[function] = CUPTI_ERROR_UNKNOWN;
    EXPECT_TRUE(count().has_value());
}

TEST_F(RangeCollectorTest, ALostGpuEndsTheRun) {
    const auto collector = open();
    ASSERT_TRUE((*collector)->beginStep(0).has_value());
    fake.driverFails["cuCtxSynchronize"] = CUDA_ERROR_LAUNCH_FAILED;
    EXPECT_THAT((*collector)->beginOp(0).error().text(), HasSubstr("719"));
}

TEST_F(RangeCollectorTest, AFatalErrorOfCuptiEndsTheRun) {
    const auto collector = open();
    fake.fatalError();
    EXPECT_THAT((*collector)->beginStep(0).error().text(), HasSubstr("given up"));
}

TEST_F(RangeCollectorTest, OnlyOneCountsAtATime) {
    const auto first = open();
    ASSERT_TRUE(first.has_value());
    EXPECT_THAT(open().error().text(), HasSubstr("counters are being read"));
}

}  // namespace
}  // namespace plumb::cupti
