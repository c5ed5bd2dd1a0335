// SPDX-License-Identifier: Apache-2.0
// The predicted time of a step of several ranks, from tables that a law makes.
#include "core/comm/comm_call.h"
#include "core/machine/op_cost_key.h"
#include "core/measure/filed_prediction.h"
#include "core/measure/predicted_lanes.h"
#include "core/measure/reading.h"
#include "core/plan/traffic.h"
#include "tests/support/random_config.h"
#include "tests/support/rank_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace plumb {
namespace {

using testing::HasSubstr;

using test::kAfterOp;
using test::Law;
using test::machineFor;

RunConfig rankConfig(std::uint64_t seed) {
    RunConfig config = test::randomConfig(seed);
    if (seed % 4 < 2) config.dim *= 16;  // gradients of several buckets
    const std::int64_t rows = config.microBatchSize(), count = config.microBatches();
    config.parallel.data = 2 + static_cast<std::int64_t>(seed % 3);
    config.microBatch = rows;
    config.batch = rows * count * config.parallel.data;
    if (config.precision == Precision::Fp8) config.residentBatch = false;
    if (config.optimizer != Optimizer::Adafactor) config.parallel.zero = static_cast<Zero>(seed / 3 % 4);
    return config;
}

/// Seconds of the lanes of a step, each by itself.
struct Sums {
    Seconds compute = 0, traffic = 0, waits = 0;
};
Sums sumsOf(const StepPlan& plan, const Prediction& prediction) {
    Sums sums;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const Op& op = plan.ops[i];
        if (op.lane == Lane::Traffic)
            sums.waits += prediction.opSeconds[i].value();
        else
            sums.compute += prediction.opSeconds[i].value() +
                            (op.isView() ? 0 : static_cast<double>(op.executions) * kAfterOp);
    }
    for (const CollectiveReading& collective : prediction.collectives)
        sums.traffic += collective.seconds.value();
    return sums;
}

TEST(RankPrediction, TellsWhatItsLanesDoWhen) {
    bool overlaps = false, waits = false;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const StepPlan plan = planStep(rankConfig(seed), cpuTraits()).value();
        const Machine machine = machineFor(plan, {.perByte = seed % 2 == 0 ? 1e-8 : 1e-10});
        const std::optional<StepLanesTold> told = predictedLanes(plan, machine);
        ASSERT_TRUE(told.has_value()) << "seed " << seed;
        const Prediction prediction = predict(plan, machine);
        EXPECT_LE(told->seconds, *prediction.totals.seconds * (1 + 1e-9)) << "seed " << seed;
        std::map<Lane, Seconds> ends;
        std::map<Lane, Seconds> work;
        std::set<std::int32_t> collectives;
        for (const LaneStretch& stretch : told->stretches) {
            // Works of a lane follow one another, and none is beyond the step.
            EXPECT_GE(stretch.begin, ends[stretch.lane] - 1e-12) << "seed " << seed;
            EXPECT_LE(stretch.end, told->seconds + 1e-12) << "seed " << seed;
            waits = waits || (stretch.lane == Lane::Compute && stretch.begin > ends[Lane::Compute] + 1e-12);
            ends[stretch.lane] = stretch.end;
            work[stretch.lane] += stretch.end - stretch.begin;
            if (stretch.lane == Lane::Traffic) collectives.insert(stretch.op);
        }
        ASSERT_EQ(collectives.size(), prediction.collectives.size()) << "each of them goes";
        EXPECT_NEAR(std::max(ends[Lane::Compute], ends[Lane::Traffic]), told->seconds, 1e-12);
        overlaps = overlaps || work[Lane::Compute] + work[Lane::Traffic] > told->seconds * 1.01;
    }
    EXPECT_TRUE(overlaps && waits) << "plans are too much alike";
    RunConfig alone;
    EXPECT_FALSE(predictedLanes(planStep(alone, cpuTraits()).value(), {}).has_value());
    const StepPlan unknown = planStep(rankConfig(1), cpuTraits()).value();
    EXPECT_FALSE(predictedLanes(unknown, {}).has_value()) << "nobody measured so many ranks";
}

