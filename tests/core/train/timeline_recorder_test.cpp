// SPDX-License-Identifier: Apache-2.0
#include "core/train/timeline_recorder.h"

#include "core/plan/step_plan.h"
#include "core/train/trainer.h"
#include "kernels/cpu/cpu_backend.h"
#include "tests/core/train/short_training.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace plumb {
namespace {

Reading profiled(const RunConfig& config, std::int64_t steps) {
    auto backend = makeCpuBackend();
    EXPECT_TRUE(backend.has_value());
    auto result = profile(config, **backend, steps, {}, {});
    EXPECT_TRUE(result.has_value());
    return result.has_value() ? result->measured : Reading{};
}

TEST(CpuTimeline, HoldsEveryExecutionOfEveryOpOfTheLastStepsInOrder) {
    const Reading reading = profiled(smallConfig(), 5);
    ASSERT_NE(reading.timeline, nullptr);
    const Timeline& timeline = *reading.timeline;
    EXPECT_EQ(timeline.source, Source::Clock);
    EXPECT_EQ(timeline.dropped, 0);
    ASSERT_EQ(timeline.steps.size(), 3U);
    ASSERT_EQ(timeline.lanes.size(), 2U);
    EXPECT_EQ(timeline.lanes[0].kind, LaneKind::Ops);
    const auto ops = timeline.ofLane(0);
    Seconds clock = 0;
    std::size_t step = 0;
    std::map<std::pair<std::size_t, std::int32_t>, std::int64_t> executions;
    for (const TimelineRecord& record : ops) {
        EXPECT_EQ(record.kind, TimelineKind::Op);
        EXPECT_GE(record.begin, clock);
        clock = record.end;
        while (record.begin >= timeline.steps[step].end) ++step;
        EXPECT_GE(record.begin, timeline.steps[step].begin);
        EXPECT_LE(record.end, timeline.steps[step].end);
        ++executions[{step, record.op}];
    }
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(timeline.steps[i].step, 5 + static_cast<std::int64_t>(i));  // the last of 3 + 5
        for (std::size_t op = 0; op < reading.ops.size(); ++op)
            EXPECT_EQ((executions[{i, static_cast<std::int32_t>(op)}]), reading.ops[op].executions);
    }
}

TEST(CpuTimeline, ItsMemoryCurveHasThePeakOfTheReadingAndEndsWhereItBegan) {
    std::mt19937_64 random(5);
    for (int round = 0; round < 20; ++round) {
        const Reading reading = profiled(test::randomConfig(random()), 4);
        ASSERT_NE(reading.timeline, nullptr);
        const auto points = reading.timeline->ofLane(1);
        ASSERT_FALSE(points.empty());
        Bytes highest = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            EXPECT_EQ(points[i].kind, TimelineKind::Memory);
            if (i > 0) {
                EXPECT_NE(points[i].bytes, points[i - 1].bytes);
            }
            highest = std::max(highest, points[i].bytes);
        }
        EXPECT_EQ(highest, reading.memory->peakBytes);
    }
}

TEST(CpuTimeline, ATrainingKeepsThatOfItsLastStepsForTheReadingAtTheEnd) {
    struct Readings final : TrainingSink {
        void onStep(const StepMetrics&) override {}
        void onReading(const Reading& measured) override { timelines.push_back(measured.timeline); }
        std::vector<std::shared_ptr<const Timeline>> timelines;
    } seen;
    auto backend = makeCpuBackend();
    ASSERT_TRUE(backend.has_value());
    const TrainOptions options{.steps = 20, .readingInterval = 0, .statistics = false};
    const auto result = train(smallConfig(), **backend, options, seen);
    ASSERT_TRUE(result.has_value());
    ASSERT_NE(result->measured.timeline, nullptr);
    std::vector<std::int64_t> steps;
    for (const TimelineStep& step : result->measured.timeline->steps) steps.push_back(step.step);
    EXPECT_EQ(steps, (std::vector<std::int64_t>{17, 18, 19}));
    ASSERT_GT(seen.timelines.size(), 10U);
    EXPECT_EQ(seen.timelines.back(), result->measured.timeline);
    seen.timelines.pop_back();
    for (const auto& timeline : seen.timelines)
        EXPECT_EQ(timeline, nullptr) << "a reading on the way is small";
}

TEST(CpuTimeline, IsNotKeptByATrainingThatIsToldNotTo) {
    auto backend = makeCpuBackend();
    ASSERT_TRUE(backend.has_value());
    TrainOptions options;
    options.steps = 8;
    options.timeline = false;
    SeenTraining seen;
    const auto result = train(smallConfig(), **backend, options, seen);
    ASSERT_TRUE(result.has_value());
    EXPECT_GT(result->measured.stepsMeasured, 0);
    EXPECT_EQ(result->measured.timeline, nullptr);
}

TEST(TimelineRecorder, KeepsTheNewestStepsThatFitAndCountsWhatDoesNot) {
    TimelineRecorder recorder;
    EXPECT_EQ(recorder.timeline(Source::Clock), nullptr);
    double now = 100;
    const auto addStep = [&](std::int64_t step, int ops) {
        recorder.beginStep(step, now);
        for (int i = 0; i < ops; ++i, now += 1e-6) {
            recorder.addOp(i % 10, now, now + 5e-7, 1000 + i);
            recorder.addReleased(900);
        }
        recorder.endStep(now);
    };
    for (int step = 0; step < 5; ++step) addStep(step, 10);
    ASSERT_EQ(recorder.timeline(Source::Clock)->steps.size(), TimelineRecorder::kSteps);
    EXPECT_EQ(recorder.timeline(Source::Clock)->steps.front().step, 2);
    EXPECT_EQ(recorder.timeline(Source::Clock)->records.size(), 3U * 10 * 3);

    addStep(5, 60'000);  // with those before too much for one timeline
    addStep(6, 60'000);
    ASSERT_EQ(recorder.timeline(Source::Clock)->steps.size(), 1U);
    EXPECT_EQ(recorder.timeline(Source::Clock)->dropped, 0);
    addStep(7, 200'000);  // too much in itself
    const auto timeline = recorder.timeline(Source::Clock);
    EXPECT_LE(timeline->records.size(), Timeline::kMostRecords);
    EXPECT_EQ(timeline->dropped, 200'000 - static_cast<std::int64_t>(timeline->ofLane(0).size()));
    EXPECT_GT(timeline->dropped, 0);
}

TEST(TimelineRecorder, AStepThatFailedLeavesNothing) {
    TimelineRecorder recorder;
    recorder.beginStep(0, 1);
    recorder.addOp(0, 1, 2, 10);
    recorder.dropStep();
    recorder.beginStep(1, 5);
    recorder.addOp(3, 5, 6, 10);
    recorder.endStep(7);
    const auto timeline = recorder.timeline(Source::Clock);
    ASSERT_EQ(timeline->ofLane(0).size(), 1U);
    EXPECT_EQ(timeline->ofLane(0)[0].op, 3);
    recorder.clear();
    EXPECT_EQ(recorder.timeline(Source::Clock), nullptr);
}

}  // namespace
}  // namespace plumb
