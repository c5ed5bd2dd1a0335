// SPDX-License-Identifier: Apache-2.0
#include "core/machine/attainable.h"
#include "core/machine/hardware_database.h"
#include "core/machine/op_cost_key.h"
#include "core/measure/reading.h"
#include "core/plan/early_updates.h"
#include "core/plan/step_plan.h"
#include "core/planner/step_time.h"
#include "tests/support/plans.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plumb {
namespace {

using test::planOf;

/// Round ceilings that are all different, so that a mixed-up one shows.
Machine machine() {
    return Machine{.bandwidthBytesPerSecond = 1e9,
                   .peakFlopPerSecond = {{Dtype::Fp32, 1e10},
                                         {Dtype::Tf32, 2e10},
                                         {Dtype::Bf16, 4e10},
                                         {Dtype::Fp16, 5e10},
                                         {Dtype::Fp8E4M3, 8e10}},
                   .perOpOverhead = 1e-6};
}

TEST(Predict, SecondsAreTheHigherOfComputeAndMemoryPlusTheOverhead) {
    const Machine device = machine();
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const RunConfig config = test::randomConfig(seed);
        const StepPlan plan = planOf(config);
        for (const Op& op : plan.ops) {
            const bool product = !einsumText(op.kind).empty();
            const double peak = product ? *device.peak(config.computeDtype()) : 1e10;
            const double roof =
                std::max(static_cast<double>(op.flops) / peak, static_cast<double>(op.bytes) / 1e9);
            const double expected = roof + 1e-6 * static_cast<double>(op.executions * op.repeat);
            const std::optional<Seconds> seconds = rooflineSeconds(op, device);
            ASSERT_TRUE(seconds.has_value());
            EXPECT_NEAR(*seconds, expected, 1e-12 * expected) << opId(op) << " seed " << seed;
        }
    }
}

TEST(Predict, TheFastFormAgreesWithTheOpsAndTheNamedForm) {
    const Machine device = machine();
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const StepPlan plan = planOf(test::randomConfig(seed));
        const Prediction prediction = predict(plan, device);
        const Reading reading = predictedReading(plan, device);
        ASSERT_EQ(prediction.opSeconds.size(), plan.ops.size());
        ASSERT_EQ(reading.ops.size(), plan.ops.size());
        double sum = 0;
        for (std::size_t i = 0; i < plan.ops.size(); ++i) {
            const Op& op = plan.ops[i];
            EXPECT_EQ(prediction.opSeconds[i], rooflineSeconds(op, device));
            EXPECT_EQ(reading.ops[i].seconds, prediction.opSeconds[i]);
            EXPECT_EQ(reading.ops[i].id, opId(op));
            EXPECT_EQ(reading.ops[i].name, opName(plan, op));
            EXPECT_EQ(reading.ops[i].kind, kindName(op.kind));
            EXPECT_EQ(reading.ops[i].flops, op.flops);
            EXPECT_EQ(reading.ops[i].bytes, op.bytes);
            EXPECT_EQ(reading.ops[i].executions, op.executions);
            EXPECT_EQ(reading.ops[i].source, Source::Predicted);
            sum += *prediction.opSeconds[i];
        }
        EXPECT_NEAR(*prediction.totals.seconds, sum, 1e-12 * sum);
        ASSERT_TRUE(reading.memory.has_value());
        EXPECT_EQ(reading.memory->curve, memoryCurve(plan));
        EXPECT_EQ(reading.memory->peakBytes, prediction.memory.peakBytes);
        EXPECT_EQ(reading.stepsMeasured, 0);
    }
}

TEST(Predict, AnUnknownCeilingLeavesTimesUnknownAndNothingElse) {
    RunConfig config;
    config.precision = Precision::Bf16;
    const StepPlan plan = planOf(config);

    Machine noBandwidth = machine();
    noBandwidth.bandwidthBytesPerSecond.reset();
    Machine noBf16 = machine();
    noBf16.peakFlopPerSecond = {{Dtype::Fp32, 1e10}};
    for (const Machine& device : {noBandwidth, noBf16, Machine{}}) {
        const Prediction prediction = predict(plan, device);
        EXPECT_FALSE(prediction.totals.seconds.has_value());
        EXPECT_FALSE(prediction.totals.samplesPerSecond.has_value());
        EXPECT_FALSE(prediction.totals.flopPerSecond.has_value());
        EXPECT_FALSE(prediction.totals.mfu.has_value());
        EXPECT_EQ(prediction.totals.flops, plan.flops);
        EXPECT_EQ(prediction.totals.bytes, plan.bytes);
        EXPECT_GT(prediction.memory.peakBytes, 0);
    }
    const Prediction onlyElementwise = predict(plan, noBf16);
    for (std::size_t i = 0; i < plan.ops.size(); ++i)
        EXPECT_EQ(onlyElementwise.opSeconds[i].has_value(), einsumText(plan.ops[i].kind).empty());
}

