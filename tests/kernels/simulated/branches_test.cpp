// SPDX-License-Identifier: Apache-2.0
// Replayed steps whose gradients of weights run beside the rest. The simulated device runs what need not wait
// for one another in any order, another one at each replay.
#include "core/plan/early_updates.h"
#include "kernels/cuda/step_branches.h"
#include "tests/gpu/gpu_training.h"
#include "tests/kernels/simulated/gpu.h"
#include "tests/kernels/simulated/simulated_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>

namespace plumb::test::simulated {
namespace {

/// Of matrices that are large enough to be updated early.
RunConfig largeConfig() {
    RunConfig config = smallConfig();
    config.dim = 512;
    config.batch = 32;
    config.microBatch = 16;
    return config;
}

class SimulatedBranchesOfSteps : public Simulated {
protected:
    /// Nodes of the newest graph that some other node need not wait for and that need not wait for it.
    static std::size_t nodesBesideOthers() {
        const Graph* const graph = Device::get().newestGraph();
        if (graph == nullptr) return 0;
        const std::size_t count = graph->nodes.size();
        std::vector<bool> beside(count, false);
        for (std::size_t last = 0; last < count; ++last) {
            const std::vector<bool> before = graph->before({last});
            for (std::size_t node = 0; node < last; ++node)
                if (!before[node]) beside[node] = beside[last] = true;
        }
        return static_cast<std::size_t>(std::count(beside.begin(), beside.end(), true));
    }
    /// Where they may not be is the device's to find.
    static std::size_t earlyNodes() {
        const Graph* const graph = Device::get().newestGraph();
        if (graph == nullptr) return 0;
        return static_cast<std::size_t>(
            std::count_if(graph->nodes.begin(), graph->nodes.end(),
                          [](const Graph::Node& node) { return node.work.isEarly; }));
    }
};

TEST_F(SimulatedBranchesOfSteps, HaveTheBitsOfStepsRunOpByOp) {
    std::size_t branched = 0;
    std::size_t early = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        RunConfig config = configForGpu(seed);
        config.learningRate = 0.02 * config.effectiveLearningRate();
        const auto opByOp = bitsOf(trainOn(open(paced(Pace::AtOnce)), config, 16));
        EXPECT_EQ(bitsOf(trainOn(open(paced(Pace::Random, seed)), config, 16, true)), opByOp)
            << "seed " << seed << ": " << describe(config);
        branched += nodesBesideOthers() > 0 ? 1U : 0U;
        early += earlyNodes();
    }
    EXPECT_GT(branched, 5U) << "steps in which something ran beside something else";
    EXPECT_GT(early, 30U) << "kernels that start before those in front of them have ended";
}

TEST_F(SimulatedBranchesOfSteps, RunEveryGradientOfAWeightBesideThatOfAnActivation) {
    RunConfig config = smallConfig();
    config.layers = 6;
    // Activations larger than gradients of weights: these alone would take all the room that those leave.
    config.batch = config.microBatch = 256;
    static_cast<void>(trainOn(open({}), config, 16, true));
    // Those of layers 5 to 2, each beside the gradient of what its layer read; the peak leaves no room for
    // that of the last.
    EXPECT_GE(nodesBesideOthers(), 8U);
}

TEST_F(SimulatedBranchesOfSteps, UpdateLargeMatricesAsSoonAsTheirGradientsAreDone) {
    struct Case {
        Precision precision;
        Optimizer optimizer;
        std::int64_t microBatch;
    };
    for (const auto& [precision, optimizer, microBatch] :
         {Case{Precision::Fp32, Optimizer::AdamW, 16}, Case{Precision::Bf16, Optimizer::Sgd, 32},
          Case{Precision::Fp8, Optimizer::AdamW, 32}, Case{Precision::Fp8, Optimizer::Sgd, 16}}) {
        RunConfig config = largeConfig();
        config.microBatch = microBatch;
        config.precision = precision;
        config.optimizer = optimizer;
        config.recompute = {microBatch == 16 ? RecomputePolicy::Kind::All : RecomputePolicy::Kind::Sqrt, 1};
        const auto plan = planStep(config, *cudaTraits(90));
        ASSERT_TRUE(plan.has_value());
        ASSERT_FALSE(earlyUpdates(*plan).empty());
        const auto opByOp = bitsOf(trainOn(open(paced(Pace::AtOnce)), config, 14));
        EXPECT_EQ(bitsOf(trainOn(open(paced(Pace::Random, 5)), config, 14, true)), opByOp)
            << describe(config);
    }
}

// Weights that were transposed anew are those of the next forward pass, and of a recomputation still to come
// in this one.
TEST_F(SimulatedBranchesOfSteps, TransposeFp8WeightsBehindTheirUpdates) {
    // With a pass over the head, and without.
    for (const auto& [activation, outputs] :
         {std::pair{Activation::None, 2}, std::pair{Activation::Relu, 7}}) {
        RunConfig config = largeConfig();
        config.precision = Precision::Fp8;
        config.activation = activation;
        config.outputs = outputs;
        config.layers = 4;
        config.recompute = {RecomputePolicy::Kind::None, 1};
        const auto plan = planStep(config, *cudaTraits(90));
        ASSERT_TRUE(plan.has_value());
        ASSERT_EQ(fusesHead(config, plan->traits), outputs == 2);
        ASSERT_FALSE(earlyUpdates(*plan).empty());
        const auto opByOp = bitsOf(trainOn(open(paced(Pace::AtOnce)), config, 14));
        EXPECT_EQ(bitsOf(trainOn(open(paced(Pace::Random, 3)), config, 14, true)), opByOp)
            << describe(config);
    }
}

TEST_F(SimulatedBranchesOfSteps, LeaveUpdatesToTheEndWhereTheyNeedAllGradients) {
    std::vector<RunConfig> configs(3, largeConfig());
    configs[0].clipNorm = 0.01;
    configs[1].precision = Precision::Fp16;
    configs[2].optimizer = Optimizer::Adafactor;
    for (const RunConfig& config : configs) {
        const auto opByOp = bitsOf(trainOn(open(paced(Pace::AtOnce)), config, 14));
        EXPECT_EQ(bitsOf(trainOn(open(paced(Pace::Random, 11)), config, 14, true)), opByOp)
            << describe(config);
    }
}

TEST_F(SimulatedBranchesOfSteps, ComeBackBeforeEachMicroBatchOfAFileIsOver) {
    RunConfig config = configWithFiles("branches");
    config.batch = 256;
    config.microBatch = 128;
    const auto opByOp = bitsOf(trainOn(open({}), config, 20));
    EXPECT_EQ(bitsOf(trainOn(open(paced(Pace::Random, 7)), config, 20, true)), opByOp);
}

TEST(StepBranches, OpsMeetWhereOneWritesWhatTheOtherTouches) {
    std::array<std::byte, 64> memory{};
    const auto use = [&](std::size_t begin, std::size_t end, bool writes) {
        return cuda::MemoryUse{memory.data() + begin, memory.data() + end, writes};
    };
    using Uses = std::vector<cuda::MemoryUse>;
    const Uses reads{use(0, 16, false), use(32, 40, false)};
    EXPECT_FALSE(meet(reads, Uses{use(0, 64, false)})) << "both read";
    EXPECT_TRUE(meet(reads, Uses{use(48, 64, true), use(15, 17, true)}));
    EXPECT_FALSE(meet(reads, Uses{use(16, 32, true)})) << "side by side";
    EXPECT_TRUE(meet(Uses{use(20, 24, true)}, Uses{use(23, 30, false)}));
    EXPECT_FALSE(meet(reads, Uses{}));
}

}  // namespace
}  // namespace plumb::test::simulated
