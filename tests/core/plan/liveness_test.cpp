// SPDX-License-Identifier: Apache-2.0
#include "core/measure/reading.h"
#include "core/plan/step_plan.h"
#include "tests/support/plans.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

using test::planOf;

Bytes at(const CategoryBytes& bytes, Category category) { return bytes[category]; }

Bytes peakOf(const StepPlan& plan, Category category) {
    return at(summariseCurve(memoryCurve(plan)).categoryPeak, category);
}

TEST(Liveness, TheCurveIsTheSumOfTheLiveTensorsAtEveryOp) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const StepPlan plan = planOf(test::randomConfig(seed));
        const std::vector<CategoryBytes> curve = memoryCurve(plan);
        ASSERT_EQ(curve.size(), plan.ops.size());
        for (std::size_t op = 0; op < curve.size(); ++op) {
            CategoryBytes live{};
            for (const Tensor& tensor : plan.tensors) {
                const auto index = static_cast<std::int32_t>(op);
                if (tensor.firstOp <= index && index <= tensor.lastOp)
                    live[tensor.category] += tensor.bytes();
            }
            ASSERT_EQ(curve[op], live) << "op " << op << " seed " << seed;
        }
    }
}

TEST(Liveness, KeepingAllHoldsBatchTimesWidthTimesDepth) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        RunConfig config = test::randomConfig(seed);
        config.recompute = {};
        EXPECT_EQ(peakOf(planOf(config), Category::Activations),
                  config.microBatchSize() * config.dim * config.layers * dtypeSize(config.computeDtype()));
    }
}

/// Most h_l at once, by following which are there through the forward and the backward pass.
std::int64_t mostActivations(const RunConfig& asked) {
    const RunConfig config = test::spelledOut(asked);
    const std::int64_t depth = config.layers;
    if (config.recompute.kind == RecomputePolicy::Kind::All) return depth;
    if (config.recompute.kind == RecomputePolicy::Kind::None) {
        // Forward: h_{l-1} and h_l. Backward: h_{l-1} and, if it takes two layers or more to make, a buffer.
        return std::min<std::int64_t>(depth, 2);
    }
    const std::int64_t interval = config.recompute.interval;
    const std::int64_t lastSegment = (depth - 1) / interval * interval;
    const auto kept = [&](std::int64_t layer) { return layer % interval == 0 || layer > lastSegment; };
    std::int64_t live = 0;
    std::int64_t most = 0;
    for (std::int64_t layer = 1; layer <= depth; ++layer) {
        ++live;
        most = std::max(most, live);
        if (layer > 1 && !kept(layer - 1)) --live;
    }
    --live;  // h_L after the head
    for (std::int64_t layer = depth; layer >= 2; --layer) {
        if (layer % interval == 0 && layer <= lastSegment) live += interval - 1;
        most = std::max(most, live);
        --live;  // h_{layer-1}
    }
    return most;
}

TEST(Liveness, RecomputationBoundsTheActivations) {
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const RunConfig config = test::randomConfig(seed);
        EXPECT_EQ(peakOf(planOf(config), Category::Activations), mostActivations(config) *
                                                                     config.microBatchSize() * config.dim *
                                                                     dtypeSize(config.computeDtype()))
            << "seed " << seed << " layers " << config.layers << " every " << config.recompute.interval;
    }
}