TEST(RankPrediction, ComesFromAFileWithItsCollectives) {
    const StepPlan plan = planStep(rankConfig(2), cpuTraits()).value();
    const Machine machine = machineFor(plan);
    const Prediction prediction = predict(plan, machine);
    Reading filed = toReading(plan, prediction);
    EXPECT_EQ(filedPrediction(plan, filed, machine)->collectives, prediction.collectives);
    filed.collectives.clear();  // as of programs that did not tell them
    EXPECT_EQ(filedPrediction(plan, filed, machine)->collectives, collectivesOf(plan));
}

TEST(RankPrediction, HoldsWhatAnyScheduleHoldsForRandomPlans) {
    bool hides = false, exposes = false;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const StepPlan plan = planStep(rankConfig(seed), cpuTraits()).value();
        const Law law{.perByte = seed % 2 == 0 ? 1e-8 : 1e-10};  // more than products hide, and less
        const Prediction prediction = predict(plan, machineFor(plan, law));
        ASSERT_TRUE(prediction.totals.seconds.has_value()) << "seed " << seed;
        const Seconds step = *prediction.totals.seconds, exposed = prediction.totals.exposed.value();
        const Sums sums = sumsOf(plan, prediction);
        const double near = 1e-9 * step;
        const Prediction even = predict(
            plan, machineFor(plan, {.perByte = law.perByte, .slowedByTraffic = 1, .slowedByProducts = 1}));
        const Seconds alone = sumsOf(plan, even).compute;  // nothing slows it down
        EXPECT_GE(step, alone - near) << "seed " << seed;
        EXPECT_GE(step, sums.traffic - near) << "seed " << seed;
        // Compute works or waits, and without traffic it does not wait and nothing slows it down.
        EXPECT_NEAR(step, sums.compute + sums.waits, near) << "seed " << seed;
        EXPECT_NEAR(step - exposed, alone, near) << "seed " << seed;
        EXPECT_GE(exposed, sums.waits - near) << "seed " << seed;
        EXPECT_LE(step, 1.5 * alone + 2 * sums.traffic + near) << "seed " << seed;
        EXPECT_LE(*even.totals.seconds, step + near) << "seed " << seed;
        hides = hides || *even.totals.exposed < 0.5 * sums.traffic;
        exposes = exposes || sums.waits > 0;
    }
    EXPECT_TRUE(hides) << "no step hides most of its traffic";
    EXPECT_TRUE(exposes) << "no step waits";
}

TEST(RankPrediction, GetsLongerWithEachOfItsTables) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const StepPlan plan = planStep(rankConfig(seed), cpuTraits()).value();
        const Law law;
        const Seconds before = *predict(plan, machineFor(plan, law)).totals.seconds;
        for (const Law& slower : {Law{.perWork = 2e-9}, Law{.perByte = 2e-8}, Law{.slowedByTraffic = 3},
                                  Law{.slowedByProducts = 4}})
            EXPECT_GE(*predict(plan, machineFor(plan, slower)).totals.seconds, before * (1 - 1e-9))
                << "seed " << seed;
    }
}

TEST(RankPrediction, OfFreeTrafficIsThatOfTheProducts) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const StepPlan plan = planStep(rankConfig(seed), cpuTraits()).value();
        const Prediction prediction = predict(plan, machineFor(plan, {.perByte = 1e-15}));
        EXPECT_NEAR(*prediction.totals.seconds, sumsOf(plan, prediction).compute,
                    1e-5 * *prediction.totals.seconds);
    }
}

TEST(RankPrediction, HasTheTrafficInTheLastMicroBatchAlone) {
    RunConfig config{.dim = 64, .layers = 3, .batch = 16, .microBatch = 8, .parallel = {.data = 2}};
    const StepPlan one = planStep(config, cpuTraits()).value();
    config.batch = 160;
    const StepPlan ten = planStep(config, cpuTraits()).value();
    const Prediction few = predict(one, machineFor(one)), many = predict(ten, machineFor(ten));
    const Sums fewSums = sumsOf(one, few), manySums = sumsOf(ten, many);
    EXPECT_NEAR(fewSums.traffic, manySums.traffic, 1e-12);
    EXPECT_NEAR(*few.totals.exposed, *many.totals.exposed, 0.02 * *few.totals.exposed);
    EXPECT_NEAR(*many.totals.seconds - *few.totals.seconds, manySums.compute - fewSums.compute,
                0.02 * *few.totals.exposed);
}

