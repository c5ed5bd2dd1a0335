// SPDX-License-Identifier: Apache-2.0
#include "tests/core/findings/found.h"
#include "tests/support/counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>

namespace plumb {
namespace {

using test::figureOf;
using test::LookedAt;
using test::tenFlopsAByte;
using testing::HasSubstr;

RunConfig someStep() {
    RunConfig config;
    config.dim = 256;
    config.layers = 2;
    config.batch = 4096;
    return config;
}

/// What the rule finds when the reading is changed so.
std::optional<Finding> foundWhen(std::string_view rule, const std::function<void(Reading&)>& change) {
    LookedAt looked(someStep());
    return looked.measure(change).by(rule);
}

Telemetry clockFrom(double low, double high) {
    Telemetry telemetry;
    telemetry.samples = 10;
    telemetry.smClockHz = SampledRange{(low + high) / 2, low, high};
    return telemetry;
}

TEST(Findings, ClocksThatFellAreNamed) {
    const auto with = [](double low) {
        return foundWhen("clocks-fell", [low](Reading& reading) { reading.telemetry = clockFrom(low, 2e9); });
    };
    const auto found = with(1.2e9);
    ASSERT_TRUE(found.has_value());
    EXPECT_DOUBLE_EQ(found->stake, 0.2);
    EXPECT_EQ(found->severity, Severity::Warning);
    EXPECT_EQ(figureOf(*found, "lowest SM clock").basis, Basis::Driver);
    EXPECT_FALSE(with(1.95e9).has_value());
}

TEST(Findings, WhatHeldTheClocksDownIsNamed) {
    const auto with = [](double share) {
        return foundWhen("held-back", [share](Reading& reading) {
            reading.telemetry = clockFrom(2e9, 2e9);
            reading.telemetry->throttles = {{Throttle::PowerLimit, share}};
        });
    };
    const auto found = with(0.6);
    ASSERT_TRUE(found.has_value());
    EXPECT_THAT(text(found->sentence), HasSubstr("its power limit in 60 %"));
    EXPECT_FALSE(with(0.01).has_value());
}

TEST(Findings, AMachineBelowItsCalibratedSpeedIsNamed) {
    const auto with = [](double speed) {
        return foundWhen("slow-machine", [speed](Reading& reading) {
            reading.speed = MeasuredSpeed{{}, speed};
        });
    };
    const auto found = with(0.6);
    ASSERT_TRUE(found.has_value());
    EXPECT_DOUBLE_EQ(found->stake, 0.4);
    EXPECT_FALSE(with(0.95).has_value());
}

TEST(Findings, OtherProgramsOnTheDeviceAreNamed) {
    const auto with = [](std::vector<DeviceProcess> others) {
        return foundWhen("shared-device", [&](Reading& reading) {
            reading.telemetry = clockFrom(2e9, 2e9);
            reading.telemetry->processes = others;
        });
    };
    const auto found = with({{4242, 300'000'000}, {4243, 100'000'000}});
    ASSERT_TRUE(found.has_value());
    EXPECT_THAT(text(found->sentence), HasSubstr("2, with 400 MB"));
    EXPECT_DOUBLE_EQ(found->stake, 0.4);
    EXPECT_THAT(text(with({{4242, std::nullopt}})->sentence), HasSubstr("meanwhile: 1."));
    EXPECT_FALSE(with({}).has_value());
}

/// Two steps of 1 s with a kernel for this share of each, in two streams that overlap.
Timeline twoSteps(double busy, Source source = Source::Activity) {
    Timeline timeline;
    timeline.source = source;
    timeline.lanes = {{LaneKind::Stream, "stream 7"}, {LaneKind::Stream, "stream 8"}};
    for (const double begin : {0.0, 1.0}) {
        timeline.steps.push_back({static_cast<std::int64_t>(begin), begin, begin + 1});
        for (std::uint16_t lane = 0; lane < 2; ++lane) {
            TimelineRecord record;
            record.kind = TimelineKind::Kernel;
            record.lane = lane;
            record.begin = begin;
            record.end = begin + busy;
            timeline.records.push_back(record);
        }
    }
    sortRecords(timeline);
    return timeline;
}

TEST(Findings, ADeviceThatDoesNothingIsNamedFromTheDriversRecordsAlone) {
    const auto with = [](const Timeline& timeline) {
        return foundWhen("idle-device", [&](Reading& reading) {
            reading.timeline = std::make_shared<const Timeline>(timeline);
        });
    };
    const auto found = with(twoSteps(0.7));
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->stake, 0.3, 1e-12);
    EXPECT_NEAR(figureOf(*found, "idle time").amount.value, 0.6, 1e-12);
    EXPECT_FALSE(with(twoSteps(0.95)).has_value());
    EXPECT_FALSE(with(twoSteps(0.7, Source::Clock)).has_value());
}

TEST(Findings, TimeInNoOperationIsNamed) {
    const auto with = [](double longer) {
        return foundWhen("time-between-operations", [longer](Reading& reading) {
            Seconds all = 0;
            for (const OpReading& op : reading.ops) all += *op.seconds;
            reading.totals.seconds = longer * all;
        });
    };
    const auto found = with(2);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->stake, 0.5, 1e-12);
    EXPECT_FALSE(with(1.05).has_value());
    EXPECT_FALSE(with(0.8).has_value());
}

