// SPDX-License-Identifier: Apache-2.0
// The step of a rank that shares states, gradients or weights with others (ZeRO): what it refuses, what it
// has and sends by the formulas, and when.
#include "core/measure/config_fix.h"
#include "core/measure/reading.h"
#include "core/plan/operands.h"
#include "core/plan/recompute_schedule.h"
#include "core/plan/shards.h"
#include "core/plan/traffic.h"
#include "tests/support/random_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

namespace plumb {
namespace {

using testing::HasSubstr;

constexpr std::array kStages{Zero::States, Zero::Gradients, Zero::Weights};

/// A step whose matrices have no padding on up to 4 ranks.
RunConfig evenConfig(std::int64_t ranks, Zero zero) {
    RunConfig config{.dim = 64, .layers = 5, .outputs = 16, .batch = 48, .microBatch = 4};
    config.parallel = {.data = ranks, .zero = zero};
    return config;
}

std::vector<Op> opsOf(const RunConfig& config, const Place& place = {}) {
    return std::move(planStep(config, cpuTraits(), place).value().ops);
}

TEST(ZeroPlan, RefusesWhatRanksCannotShare) {
    const auto refusal = [](const RunConfig& config) {
        const auto plan = planStep(config, cpuTraits());
        return plan.has_value() ? "" : plan.error().text();
    };
    EXPECT_EQ(refusal(evenConfig(1, Zero::States)),
              "there is one rank, with nobody to share anything (zero 1): "
              "use zero 0, or data-parallel 2 or more");
    RunConfig config = evenConfig(2, Zero::States);
    config.optimizer = Optimizer::Adafactor;
    EXPECT_EQ(refusal(config),
              "adafactor needs whole matrices, and not a slice of each (zero 1): use zero 0, or "
              "another optimizer");
    config = evenConfig(2, Zero::Weights);
    config.recompute = {RecomputePolicy::Kind::Fit, 1, Bytes{1} << 30};
    EXPECT_EQ(refusal(config),
              "checkpoint fit needs weights that stay (zero 3): use zero 2, or another checkpoint "
              "policy such as sqrt");
    const auto fixed = fixOf(config, cpuTraits(), std::nullopt);
    ASSERT_TRUE(fixed);
    EXPECT_EQ(fixed->config.parallel.zero, Zero::Gradients);
    config.parallel.zero = Zero::Gradients;
    EXPECT_EQ(refusal(config), "");
    // Of GPUs memory and bytes are known, but for weights that are kept twice.
    BackendTraits traits = *cudaTraits(90);
    config = evenConfig(2, Zero::Weights);
    EXPECT_TRUE(planStep(config, traits).has_value());
    config.precision = Precision::Fp8;
    config.batch = 96;
    config.microBatch = 16;
    traits.transposesFp8 = true;
    const auto refused = planStep(config, traits);
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().text(), HasSubstr("ranks do not share those (zero 3)"));
}

TEST(ZeroPlan, DividesEveryMatrixIntoEqualSlicesOfWholeLines) {
    EXPECT_EQ(shardElements(1, 3), 64);
    EXPECT_EQ(shardElements(192, 3), 64);
    EXPECT_EQ(shardElements(193, 3), 128);
    for (const std::int64_t dim : {1, 3, 20, 64, 96})
        for (const std::int64_t ranks : {2, 3, 4, 7}) {
            RunConfig config{.dim = dim, .layers = 1, .outputs = 5, .batch = 84};
            config.parallel = {.data = ranks, .zero = Zero::States};
            for (const std::int64_t matrix : {1, 2}) {
                const std::int64_t elements = dim * config.columnsOf(matrix),
                                   padded = paddedElements(config, matrix);
                ASSERT_GE(padded, elements);
                ASSERT_LT(padded, elements + 64 * ranks);
                std::int64_t next = 0;
                for (std::int64_t rank = 0; rank < ranks; ++rank) {
                    const Slice own = ownSlice(config, {rank}, matrix);
                    EXPECT_EQ(own.begin, next);
                    EXPECT_EQ(
                        own.begin,
                        std::min(elements,
                                 sliceOf(padded, static_cast<int>(rank), static_cast<int>(ranks)).begin));
                    next = own.end;
                }
                EXPECT_EQ(next, elements);
            }
        }
}

/// Bytes by category before anything else of a step is there, and during the update.
std::pair<CategoryBytes, CategoryBytes> statesOf(const StepPlan& plan) {
    CategoryBytes always{};
    for (const Tensor& tensor : plan.tensors)
        if (tensor.persistent()) always[tensor.category] += tensor.bytes();
    std::int32_t update = 0;
    while (plan.op(update).kind != OpKind::OptimizerStep) ++update;
    return {always, memoryCurve(plan)[static_cast<std::size_t>(update)]};
}

TEST(ZeroPlan, HasTheStatesThatTheFormulasSay) {
    // Mixed precision with Adam: 2 bytes of weights, 2 of gradients, 12 of master copy and moments.
    for (const std::int64_t ranks : {2, 4})
        for (const auto& [zero, whole, shared] : {std::tuple{Zero::Off, 16, 0},
                                                  {Zero::States, 4, 12},
                                                  {Zero::Gradients, 2, 14},
                                                  {Zero::Weights, 0, 16}}) {
            RunConfig config = evenConfig(ranks, zero);
            config.precision = Precision::Bf16;
            config.optimizer = Optimizer::Adam;
            const auto [always, update] = statesOf(planStep(config, cpuTraits()).value());
            const Bytes states = update[Category::Parameters] + update[Category::MasterParameters] +
                                 update[Category::OptimizerState] + update[Category::Gradients];
            EXPECT_EQ(states * ranks, (whole * ranks + shared) * config.parameters());
            EXPECT_EQ(always[Category::Gradients], 0);
        }
}

std::int64_t recomputed(const RunConfig& config) {
    return recomputeSchedule(config, cpuTraits()).value().recomputedLayers();
}

TEST(ZeroPlan, SendsTheBytesThatTheFormulasSay) {
    for (const std::int64_t ranks : {2, 3, 4})
        for (const Precision precision : {Precision::Fp32, Precision::Bf16, Precision::Fp8})
            for (const auto kind :
                 {RecomputePolicy::Kind::All, RecomputePolicy::Kind::Sqrt, RecomputePolicy::Kind::None}) {
                RunConfig config = evenConfig(ranks, Zero::Off);
                config.dim = 96;  // slices of three ranks without padding, too
                config.precision = precision;
                config.recompute.kind = kind;
                config.gradientPrecision = GradientPrecision::Fp32;
                const Bytes w = dtypeSize(config.weightDtype()), g = 4, n = config.parameters();
                const Bytes layer = config.dim * config.dim, head = config.dim * config.outputs;
                const Bytes count = config.microBatches();
                // Slices that are sent for each byte: x(n) of all of it.
                const auto sent = [&](Zero zero) {
                    config.parallel.zero = zero;
                    Bytes all = 0;
                    for (const Op& op : opsOf(config))
                        if (op.lane == Lane::Traffic && op.layer > 0) all += op.wireBytes;
                    return all;
                };
                const auto share = [&](Bytes bytes) { return (ranks - 1) * bytes / ranks; };
                ASSERT_EQ(paddedElements(config, 1), layer);
                EXPECT_EQ(sent(Zero::Off), share(2 * g * n));
                EXPECT_EQ(sent(Zero::States), share((g + w) * n));
                EXPECT_EQ(sent(Zero::Gradients), share((count * g + w) * n));
                // The first layer's are not gathered for the backward pass, in which nobody reads them.
                const Bytes gathers = 2 * config.layers - 2 + recomputed(config);
                EXPECT_EQ(sent(Zero::Weights), share(count * (g * n + w * (gathers * layer + head))));
            }
}

/// Most tensors of a role that are there during one op.
std::int64_t mostAtOnce(const StepPlan& plan, TensorRole role) {
    std::int64_t most = 0;
    for (std::int32_t op = 0; op < plan.opCount(); ++op)
        most = std::max(most, std::ranges::count_if(plan.tensors, [&](const Tensor& tensor) {
                            return tensor.role == role && tensor.firstOp <= op && op <= tensor.lastOp;
                        }));
    return most;
}

TEST(ZeroPlan, HasFewWholeLayersAtATime) {
    for (const auto kind :
         {RecomputePolicy::Kind::All, RecomputePolicy::Kind::Sqrt, RecomputePolicy::Kind::None}) {
        RunConfig config = evenConfig(2, Zero::Gradients);
        config.layers = 9;
        config.recompute.kind = kind;
        EXPECT_EQ(mostAtOnce(planStep(config, cpuTraits()).value(), TensorRole::WholeGradient), 2);
        config.parallel.zero = Zero::Weights;
        const StepPlan plan = planStep(config, cpuTraits()).value();
        EXPECT_EQ(mostAtOnce(plan, TensorRole::WholeGradient), 2);
        // Two, and the last layer's where others are recomputed before its backward.
        const std::int64_t most = kind == RecomputePolicy::Kind::None ? 3 : 2;
        EXPECT_EQ(mostAtOnce(plan, TensorRole::GatheredWeight), most);
        config.head = false;
        EXPECT_EQ(mostAtOnce(planStep(config, cpuTraits()).value(), TensorRole::GatheredWeight), most);
    }
}

TEST(ZeroPlan, GathersBeforeTheProductAndJoinsEachCollectiveOnce) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        RunConfig config = test::randomConfig(seed);
        config.residentBatch = false;
        config.batch *= 3;
        config.parallel = {.data = 3, .zero = kStages[seed % kStages.size()]};
        if (config.optimizer == Optimizer::Adafactor) config.optimizer = Optimizer::Lion;
        config.settings = {};
        for (std::int64_t rank = 0; rank < 3; ++rank) {
            const auto made = planStep(config, cpuTraits(), {.data = rank});
            ASSERT_TRUE(made.has_value()) << made.error().text();
            const StepPlan& plan = *made;
            std::set<std::string> ids;
            for (std::int32_t index = 0; index < plan.opCount(); ++index) {
                const Op& op = plan.op(index);
                ASSERT_TRUE(ids.insert(opId(op)).second) << "seed " << seed << ": " << opId(op) << " twice";
                ASSERT_TRUE(operandsOf(plan, op).has_value());
                if (op.lane == Lane::Compute) continue;
                ASSERT_TRUE(op.joinedAfter ? op.joinedBy >= index : op.joinedBy > index) << opId(op);
                forEachOperand(op, [&](TensorId id) {
                    const Tensor& tensor = plan.tensor(id);
                    ASSERT_TRUE(tensor.persistent() || tensor.lastOp >= op.joinedBy) << plan.tensorName(id);
                });
                // A wait that comes after an op is one at the end of a pass or of the step.
                const bool isEnd = op.joinedBy + 1 == plan.passEnd[0] || op.joinedBy + 1 == plan.passEnd[1] ||
                                   op.joinedBy + 1 == plan.opCount();
                ASSERT_TRUE(!op.joinedAfter || isEnd) << opId(op);
                // While a layer computes, the weights of the next one are on their way.
                if (op.kind == OpKind::AllGather && op.phase != Phase::Optimizer) {
                    ASSERT_LE(op.joinedBy - index, 6) << "seed " << seed << ": " << opId(op);
                }
            }
        }
    }
}