TEST(RankPrediction, HasTheTrafficOfEachMicroBatchWhereRanksShareGradients) {
    for (const Zero zero : {Zero::Gradients, Zero::Weights}) {
        RunConfig config{.dim = 64, .layers = 3, .batch = 32, .microBatch = 8};
        config.parallel = {.data = 2, .zero = zero};
        const auto predicted = [&](std::int64_t microBatches) {
            config.batch = 16 * microBatches;
            const StepPlan plan = planStep(config, cpuTraits()).value();
            return predict(plan, machineFor(plan));
        };
        const Prediction two = predicted(2), three = predicted(3), nine = predicted(9);
        // Each further micro-batch takes the same, traffic and waits included.
        const Seconds more = *three.totals.seconds - *two.totals.seconds;
        EXPECT_NEAR(*nine.totals.seconds - *two.totals.seconds, 7 * more, 1e-9 * *nine.totals.seconds);
        EXPECT_NEAR(*nine.totals.exposed - *two.totals.exposed,
                    7 * (*three.totals.exposed - *two.totals.exposed), 1e-9 * *nine.totals.seconds);
        EXPECT_GT(*three.totals.exposed, 1.1 * *two.totals.exposed);
    }
}

TEST(RankPrediction, IsAbsentWhereSoManyWereNotMeasuredAndSaysTheRemedy) {
    RunConfig config{.dim = 64, .layers = 3, .batch = 24, .parallel = {.data = 2}};
    const StepPlan two = planStep(config, cpuTraits()).value();
    const Machine machine = machineFor(two);
    EXPECT_TRUE(predict(two, machine).totals.seconds);
    EXPECT_FALSE(shareOfCalibratedSpeed(two, machine, SpeedProbe{1e9, 1e9, 1e9}));
    EXPECT_EQ(notPredicted(config, {machine, cpuTraits()}), "");
    config.parallel.data = 3;
    const StepPlan three = planStep(config, cpuTraits()).value();
    const Prediction none = predict(three, machine);
    EXPECT_FALSE(none.totals.seconds);
    EXPECT_FALSE(none.totals.exposed);
    for (const auto& seconds : none.opSeconds) EXPECT_FALSE(seconds);
    ASSERT_FALSE(none.collectives.empty());
    for (const CollectiveReading& collective : none.collectives) {
        EXPECT_FALSE(collective.seconds);
        const Op& op = three.op(collective.op);
        EXPECT_EQ(collective.bytes, op.executions * movedBytes(three, op));
    }
    EXPECT_THAT(notPredicted(config, {machine, cpuTraits()}), HasSubstr("of 3 ranks is not predicted"));
    EXPECT_THAT(notPredicted(config, {machine, cpuTraits()}),
                HasSubstr("plumbline-cli calibrate --backend cpu --ranks 3 does that"));
}

TEST(RankPrediction, HasNothingThatStandsInForAMissingTable) {
    const RunConfig config{.dim = 64, .layers = 3, .batch = 24, .parallel = {.data = 2}};
    const StepPlan plan = planStep(config, cpuTraits()).value();
    const Machine whole = machineFor(plan);
    const std::vector<CostTable>& tables = whole.ofRanks.front().costs.tables;
    int missed = 0;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        Machine machine = whole;
        machine.ofRanks.front().costs.tables.erase(machine.ofRanks.front().costs.tables.begin() +
                                                   static_cast<std::ptrdiff_t>(i));
        if (!predict(plan, machine).totals.seconds) ++missed;
    }
    // Those of other formats, and of ops that never run beside traffic, are not asked for.
    EXPECT_GE(missed, 6);
    EXPECT_LT(missed, static_cast<int>(tables.size()));
}

TEST(BusBandwidth, IsWhatEveryAlgorithmSendsOverTheTime) {
    EXPECT_DOUBLE_EQ(busBandwidth(CommKind::AllReduce, 1e9, 1, 2), 1e9);
    EXPECT_DOUBLE_EQ(busBandwidth(CommKind::AllReduce, 1e9, 0.5, 4), 3e9);
    CommCall call{.pieces = {{nullptr, 4000}}};
    for (const CommKind kind : {CommKind::AllReduce, CommKind::ReduceScatter, CommKind::AllGather}) {
        call.kind = kind;
        EXPECT_DOUBLE_EQ(busBandwidth(kind, 16000, 1, 4), static_cast<double>(bytesOf(call, 1, 4).sent));
    }
}

}  // namespace
}  // namespace plumb