/// Counts in which the first layer's forward product moves and executes so many times what the model says.
void countFirstLayer(Reading& reading, double bytes, double flops) {
    const Result<StepPlan> plan = planStep(someStep(), cpuTraits());
    std::vector<OpCounters> counters = test::countersOf(*plan);
    for (std::size_t op = 0; op < counters.size(); ++op) {
        const bool isIt = plan->ops[op].kind == OpKind::LayerForward && plan->ops[op].layer == 1;
        const auto modelled = static_cast<double>(plan->ops[op].flops);
        const auto moved = static_cast<double>(plan->ops[op].bytes);
        counters[op][CounterKind::TensorFlops] =
            Counted{static_cast<std::int64_t>((isIt ? flops : 1) * modelled)};
        counters[op][CounterKind::CoreFlops] = Counted{0};
        counters[op][CounterKind::DramBytes] = Counted{static_cast<std::int64_t>((isIt ? bytes : 1) * moved)};
    }
    for (std::size_t op = 0; op < counters.size(); ++op) reading.ops[op].counters = counters[op];
}

TEST(Findings, AnOperationThatMovesMoreThanItHasToIsNamedByTheCounters) {
    const auto with = [](double times) {
        return foundWhen("more-than-compulsory-bytes",
                         [times](Reading& reading) { countFirstLayer(reading, times, 1); });
    };
    const auto found = with(1.8);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->opId, "m1.layer1.forward");
    EXPECT_THAT(text(found->sentence), HasSubstr("1.80 times its compulsory bytes"));
    EXPECT_EQ(figureOf(*found, "bytes moved to and from memory").basis, Basis::Counter);
    EXPECT_FALSE(with(1.2).has_value());
}

TEST(Findings, TilesThatReachOverTheEdgesAreNamedByTheCounters) {
    const auto with = [](double times) {
        return foundWhen("more-than-modelled-flops",
                         [times](Reading& reading) { countFirstLayer(reading, 1, times); });
    };
    const auto found = with(2);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->opId, "m1.layer1.forward");
    EXPECT_FALSE(with(1.1).has_value());
}

/// Makes the first layer's forward product so many times slower.
void slowDown(Reading& reading, double times) {
    for (OpReading& op : reading.ops)
        if (op.id == "m1.layer1.forward") op.seconds = times * *op.seconds;
}

