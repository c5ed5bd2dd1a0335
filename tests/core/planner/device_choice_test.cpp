// SPDX-License-Identifier: Apache-2.0
#include "core/planner/device_choice.h"

#include "core/planner/inputs.h"
#include "core/planner/step_time.h"
#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

namespace plumb::planner {
namespace {

DeviceCandidate candidate(std::string_view name, std::int64_t devices, std::optional<double> price = {}) {
    return {HardwareDatabase::builtIn().find(name).value(), devices, price};
}

Scenario trainingOf(const char* model) {
    Scenario s;
    s.model = findModel(model).value();
    s.workload.tokens = 1e9;
    s.workload.sequence = 4096;
    s.workload.batch = 32;
    return s;
}

TEST(DeviceChoice, TakesTheCheapestThatFits) {
    const auto choice = chooseDevices(trainingOf("llama-3.2-1b"), {candidate("a100-sxm4-80gb", 8, 1.6),
                                                                   candidate("h200-sxm-141gb", 2, 3.5)});
    ASSERT_TRUE(choice.has_value()) << choice.error().text();
    ASSERT_EQ(choice->plans.size(), 2U);
    EXPECT_TRUE(choice->priced);
    EXPECT_EQ(choice->batch, 32);
    const CandidatePlan &best = choice->plans[0], &other = choice->plans[1];
    EXPECT_TRUE(best.fits);
    EXPECT_LE(best.dollars->expected, other.dollars->expected);
    EXPECT_EQ(best.why, "the cheapest");
    EXPECT_EQ(best.place, best.why);
    EXPECT_TRUE(other.place.ends_with(" % dearer")) << other.place;
    EXPECT_TRUE(other.why.starts_with(other.place + ": ")) << other.why;
    for (const CandidatePlan& plan : choice->plans) {
        // Money is hours times price, hours are days times devices.
        EXPECT_NEAR(plan.dollars->expected, plan.deviceHours.expected * *plan.dollarsPerHour, 1e-6);
        EXPECT_NEAR(plan.deviceHours.expected,
                    24 * plan.days.expected * static_cast<double>(plan.candidate.devices), 1e-6);
        EXPECT_LE(plan.days.low, plan.days.expected);
        EXPECT_GT(plan.energyJoules->expected, 0);
    }
}

TEST(DeviceChoice, HasTheTimesOfTheStepModel) {
    const Scenario s = trainingOf("llama-3.2-1b");
    const auto choice = chooseDevices(s, {candidate("h100-sxm5-80gb", 8)});
    ASSERT_TRUE(choice.has_value());
    const CandidatePlan& plan = choice->plans.front();
    Scenario on = s;
    on.cluster.device = plan.candidate.device;
    on.cluster.devices = 8;
    on = withSharding(on, *plan.layout, choice->batch);
    EXPECT_NEAR(plan.days.expected / *evaluate(Output::StepDays, on), 1, 1e-9);
    // The generation's own efficiency, and not one of all: an H100 is not 990/312 times an A100.
    const auto older = chooseDevices(s, {candidate("a100-sxm4-80gb", 8)});
    const double faster = older->plans.front().days.expected / plan.days.expected;
    EXPECT_GT(faster, 1.5);
    EXPECT_LT(faster, 990.0 / 312);
}

TEST(DeviceChoice, AssumesNoPrice) {
    Scenario s = trainingOf("llama-3.2-1b");
    const std::vector<DeviceCandidate> both{candidate("a100-sxm4-80gb", 8),
                                            candidate("h100-sxm5-80gb", 8, 3)};
    const auto choice = chooseDevices(s, both);
    ASSERT_TRUE(choice.has_value());
    EXPECT_FALSE(choice->priced);
    EXPECT_EQ(choice->plans.front().candidate.device.name, both[1].device.name);  // the faster one
    EXPECT_EQ(choice->plans.front().why, "the fastest");
    EXPECT_FALSE(choice->plans.back().dollars.has_value());
    EXPECT_NE(choice->notes.front().find("prices"), std::string::npos);
    // One price for all stands for what has none of its own.
    ASSERT_TRUE(setInput(s, Input::DevicePrice, 1.0).has_value());
    const auto priced = chooseDevices(s, both);
    EXPECT_TRUE(priced->priced);
    for (const CandidatePlan& plan : priced->plans)
        EXPECT_EQ(*plan.dollarsPerHour, plan.candidate.dollarsPerHour.value_or(1));
}

TEST(DeviceChoice, PutsWhatDoesNotFitLast) {
    const auto choice = chooseDevices(trainingOf("llama-3-8b"),
                                      {candidate("t4-16gb", 2, 0.1), candidate("h100-sxm5-80gb", 8, 3)});
    ASSERT_TRUE(choice.has_value());
    EXPECT_TRUE(choice->plans.front().fits);
    const CandidatePlan& last = choice->plans.back();
    EXPECT_TRUE(!last.problem.empty() || last.why.find("does not fit") != std::string::npos) << last.why;
    EXPECT_FALSE(chooseDevices(trainingOf("llama-3-8b"), {}).has_value());
    EXPECT_FALSE(chooseDevices(Scenario{}, {candidate("h100-sxm5-80gb", 8)}).has_value());
}

TEST(DeviceChoice, TakesABatchThatAllDivide) {
    Scenario s = trainingOf("llama-3.2-1b");
    s.workload.batch = 0;
    const auto choice = chooseDevices(s, {candidate("h100-sxm5-80gb", 6), candidate("h100-sxm5-80gb", 4)});
    ASSERT_TRUE(choice.has_value());
    EXPECT_EQ(choice->batch % 12, 0);
    for (const CandidatePlan& plan : choice->plans) EXPECT_TRUE(plan.problem.empty()) << plan.problem;
}

/// None of a front beats another, and everything that was tried and kept is beaten or on it.
TEST(DeviceChoice, StoppedBeforeTheFirstIsNoChoice) {
    std::stop_source stop;
    stop.request_stop();
    const auto choice =
        chooseDevices(trainingOf("llama-3.2-1b"), {candidate("a100-sxm4-80gb", 8)}, stop.get_token());
    ASSERT_FALSE(choice.has_value());
    EXPECT_EQ(choice.error().code, ErrorCode::RunFailed);
}

TEST(DeviceSearch, HasAFrontOfTimeMemoryAndPrice) {
    Scenario s = scenarioOf("llama-3-8b", 8);
    s.workload.sequence = 4096;
    s.workload.batch = 64;
    const auto search = searchDevices(s, {8, 16, 32}, 10'000);
    ASSERT_TRUE(search.has_value()) << search.error().text();
    const auto beats = [](const ShardingOption& a, const ShardingOption& b) {
        return a.memoryBytes <= b.memoryBytes && a.stepSeconds <= b.stepSeconds &&
               a.stepDollars <= b.stepDollars;
    };
    std::set<std::int64_t> devices;
    for (const ShardingOption& a : search->front) {
        devices.insert(a.devices);
        EXPECT_NEAR(a.stepDollars, static_cast<double>(a.devices) * 2.5 * a.stepSeconds / 3600,
                    1e-9 * a.stepDollars);
        for (const ShardingOption& b : search->front)
            if (&a != &b) {
                EXPECT_FALSE(beats(a, b) && a.memoryBytes < b.memoryBytes);
            }
    }
    EXPECT_GT(devices.size(), 1U);  // more devices are faster, fewer are cheaper
    for (const ShardingOption& tried : search->plans)
        EXPECT_TRUE(std::any_of(search->front.begin(), search->front.end(),
                                [&](const ShardingOption& on) { return beats(on, tried); }));
}

TEST(DeviceSearch, OfOneNumberIsThatOfLayouts) {
    Scenario s = scenarioOf("llama-3-8b", 16);
    s.workload.batch = 64;
    const auto one = searchDevices(s, {16}, 10), other = searchShardings(s, 10);
    ASSERT_TRUE(one.has_value() && other.has_value());
    ASSERT_EQ(one->plans.size(), other->plans.size());
    EXPECT_EQ(one->plans.front().layout, other->plans.front().layout);
    EXPECT_EQ(one->front.size(), other->front.size());
    // With one number of devices the cheapest is the fastest, and the front goes down in time as ever.
    for (std::size_t i = 1; i < one->front.size(); ++i)
        EXPECT_LT(one->front[i].stepSeconds, one->front[i - 1].stepSeconds);
}

}  // namespace
}  // namespace plumb::planner