TEST(ZeroPlan, ReducesOnceInAStepOrAfterEachMicroBatch) {
    RunConfig config = evenConfig(2, Zero::States);
    config.batch = 32;  // 4 micro-batches
    const auto executionsOf = [&](OpKind kind) {
        std::int64_t executions = 0;
        for (const Op& op : opsOf(config))
            if (op.kind == kind) executions += op.executions;
        return executions;
    };
    EXPECT_EQ(executionsOf(OpKind::ReduceScatter), 1);  // all in one bucket
    EXPECT_EQ(executionsOf(OpKind::AllGather), 1);
    config.parallel.zero = Zero::Gradients;
    EXPECT_EQ(executionsOf(OpKind::ReduceScatter), 4 * 6);
    EXPECT_EQ(executionsOf(OpKind::AllGather), 1);
    config.parallel.zero = Zero::Weights;
    EXPECT_EQ(executionsOf(OpKind::ReduceScatter), 4 * 6);
    EXPECT_EQ(executionsOf(OpKind::AllGather), 4 * (5 + 3 + 1));
    for (const Zero zero : kStages) {
        config.parallel.zero = zero;
        // The loss, and the norms; where they clip, that of the gradients first.
        config.clipNorm = 0;
        EXPECT_EQ(executionsOf(OpKind::AllReduce), 2);
        config.clipNorm = 1;
        EXPECT_EQ(executionsOf(OpKind::AllReduce), 3);
    }
}

