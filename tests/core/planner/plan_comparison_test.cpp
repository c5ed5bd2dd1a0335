// SPDX-License-Identifier: Apache-2.0
#include "core/planner/plan_comparison.h"

#include "core/planner/memory.h"
#include "core/planner/step_parts.h"
#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plumb::planner {
namespace {

Scenario trained(std::int64_t devices) {
    Scenario s = scenarioOf("llama-3-8b", devices);
    s.workload.tokens = 1e12;
    s.workload.batch = 1024;
    return s;
}

const ComparedRow& rowOf(const std::vector<ComparedRow>& rows, std::string_view key) {
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const ComparedRow& row) { return row.key == key; });
    EXPECT_NE(found, rows.end()) << key;
    return *found;
}

TEST(PlanComparison, HasTheInputsThatDifferFirst) {
    Scenario other = trained(128);
    other.recipe.recompute = Recompute::Full;
    other.given[Input::Mfu] = Range{0.4, 0.45, 0.5};
    const auto comparison = comparePlans({{"a", trained(64)}, {"b", other}});
    ASSERT_TRUE(comparison.has_value()) << comparison.error().text();
    std::vector<std::string> differing;
    bool same = false;
    for (const ComparedRow& row : comparison->inputs) {
        EXPECT_FALSE(row.differs && same) << row.key << " stands behind one that is the same";
        if (!row.differs) same = true;
        if (row.differs) differing.push_back(row.key);
    }
    EXPECT_EQ(differing, (std::vector<std::string>{"recompute", "devices", "mfu"}));
    EXPECT_EQ(rowOf(comparison->inputs, "devices").difference(1), "+100.0 %");
}

TEST(PlanComparison, NoticesEndsThatDifferAlone) {
    Scenario a = trained(64), b = trained(64);
    a.given[Input::Mfu] = Range{0.4, 0.45, 0.5};
    b.given[Input::Mfu] = Range{0.3, 0.45, 0.5};
    const auto comparison = comparePlans({{"a", a}, {"b", b}});
    ASSERT_TRUE(comparison.has_value());
    EXPECT_TRUE(rowOf(comparison->inputs, "mfu").differs);
}

TEST(PlanComparison, AnswersAsEachPlanByItself) {
    const std::vector<NamedScenario> plans{{"a", trained(64)}, {"b", trained(128)}, {"c", trained(256)}};
    const auto comparison = comparePlans(plans);
    ASSERT_TRUE(comparison.has_value()) << comparison.error().text();
    for (const Output output : {Output::StepSeconds, Output::MemoryPerDevice, Output::StepMfu, Output::Days,
                                Output::StepDays, Output::Cost}) {
        const ComparedRow& row = rowOf(comparison->answers, info(output).key);
        for (std::size_t i = 0; i < plans.size(); ++i)
            EXPECT_EQ(row.values[i], *evaluate(output, plans[i].scenario)) << row.key;
    }
    for (std::size_t i = 0; i < plans.size(); ++i) {
        double memory = 0, seconds = 0;
        for (const ComparedRow& row : comparison->answers) {
            if (row.key.starts_with("memory.")) memory += row.values[i].value_or(0);
            if (row.key.starts_with("step.")) seconds += row.values[i].value_or(0);
        }
        EXPECT_NEAR(memory, *evaluate(Output::MemoryPerDevice, plans[i].scenario), 8)
            << "the parts make the whole, each to a byte";
        const double step = *evaluate(Output::StepSeconds, plans[i].scenario);
        EXPECT_NEAR(seconds, step, 1e-9 * step);
    }
    EXPECT_EQ(rowOf(comparison->answers, "model_parameters").difference(2), "=");
}

TEST(PlanComparison, SaysWhatAPlanCannotAnswer) {
    Scenario broken = trained(64);
    broken.parallel.tensor = 3;
    const auto comparison = comparePlans({{"a", trained(64)}, {"b", broken}});
    ASSERT_TRUE(comparison.has_value());
    EXPECT_TRUE(comparison->problems[0].empty());
    ASSERT_FALSE(comparison->problems[1].empty());
    EXPECT_NE(comparison->problems[1].front().find("cannot be divided"), std::string::npos);
    const ComparedRow& row = rowOf(comparison->answers, "step_seconds");
    EXPECT_EQ(row.texts[1], "–");
    EXPECT_TRUE(row.differs);
    EXPECT_EQ(row.difference(1), "");
}

TEST(PlanComparison, HasSharesInPercentAndTheThroughput) {
    Scenario fast = trained(64), slow = trained(64);
    fast.given[Input::Mfu] = Range{0.3, 0.391312, 0.5};
    slow.given[Input::Mfu] = Range{0.2, 0.2, 0.2};
    const auto comparison = comparePlans({{"fast", fast}, {"slow", slow}});
    ASSERT_TRUE(comparison.has_value());
    const ComparedRow& mfu = rowOf(comparison->inputs, "mfu");
    EXPECT_EQ(mfu.texts, (std::vector<std::string>{"39.1 % (30.0 % to 50.0 %)", "20.0 %"}));
    EXPECT_TRUE(rowOf(comparison->answers, "tokens_per_second").values[0].has_value());
}

TEST(PlanComparison, TakesTwoOrThree) {
    EXPECT_FALSE(comparePlans({}).has_value());
    EXPECT_FALSE(comparePlans({{"a", trained(64)}}).has_value());
    EXPECT_FALSE(comparePlans(std::vector<NamedScenario>(4, {"a", trained(64)})).has_value());
}

TEST(PlanComparison, ReadsAsPeopleSpeakOfDifferences) {
    ComparedRow row{"x", "x", "s", {}, {10.0, 12.0, 5.0}, true};
    EXPECT_EQ(row.difference(1), "+20.0 %");
    EXPECT_EQ(row.difference(2), "−50.0 %");
    row.values = {10.0, 330.0};
    EXPECT_EQ(row.difference(1), "33 times");
    row.values = {0.0, 2.0};
    EXPECT_EQ(row.difference(1), "+2.00 s");
    row.unit = "1";
    row.values = {0.4, 0.45, 0.376};
    EXPECT_EQ(row.difference(1), "+5.0 points");
    EXPECT_EQ(row.difference(2), "−2.4 points");
}

}  // namespace
}  // namespace plumb::planner