TEST(Findings, WherePredictedAndMeasuredDifferIsNamedWithTheReason) {
    const auto found = foundWhen("prediction-off", [](Reading& reading) { slowDown(reading, 3); });
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->opId, "m1.layer1.forward");
    EXPECT_THAT(text(found->sentence), HasSubstr("predicted."));
    const auto slow = foundWhen("prediction-off", [](Reading& reading) {
        slowDown(reading, 3);
        reading.speed = MeasuredSpeed{{}, 0.5};
    });
    EXPECT_THAT(text(slow->sentence), HasSubstr("because the machine ran at 50 %"));
    const auto moved = foundWhen("prediction-off", [](Reading& reading) {
        slowDown(reading, 3);
        countFirstLayer(reading, 1.8, 1);
    });
    EXPECT_THAT(text(moved->sentence), HasSubstr("because it moved 1.80 times"));
    Machine sheet = tenFlopsAByte();
    sheet.perOpOverhead.reset();
    sheet.source = "data sheet: ...";
    LookedAt fromSheet(someStep(), sheet);
    fromSheet.measure([](Reading& reading) { slowDown(reading, 3); });
    EXPECT_THAT(text(fromSheet.by("prediction-off")->sentence), HasSubstr("data sheet"));
    EXPECT_FALSE(foundWhen("prediction-off", [](Reading& reading) { slowDown(reading, 1.05); }).has_value());
}

TEST(Findings, AnOperationFarFromItsRoofIsNamed) {
    const auto found = foundWhen("far-from-roof", [](Reading& reading) { slowDown(reading, 4); });
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->opId, "m1.layer1.forward");
    EXPECT_NEAR(figureOf(*found, "share of the roof").amount.value, 0.25, 0.01);
    EXPECT_FALSE(foundWhen("far-from-roof", [](Reading& reading) { slowDown(reading, 1.5); }).has_value());
}

TEST(Findings, AnOperationFasterThanItsCeilingSaysThatTheCeilingIsTooLow) {
    const auto found = foundWhen("ceiling-too-low", [](Reading& reading) { slowDown(reading, 0.5); });
    ASSERT_TRUE(found.has_value());
    EXPECT_THAT(text(found->remedy.advice), HasSubstr("plumbline-cli calibrate"));
    EXPECT_FALSE(foundWhen("ceiling-too-low", {}).has_value());
}

TEST(Findings, UnevenStepsAreNamed) {
    const auto with = [](double high, std::int32_t steps) {
        return foundWhen("uneven-steps", [=](Reading& reading) {
            const Seconds median = *reading.totals.seconds;
            reading.totals.spread = Spread{0.95 * median, high * median};
            reading.stepsMeasured = steps;
        });
    };
    const auto found = with(1.4, 20);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->stake, 0.4, 1e-9);
    EXPECT_FALSE(with(1.05, 20).has_value());
    EXPECT_FALSE(with(1.4, 3).has_value());
}

TEST(Findings, AMeasuredPeakThatIsNotThePlannedOneIsNamed) {
    const auto with = [](double times) {
        return foundWhen("memory-differs", [times](Reading& reading) {
            reading.memory->peakBytes =
                static_cast<Bytes>(times * static_cast<double>(reading.memory->peakBytes));
        });
    };
    ASSERT_TRUE(with(1.3).has_value());
    EXPECT_THAT(text(with(1.3)->sentence), HasSubstr("more than the tensors"));
    EXPECT_THAT(text(with(0.8)->sentence), HasSubstr("less than the tensors"));
    EXPECT_EQ(figureOf(*with(1.3), "measured peak").basis, Basis::Allocator);
    EXPECT_FALSE(with(1.005).has_value());
}

TEST(Findings, PassesThatTheLibraryLeavesApartAreNamed) {
    const auto with = [](std::string fallback) {
        return foundWhen("passes-apart", [&](Reading& reading) {
            LibraryProduct product;
            product.fallback = fallback;
            reading.products = {product};
            reading.ops[1].products = {0};
        });
    };
    ASSERT_TRUE(with("it has no algorithm with a mask").has_value());
    EXPECT_THAT(text(with("it has no algorithm with a mask")->sentence),
                HasSubstr("no algorithm with a mask"));
    EXPECT_FALSE(with("").has_value());
}

