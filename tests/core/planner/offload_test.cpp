// SPDX-License-Identifier: Apache-2.0
#include "core/planner/offload.h"

#include "core/base/quantity.h"
#include "core/planner/inputs.h"
#include "core/planner/memory.h"
#include "tests/core/planner/random_scenarios.h"
#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace plumb::planner {
namespace {

Scenario withOffload(Scenario s, Offload offload) {
    s.recipe.offload = offload;
    return s;
}

double needed(const Scenario& s) {
    const auto memory = memoryPerDevice(s);
    EXPECT_TRUE(memory.has_value()) << memory.error().text();
    return memory.has_value() ? memory->worst().total() : 0;
}

double bytesIn(const Scenario& s, Category category) {
    const auto memory = memoryPerDevice(s);
    EXPECT_TRUE(memory.has_value());
    double sum = 0;
    for (const MemoryPart& part : memory->worst().parts) sum += part.category == category ? part.bytes : 0;
    return sum;
}

const StepTraffic* hostOf(const StepTime& time) {
    const auto found = std::ranges::find(time.traffic, "host", &StepTraffic::axis);
    return found == time.traffic.end() ? nullptr : &*found;
}

/// Ren et al., ZeRO-Offload, arXiv 2101.06840: states, master copy and gradients of 14 of 16 bytes a
/// parameter leave the device, and gradient and weight of 2 bytes each cross the bus in a step.
TEST(Offload, OfTheOptimizerLeavesTheWeightsAndSendsFourBytesAParameter) {
    Scenario s = scenarioOf("llama-3-8b", 1);
    s.parallel.sharding = Sharding::Gradients;
    const double parameters = s.model.parameters();
    const Scenario away = withOffload(s, {.optimizer = true});
    EXPECT_EQ(bytesIn(away, Category::OptimizerState), 0);
    EXPECT_EQ(bytesIn(away, Category::MasterParameters), 0);
    EXPECT_NEAR(bytesIn(away, Category::Parameters), 2 * parameters, 1);
    EXPECT_LT(bytesIn(away, Category::Gradients), 0.3 * bytesIn(s, Category::Gradients));
    const auto memory = memoryPerDevice(away);
    ASSERT_FALSE(memory->notes.empty());
    EXPECT_NE(memory->notes.front().find(bytesText(14 * parameters)), std::string::npos)
        << memory->notes.front();
    const auto time = stepTime(away);
    ASSERT_TRUE(time.has_value()) << time.error().text();
    const StepTraffic* host = hostOf(*time);
    ASSERT_NE(host, nullptr);
    EXPECT_NEAR(host->bytes, 4 * parameters, 1);
    EXPECT_EQ(host->exposed, host->seconds);
    // The bus of an H100 is PCIe 5.0 x16, 64 GB/s one way (hardware.json), and copies reach 0.8 of it.
    EXPECT_NEAR(host->seconds, 4 * parameters / (0.8 * 64e9), 1e-6);
}

/// The host moves 28 bytes a parameter of mixed AdamW: gradient and weight of 2, master copy and two moments
/// of 4 read and written.
TEST(Offload, UpdatesAtTheSpeedOfTheHostsMemory) {
    Scenario s = withOffload(scenarioOf("llama-3-8b", 8), {.optimizer = true});
    ASSERT_TRUE(setInput(s, Input::HostMemoryBandwidth, 20e9).has_value());
    const auto time = stepTime(s);
    ASSERT_TRUE(time.has_value()) << time.error().text();
    EXPECT_NEAR(time->update, 28 * s.model.parameters() / 8 / 20e9, 1e-3);
    EXPECT_EQ(time->ops.back().label, "optimizer on the host");
    ASSERT_TRUE(setInput(s, Input::HostMemoryBandwidth, 40e9).has_value());
    EXPECT_NEAR(stepTime(s)->update, time->update / 2, 1e-6);
}

/// The layers' inputs, 2 bytes each, go out and come back.
TEST(Offload, OfActivationsSendsWhatIsKeptBothWays) {
    Scenario s = scenarioOf("llama-3-8b", 8);
    s.recipe.recompute = Recompute::Full;
    s.workload.sequence = 8192;
    s.workload.batch = 32;
    const Scenario away = withOffload(s, {.activations = true});
    const auto time = stepTime(away);
    ASSERT_TRUE(time.has_value()) << time.error().text();
    EXPECT_DOUBLE_EQ(hostOf(*time)->bytes, 2.0 * 4 * 32 * 2 * 8192 * 4096);
    EXPECT_NEAR(needed(s) - needed(away), 1.05 * 30 * 2 * 8192 * 4096, 1);
    EXPECT_LE(hostOf(*time)->exposed, hostOf(*time)->seconds);
}

/// Each micro-batch reads the weights in the forward and in the backward pass.
TEST(Offload, OfParametersSendsThemForEachPass) {
    Scenario s = scenarioOf("llama-3-8b", 8);
    s.workload.batch = 32;
    const double own = s.model.parameters() / 8;
    const auto both = stepTime(withOffload(s, {.optimizer = true, .parameters = true}));
    ASSERT_TRUE(both.has_value()) << both.error().text();
    EXPECT_NEAR(hostOf(*both)->bytes, (2 * 4 * 2 + 2) * own, 1);
    const auto alone = stepTime(withOffload(s, {.parameters = true}));
    EXPECT_NEAR(hostOf(*alone)->bytes, (2 * 4 * 2 + 2) * own, 1);
    EXPECT_EQ(bytesIn(withOffload(s, {.parameters = true}), Category::Parameters), 0);
}

TEST(Offload, NeverTakesMoreMemoryOrLessTime) {
    RandomScenarios random(11);
    int compared = 0;
    for (int i = 0; i < 400; ++i) {
        Scenario s = random.draw();
        if (s.model.transformer() == nullptr) continue;
        s.recipe.offload = {};
        // A host that updates faster than the device is not what is meant.
        s.given[Input::HostMemoryBandwidth].reset();
        s.given[Input::Bandwidth].reset();
        const auto before = stepTime(s);
        if (!before.has_value() || !memoryPerDevice(s).has_value()) continue;
        for (const Offload& offload : {Offload{.optimizer = true}, Offload{.activations = true}}) {
            const Scenario away = withOffload(s, offload);
            const auto after = stepTime(away);
            ASSERT_TRUE(after.has_value()) << after.error().text();
            EXPECT_GE(after->total(), before->total() * (1 - 1e-9));
            // Gradients of a whole layer are on their way where they lay spread before.
            if (!offload.optimizer) {
                EXPECT_LE(needed(away), needed(s) * (1 + 1e-9));
            }
            ++compared;
        }
    }
    EXPECT_GT(compared, 40);
}

TEST(Offload, IsReadByItsNames) {
    Offload offload;
    EXPECT_EQ(offloadText(offload), "none");
    EXPECT_TRUE(setOffload(offload, "activations"));
    EXPECT_TRUE(setOffload(offload, "optimizer"));
    EXPECT_EQ(offloadText(offload), "optimizer, activations");
    EXPECT_FALSE(setOffload(offload, "weights"));
    EXPECT_FALSE(setOffload(offload, ""));
}

}  // namespace
}  // namespace plumb::planner
