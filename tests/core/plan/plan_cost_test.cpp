// SPDX-License-Identifier: Apache-2.0
#include "core/plan/einsum.h"
#include "core/plan/step_plan.h"
#include "tests/support/plans.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

using test::planOf;

/// Layers computed again per micro-batch, by walking the backward pass with a list of what is there.
std::int64_t recomputedByWalking(const RunConfig& asked) {
    const RunConfig config = test::spelledOut(asked);
    const std::int64_t depth = config.layers;
    std::vector<bool> there(static_cast<std::size_t>(depth) + 1, true);
    if (config.recompute.kind == RecomputePolicy::Kind::None) {
        std::int64_t made = 0;
        for (std::int64_t layer = depth; layer >= 2; --layer) made += layer - 1;
        return made;
    }
    if (config.recompute.kind == RecomputePolicy::Kind::Every) {
        const std::int64_t interval = config.recompute.interval;
        for (std::int64_t begin = 0; begin + interval < depth; begin += interval) {
            for (std::int64_t layer = begin + 1; layer < begin + interval; ++layer)
                there[static_cast<std::size_t>(layer)] = false;
        }
    }
    std::int64_t made = 0;
    for (std::int64_t layer = depth; layer >= 1; --layer) {
        for (std::int64_t below = layer - 1; !there[static_cast<std::size_t>(below)]; --below) {
            there[static_cast<std::size_t>(below)] = true;
            ++made;
        }
    }
    return made;
}

TEST(PlanCost, MatmulFlopsAreTheClosedFormPlusWhatIsRecomputed) {
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const RunConfig config = test::randomConfig(seed);
        const StepPlan plan = planOf(config);
        const std::int64_t batch = config.batch;
        const std::int64_t head = config.head ? config.dim * config.outputs : 0;
        const std::int64_t parameters = config.layers * config.dim * config.dim + head;
        const Flops layerProduct = 2 * batch * config.dim * config.dim;
        const Flops unread = config.layers > 0 ? layerProduct : 2 * batch * head;  // the gradient of x
        EXPECT_EQ(plan.matmulFlops,
                  6 * batch * parameters - unread + layerProduct * recomputedByWalking(config))
            << "seed " << seed;
        EXPECT_EQ(plan.ruleOfThumbFlops(), 6 * batch * parameters);
    }
}

TEST(PlanCost, RecomputationMatchesItsFormulas) {
    for (std::int64_t depth = 1; depth <= 40; ++depth) {
        RunConfig config{.dim = 2, .layers = depth, .batch = 3};
        const auto products = [&config] {
            const StepPlan plan = planOf(config);
            Flops flops = 0;
            for (const Op& op : plan.ops) flops += op.phase == Phase::Recompute ? op.matmulFlops : 0;
            return flops / (2 * config.batch * config.dim * config.dim);
        };
        for (std::int64_t interval = 1; interval <= depth + 2; ++interval) {
            config.recompute = {RecomputePolicy::Kind::Every, interval};
            const std::int64_t segments = (depth + interval - 1) / interval;
            EXPECT_EQ(products(), (interval - 1) * (segments - 1)) << depth << " every " << interval;
        }
        config.recompute = {RecomputePolicy::Kind::None, 1};
        EXPECT_EQ(products(), depth * (depth - 1) / 2);
        config.recompute = {};
        EXPECT_EQ(products(), 0);
    }
}

TEST(PlanCost, OpsAddUpToTheTotals) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const StepPlan plan = planOf(test::randomConfig(seed));
        Flops matmul = 0;
        Flops flops = 0;
        Bytes bytes = 0;
        for (const Op& op : plan.ops) {
            matmul += op.matmulFlops;
            flops += op.flops;
            bytes += op.bytes;
        }
        EXPECT_EQ(matmul, plan.matmulFlops);
        EXPECT_EQ(flops, plan.flops);
        EXPECT_EQ(bytes, plan.bytes);
    }
}

TEST(PlanCost, MicroBatchingMovesMoreBytesAndNoMoreMatmulFlops) {
    RunConfig config;
    config.layers = 3;
    config.activation = Activation::Relu;
    const StepPlan whole = planOf(config);
    config.microBatch = 32;
    const StepPlan split = planOf(config);
    EXPECT_EQ(split.matmulFlops, whole.matmulFlops);
    EXPECT_EQ(split.flops,
              whole.flops + 7 * config.parameters());  // one add per gradient element and later pass
    EXPECT_GT(split.bytes, whole.bytes);
}

TEST(PlanCost, ElementwiseFlopsFollowTheConventions) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const RunConfig config = test::randomConfig(seed);
        const StepPlan plan = planOf(config);
        const std::int64_t hidden = config.batch * config.dim;
        // A ReLU on every layer forward and again, and one mask on every g_1..g_L, without a head the last of
        // them with the loss.
        const Flops relu = config.activation == Activation::Relu
                               ? hidden * (2 * config.layers + recomputedByWalking(config))
                               : 0;
        const Flops loss = 4 * config.batch * config.outputWidth();
        const Flops accumulate = (config.microBatches() - 1) * config.parameters();
        const Flops update = optimizerFlopsPerParameter(config) * config.parameters();
        // Held by a test of its own.
        Flops norm = 0;
        for (const Op& op : plan.ops)
            if (op.kind == OpKind::GradientNorm) norm += op.flops;
        EXPECT_EQ(norm > 0, config.clipNorm > 0);
        EXPECT_EQ(plan.flops - plan.matmulFlops, relu + loss + accumulate + norm + update) << "seed " << seed;
    }
}