TEST(Predict, WithoutAnFp32PeakPassesAreLimitedByMemory) {
    RunConfig config;
    config.precision = Precision::Bf16;
    const StepPlan plan = planOf(config);
    Machine sheet = machine();
    sheet.peakFlopPerSecond = {{Dtype::Bf16, 4e10}};
    sheet.perOpOverhead.reset();
    Machine fast = sheet;
    fast.peakFlopPerSecond.emplace_back(Dtype::Fp32, 1e30);
    ASSERT_TRUE(predict(plan, sheet).totals.seconds.has_value());
    EXPECT_EQ(predict(plan, sheet).totals.seconds, predict(plan, fast).totals.seconds);
    for (const Op& op : plan.ops) {
        if (einsumText(op.kind).empty()) {
            EXPECT_NE(boundOf(op, sheet), Bound::Unknown) << opId(op);
        }
    }
}

TEST(Predict, SaysWhichCeilingIsMissingAndWhoCanBeCalibrated) {
    const auto why = [](const Machine& device, Dtype dtype) {
        const std::optional<Error> missing = missingCeiling(device, dtype);
        return missing ? missing->text() : "nothing";
    };
    Machine device = machine();
    device.name = "Sheet";
    device.source = "data sheet: a";
    device.peakFlopPerSecond = {{Dtype::Fp32, 1e10}, {Dtype::Fp16, 2e10}};
    EXPECT_EQ(why(device, Dtype::Fp16), "nothing");
    EXPECT_EQ(why(device, Dtype::Bf16),
              "Sheet has no bf16 peak: it has fp32, fp16; choose one of these, or another device");
    device.bandwidthBytesPerSecond.reset();
    EXPECT_EQ(why(device, Dtype::Fp16), "the memory bandwidth of Sheet is not known: choose another device");
    Machine local;
    local.name = "Here";
    local.source = notCalibrated("cpu");
    EXPECT_EQ(why(local, Dtype::Fp32), "Here is not calibrated: run plumbline-cli calibrate --backend cpu");
}

TEST(Predict, ADataSheetGivesARangeFromItsBoundAndCountsTheLaunches) {
    Machine device = machine();
    device.perOpOverhead.reset();
    const RunConfig config;
    const StepPlan plan = planOf(config);
    const Prediction sheet = predict(plan, device);
    EXPECT_EQ(sheet.totals.tier, Tier::DataSheet);
    ASSERT_TRUE(sheet.totals.spread.has_value());
    Spread sums;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const Op& op = plan.ops[i];
        const Seconds bound = *rooflineSeconds(op, device);
        const auto launches = static_cast<double>(op.executions * op.repeat);
        ASSERT_TRUE(sheet.opSpreads[i].has_value()) << opId(op);
        EXPECT_DOUBLE_EQ(sheet.opSpreads[i]->low, bound) << opId(op);
        EXPECT_GE(*sheet.opSeconds[i], bound + launches * kLaunchSeconds.expected) << opId(op);
        EXPECT_LT(*sheet.opSeconds[i], sheet.opSpreads[i]->high) << opId(op);
        EXPECT_EQ(sheet.opTiers[i], Tier::DataSheet);
        sums = {sums.low + sheet.opSpreads[i]->low, sums.high + sheet.opSpreads[i]->high};
    }
    EXPECT_EQ(*sheet.totals.spread, sums);

    // A public search over shapes on such a device says more of its products, and of nothing else.
    device.measuredMatmulFlopPerSecond = {{Dtype::Fp32, 0.5e10}};
    const Prediction published = predict(plan, device);
    EXPECT_EQ(published.totals.tier, Tier::Published);
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const bool product = !einsumText(plan.ops[i].kind).empty();
        EXPECT_EQ(published.opTiers[i], product ? Tier::Published : Tier::DataSheet);
        EXPECT_EQ(published.opSpreads[i]->low, sheet.opSpreads[i]->low) << "the bound stays";
        if (!product) {
            EXPECT_EQ(published.opSeconds[i], sheet.opSeconds[i]);
        }
    }
    EXPECT_GT(*published.totals.seconds, *sheet.totals.seconds);
    // What holds a step of tiny ops is that they have to be launched.
    RunConfig tiny;
    tiny.dim = 8;
    tiny.batch = tiny.microBatch = 8;
    EXPECT_EQ(boundOf(planOf(tiny).ops.front(), device), Bound::Overhead);
}

