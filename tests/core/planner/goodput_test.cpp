// SPDX-License-Identifier: Apache-2.0
// Failures and goodput, and what a measured rate is by each way of counting FLOPs.
#include "core/planner/answer.h"
#include "core/planner/counted_rate.h"
#include "core/planner/work.h"
#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumb::planner {
namespace {

double worth(Output output, const Scenario& s) {
    const auto result = evaluate(output, s);
    EXPECT_TRUE(result.has_value()) << info(output).key << ": " << result.error().text();
    return result.has_value() ? *result : std::nan("");
}

void put(Scenario& s, Input input, double number) {
    const auto done = setInput(s, input, number);
    ASSERT_TRUE(done.has_value()) << done.error().text();
}

TEST(Goodput, OfLlama3IsAboveNinetyPercent) {
    // arXiv 2407.21783, section 3.3.4: 16 384 H100 were interrupted 419 times unexpectedly in 54 days, and
    // more than 90 % of the time was effective; its storage sustains 2 TB/s (section 3.3.1).
    Scenario s = scenarioOf("llama-3.1-405b", 16384);
    const auto failures = answer(Output::FailuresPerDay, s);
    ASSERT_TRUE(failures.has_value());
    EXPECT_GE(419.0 / 54, failures->value.low);
    EXPECT_LE(419.0 / 54, failures->value.high);
    EXPECT_NEAR(failures->value.expected / (419.0 / 54), 1, 0.02);
    put(s, Input::StorageBandwidth, 2e12);
    const double goodput = worth(Output::ExpectedGoodput, s);
    EXPECT_GT(goodput, 0.9);
    EXPECT_LT(goodput, 0.97);
}

TEST(Goodput, IsOneLessCheckpointsLostWorkAndRestarts) {
    // To the first order: δ/τ for writing, (τ/2 + R)/M for failures.
    Scenario s = scenarioOf("llama-3-8b", 256);
    const double writing = worth(Output::CheckpointSeconds, s),
                 between = worth(Output::CheckpointInterval, s);
    const double mean = *numberOf(s, Input::DeviceMtbf) / 256, restart = *numberOf(s, Input::RestartTime);
    const double lost = writing / between + (between / 2 + restart) / mean;
    EXPECT_NEAR(worth(Output::ExpectedGoodput, s), 1 - lost, 0.1 * lost);
    EXPECT_NEAR(between, std::sqrt(2 * writing * mean), 1e-6 * between);
    // No other interval is better.
    const double best = worth(Output::ExpectedGoodput, s);
    for (const double factor : {0.5, 2.0}) {
        put(s, Input::CheckpointEvery, factor * between);
        EXPECT_LT(worth(Output::ExpectedGoodput, s), best);
    }
}

TEST(Goodput, FallsWithTheDevices) {
    double last = 1;
    for (const std::int64_t devices : {8, 512, 4096, 65536, 1 << 20}) {
        const double goodput = worth(Output::ExpectedGoodput, scenarioOf("llama-3.1-405b", devices));
        EXPECT_LT(goodput, last);
        EXPECT_GT(goodput, 0);
        last = goodput;
    }
}

TEST(Goodput, WritesNoFasterThanTheStorageTakesIt) {
    Scenario s = scenarioOf("llama-3-8b", 64);
    put(s, Input::CheckpointBandwidth, 1e9);
    put(s, Input::StorageBandwidth, 100e9);
    const double bytes = worth(Output::CheckpointBytes, s);
    EXPECT_DOUBLE_EQ(worth(Output::CheckpointSeconds, s), bytes / 64e9);
    s.cluster.devices = 1024;
    EXPECT_DOUBLE_EQ(worth(Output::CheckpointSeconds, s), bytes / 100e9);
}

TEST(MeasuredRate, IsThatOfThePublishedUtilisation) {
    // arXiv 2407.21783, table 4: 430 and 380 TFLOP/s of a GPU are 43 and 38 % MFU.
    Scenario s = scenarioOf("llama-3.1-405b", 8192);
    for (const auto& [rate, mfu] : {std::pair{430e12, 0.43}, std::pair{380e12, 0.38}}) {
        put(s, Input::FlopsPerDevice, rate);
        EXPECT_NEAR(worth(Output::MeasuredMfu, s), mfu, 0.006);
    }
}

TEST(MeasuredRate, IsTheSameFromTokensAndFromFlops) {
    Scenario tokens = scenarioOf("llama-3-8b", 8);
    tokens.recipe.recompute = Recompute::Full;
    tokens.workload.tokensPerSecond = 60e3;
    const auto rates = countedRates(tokens);
    ASSERT_TRUE(rates.has_value());
    ASSERT_EQ(rates->size(), 4U);
    EXPECT_EQ(rates->front().utilisation, worth(Output::MeasuredMfu, tokens));
    // What is executed is what HFU counts: the pairs that are not masked, and what runs again.
    EXPECT_NEAR(rates->back().utilisation / worth(Output::MeasuredHfu, tokens), 1, 1e-9);
    // Fewest FLOPs: causal and without recomputation.
    for (const CountedRate& rate : *rates) {
        EXPECT_GE(rate.flopsPerToken, (*rates)[2].flopsPerToken);
        EXPECT_FALSE(rate.mfuIfGivenSo.has_value());
        // Whoever was given this rate, and how it was counted, finds the same utilisation.
        Scenario flops = tokens;
        flops.workload.tokensPerSecond = 0;
        put(flops, Input::FlopsPerDevice, rate.flopsPerDevice);
        const auto read = countedRates(flops);
        ASSERT_TRUE(read.has_value());
        for (const CountedRate& as : *read)
            if (as.causal == rate.causal && as.recomputed == rate.recomputed) {
                EXPECT_NEAR(*as.mfuIfGivenSo / rates->front().utilisation, 1, 1e-9);
            }
    }
    Scenario flops = tokens;
    flops.workload.tokensPerSecond = 0;
    put(flops, Input::FlopsPerDevice, rates->front().flopsPerDevice);
    EXPECT_NEAR(worth(Output::MeasuredHfu, flops) / worth(Output::MeasuredHfu, tokens), 1, 1e-9);
    put(tokens, Input::FlopsPerDevice, 400e12);
    EXPECT_FALSE(evaluate(Output::MeasuredMfu, tokens).has_value());
}

/// Frozen matrices have no gradients of weights to compute: what is given is what the first line says.
TEST(MeasuredRate, OfAdaptersCountsWhatTheyCompute) {
    Scenario s = scenarioOf("llama-3-8b", 8);
    chooseMethod(s.adaptation, FineTuning::Lora);
    put(s, Input::FlopsPerDevice, 300e12);
    const auto rates = countedRates(s);
    ASSERT_TRUE(rates.has_value());
    EXPECT_NEAR(rates->front().flopsPerDevice / 300e12, 1, 1e-12);
    EXPECT_NEAR(*rates->front().mfuIfGivenSo / rates->front().utilisation, 1, 1e-12);
}

}  // namespace
}  // namespace plumb::planner