TEST(Liveness, RecipesDecideTheBytesPerParameter) {
    struct Recipe {
        Precision precision;
        bool master;
        Optimizer optimizer;
        Bytes perParameter;
    };
    const Recipe recipes[] = {
        {Precision::Fp32, true, Optimizer::AdamW, 16},   {Precision::Bf16, true, Optimizer::AdamW, 16},
        {Precision::Bf16, false, Optimizer::AdamW, 12},  {Precision::Fp32, true, Optimizer::Adagrad, 12},
        {Precision::Bf16, true, Optimizer::Adagrad, 12}, {Precision::Bf16, false, Optimizer::Adagrad, 8},
        {Precision::Fp32, false, Optimizer::Sgd, 8},     {Precision::Bf16, true, Optimizer::Sgd, 8},
        {Precision::Bf16, false, Optimizer::Sgd, 4},
    };
    for (const Recipe& recipe : recipes) {
        RunConfig config{.outputs = 3,
                         .precision = recipe.precision,
                         .masterWeights = recipe.master,
                         .optimizer = recipe.optimizer};
        const StepPlan plan = planOf(config);
        const Bytes all = peakOf(plan, Category::Parameters) + peakOf(plan, Category::MasterParameters) +
                          peakOf(plan, Category::OptimizerState) + peakOf(plan, Category::Gradients);
        EXPECT_EQ(all, recipe.perParameter * config.parameters());
        EXPECT_EQ(peakOf(plan, Category::Gradients), dtypeSize(config.computeDtype()) * config.parameters());
    }
}

TEST(Liveness, AHandCountedStepHasThisCurve) {
    // D = 2, L = 2, K = 1, b = 3, fp32, ReLU, SGD: h and g 24 bytes each, x 24, t, y and dy 12, loss and
    // norms 32, statistics of 4 * (L + 2) tensors 512 throughout, weights 16 + 16 + 8.
    const RunConfig config{
        .dim = 2, .layers = 2, .activation = Activation::Relu, .batch = 3, .optimizer = Optimizer::Sgd};
    const Result<StepPlan> plan = planStep(config, BackendTraits{});  // no library scratch
    ASSERT_TRUE(plan.has_value());
    const std::vector<CategoryBytes> curve = memoryCurve(*plan);
    struct Row {
        Bytes gradients, activations, activationGradients, data, workspace;
    };
    const Row rows[] = {
        {0, 0, 0, 36, 512},     // load
        {0, 24, 0, 36, 512},    // layer 1 forward
        {0, 48, 0, 36, 512},    // layer 2 forward
        {0, 48, 0, 36, 524},    // head forward: y
        {0, 48, 0, 36, 568},    // loss: y, dy, loss
        {8, 48, 0, 24, 556},    // head weight gradient
        {8, 48, 24, 24, 556},   // head input gradient: g_2, with the mask of h_2
        {24, 24, 24, 24, 544},  // layer 2 weight gradient
        {24, 24, 48, 24, 544},  // layer 2 input gradient: g_2 and g_1
        {40, 0, 24, 24, 544},   // layer 1 weight gradient
        {40, 0, 0, 0, 544},     // optimizer
    };
    ASSERT_EQ(curve.size(), std::size(rows));
    for (std::size_t i = 0; i < curve.size(); ++i) {
        EXPECT_EQ(at(curve[i], Category::Parameters), 40);
        EXPECT_EQ(at(curve[i], Category::MasterParameters), 0);
        EXPECT_EQ(at(curve[i], Category::OptimizerState), 0);
        EXPECT_EQ(at(curve[i], Category::Gradients), rows[i].gradients) << i;
        EXPECT_EQ(at(curve[i], Category::Activations), rows[i].activations) << i;
        EXPECT_EQ(at(curve[i], Category::ActivationGradients), rows[i].activationGradients) << i;
        EXPECT_EQ(at(curve[i], Category::Data), rows[i].data) << i;
        EXPECT_EQ(at(curve[i], Category::Workspace), rows[i].workspace) << i;
    }
}

TEST(Liveness, ThePeakIsTheFirstHighestOp) {
    std::vector<CategoryBytes> curve(4);
    curve[1][Category::Parameters] = 5;
    curve[2][Category::MasterParameters] = 5;
    curve[3][Category::OptimizerState] = 4;
    const MemoryReading memory = summariseCurve(curve);
    EXPECT_EQ(memory.peakBytes, 5);
    EXPECT_EQ(memory.peakOp, 1);
    EXPECT_EQ(memory.atPeak, curve[1]);
    EXPECT_EQ(memory.categoryPeak, (CategoryBytes{5, 5, 4, 0, 0, 0, 0, 0}));
    EXPECT_EQ(summariseCurve({}).peakOp, -1);
}

}  // namespace
}  // namespace plumb