// What branches gain is not known: they lower the least that a step takes, as far as units and memory that
// both share allow it.
TEST(Predict, ABranchBesideTheRestLowersTheLeastOfAStepAndNothingElse) {
    Machine device = machine();
    device.perOpOverhead.reset();
    bool lowered = false;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        RunConfig config = test::randomGpuConfig(seed);
        if (seed % 4 == 0) {  // products that units hold beside updates that memory holds
            config.dim = 512;
            config.batch = config.microBatch = 64;
            config.clipNorm = 0;
        }
        BackendTraits traits = *cudaTraits(90);
        const StepPlan plan = planOf(config, traits);
        traits.sideBranch = false;
        const StepPlan serial = planOf(config, traits);
        const Prediction both = predict(plan, device);
        const Prediction one = predict(serial, device);
        if (!one.totals.spread) continue;
        EXPECT_EQ(both.totals.seconds, one.totals.seconds);
        EXPECT_EQ(both.totals.spread->high, one.totals.spread->high);
        const bool early = !earlyUpdates(plan).empty();
        Seconds main = 0, beside = 0, units = 0, memory = 0;
        for (std::size_t i = 0; i < plan.ops.size(); ++i) {
            const Op& op = plan.ops[i];
            EXPECT_EQ(both.opSpreads[i], one.opSpreads[i]);
            const bool isBeside =
                op.kind == OpKind::WeightGradient || (early && op.kind == OpKind::OptimizerStep);
            (isBeside ? beside : main) += both.opSpreads[i]->low;
            memory += static_cast<double>(op.bytes) / 1e9;
            if (op.isProduct && op.units == plan.productDtype)
                units += static_cast<double>(op.flops) / *device.peak(op.units);
        }
        const Seconds least = both.totals.spread->low;
        EXPECT_DOUBLE_EQ(least, std::max({main, beside, units, memory})) << "seed " << seed;
        EXPECT_NEAR(one.totals.spread->low, main + beside, 1e-12 * (main + beside));
        EXPECT_LE(least, one.totals.spread->low * (1 + 1e-12));
        lowered = lowered || least < 0.9 * one.totals.spread->low;
    }
    EXPECT_TRUE(lowered) << "a step that could gain from its branch";
    EXPECT_TRUE(notPredicted(RunConfig(), {{}, cpuTraits()}).empty());
    EXPECT_FALSE(notPredicted(RunConfig(), {{}, *cudaTraits(90)}).empty());
}

TEST(Predict, ADataSheetIsExpectedToReachWhatThePlannerAssumes) {
    for (const Machine& device : HardwareDatabase::builtIn().machines) {
        if (!device.peak(Dtype::Fp32) || !device.bandwidthBytesPerSecond) continue;
        RunConfig config;
        config.dim = 1024;
        planner::Scenario scenario;
        scenario.cluster.device = device;
        planner::chooseLinear(scenario, config);
        const auto time = planner::stepTime(scenario);
        ASSERT_TRUE(time.has_value()) << device.id << ": " << time.error().text();
        const auto plan = planStep(config, traitsFor(device.backend, device.computeCapability));
        ASSERT_TRUE(plan.has_value());
        const Seconds expected = *predict(*plan, device).totals.seconds;
        EXPECT_NEAR(time->total(), expected, 1e-9 * expected) << device.id;
    }
}

