// SPDX-License-Identifier: Apache-2.0
// Weights, gradients and states shared by some of the data-parallel devices, and replicated across them
// (HSDP).
#include "core/planner/answer.h"
#include "core/planner/conventions.h"
#include "core/planner/explore.h"
#include "core/planner/memory.h"
#include "core/planner/stage.h"
#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace plumb::planner {
namespace {

Scenario hybrid(std::int64_t group) {
    Scenario s = scenarioOf("llama-3-8b", 64);
    s.workload.sequence = 4096;
    s.workload.batch = 256;
    s.parallel.shardGroup = group;
    return s;
}

double modelBytes(const Scenario& s) {
    const auto memory = memoryPerDevice(s);
    EXPECT_TRUE(memory.has_value()) << memory.error().text();
    double sum = 0;
    for (const MemoryPart& part : memory->worst().parts)
        for (const char* label : {"weights", "fp32 master copy", "optimizer state", "gradients"})
            if (part.label == label) sum += part.bytes;
    return sum;
}

std::vector<StepTraffic> dataTrafficOf(const Scenario& s) {
    std::vector<StepTraffic> found;
    const auto time = stepTime(s);
    EXPECT_TRUE(time.has_value()) << time.error().text();
    for (const StepTraffic& traffic : time->traffic)
        if (traffic.axis == "data") found.push_back(traffic);
    return found;
}

TEST(HybridSharding, SharesByTheGroupAlone) {
    Scenario s;
    s.model = modelOfCount(7.5e9);
    s.cluster.devices = 64;
    s.parallel.shardGroup = 8;
    EXPECT_DOUBLE_EQ(modelBytes(s), 16 * 7.5e9 / 8);
    s.parallel.sharding = Sharding::State;
    EXPECT_DOUBLE_EQ(modelBytes(s), 4 * 7.5e9 + 12 * 7.5e9 / 8);
}

TEST(HybridSharding, OfAllDevicesIsFullSharding) {
    for (const Output output : {Output::StepSeconds, Output::MemoryPerDevice, Output::LargestModel})
        EXPECT_EQ(*evaluate(output, hybrid(64)), *evaluate(output, hybrid(0))) << info(output).key;
    EXPECT_EQ(*numberOf(hybrid(0), Input::ShardGroup), 64);
}

TEST(HybridSharding, GathersWithinTheNodeAndReducesShardsBetweenNodes) {
    const Scenario s = hybrid(8);
    const auto traffic = dataTrafficOf(s);
    ASSERT_EQ(traffic.size(), 2U);
    // Four micro-batches; weights and gradients of two bytes: within the node two all-gathers and a
    // reduce-scatter of each, and once all-reduces of an eighth of the gradients over eight nodes.
    const double bytes = 2 * s.model.parameters();
    EXPECT_EQ(traffic[0].devices, 8);
    EXPECT_FALSE(traffic[0].leavesNode);
    EXPECT_NEAR(traffic[0].bytes / (4 * 3 * bytes * 7 / 8), 1, 1e-9);
    EXPECT_EQ(traffic[1].devices, 8);
    EXPECT_TRUE(traffic[1].leavesNode);
    EXPECT_NEAR(traffic[1].bytes / (2 * bytes / 8 * 7 / 8), 1, 1e-9);
    EXPECT_GT(modelBytes(s), modelBytes(hybrid(0)));
    // Over a slow network that is what it is for.
    Scenario slow = hybrid(8), all = hybrid(0);
    for (Scenario* each : {&slow, &all})
        ASSERT_TRUE(setInput(*each, Input::NetworkBandwidth, 3e9).has_value());
    EXPECT_LT(*evaluate(Output::StepSeconds, slow), *evaluate(Output::StepSeconds, all));
}

TEST(HybridSharding, OfOneDeviceIsAReplicaOnEach) {
    Scenario copies = hybrid(0);
    copies.parallel.sharding = Sharding::None;
    EXPECT_DOUBLE_EQ(modelBytes(hybrid(1)), modelBytes(copies));
    ASSERT_EQ(dataTrafficOf(hybrid(1)).size(), 1U);
    EXPECT_NEAR(dataTrafficOf(hybrid(1)).front().bytes / dataTrafficOf(copies).front().bytes, 1, 1e-9);
    EXPECT_NEAR(dataTrafficOf(hybrid(1)).front().seconds / dataTrafficOf(copies).front().seconds, 1, 1e-9);
}

TEST(HybridSharding, SendsEachGradientOfAnExpertOnceBetweenTheGroups) {
    Scenario s = scenarioOf("mixtral-8x7b", 64);
    s.workload.batch = 64;
    s.parallel.expert = 8;
    s.parallel.shardGroup = 8;
    const Stage stage = stagesOf(*s.model.transformer(), s.parallel).front();
    const double all = stage.denseParameters + 8 * stage.expertParameters;
    EXPECT_NEAR(all / s.model.parameters(), 1, 1e-9);
    const auto traffic = dataTrafficOf(s);
    ASSERT_EQ(traffic.size(), 2U);
    EXPECT_NEAR(traffic[1].bytes / (2.0 * 7 / 8 * 2 * all / 8), 1, 1e-9);
}

TEST(HybridSharding, HasToDivide) {
    const auto refused = evaluate(Output::StepSeconds, hybrid(48));
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find("shard-group 48: give --shard-group 32"), std::string::npos)
        << refused.error().text();
    Scenario s = scenarioOf("mixtral-8x7b", 64);
    s.parallel.expert = 8;
    s.parallel.shardGroup = 4;
    const auto split = evaluate(Output::StepSeconds, s);
    ASSERT_FALSE(split.has_value());
    EXPECT_NE(split.error().text().find("give --shard-group 8"), std::string::npos) << split.error().text();
}

TEST(HybridSharding, IsSaidAndTried) {
    EXPECT_NE(
        conventionsLine(std::array{Output::MemoryPerDevice}, hybrid(8)).find("(ZeRO 3, FSDP) by groups of 8"),
        std::string::npos);
    const auto search = searchShardings(hybrid(0), 100000);
    ASSERT_TRUE(search.has_value()) << search.error().text();
    EXPECT_TRUE(std::any_of(search->plans.begin(), search->plans.end(), [](const ShardingOption& option) {
        return option.layout.shardGroup == 8 && option.layout.tensor == 1;
    }));
    EXPECT_TRUE(std::any_of(search->plans.begin(), search->plans.end(), [](const ShardingOption& option) {
        return option.layout.shardGroup == 4 && option.layout.tensor == 2;
    }));
}

}  // namespace
}  // namespace plumb::planner
