// SPDX-License-Identifier: Apache-2.0
#include "core/train/profiled_steps.h"

#include "core/engine/lost_device.h"
#include "core/train/trainer.h"
#include "tests/core/engine/test_backends.h"
#include "tests/core/train/capturing_backend.h"
#include "tests/core/train/short_training.h"
#include "tests/support/threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace plumb {
namespace {

using testing::HasSubstr;

/// Counts a thousand FLOPs and its own index in bytes for each execution of an op, and can fail anywhere.
struct FakeCollector final : CounterCollector {
    explicit FakeCollector(std::size_t ops) : counters(ops) { plan.passes = 2; }

    Result<void> fail(const std::string& where) const {
        if (where == failAt) return Error{ErrorCode::Unavailable, "counters are not permitted", "ask"};
        return {};
    }
    Result<void> beginStep(std::int64_t step) override {
        steps.push_back(step);
        return fail("beginStep");
    }
    Result<void> beginOp(std::int32_t index) override {
        EXPECT_FALSE(open) << "ops are never nested";
        open = true;
        if (steps.size() == 1) {
            OpCounters& op = counters.at(static_cast<std::size_t>(index));
            for (const CounterKind kind : kAllCounters) {
                if (!op[kind]) op[kind] = Counted{0, Source::Counter};
                op[kind]->value += kind == CounterKind::DramBytes ? index : 1000;
            }
        }
        return fail("beginOp");
    }
    Result<void> endOp() override {
        EXPECT_TRUE(std::exchange(open, false));
        return fail("endOp");
    }
    Result<void> endStep() override { return fail("endStep"); }
    [[nodiscard]] const CounterRun& run() const override { return plan; }
    [[nodiscard]] bool complete() const override { return static_cast<std::int64_t>(steps.size()) >= needs; }
    Result<std::vector<OpCounters>> take() override { return counters; }

    CounterRun plan{"GH100", "", "", {"dram__bytes_read.sum"}, 0, {}, {}};
    std::int64_t needs = 2;
    std::string failAt;
    std::vector<OpCounters> counters;
    std::vector<std::int64_t> steps;
    bool open = false;
};

/// Notes the steps that it was told of; op by op it keeps nothing.
struct FakeActivity final : ActivityCollector {
    explicit FakeActivity(bool fails) : failing(fails) { timeline->source = Source::Activity; }
    Result<void> beginCapture() override {
        capturing = true;
        return {};
    }
    Result<void> endCapture() override {
        capturing = false;
        return {};
    }
    Result<void> beginStep(std::int64_t step) override {
        timeline->steps.push_back({step, 0, 1});
        return {};
    }
    Result<void> beginOp(std::int32_t index) override {
        // One that was captured runs in every step; `bytes` says which it was.
        timeline->records.push_back({0, 0.25, capturing ? 1 : 0, -1, index, 0, 0, TimelineKind::Op});
        if (failing) return Error{ErrorCode::RunFailed, "records are lost", "profile again"};
        return {};
    }
    Result<void> endOp() override { return {}; }
    Result<void> endStep() override { return {}; }
    Result<std::shared_ptr<const Timeline>> take() override {
        return std::shared_ptr<const Timeline>(timeline);
    }
    bool failing;
    bool capturing = false;
    std::shared_ptr<Timeline> timeline = std::make_shared<Timeline>();
};

/// The CPU with counters of our own making.
class CountingBackend final : public test::BackendAround, public ProfilingTools {
public:
    CountingBackend() : BackendAround(std::move(makeCpuBackend(test::kBackendThreads)).value()) {}
    Result<void> prepare(const StepPlan& plan) override {
        m_ops = plan.ops.size();
        return inner().prepare(plan);
    }
    Capabilities capabilities() override {
        Capabilities can;
        can.profiling = this;
        return can;
    }
    Result<std::unique_ptr<CounterCollector>> openCounters(CounterDetail detail) override {
        auto collector = std::make_unique<FakeCollector>(m_ops);
        asked = detail;
        if (change) change(*collector);
        newest = collector.get();
        return std::unique_ptr<CounterCollector>(std::move(collector));
    }

    Result<std::unique_ptr<ActivityCollector>> openActivity() override {
        isLost = losesDevice;
        if (!records) return plumb::openActivity(inner());
        return std::unique_ptr<ActivityCollector>(std::make_unique<FakeActivity>(failingRecords));
    }

    Result<void> synchronize() override {
        return isLost ? Result<void>(lostDevice("fake")) : inner().synchronize();
    }