TEST(Predict, ACalibratedTimeCarriesTheBandOfItsOwnRecord) {
    const RunConfig config;
    const StepPlan plan = planOf(config);
    Machine device = machine();
    const Prediction unchecked = predict(plan, device);
    EXPECT_EQ(unchecked.totals.tier, Tier::Calibrated);
    EXPECT_FALSE(unchecked.totals.spread.has_value()) << "nobody knows its errors";
    device.checked = PredictionErrors{"2026-11-20", 50, 0.06, 0.25, 0.04, 0.11, 0.13, 0.6};
    const Prediction checked = predict(plan, device);
    EXPECT_EQ(checked.totals.seconds, unchecked.totals.seconds);
    const Seconds seconds = *checked.totals.seconds;
    EXPECT_DOUBLE_EQ(checked.totals.spread->low, seconds / 1.25);
    EXPECT_DOUBLE_EQ(checked.totals.spread->high, seconds / 0.75);
    EXPECT_DOUBLE_EQ(checked.opSpreads[1]->low, *checked.opSeconds[1] / 1.6);
    // However wrong it was, there is an end.
    EXPECT_DOUBLE_EQ(spreadOfError(1, 4).high, 10);
    EXPECT_DOUBLE_EQ(spreadOfError(1, 4).low, 0.2);
}

TEST(Predict, TheSpeedOfTheMomentCountsWhereItLimits) {
    RunConfig config;
    config.dim = 512;
    const StepPlan plan = planOf(config);
    Machine device = machine();
    const SpeedProbe calibrated{1e10, 1e9, 1e8};
    EXPECT_FALSE(shareOfCalibratedSpeed(plan, device, calibrated).has_value()) << "there is no calibration";
    device.costs = CostTables{};
    device.costs->speed = CalibratedSpeed{calibrated, 0.02, 0, 10};
    EXPECT_NEAR(*shareOfCalibratedSpeed(plan, device, calibrated), 1, 1e-12);
    EXPECT_NEAR(*shareOfCalibratedSpeed(plan, device, {6e9, 6e8, 6e7}), 0.6, 1e-12);
    // The products take most of the time: their part of the probe decides.
    EXPECT_LT(*shareOfCalibratedSpeed(plan, device, {5e9, 1e9, 1e8}), 0.6);
    EXPECT_GT(*shareOfCalibratedSpeed(plan, device, {1e10, 1e9, 5e7}), 0.9);
}

TEST(Predict, AnOpFollowsThePartOfTheProbeThatLimitsIt) {
    const auto partOf = [](std::int64_t dim, std::int64_t batch, OpKind kind) {
        RunConfig config;
        config.dim = dim;
        config.batch = batch;
        const StepPlan plan = planOf(config);
        for (const Op& op : plan.ops)
            if (op.kind == kind && !op.isHead) return speedPartOf(op);
        return static_cast<double RelativeSpeed::*>(nullptr);
    };
    EXPECT_EQ(partOf(512, 512, OpKind::LayerForward), &RelativeSpeed::product);
    EXPECT_EQ(partOf(64, 64, OpKind::LayerForward), &RelativeSpeed::loop) << "one thread does it alone";
    EXPECT_EQ(partOf(2048, 4, OpKind::LayerForward), &RelativeSpeed::copy) << "it reads its weights";
    EXPECT_EQ(partOf(64, 64, OpKind::OptimizerStep), &RelativeSpeed::loop);
    EXPECT_EQ(partOf(2048, 64, OpKind::OptimizerStep), &RelativeSpeed::copy);
}

TEST(Predict, ASecondThreadMakesNoLeapInTheRateOfAProduct) {
    // One thread up to 8 MFLOP, two from there on, each as fast as the one: half of the time, at once.
    RunConfig config;
    config.dim = 128;
    Machine device = machine();
    device.costs = CostTables{};
    device.costs->threads = 2;
    constexpr double kSecondsPerWork = 1e-11;
    for (const std::int64_t batch : {128, 512}) {
        config.batch = batch;
        const StepPlan plan = planOf(config);
        for (const Op& op : plan.ops) {
            const std::string name = signatureOf(plan, op).text();
            if (device.costs->find(name) == nullptr) device.costs->tables.push_back({name, {}});
            std::ranges::sort(device.costs->tables, {}, &CostTable::op);
            const CostPoint point = costPoint(plan, op, 2);
            auto& lines = std::ranges::find(device.costs->tables, name, &CostTable::op)->lines;
            if (lines.empty()) lines.push_back({point.plane, point.column, {}, {}, {}});
            if (!lines.front().rows.empty() && lines.front().rows.back() >= point.row) continue;
            lines.front().rows.push_back(point.row);
            lines.front().work.push_back(point.work);
            lines.front().seconds.push_back(kSecondsPerWork * point.work);
        }
    }
    const auto layerSeconds = [&](std::int64_t batch) {
        config.batch = batch;
        const StepPlan plan = planOf(config);
        const Prediction prediction = predict(plan, device);
        for (std::size_t i = 0; i < plan.ops.size(); ++i)
            if (plan.ops[i].kind == OpKind::LayerForward) return prediction.opSeconds[i].value_or(0);
        return 0.0;
    };
    EXPECT_NEAR(layerSeconds(240), kSecondsPerWork * 240 * 128 * 128, 1e-9);
    EXPECT_NEAR(layerSeconds(256), kSecondsPerWork * 128 * 128 * 128, 1e-9);
}