TEST(ZeroPlan, UpdatesItsSlicesAlone) {
    RunConfig config = evenConfig(3, Zero::Off);
    const auto update = [&] {
        std::vector<StepOp> updates;
        for (std::int64_t rank = 0; rank < 3; ++rank)
            for (const Op& op : opsOf(config, {rank}))
                if (op.kind == OpKind::OptimizerStep) updates.push_back(op);
        return updates;
    };
    const StepOp whole = update().front();
    for (const Zero zero : kStages) {
        config.parallel.zero = zero;
        Flops flops = 0;
        Bytes bytes = 0;
        for (const StepOp& own : update()) {
            flops += own.flops;
            bytes += own.bytes;
        }
        EXPECT_EQ(flops, whole.flops);
        EXPECT_EQ(bytes, whole.bytes);
    }
}

TEST(ZeroPlan, FitsABudgetWhereGradientsAreShared) {
    RunConfig config = evenConfig(2, Zero::Gradients);
    config.layers = 12;
    const auto peakOf = [&](RecomputePolicy::Kind kind) {
        config.recompute = {kind, 1, 0};
        return summariseCurve(memoryCurve(planStep(config, cpuTraits()).value())).peakBytes;
    };
    const Bytes most = peakOf(RecomputePolicy::Kind::All), least = peakOf(RecomputePolicy::Kind::None);
    ASSERT_LT(least, most);
    for (const Zero zero : {Zero::States, Zero::Gradients})
        for (const Bytes budget : {least + (most - least) / 2, least + (most - least) / 8}) {
            config.parallel.zero = zero;
            config.recompute = {RecomputePolicy::Kind::Fit, 1, budget};
            const auto plan = planStep(config, cpuTraits());
            if (!plan.has_value()) continue;  // states alone may take more
            EXPECT_LE(summariseCurve(memoryCurve(*plan)).peakBytes, budget);
        }
}

}  // namespace
}  // namespace plumb
