// SPDX-License-Identifier: Apache-2.0
#include "core/planner/verdict.h"

#include "core/base/quantity.h"
#include "core/planner/conventions.h"
#include "core/planner/memory.h"
#include "tests/core/planner/random_scenarios.h"
#include "tests/core/planner/scenarios.h"
#include "tests/support/english_words.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace plumb::planner {
namespace {

TEST(Verdict, IsThatOfTheFullestStageAgainstTheLabelledMemory) {
    for (const std::int64_t devices : {8, 64, 512}) {
        const Scenario s = scenarioOf("llama-3-8b", devices);
        const auto verdict = verdictOf(s);
        ASSERT_TRUE(verdict.has_value()) << verdict.error().text();
        EXPECT_EQ(verdict->needed.expected, memoryPerDevice(s)->worst().total());
        EXPECT_EQ(verdict->available, 80e9);
        EXPECT_EQ(verdict->fits(), verdict->needed.expected <= 80e9);
        EXPECT_LE(verdict->needed.low, verdict->needed.expected);
        EXPECT_GE(verdict->needed.high, verdict->needed.expected);
    }
}

TEST(Verdict, SaysWhatTheEndsOfTheAssumptionsSay) {
    EXPECT_EQ(verdictText({{50e9, 60e9, 70e9}, 80e9, false}), "fits: 60.0 GB of 80.0 GB");
    EXPECT_EQ(verdictText({{50e9, 60e9, 90e9}, 80e9, false}),
              "fits: 60.0 GB of 80.0 GB; at the unfavourable end of the assumptions 90.0 GB do not");
    EXPECT_EQ(verdictText({{85e9, 90e9, 95e9}, 80e9, false}), "DOES NOT FIT: 90.0 GB of 80.0 GB");
    EXPECT_EQ(verdictText({{75e9, 90e9, 95e9}, 80e9, false}),
              "DOES NOT FIT: 90.0 GB of 80.0 GB; at the favourable end of the assumptions 75.0 GB would");
    EXPECT_EQ(verdictText({{1e9, 1e9, 1e9}, 80e9, true}), "fits: 1.00 GB of 80.0 GB (activations left out)");
}

// What the planner says of any plan is told in Chinese as a whole.
TEST(Verdict, AndConventionsAreToldInChinese) {
    const test::InChinese chinese;
    EXPECT_EQ(inWords(verdictText({{50e9, 60e9, 70e9}, 80e9, false})), "放得下：80.0 GB 中的 60.0 GB");
    RandomScenarios scenarios(20261127);
    std::set<std::string> said;
    for (int i = 0; i < 150; ++i) {
        const Scenario s = scenarios.draw();
        if (const auto verdict = verdictOf(s); verdict.has_value()) said.insert(verdictText(*verdict));
        for (const Output output : kEnumerators<Output>)
            for (std::string& each : conventionsOf({&output, 1}, s)) said.insert(std::move(each));
    }
    EXPECT_GT(said.size(), 300U);
    for (const std::string& text : said) EXPECT_EQ(test::englishIn(inWords(text)), "") << text;
}

TEST(Verdict, IsUnknownWithoutAMemoryOrALayout) {
    Scenario s = scenarioOf("llama-3-8b", 8);
    s.cluster.device.reset();
    EXPECT_FALSE(verdictOf(s).has_value());
    s = scenarioOf("llama-3-8b", 8);
    s.parallel.tensor = 3;
    EXPECT_FALSE(verdictOf(s).has_value());
}

TEST(Verdict, BelongsToEveryTimeAndPrice) {
    for (const Output output : kEnumerators<Output>) {
        const std::string_view unit = info(output).unit;
        const bool isTime = unit == "d" || unit == "h" || unit == "$" || unit == "J";
        if (isTime) {
            EXPECT_TRUE(needsMemory(output)) << info(output).key;
        }
        EXPECT_EQ(wantsVerdict(std::array{output}),
                  needsMemory(output) || output == Output::MemoryPerDevice || output == Output::ServerMemory);
    }
}

bool says(Output output, const Scenario& s, std::string_view words) {
    return conventionsLine(std::array{output}, s).find(words) != std::string::npos;
}

TEST(Conventions, SayHowAMereCountIsSpread) {
    Scenario s = withDevice("H100 SXM", 1024);
    s.model = modelOfCount(70e9);
    s.workload.tokens = 15e12;
    EXPECT_TRUE(says(Output::Days, s, "data 1024, weights, gradients and states shared (ZeRO 3, FSDP)"))
        << conventionsLine(std::array{Output::Days}, s);
    EXPECT_TRUE(says(Output::Days, s, "activations left out"));
    EXPECT_TRUE(says(Output::Days, s, "6 FLOPs per parameter and token, attention left out"));
    s.parallel.sharding = Sharding::State;
    s.parallel.tensor = 8;
    EXPECT_TRUE(says(Output::MemoryPerDevice, s, "data 128 x tensor 8, states shared (ZeRO 1)"));
}

TEST(Conventions, SayWhichPairsParametersAndDaysCount) {
    Scenario s = scenarioOf("deepseek-v3", 2048);
    s.workload.tokens = 15e12;
    EXPECT_TRUE(says(Output::StepDays, s, "the full square"));
    EXPECT_TRUE(says(Output::StepDays, s, "causal half, which the kernel executes"));
    EXPECT_TRUE(says(Output::StepDays, s,
                     "active parameters (" + formatExact(37552297472, "") + " of " +
                         formatExact(671026419200, "") + ")"));
    EXPECT_TRUE(says(Output::StepDays, s, "goodput 1"));
    EXPECT_TRUE(says(Output::StepDays, s, "sequences of 8192, the model's longest"));
    s.workload.sequence = 4096;
    s.workload.batch = 2048;
    EXPECT_FALSE(says(Output::StepDays, s, "sequences of")) << "it was given";
    EXPECT_FALSE(says(Output::StepDays, s, "a batch of")) << "it was given";
    s.given[Input::Goodput] = Range{0.9, 0.9, 0.9};
    EXPECT_TRUE(says(Output::StepDays, s, "of which 90 % train"));
    EXPECT_TRUE(says(Output::Cost, s, "prices leave out"));
    EXPECT_FALSE(says(Output::StepSeconds, s, "a day is"));
}

TEST(Conventions, AreOneLineForEveryAnswerOfEveryModel) {
    for (const char* model : {"gpt2-xl", "llama-3-8b", "deepseek-v3"}) {
        Scenario s = scenarioOf(model, 64);
        s.workload.tokens = 2e12;
        for (const Output output : kEnumerators<Output>) {
            const std::string line = conventionsLine(std::array{output}, s);
            EXPECT_EQ(line.find('\n'), std::string::npos);
            if (output == Output::ModelParameters || output == Output::TrainedParameters)
                continue;  // counted, nothing is taken for granted
            EXPECT_TRUE(line.starts_with("conventions: ")) << info(output).key;
        }
    }
}

}  // namespace
}  // namespace plumb::planner