TEST(Predict, MfuCountsNoRecomputation) {
    RunConfig config;
    config.layers = 6;
    const StepPlan kept = planOf(config);
    config.recompute = {RecomputePolicy::Kind::None, 1};
    const StepPlan recomputed = planOf(config);
    const Machine device = machine();
    const Totals a = makeTotals(kept, device, 2.0);
    const Totals b = makeTotals(recomputed, device, 2.0);
    EXPECT_DOUBLE_EQ(*a.mfu, static_cast<double>(kept.matmulFlops) / 2.0 / 1e10);
    EXPECT_DOUBLE_EQ(*b.mfu, *a.mfu);
    EXPECT_GT(*b.flopPerSecond, *a.flopPerSecond);
    EXPECT_DOUBLE_EQ(*a.samplesPerSecond, 128.0);
    EXPECT_FALSE(makeTotals(kept, device, std::nullopt).mfu.has_value());
    EXPECT_FALSE(makeTotals(kept, device, 0.0).samplesPerSecond.has_value());
}

TEST(Predict, TheBoundIsTheCeilingThatHoldsTheOp) {
    const RunConfig config;
    Op op;
    op.kind = OpKind::LayerForward;
    Machine device = machine();
    op.flops = 1'000'000'000;  // 0.1 s
    op.bytes = 1'000'000;      // 1 ms
    EXPECT_EQ(boundOf(op, device), Bound::Compute);
    op.bytes = 1'000'000'000;  // 1 s
    EXPECT_EQ(boundOf(op, device), Bound::Memory);
    device.perOpOverhead = 2.0;
    EXPECT_EQ(boundOf(op, device), Bound::Overhead);
    device.perOpOverhead = 0.0;
    op.flops = op.bytes = 0;
    EXPECT_EQ(boundOf(op, device), Bound::Unknown) << "nothing holds a view";
    op.hasFlops = false;
    EXPECT_EQ(rooflineSeconds(op, device), std::nullopt) << "nobody says what it does";
    op.bytes = 1;
    EXPECT_NE(rooflineSeconds(op, device), std::nullopt);
    device.bandwidthBytesPerSecond.reset();
    EXPECT_EQ(boundOf(op, device), Bound::Unknown);
}

/// Tables for every op of `plan`: each takes `seconds` at any size.
CostTables tablesOf(const StepPlan& plan, Seconds seconds) {
    CostTables costs;
    for (const Op& op : plan.ops) {
        const CostPoint point = costPoint(plan, op, 1);
        const CostTable table{signatureOf(plan, op).text(),
                              {{point.plane, point.column, {point.row}, {point.work}, {seconds}}}};
        if (costs.find(table.op) != nullptr) continue;
        costs.tables.insert(std::upper_bound(costs.tables.begin(), costs.tables.end(), table,
                                             [](const auto& a, const auto& b) { return a.op < b.op; }),
                            table);
    }
    return costs;
}

TEST(Predict, TablesComeBeforeCeilingsAndCountEveryExecution) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const StepPlan plan = planOf(test::randomConfig(seed));
        Machine device;  // no ceiling at all
        device.costs = tablesOf(plan, 1e-3);
        device.costs->betweenOps = 1e-4;
        const Prediction prediction = predict(plan, device);
        double sum = 0;
        for (std::size_t i = 0; i < plan.ops.size(); ++i) {
            const Op& op = plan.ops[i];
            ASSERT_TRUE(prediction.opSeconds[i].has_value()) << opId(op) << " seed " << seed;
            const auto times = static_cast<double>(op.executions * op.repeat);
            EXPECT_NEAR(*prediction.opSeconds[i], 1e-3 * times, 1e-12 * times) << opId(op);
            sum += *prediction.opSeconds[i] + 1e-4 * static_cast<double>(op.executions);
        }
        EXPECT_NEAR(*prediction.totals.seconds, sum, 1e-12 * sum);
    }
}