    bool records = false, failingRecords = false;
    bool losesDevice = false;  ///< when records are opened
    bool isLost = false;
    std::function<void(FakeCollector&)> change;
    std::optional<CounterDetail> asked;
    FakeCollector* newest = nullptr;

private:
    std::size_t m_ops = 0;
};

Reading profiled(CountingBackend& backend, const std::stop_token& stop = {}) {
    ProfileExtras extras;
    extras.counters = CounterDetail::Full;
    auto result = profile(smallConfig(), backend, 3, stop, {}, extras);
    EXPECT_TRUE(result.has_value()) << result.error().text();
    EXPECT_FALSE(result->failure) << result->failure->text();
    return result->measured;
}

// A library beside the device has its own words for that.
TEST(ProfiledSteps, StayWhereTheDeviceIsLostInTheLookBehindThem) {
    CountingBackend backend;
    backend.records = backend.failingRecords = backend.losesDevice = true;
    ProfileExtras extras;
    extras.counters = CounterDetail::Full;
    const auto result = profile(smallConfig(), backend, 3, {}, {}, extras);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    ASSERT_TRUE(result->failure.has_value());
    EXPECT_EQ(result->failure->text(), lostDevice("fake").text());
    EXPECT_EQ(result->measured.stepsMeasured, 3);
    EXPECT_GT(result->measured.totals.seconds.value_or(0), 0);
    EXPECT_EQ(result->measured.timeline->driverRecordsAbsent,
              "the device was lost before they were complete");
    EXPECT_FALSE(backend.asked.has_value()) << "nothing more is asked of it";
    EXPECT_EQ(result->measured.countersAbsent, "the run failed before they were counted");
    EXPECT_EQ(result->series.outcome, "failed after step " + std::to_string(result->series.stepsDone - 1) +
                                          ": " + result->failure->message);
}

TEST(ProfiledSteps, CountEveryExecutionAfterTheTimedSteps) {
    CountingBackend backend;
    std::vector<std::int64_t> steps;
    std::vector<std::pair<std::int64_t, std::int64_t>> told;
    // Steps are looked at while the collector is alive.
    backend.change = [&](FakeCollector& collector) { collector.steps.reserve(10); };
    ProfileExtras extras;
    extras.counters = CounterDetail::Quick;
    extras.countingProgress = [&](std::int64_t done, std::int64_t total) {
        told.emplace_back(done, total);
        steps = backend.newest->steps;
    };
    const auto result = profile(smallConfig(), backend, 3, {}, {}, extras);
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(backend.asked, CounterDetail::Quick);
    EXPECT_EQ(steps, (std::vector<std::int64_t>{6, 7}))
        << "after three steps of warm-up and three timed ones";
    EXPECT_EQ(told, (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 2}, {1, 2}, {2, 2}}))
        << "the number of steps is told before the first one";
    const Reading& measured = result->measured;
    EXPECT_EQ(measured.stepsMeasured, 3) << "a counted step is no timed step";
    EXPECT_EQ(measured.counterRun->passes, 2);
    Flops flops = 0;
    for (std::size_t i = 0; i < measured.ops.size(); ++i) {
        const OpReading& op = measured.ops[i];
        EXPECT_EQ(op.bytes, static_cast<Bytes>(i) * op.executions) << op.name;
        EXPECT_EQ(op.flops, 2000 * op.executions) << op.name;
        EXPECT_EQ(op.source, Source::Clock) << "of the seconds";
        flops += *op.flops;
    }
    EXPECT_EQ(measured.totals.flops, flops);
}

TEST(ProfiledSteps, WithoutCountersTheReadingSaysWhy) {
    auto cpu = makeCpuBackend(test::kBackendThreads);
    ProfileExtras extras;
    extras.counters = CounterDetail::Full;
    const auto result = profile(smallConfig(), **cpu, 3, {}, {}, extras);
    ASSERT_TRUE(result.has_value());
    EXPECT_THAT(result->measured.countersAbsent, HasSubstr("cpu"));
    EXPECT_THAT(result->measured.countersAbsent, HasSubstr("--backend cuda"));
    const auto unasked = profile(smallConfig(), **cpu, 3, {}, {});
    EXPECT_EQ(unasked->measured.countersAbsent, "none were asked for");
}

TEST(ProfiledSteps, AFailureAnywhereCostsTheCountersAndNothingElse) {
    for (const std::string where : {"beginStep", "beginOp", "endOp", "endStep"}) {
        CountingBackend backend;
        backend.change = [&](FakeCollector& collector) { collector.failAt = where; };
        const Reading measured = profiled(backend);
        EXPECT_EQ(measured.countersAbsent, "counters are not permitted: ask") << where;
        EXPECT_FALSE(measured.counterRun) << where;
        EXPECT_FALSE(measured.totals.flops) << where;
        EXPECT_EQ(measured.stepsMeasured, 3) << where;
        EXPECT_TRUE(measured.totals.seconds) << where;
        EXPECT_EQ(total(backend.allocationCount().live), 0) << where << ": a step that ended early leaks";
    }
}