TEST(Findings, StepsThatTheLossScaleSkippedAreNamed) {
    const auto with = [](std::int64_t skipped) {
        RunConfig config = someStep();
        config.precision = Precision::Fp16;
        LookedAt looked(config);
        looked.training.emplace();
        StepMetrics step;
        step.lossScale = 65536;
        looked.training->steps = {step};
        looked.training->stepsDone = 100;
        looked.training->skippedSteps = skipped;
        return looked.by("skipped-steps");
    };
    const auto found = with(12);
    ASSERT_TRUE(found.has_value());
    EXPECT_DOUBLE_EQ(found->stake, 0.12);
    ASSERT_FALSE(found->remedy.changes.empty());
    EXPECT_EQ(found->remedy.changes[0].second, "bf16");
    EXPECT_FALSE(with(0).has_value());
}

TEST(Findings, ATrainingThatIsSlowerThanItsStepsSaysWhereTheTimeGoes) {
    // Of 100 steps of 1 ms every 20th takes `slow`, and `between` passes behind each.
    const auto with = [](Seconds slow, Seconds between, std::int64_t steps = 100) {
        LookedAt looked(someStep());
        looked.training.emplace();
        Seconds now = 0;
        for (std::int64_t step = 0; step < steps; ++step) {
            StepMetrics metrics;
            metrics.step = step;
            metrics.loss = 1;
            metrics.stepSeconds = step % 20 == 10 ? slow : 1e-3;
            metrics.seconds = now += metrics.stepSeconds + between;
            looked.training->steps.push_back(metrics);
        }
        return looked;
    };
    const char* const rule = "slower-than-its-steps";
    const auto held = with(61e-3, 0).by(rule);
    ASSERT_TRUE(held.has_value());
    EXPECT_EQ(held->severity, Severity::Serious);
    EXPECT_EQ(held->view, "training");
    EXPECT_NEAR(held->stake, 0.75, 0.01);
    EXPECT_EQ(figureOf(*held, "steps of more than twice the median").amount.value, 5);
    EXPECT_DOUBLE_EQ(figureOf(*held, "median of the steps").amount.value, 1e-3);
    EXPECT_THAT(text(held->sentence), HasSubstr("since 5 steps took more than twice as long"));
    EXPECT_THAT(text(held->remedy.advice), HasSubstr("end other programs"));

    const auto apart = with(1e-3, 1e-3).by(rule);
    ASSERT_TRUE(apart.has_value());
    EXPECT_NEAR(apart->stake, 0.5, 0.01);
    EXPECT_THAT(text(apart->sentence), HasSubstr("a step takes 1.00 ms and the training 2.00 ms"));
    EXPECT_THAT(text(apart->sentence), HasSubstr("between the steps"));
    EXPECT_NEAR(figureOf(*apart, "time between the steps").amount.value, 0.5, 0.01);

    EXPECT_FALSE(with(2e-3, 1e-5).by(rule).has_value()) << "5 % is what any training has";
    EXPECT_EQ(with(2e-3, 0).lackOf(rule), Lack::None);
    EXPECT_EQ(with(61e-3, 0, 40).lackOf(rule), Lack::StepTimes) << "the first steps of a few say nothing";
    EXPECT_EQ(LookedAt(someStep()).lackOf(rule), Lack::Training);
}

TEST(Findings, ALossThatRunsAwayIsSerious) {
    const auto with = [](double last) {
        LookedAt looked(someStep());
        looked.training.emplace();
        for (std::int64_t step = 0; step < 5; ++step) {
            StepMetrics metrics;
            metrics.step = step;
            metrics.loss = step == 3 ? last : 1.0;
            looked.training->steps.push_back(metrics);
        }
        return looked.by("loss-diverges");
    };
    const auto found = with(std::numeric_limits<double>::infinity());
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->severity, Severity::Serious);
    EXPECT_EQ(text(found->sentence), "The training diverges: the loss of step 4 is no finite number.");
    EXPECT_FALSE(with(1.1).has_value());
    EXPECT_EQ(LookedAt(someStep()).lackOf("loss-diverges"), Lack::Losses);
}

}  // namespace
}  // namespace plumb