TEST(Predict, AStepThatIsReplayedHasTheGapBetweenNodes) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        StepPlan plan = planOf(test::randomConfig(seed));
        Machine device;
        device.costs = tablesOf(plan, 1e-3);
        device.costs->betweenOps = 1e-4;
        device.costs->replay = ReplayCosts{5e-5, 2e-5};
        double executions = 0;
        for (const Op& op : plan.ops) executions += static_cast<double>(op.executions);
        const Prediction opByOp = predict(plan, device);
        plan.traits.replaysSteps = true;
        const Prediction replayed = predict(plan, device);
        EXPECT_EQ(replayed.opSeconds, opByOp.opSeconds) << "an op by itself takes what it takes";
        EXPECT_NEAR(*opByOp.totals.seconds - *replayed.totals.seconds, executions * 7e-5, 1e-12 * executions);
        // A calibration that did not look says what it has.
        device.costs->replay.reset();
        EXPECT_EQ(predict(plan, device).totals.seconds, opByOp.totals.seconds);
    }
}

TEST(Predict, AVariantKeepsItsDistanceFromThePlainOp) {
    RunConfig config;
    config.dim = 64;
    config.batch = 64;
    const StepPlan plain = planOf(config);
    config.precision = Precision::Bf16;
    config.dim = 256;  // was measured for the plain op alone
    const StepPlan variant = planOf(config);
    const auto forward = [](const StepPlan& plan) {
        return *std::find_if(plan.ops.begin(), plan.ops.end(),
                             [](const Op& op) { return op.kind == OpKind::LayerForward; });
    };
    const std::string plainName = signatureOf(plain, forward(plain)).text();
    const std::string variantName = signatureOf(variant, forward(variant)).text();
    EXPECT_EQ(signatureOf(variant, forward(variant)).plain().text(), plainName);

    Machine device = machine();
    device.costs = CostTables{};
    const double work64 = 64.0 * 64 * 64;
    const double work256 = 64.0 * 256 * 256;
    device.costs->tables = {
        {variantName, {{1, 64, {64}, {work64}, {3e-3}}}},
        {plainName, {{1, 64, {64}, {work64}, {2e-3}}, {1, 256, {64}, {work256}, {8e-3}}}}};
    ASSERT_LT(variantName, plainName);
    const auto index =
        static_cast<std::size_t>(std::find_if(variant.ops.begin(), variant.ops.end(),
                                              [](const Op& op) { return op.kind == OpKind::LayerForward; }) -
                                 variant.ops.begin());
    const Op& op = variant.ops[index];
    ASSERT_EQ(op.batchRows, 64);
    EXPECT_NEAR(*predict(variant, device).opSeconds[index], 12e-3, 1e-9);

    // Without a table of its own it is the plain product and its casts at the speed of memory.
    device.costs->tables.erase(device.costs->tables.begin());
    device.costs->bandwidth = {{1, 1e9, 1e9, 1e9}};
    const Seconds cast = *predict(variant, device).opSeconds[index];
    EXPECT_GT(cast, 8e-3);
    EXPECT_NEAR(cast, 8e-3 + 1.5 * 4 * (64 * 256 * 2 + 256 * 256) / 1e9, 1e-9);
}

TEST(Predict, AnOpWithoutATableIsItsRoofline) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const StepPlan plan = planOf(test::randomConfig(seed));
        const Machine bare = machine();
        Machine empty = bare;
        empty.costs = CostTables{};
        EXPECT_EQ(predict(plan, empty).opSeconds, predict(plan, bare).opSeconds);
        EXPECT_EQ(predict(plan, empty).totals.seconds, predict(plan, bare).totals.seconds);
    }
}

