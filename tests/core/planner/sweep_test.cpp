// SPDX-License-Identifier: Apache-2.0
#include "core/planner/sweep.h"

#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace plumb::planner {
namespace {

std::vector<double> valuesOf(Input input, std::string_view text) {
    auto axis = sweepAxis(scenarioOf("llama-3-8b", 64), input, text);
    EXPECT_TRUE(axis.has_value()) << axis.error().text();
    return axis.has_value() ? axis->values : std::vector<double>{};
}

std::string problemOf(Input input, std::string_view text) {
    const auto axis = sweepAxis(scenarioOf("llama-3-8b", 64), input, text);
    return axis.has_value() ? "accepted" : axis.error().text();
}

TEST(Sweep, GoesByFactorsStepsAndLists) {
    EXPECT_EQ(valuesOf(Input::Devices, "64..4096:x2"),
              (std::vector<double>{64, 128, 256, 512, 1024, 2048, 4096}));
    EXPECT_EQ(valuesOf(Input::Devices, "64..100:x2"), (std::vector<double>{64}));
    EXPECT_EQ(valuesOf(Input::MicroBatch, "1..8:+3"), (std::vector<double>{1, 4, 7}));
    EXPECT_EQ(valuesOf(Input::Tensor, "1,2,8"), (std::vector<double>{1, 2, 8}));
    EXPECT_EQ(valuesOf(Input::Tokens, "1T..4T:x2"), (std::vector<double>{1e12, 2e12, 4e12}));
    EXPECT_EQ(valuesOf(Input::Mfu, "30 %,0.5").front(), 0.3);
    EXPECT_EQ(valuesOf(Input::Devices, "1Ki..4Ki:x2"), (std::vector<double>{1024, 2048, 4096}));
    const std::vector<double> tenths = valuesOf(Input::Mfu, "0.1..0.5:+0.1");
    ASSERT_EQ(tenths.size(), 5U) << "the last one is not lost to rounding";
    EXPECT_DOUBLE_EQ(tenths.back(), 0.5);
    EXPECT_EQ(valuesOf(Input::Devices, "1..3:x1.2"), (std::vector<double>{1, 2, 3}))
        << "whole and without repeats";
}

TEST(Sweep, RefusesWhatIsNone) {
    for (const char* text :
         {"64..4096", "64..4096:2", "64..4096:x1", "64..4096:x0.5", "8..1:x2", "1..8:+0", "", "1,,2",
          "..8:x2", "1..:x2", "1..8:x", "1..8:y2", "1..8:xx2", "many", "1.5,2", "0,8", "1..1e6:+1"})
        EXPECT_NE(problemOf(Input::Devices, text), "accepted") << text;
    EXPECT_NE(problemOf(Input::Devices, "64..4096:2").find("xFACTOR"), std::string::npos);
    EXPECT_NE(problemOf(Input::Devices, "1..1e6:+1").find("more than 10000"), std::string::npos);
    EXPECT_NE(problemOf(Input::Devices, "8..1:x2").find("--sweep devices"), std::string::npos);
    EXPECT_NE(problemOf(Input::Mfu, "0.5,1.5").find("above 100 %"), std::string::npos);
}

TEST(Sweep, AnswersAsEachScenarioByItself) {
    Scenario s = scenarioOf("llama-3-8b", 64);
    s.workload.tokens = 1e12;
    s.workload.batch = 1024;
    const Sweep swept = sweep(s, sweepAxis(s, Input::Devices, "64..512:x2").value(),
                              {Output::StepSeconds, Output::MemoryPerDevice, Output::StepDays});
    EXPECT_TRUE(swept.complete);
    ASSERT_EQ(swept.rows.size(), 4U);
    for (const SweepRow& row : swept.rows) {
        Scenario there = s;
        there.cluster.devices = static_cast<std::int64_t>(row.value);
        EXPECT_TRUE(row.problem.empty()) << row.problem;
        for (std::size_t i = 0; i < swept.outputs.size(); ++i) {
            ASSERT_TRUE(row.answers[i].has_value());
            EXPECT_EQ(row.answers[i]->expected, *evaluate(swept.outputs[i], there));
            EXPECT_LE(row.answers[i]->low, row.answers[i]->expected);
        }
        ASSERT_TRUE(row.verdict.has_value());
        EXPECT_EQ(row.verdict->needed.expected, row.answers[1]->expected);
    }
}

TEST(Sweep, SaysWhyInPlaceOfANumber) {
    const Scenario s = scenarioOf("llama-3-8b", 64);
    const Sweep swept = sweep(s, sweepAxis(s, Input::Tensor, "1,2,3").value(), {Output::StepSeconds});
    ASSERT_EQ(swept.rows.size(), 3U);
    EXPECT_TRUE(swept.rows[0].answers[0].has_value());
    EXPECT_TRUE(swept.rows[1].answers[0].has_value());
    EXPECT_FALSE(swept.rows[2].answers[0].has_value());
    EXPECT_NE(swept.rows[2].problem.find("cannot be divided by"), std::string::npos) << swept.rows[2].problem;
    EXPECT_FALSE(swept.rows[2].verdict.has_value());
}

TEST(Sweep, HoldsTheBatchWhenTheLayoutIsSwept) {
    const Scenario s = scenarioOf("llama-3-8b", 64);  // a batch of 64: one for each device
    const Sweep swept = sweep(s, sweepAxis(s, Input::Tensor, "1,2,4").value(), {Output::StepSeconds});
    for (const SweepRow& row : swept.rows) {
        Scenario there = s;
        there.workload.batch = 64;
        there.parallel.tensor = static_cast<std::int64_t>(row.value);
        EXPECT_EQ(row.answers[0]->expected, *evaluate(Output::StepSeconds, there));
    }
}

TEST(Sweep, GoesOverAllCombinationsOfSeveralInputs) {
    Scenario s = scenarioOf("llama-3-8b", 64);
    const auto axis = [&](Input input, std::string_view text) { return sweepAxis(s, input, text).value(); };
    const auto grid = sweepGrid(s, {axis(Input::Sequence, "1024,2048"), axis(Input::MicroBatch, "1..4:x2")},
                                {Output::MemoryPerDevice});
    ASSERT_TRUE(grid.has_value()) << grid.error().text();
    EXPECT_TRUE(grid->complete);
    ASSERT_EQ(grid->rows.size(), 6U);
    for (std::size_t i = 0; i < grid->rows.size(); ++i) {
        const SweepRow& row = grid->rows[i];
        EXPECT_EQ(row.value, i < 3 ? 1024 : 2048) << "the first one is the slowest";
        EXPECT_EQ(row.others, std::vector{std::exp2(i % 3)});
        Scenario there = s;
        there.workload.sequence = static_cast<std::int64_t>(row.value);
        there.parallel.microBatch = static_cast<std::int64_t>(row.others.front());
        EXPECT_EQ(row.answers[0]->expected, *evaluate(Output::MemoryPerDevice, there));
    }
    const auto twice =
        sweepGrid(s, {axis(Input::Devices, "1,2"), axis(Input::Devices, "4,8")}, {Output::MemoryPerDevice});
    ASSERT_FALSE(twice.has_value());
    EXPECT_NE(twice.error().text().find("swept twice"), std::string::npos);
    const auto large = sweepGrid(s, {axis(Input::Devices, "1..200:+1"), axis(Input::Batch, "1..200:+1")},
                                 {Output::MemoryPerDevice});
    ASSERT_FALSE(large.has_value());
    EXPECT_NE(large.error().text().find("combinations"), std::string::npos);
}

TEST(Sweep, HasOneBatchForRowsThatDifferInTheirLayoutAlone) {
    const Scenario s = scenarioOf("llama-3-8b", 1);
    const auto grid = sweepGrid(
        s, {sweepAxis(s, Input::Tensor, "1,2,4").value(), sweepAxis(s, Input::Devices, "8,16").value()},
        {Output::StepSeconds});
    ASSERT_TRUE(grid.has_value()) << grid.error().text();
    ASSERT_EQ(grid->rows.size(), 6U);
    for (const SweepRow& row : grid->rows) {
        ASSERT_TRUE(row.answers[0].has_value()) << row.problem;
        EXPECT_EQ(row.batch, static_cast<std::int64_t>(row.others.front()))
            << "of the devices without tensor";
    }
}

TEST(Sweep, SaysTheBatchThatFollows) {
    Scenario s = scenarioOf("llama-3-8b", 64);
    const auto batches = [&](Input input, std::string_view text) {
        std::vector<std::optional<std::int64_t>> all;
        for (const SweepRow& row : sweep(s, sweepAxis(s, input, text).value(), {Output::StepSeconds}).rows)
            all.push_back(row.batch);
        return all;
    };
    using Batches = std::vector<std::optional<std::int64_t>>;
    EXPECT_EQ(batches(Input::Devices, "8,16"), (Batches{8, 16}));
    EXPECT_EQ(batches(Input::Batch, "64,128"), (Batches{std::nullopt, std::nullopt}))
        << "it is what is swept";
    s.workload.batch = 128;
    EXPECT_EQ(batches(Input::Devices, "8,16"), (Batches{std::nullopt, std::nullopt})) << "given";
}

TEST(Sweep, KeepsWhatIsDoneWhenItIsStopped) {
    const Scenario s = scenarioOf("llama-3-8b", 64);
    std::stop_source stop;
    const Sweep swept = sweep(s, sweepAxis(s, Input::Devices, "64..4096:x2").value(), {Output::StepSeconds},
                              stop.get_token(), [&](double done) {
                                  if (done > 0.4) stop.request_stop();
                              });
    EXPECT_FALSE(swept.complete);
    ASSERT_EQ(swept.rows.size(), 3U);
    EXPECT_TRUE(swept.rows.back().answers[0].has_value());
}

}  // namespace
}  // namespace plumb::planner
