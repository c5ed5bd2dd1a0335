// SPDX-License-Identifier: Apache-2.0
#include "core/plan/early_updates.h"

#include "core/plan/operands.h"
#include "tests/support/plans.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace plumb {
namespace {

RunConfig configOfLargeMatrices() {
    return RunConfig{.dim = 512, .layers = 5, .outputs = 3, .batch = 64, .microBatch = 32};
}

StepPlan planOnGpu(const RunConfig& config, const BackendTraits& traits = *cudaTraits(90)) {
    auto plan = planStep(config, traits);
    EXPECT_TRUE(plan.has_value()) << plan.error().text();
    return plan.has_value() ? std::move(plan).value() : StepPlan{};
}

TEST(EarlyUpdates, FollowTheLastOpThatNamesTheWeightsOrTheirGradient) {
    for (const auto policy : {RecomputePolicy::Kind::All, RecomputePolicy::Kind::None}) {
        RunConfig config = configOfLargeMatrices();
        config.recompute = {policy, 1};
        const StepPlan plan = planOnGpu(config);
        const auto updates = earlyUpdates(plan);
        ASSERT_EQ(updates.size(), plan.ops.size());
        std::vector<std::int32_t> layers;
        for (std::size_t i = 0; i < updates.size(); ++i) {
            if (updates[i] == 0) continue;
            EXPECT_EQ(plan.ops[i].kind, plan.ops[i].isHead ? OpKind::HeadPass : OpKind::InputGradient)
                << opId(plan.ops[i]);
            EXPECT_EQ(plan.ops[i].layer, updates[i]);
            EXPECT_EQ(plan.ops[i].pass, 1) << "in the last micro-batch";
            layers.push_back(updates[i]);
        }
        EXPECT_EQ(layers, (std::vector<std::int32_t>{6, 5, 4, 3, 2})) << "the first is left to the end";
    }
}

// An update that came sooner would change what an op of the same step still reads, the transposed form of
// fp8 included.
TEST(EarlyUpdates, ComeWhenNobodyReadsTheWeightsOrTheirGradientAnyMore) {
    std::size_t early = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        RunConfig config = test::randomGpuConfig(seed);
        config.dim = 512 + 16 * static_cast<std::int64_t>(seed % 3);
        config.clipNorm = 0;
        const StepPlan plan = test::planOf(config, *cudaTraits(seed % 2 == 0 ? 90 : 100));
        const std::vector<std::int32_t> updates = earlyUpdates(plan);
        early += updates.empty() ? 0U : 1U;
        const std::int32_t end = plan.passEnd[config.microBatches() > 1 ? 1 : 0];
        for (std::int32_t index = 0; index < static_cast<std::int32_t>(updates.size()); ++index) {
            const std::int32_t layer = updates[static_cast<std::size_t>(index)];
            if (layer == 0) continue;
            ASSERT_LT(index, end);
            for (std::int32_t later = index + 1; later < end; ++later)
                forEachOperand(plan.op(later), [&](TensorId id) {
                    const Tensor& tensor = plan.tensor(id);
                    if (tensor.layer != layer) return;
                    EXPECT_TRUE(tensor.role != TensorRole::Weight &&
                                tensor.role != TensorRole::TransposedWeight &&
                                tensor.role != TensorRole::Gradient)
                        << opId(plan.op(later)) << " reads " << tensorName(plan, tensor) << ", seed " << seed;
                });
        }
    }
    EXPECT_GT(early, 50U) << "steps that update early";
}

TEST(EarlyUpdates, AreMadeOfAHeadOfAnyWidthThatIsOnePass) {
    RunConfig config = configOfLargeMatrices();
    config.dim = 32768;
    config.outputs = 4;
    config.layers = 2;
    EXPECT_FALSE(earlyUpdates(planOnGpu(config)).empty()) << "its sums lie in the main branch's scratch";
    config.outputs = 5;
    EXPECT_TRUE(earlyUpdates(planOnGpu(config)).empty()) << "they leave the side branch no room";
}

TEST(EarlyUpdates, AreNotMadeWhereSomethingNeedsAllGradients) {
    EXPECT_FALSE(earlyUpdates(planOnGpu(configOfLargeMatrices())).empty());
    RunConfig config = configOfLargeMatrices();
    config.clipNorm = 1;
    EXPECT_TRUE(earlyUpdates(planOnGpu(config)).empty()) << "clipping";
    config = configOfLargeMatrices();
    config.precision = Precision::Fp16;
    EXPECT_TRUE(earlyUpdates(planOnGpu(config)).empty()) << "the loss scale";
    config = configOfLargeMatrices();
    config.optimizer = Optimizer::Adafactor;
    EXPECT_TRUE(earlyUpdates(planOnGpu(config)).empty()) << "its own norms";
    config = configOfLargeMatrices();
    config.dim = 256;
    EXPECT_TRUE(earlyUpdates(planOnGpu(config)).empty()) << "small matrices";
    BackendTraits traits = *cudaTraits(90);
    traits.sideBranch = false;
    EXPECT_TRUE(earlyUpdates(planOnGpu(configOfLargeMatrices(), traits)).empty()) << "no branch";
    EXPECT_TRUE(earlyUpdates(planOnGpu(configOfLargeMatrices(), cpuTraits())).empty());
}

TEST(SideBranch, HasScratchOfItsOwnThatThePlanKnows) {
    BackendTraits traits = *cudaTraits(90);
    const auto scratchOf = [&] {
        const StepPlan plan = planOnGpu(configOfLargeMatrices(), traits);
        return plan.tensor(plan.sharedScratch).bytes();
    };
    const Bytes both = scratchOf();
    traits.sideBranch = false;
    EXPECT_EQ(both - scratchOf(), Bytes{32} << 20);
    traits.sideBranch = true;
    traits.replaysSteps = false;
    EXPECT_FALSE(planStep(configOfLargeMatrices(), traits).has_value()) << "a branch of what is not replayed";
}

}  // namespace
}  // namespace plumb