TEST(Predict, RowsOfAFileHaveTimesOfTheirOwn) {
    RunConfig config;
    const StepPlan synthetic = planOf(config);
    config.data = "x.npy";
    config.targets = "y.npy";
    const StepPlan file = planOf(config);
    ASSERT_EQ(file.ops[0].kind, OpKind::LoadBatch);
    EXPECT_NE(signatureOf(file, file.ops[0]).text(), signatureOf(synthetic, synthetic.ops[0]).text());
    EXPECT_EQ(costPoint(file, file.ops[0], 1).column, static_cast<double>(config.dim + config.outputs));
    Machine device = machine();
    device.costs = tablesOf(synthetic, 1.0);
    EXPECT_NEAR(*predict(synthetic, device).opSeconds[0], 1.0, 1e-9);
    EXPECT_LT(*predict(file, device).opSeconds[0], 0.5) << "nobody timed rows of a file";
    device.costs = tablesOf(file, 3.0);
    EXPECT_NEAR(*predict(file, device).opSeconds[0], 3.0, 1e-9);
    // What they are rounded to changes a table less than their being rows of a file does.
    EXPECT_EQ(signatureOf(file, file.ops[0]).plain(), signatureOf(file, file.ops[0]));
}

TEST(Predict, AStepWaitsForTheRowsThatCannotBeGatheredBesideIt) {
    RunConfig config{.batch = 64, .microBatch = 16, .data = "x.npy", .targets = "y.npy"};
    const StepPlan plan = planOf(config);
    Machine device = machine();
    const Prediction before = predict(plan, device);
    const Seconds step = *before.totals.seconds;
    device.costs = CostTables{};
    const auto waitOf = [&](Seconds gathering) {
        device.costs->tables = {{std::string(kGatherTable), {{1, 1, {1.0}, {1.0}, {gathering}}}}};
        for (CostLine& line : device.costs->tables[0].lines)
            line.work[0] = costPoint(plan, plan.ops[0], 1).work;
        const Prediction prediction = predict(plan, device);
        Seconds loads = 0;
        for (std::size_t i = 0; i < plan.ops.size(); ++i)
            if (plan.ops[i].kind == OpKind::LoadBatch)
                loads += *prediction.opSeconds[i] - *before.opSeconds[i];
        EXPECT_NEAR(*prediction.totals.seconds - step, loads, 1e-12);
        return loads;
    };
    EXPECT_NEAR(waitOf(0.2 * step), 0, 1e-15) << "four of them fit beside the step";
    EXPECT_NEAR(waitOf(step), 3 * step, 1e-9 * step);
    config.data = "synthetic";
    config.targets.clear();
    device.costs->tables[0].lines[0].seconds[0] = 1e3;
    EXPECT_LT(*predict(planOf(config), device).totals.seconds, 1.0) << "nobody gathers what is drawn";
}

TEST(OpSignature, IsTheSameForTheSameWorkAndTellsTypesApart) {
    RunConfig config{.layers = 3,
                     .activation = Activation::Relu,
                     .microBatch = 64,
                     .recompute = {RecomputePolicy::Kind::None, 1}};
    const StepPlan plan = planOf(config);
    const auto texts = [&](OpKind kind) {
        std::vector<std::string> all;
        for (const Op& op : plan.ops)
            if (op.kind == kind && !op.isHead) all.push_back(signatureOf(plan, op).text());
        return all;
    };
    EXPECT_EQ(texts(OpKind::RecomputeChain).front(), "recompute_chain fp32 fp32 > fp32 relu");
    EXPECT_EQ(texts(OpKind::RecomputeChain).back(), texts(OpKind::LayerForward).front());  // one link
    EXPECT_EQ(texts(OpKind::LayerForward).front(), "layer_forward fp32 fp32 > fp32 relu");
    EXPECT_EQ(texts(OpKind::WeightGradient).front(), "weight_gradient fp32 fp32 > fp32");
    EXPECT_EQ(texts(OpKind::WeightGradient).back(), "weight_gradient fp32 fp32 > fp32 add");
    EXPECT_EQ(texts(OpKind::OptimizerStep).front(),
              "optimizer_step adamw fp32 fp32 fp32 fp32 > fp32 fp32 fp32");
    config.precision = Precision::Bf16;
    const StepPlan half = planOf(config);
    EXPECT_EQ(signatureOf(half, half.ops[1]).text(), "layer_forward bf16 bf16 > bf16 relu casts abr");
}

TEST(Predict, SourcesHaveTheNamesOfTheFileFormat) {
    EXPECT_EQ(sourceName(Source::Predicted), "predicted");
    EXPECT_EQ(sourceName(Source::Clock), "clock");
    EXPECT_EQ(sourceName(Source::Allocator), "allocator");
    EXPECT_EQ(sourceName(Source::Counter), "counter");
    EXPECT_EQ(sourceName(Source::Event), "event");
    EXPECT_EQ(sourceName(Source::Activity), "activity");
}

}  // namespace
}  // namespace plumb
