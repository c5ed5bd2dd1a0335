// SPDX-License-Identifier: Apache-2.0
// `fit` against the memory curve of the plan that it leads to. That its search is exact is shown in
// chain_search_test.cpp.
#include "core/plan/fit_schedule.h"

#include "core/measure/reading.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace plumb {
namespace {

RunConfig withPolicy(RunConfig config, RecomputePolicy::Kind kind, std::int64_t interval = 1) {
    config.recompute = {};
    config.recompute.kind = kind;
    config.recompute.interval = interval;
    return config;
}

RunConfig withBudget(RunConfig config, Bytes budget) {
    config.recompute = {};
    config.recompute.kind = RecomputePolicy::Kind::Fit;
    config.recompute.budgetBytes = budget;
    return config;
}

struct Outcome {
    Bytes peak = 0;
    Flops recomputed = 0;
};

Outcome outcomeOf(const RunConfig& config) {
    const Result<StepPlan> plan = planStep(config, cpuTraits());
    EXPECT_TRUE(plan.has_value()) << (plan.has_value() ? "" : plan.error().text());
    if (!plan.has_value()) return {};
    return {summariseCurve(memoryCurve(*plan)).peakBytes, plan->recomputedFlops};
}

Bytes leastPeakOf(const RunConfig& config) {
    const Result<Bytes> least = leastPeak(config, cpuTraits());
    EXPECT_TRUE(least.has_value());
    return least.has_value() ? *least : 0;
}

/// All policies but fit.
std::vector<RunConfig> otherPolicies(const RunConfig& config) {
    std::vector<RunConfig> others{withPolicy(config, RecomputePolicy::Kind::All),
                                  withPolicy(config, RecomputePolicy::Kind::None),
                                  withPolicy(config, RecomputePolicy::Kind::Sqrt)};
    for (std::int64_t interval = 1; interval <= config.layers; ++interval)
        others.push_back(withPolicy(config, RecomputePolicy::Kind::Every, interval));
    return others;
}

class FitSchedule : public testing::TestWithParam<std::uint64_t> {
protected:
    /// Random, and from some seeds on deeper and with narrower layers, so that gradients weigh little.
    RunConfig config() const {
        RunConfig made = test::randomConfig(GetParam());
        if (GetParam() % 3 == 0) {
            made.layers = 13 + static_cast<std::int64_t>(GetParam() % 20);
            made.dim = 1 + made.dim % 9;
        }
        return made;
    }
};

TEST_P(FitSchedule, NeverPeaksAboveItsBudget) {
    const Bytes least = leastPeakOf(config());
    const Bytes most = outcomeOf(withPolicy(config(), RecomputePolicy::Kind::All)).peak;
    for (Bytes part = 0; part <= 7; ++part) {
        const Bytes budget = least + std::max<Bytes>(0, most - least) * part / 7;
        EXPECT_LE(outcomeOf(withBudget(config(), budget)).peak, budget);
    }
}

TEST_P(FitSchedule, ReachesTheLeastPeakAndRefusesOneByteLess) {
    const Bytes least = leastPeakOf(config());
    EXPECT_EQ(outcomeOf(withBudget(config(), least)).peak, least);
    EXPECT_TRUE(hasFitSchedule(withBudget(config(), least), cpuTraits()));
    const RunConfig tooLittle = withBudget(config(), least - 1);
    EXPECT_FALSE(hasFitSchedule(tooLittle, cpuTraits()));
    const Result<StepPlan> plan = planStep(tooLittle, cpuTraits());
    ASSERT_FALSE(plan.has_value());
    EXPECT_EQ(plan.error().code, ErrorCode::BadInput);
    EXPECT_EQ(plan.error().text(), "no checkpoint schedule fits (" + std::to_string(least - 1) +
                                       " B): the least is " + std::to_string(least) +
                                       " B, give at least that");
}

TEST_P(FitSchedule, RecomputesNothingWhereKeepingAllFits) {
    const Outcome all = outcomeOf(withPolicy(config(), RecomputePolicy::Kind::All));
    const Outcome fit = outcomeOf(withBudget(config(), all.peak));
    EXPECT_EQ(fit.recomputed, 0);
    EXPECT_EQ(fit.peak, all.peak);
}

TEST_P(FitSchedule, IsNeverWorseThanAnotherPolicyOfTheSamePeak) {
    for (const RunConfig& other : otherPolicies(config())) {
        const Outcome theirs = outcomeOf(other);
        EXPECT_LE(outcomeOf(withBudget(config(), theirs.peak)).recomputed, theirs.recomputed)
            << optionValue(other, "checkpoint");
    }
}

TEST_P(FitSchedule, NeverRecomputesMoreWithMoreMemory) {
    const Bytes least = leastPeakOf(config());
    const Bytes most = outcomeOf(withPolicy(config(), RecomputePolicy::Kind::All)).peak;
    Flops before = INT64_MAX;
    for (Bytes part = 0; part <= 20; ++part) {
        const Flops recomputed =
            outcomeOf(withBudget(config(), least + (most - least) * part / 20)).recomputed;
        EXPECT_LE(recomputed, before);
        before = recomputed;
    }
}

TEST_P(FitSchedule, HasRoomToMakeLaterWhatIsNotNeededYet) {
    const Result<StepPlan> plan = planStep(withPolicy(config(), RecomputePolicy::Kind::None), cpuTraits());
    ASSERT_TRUE(plan.has_value());
    const Bytes peak = summariseCurve(memoryCurve(*plan)).peakBytes;
    for (Bytes part = 8; part <= 30; ++part) {
        const ChainCapacity capacity = chainCapacity(*plan, peak * part / 10);
        for (std::size_t layer = 2; layer < capacity.recompute.size() - 1; ++layer)
            EXPECT_GE(capacity.recompute[layer], capacity.backward[layer + 1]) << layer;
    }
}

INSTANTIATE_TEST_SUITE_P(RandomConfigurations, FitSchedule, testing::Range<std::uint64_t>(0, 60));

RunConfig deep(std::int64_t layers) {
    return RunConfig{.dim = 1024, .layers = layers, .activation = Activation::Relu, .batch = 8192};
}

TEST(FitScheduleOfDeepNetworks, FitsEveryBudgetOfFiveHundredLayers) {
    const RunConfig config = deep(512);
    const Bytes least = leastPeakOf(config);
    const Bytes most = outcomeOf(withPolicy(config, RecomputePolicy::Kind::All)).peak;
    Flops before = INT64_MAX;
    for (Bytes part = 0; part <= 8; ++part) {
        const Bytes budget = least + (most - least) * part / 8;
        const Outcome outcome = outcomeOf(withBudget(config, budget));
        EXPECT_LE(outcome.peak, budget);
        EXPECT_LE(outcome.recomputed, before);
        before = outcome.recomputed;
    }
    EXPECT_EQ(before, 0);
}

TEST(FitScheduleOfDeepNetworks, IsRefusedBeyondItsDepthUnlessOneRecomputationIsEnough) {
    const RunConfig config = deep(kMostFitLayers + 1);
    const Outcome none = outcomeOf(withPolicy(config, RecomputePolicy::Kind::None));
    const Outcome all = outcomeOf(withPolicy(config, RecomputePolicy::Kind::All));
    const Result<StepPlan> tight = planStep(withBudget(config, none.peak), cpuTraits());
    ASSERT_FALSE(tight.has_value());
    EXPECT_EQ(tight.error().text(),
              "checkpoint fit is worked out for at most 1024 layers (1025): use sqrt, none or a "
              "number of layers");
    EXPECT_EQ(outcomeOf(withBudget(config, all.peak)).recomputed, 0);
    EXPECT_FALSE(leastPeak(config, cpuTraits()).has_value());
}

}  // namespace
}  // namespace plumb