/// A number that counts what is done with it.
struct Counted {
    double value;
    static inline int flops = 0;
    Counted operator+(Counted other) const { return ++flops, Counted{value + other.value}; }
    Counted operator-(Counted other) const { return ++flops, Counted{value - other.value}; }
    Counted operator*(Counted other) const { return ++flops, Counted{value * other.value}; }
    Counted operator/(Counted other) const { return ++flops, Counted{value / other.value}; }
};

// The update formulas written out.
TEST(PlanCost, OptimizerFlopsCountTheFormulas) {
    const auto root = [](Counted x) { return ++Counted::flops, x; };
    const Counted lr{0.1};
    const Counted eps{1e-8};
    const Counted scalar{0.9};  // stands for every factor that is the same for all parameters
    for (const bool decays : {false, true}) {
        const auto declared = [decays](Optimizer optimizer) {
            RunConfig config;
            config.optimizer = optimizer;
            config.weightDecay = decays ? 0.1 : 0.0;
            return optimizerFlopsPerParameter(config);
        };
        Counted p{1};
        Counted g{2};
        Counted::flops = 0;
        if (decays) g = g + scalar * p;
        p = p - lr * g;
        EXPECT_EQ(declared(Optimizer::Sgd), Counted::flops);

        Counted s{1};
        Counted::flops = 0;
        if (decays) g = g + scalar * p;
        s = s + g * g;
        p = p - lr * g / (root(s) + eps);
        EXPECT_EQ(declared(Optimizer::Adagrad), Counted::flops);

        Counted m{1};
        Counted v{1};
        Counted::flops = 0;
        if (decays) p = p * scalar;
        m = scalar * m + scalar * g;
        v = scalar * v + scalar * g * g;
        p = p - scalar * m / (root(v) / scalar + eps);
        EXPECT_EQ(declared(Optimizer::AdamW), Counted::flops);
    }
}

TEST(PlanCost, BytesAreEachInputOnceAndEachOutputOnce) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const StepPlan plan = planOf(test::randomConfig(seed));
        const auto bytesIn = [&plan](const std::array<TensorRange, 6>& ranges) {
            Bytes bytes = 0;
            for (const TensorRange& range : ranges) {
                for (std::int32_t i = 0; i < range.count; ++i)
                    bytes += plan.tensors[static_cast<std::size_t>(range.first) + static_cast<std::size_t>(i)]
                                 .bytes();
            }
            return bytes;
        };
        constexpr Bytes kHeldLoss = 32;  // named by the optimizer's ops, not read
        for (const Op& op : plan.ops) {
            if (op.kind == OpKind::RecomputeChain) continue;
            const Bytes named = bytesIn(op.reads) + bytesIn(op.writes);
            EXPECT_EQ(op.bytes, op.executions * (named - (op.phase == Phase::Optimizer ? kHeldLoss : 0)))
                << opId(op) << " seed " << seed;
        }
    }
}

TEST(PlanCost, ProductsAgreeWithTheirEinsums) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const RunConfig config = test::randomConfig(seed);
        const StepPlan plan = planOf(config);
        const Dtype activation = config.activationDtype();
        const Dtype weight = config.weightDtype();
        const Dtype gradient = config.activationGradientDtype();
        const Dtype weightGradient = config.parameterGradientDtype();
        for (const Op& op : plan.ops) {
            if (einsumText(op.kind).empty()) {
                EXPECT_EQ(op.matmulFlops, 0);
                continue;
            }
            const Result<Einsum> einsum = Einsum::parse(einsumText(op.kind));
            ASSERT_TRUE(einsum.has_value());
            const DimensionSizes sizes{{"batch", op.batchRows}, {"in", op.in}, {"out", op.out}};
            EXPECT_EQ(op.matmulFlops, op.executions * op.repeat * *einsumFlops(*einsum, sizes));
            std::array<Dtype, 3> element{activation, weight,
                                         op.kind == OpKind::HeadForward ? Dtype::Fp32 : activation};
            if (op.kind == OpKind::WeightGradient) element = {activation, gradient, weightGradient};
            if (op.kind == OpKind::InputGradient) element = {gradient, weight, gradient};
            Bytes bytes = *einsumBytes(*einsum, sizes, {element[0], element[1], element[2]});
            if (op.accumulates) bytes += op.in * op.out * dtypeSize(weightGradient);
            if (op.kind == OpKind::InputGradient && op.fusedActivation)
                bytes += op.batchRows * op.in * dtypeSize(activation);
            EXPECT_EQ(op.bytes, op.executions * op.repeat * bytes) << opId(op) << " seed " << seed;
        }
    }
    EXPECT_EQ(einsumText(OpKind::LayerForward), "batch in, in out -> batch out");
    EXPECT_EQ(einsumText(OpKind::WeightGradient), "batch in, batch out -> in out");
    EXPECT_EQ(einsumText(OpKind::InputGradient), "batch out, in out -> batch in");
}

TEST(PlanCost, AdamWMoves28BytesPerParameterWithFp32WeightsOrMaster) {
    RunConfig config;
    EXPECT_EQ(planOf(config).ops.back().bytes, 28 * config.parameters());
    config.precision = Precision::Bf16;
    EXPECT_EQ(planOf(config).ops.back().bytes, 28 * config.parameters());
    config.masterWeights = false;
    EXPECT_EQ(planOf(config).ops.back().bytes, 22 * config.parameters());
}

}  // namespace
}  // namespace plumb