TEST(ProfiledSteps, ACollectorThatWantsMoreStepsThanItSaidIsRefused) {
    CountingBackend backend;
    std::size_t ran = 0;
    backend.change = [&](FakeCollector& collector) { collector.needs = 1000; };
    ProfileExtras extras;
    extras.counters = CounterDetail::Full;
    extras.countingProgress = [&](std::int64_t, std::int64_t) { ++ran; };
    const auto result = profile(smallConfig(), backend, 3, {}, {}, extras);
    EXPECT_EQ(ran, 2U);
    EXPECT_THAT(result->measured.countersAbsent, HasSubstr("announced steps (2)"));
}

TEST(ProfiledSteps, AnotherNumberOfOpsIsRefused) {
    CountingBackend backend;
    backend.change = [&](FakeCollector& collector) { collector.counters.emplace_back(); };
    EXPECT_THAT(profiled(backend).countersAbsent, HasSubstr("ops were counted"));
}

TEST(ProfiledSteps, StopBetweenTwoPasses) {
    CountingBackend backend;
    std::stop_source stop;
    ProfileExtras extras;
    extras.counters = CounterDetail::Full;
    extras.countingProgress = [&](std::int64_t done, std::int64_t) {
        if (done == 1) stop.request_stop();
    };
    const auto result = profile(smallConfig(), backend, 3, stop.get_token(), {}, extras);
    ASSERT_TRUE(result.has_value());
    EXPECT_THAT(result->measured.countersAbsent, HasSubstr("stopped"));
}

TEST(ProfiledSteps, RecordsOfTheDeviceReplaceTheTimelineOfTheClock) {
    CountingBackend backend;
    backend.records = true;
    const auto result = profile(smallConfig(), backend, 3, {}, {});
    ASSERT_TRUE(result.has_value());
    ASSERT_NE(result->measured.timeline, nullptr);
    EXPECT_EQ(result->measured.timeline->source, Source::Activity);
    ASSERT_EQ(result->measured.timeline->steps.size(), 3U);
    EXPECT_EQ(result->measured.timeline->steps[0].step, 6) << "after the timed steps";
    EXPECT_EQ(result->measured.stepsMeasured, 3);
}

TEST(ProfiledSteps, RecordsOfADeviceThatReplaysAreOfReplayedSteps) {
    struct Tools final : ProfilingTools {
        Result<std::unique_ptr<CounterCollector>> openCounters(CounterDetail) override {
            return Error{ErrorCode::Unavailable, "no counters", "go on without"};
        }
        Result<std::unique_ptr<ActivityCollector>> openActivity() override {
            return std::unique_ptr<ActivityCollector>(std::make_unique<FakeActivity>(false));
        }
    } tools;
    test::CapturingBackend backend;
    backend.profiling = &tools;
    const auto result = profile(smallConfig(), backend, 3, {}, {});
    ASSERT_TRUE(result.has_value()) << result.error().text();
    ASSERT_NE(result->measured.timeline, nullptr);
    const Timeline& timeline = *result->measured.timeline;
    EXPECT_EQ(timeline.source, Source::Activity) << timeline.driverRecordsAbsent;
    EXPECT_EQ(backend.stepsReplayed, 3);
    ASSERT_EQ(timeline.steps.size(), 3U);
    EXPECT_EQ(timeline.steps[0].step, 7) << "after the timed steps, and one where it will be replayed";
    std::int64_t executions = 0;
    for (const OpReading& op : result->measured.ops) executions += op.executions;
    EXPECT_EQ(static_cast<std::int64_t>(timeline.records.size()), executions) << "captured once";
    for (const TimelineRecord& record : timeline.records) EXPECT_EQ(record.bytes, 1) << "while captured";
}

TEST(ProfiledSteps, WithoutRecordsTheTimelineOfTheClockStays) {
    for (const bool fails : {false, true}) {
        CountingBackend backend;
        backend.records = backend.failingRecords = fails;
        const auto result = profile(smallConfig(), backend, 3, {}, {});
        ASSERT_TRUE(result.has_value());
        EXPECT_FALSE(result->failure);
        ASSERT_NE(result->measured.timeline, nullptr);
        EXPECT_EQ(result->measured.timeline->source, Source::Clock);
        EXPECT_FALSE(result->measured.timeline->driverRecordsAbsent.empty()) << "it says why";
        EXPECT_EQ(total(backend.allocationCount().live), 0);
    }
}

}  // namespace
}  // namespace plumb
