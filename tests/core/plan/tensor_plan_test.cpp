// SPDX-License-Identifier: Apache-2.0
// The step of a rank that divides matrices with others (tensor parallel): what it refuses, what it has,
// computes and sends by the formulas, and when.
#include "core/measure/config_fix.h"
#include "core/measure/reading.h"
#include "core/model/rank_choices.h"
#include "core/plan/operands.h"
#include "core/plan/recompute_schedule.h"
#include "core/plan/shards.h"
#include "core/plan/traffic.h"
#include "tests/support/random_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace plumb {
namespace {

RunConfig dividedConfig(std::int64_t layers, std::int64_t tensor, std::int64_t data = 1) {
    RunConfig config{.dim = 96, .layers = layers, .outputs = 5, .activation = Activation::Relu};
    config.batch = 48;
    config.microBatch = 4;
    config.parallel = {.data = data, .tensor = tensor};
    return config;
}

StepPlan planOf(const RunConfig& config, const Place& place = {}) {
    return planStep(config, cpuTraits(), place).value();
}

TEST(TensorPlan, RefusesWhatNobodyDivides) {
    const auto refusal = [](const std::function<void(RunConfig&)>& change) {
        RunConfig config = dividedConfig(4, 2);
        change(config);
        const auto plan = planStep(config, cpuTraits());
        if (plan.has_value()) return std::string();
        const auto fixed = fixOf(config, cpuTraits(), std::nullopt);
        EXPECT_TRUE(fixed) << plan.error().text();
        return plan.error().text();
    };
    EXPECT_EQ(refusal([](RunConfig&) {}), "");
    EXPECT_EQ(refusal([](RunConfig& config) { config.parallel.tensor = 5; }),
              "tensor does not divide dim 96 (5): use a divisor of dim such as 4");
    EXPECT_EQ(refusal([](RunConfig& config) { config.layers = 0; }),
              "there are no layers that ranks could divide (tensor 2): use tensor 1, or at least one layer");
    EXPECT_EQ(
        refusal([](RunConfig& config) {
            config.layers = 3;
            config.head = false;
        }),
        "without a head the last layer has no partner (layers 3, tensor 2): use an even number of layers, "
        "or switch the head on");
    EXPECT_EQ(
        refusal([](RunConfig& config) {
            config.parallel.data = 2;
            config.parallel.zero = Zero::States;
        }),
        "ranks that divide matrices do not share states besides (zero 1, tensor 2): use zero 0, or tensor "
        "1");
    EXPECT_EQ(refusal([](RunConfig& config) { config.optimizer = Optimizer::Adafactor; }),
              "adafactor needs whole matrices, and not a part of each (tensor 2): use tensor 1, or another "
              "optimizer");
    EXPECT_EQ(refusal([](RunConfig& config) { config.precision = Precision::Fp16; }),
              "fp16 cannot be added up over ranks (tensor 2): use tensor 1, or --precision bf16");
    EXPECT_EQ(refusal([](RunConfig& config) { config.precision = Precision::Fp8; }),
              "fp8 cannot be added up over ranks (tensor 2): use tensor 1, or --precision bf16");
    EXPECT_EQ(
        refusal([](RunConfig& config) {
            config.recompute = {RecomputePolicy::Kind::Fit, 1, Bytes{1} << 30};
        }),
        "checkpoint fit needs layers that are all alike (tensor 2): use tensor 1, or another checkpoint "
        "policy such as sqrt");
    EXPECT_EQ(refusal([](RunConfig& config) {
                  config.dim = config.batch = 16384;
                  config.parallel.data = 16384;
              }),
              "there are too many ranks (data-parallel 16384, tensor 2): use 16384 of them at most");
    // Of GPUs memory and bytes are known.
    EXPECT_TRUE(planStep(dividedConfig(5, 2), *cudaTraits(90)).has_value());
    EXPECT_TRUE(planStep(dividedConfig(4, 2), *cudaTraits(90)).has_value());
}

TEST(TensorPlan, CountsRanksAlongTheTensorAxisFirst) {
    const Parallel parallel{.data = 3, .tensor = 4};
    for (std::int64_t rank = 0; rank < parallel.ranks(); ++rank)
        EXPECT_EQ(parallel.rankOf(parallel.placeOf(rank)), rank);
    EXPECT_EQ(parallel.placeOf(5), (Place{.data = 1, .tensor = 1}));
    // Another number of ranks keeps those that divide matrices where it can.
    const RunConfig config = dividedConfig(4, 2);
    EXPECT_EQ(withRanks(config, 6).parallel, (Parallel{.data = 3, .tensor = 2}));
    EXPECT_EQ(withRanks(config, 3).parallel, (Parallel{.data = 3}));
    EXPECT_EQ(withRanks(config, 1).parallel, Parallel{});
}

TEST(TensorPlan, DividesMatricesByColumnsThenByRows) {
    for (const std::int64_t layers : {1, 4, 5})
        for (const std::int64_t tensor : {2, 3, 4}) {
            const RunConfig config = dividedConfig(layers, tensor);
            for (std::int64_t matrix = 1; matrix <= config.matrices(); ++matrix) {
                std::vector<int> owners(static_cast<std::size_t>(config.dim * config.columnsOf(matrix)));
                for (std::int64_t rank = 0; rank < tensor; ++rank) {
                    const MatrixPart part = partOf(config, matrix, {.tensor = rank});
                    for (std::int64_t row = 0; row < part.rows; ++row)
                        for (std::int64_t column = 0; column < part.columns; ++column)
                            ++owners.at(
                                static_cast<std::size_t>((part.firstRow + row) * config.columnsOf(matrix) +
                                                         part.firstColumn + column));
                }
                const bool isWhole = splitOf(config, matrix) == MatrixSplit::None;
                EXPECT_EQ(isWhole, matrix > layers && layers % 2 == 0);
                EXPECT_THAT(owners, testing::Each(isWhole ? static_cast<int>(tensor) : 1));
                EXPECT_EQ(partOf(config, matrix).columns == widthOf(config, matrix) || matrix > layers, true);
            }
        }
}

TEST(TensorPlan, SendsTheBytesThatTheFormulaSays) {
    for (const std::int64_t layers : {1, 2, 5, 6})
        for (const std::int64_t tensor : {2, 3, 4})
            for (const Precision precision : {Precision::Fp32, Precision::Bf16})
                for (const auto kind :
                     {RecomputePolicy::Kind::All, RecomputePolicy::Kind::Sqrt, RecomputePolicy::Kind::None}) {
                    RunConfig config = dividedConfig(layers, tensor);
                    config.precision = precision;
                    config.recompute.kind = kind;
                    config.outputs = 3 * tensor;  // slices of y without a rest
                    std::int64_t again = 0;       // sums that are made once more
                    const RecomputeSchedule schedule = recomputeSchedule(config, cpuTraits()).value();
                    for (const RecomputeStretch& stretch : schedule.stretches)
                        for (std::int32_t layer = stretch.from + 1; layer <= stretch.to; ++layer)
                            again += layer % 2 == 0 ? 1 : 0;
                    const Bytes e = dtypeSize(config.activationDtype()), rows = config.batch;
                    const Bytes sums = layers / 2 + (layers + 1) / 2 - 1 + again;
                    const Bytes whole =
                        rows * (config.dim * e * sums + (layers % 2 != 0 ? config.outputs * 4 : 0));
                    Bytes sent = 0;
                    for (const Op& op : planOf(config).ops)
                        if (op.lane == Lane::Traffic && op.layer > 0) sent += op.wireBytes;
                    EXPECT_EQ(sent, 2 * (tensor - 1) * whole / tensor)
                        << layers << " layers, tensor " << tensor;
                }
}

TEST(TensorPlan, DividesProductsStatesAndHalfOfTheActivations) {
    for (const std::int64_t tensor : {2, 4}) {
        RunConfig config = dividedConfig(6, tensor);
        config.activation = Activation::None;
        RunConfig one = config;
        one.parallel = {};
        const StepPlan divided = planOf(config), alone = planOf(one);
        const auto products = [](const StepPlan& plan, bool head) {
            Flops sum = 0;
            for (const Op& op : plan.ops)
                if (op.isProduct && op.isHead == head) sum += op.matmulFlops;
            return sum;
        };
        EXPECT_EQ(products(divided, false) * tensor, products(alone, false));
        EXPECT_EQ(products(divided, true), products(alone, true)) << "the head is on every rank";
        const auto bytes = [](const StepPlan& plan, TensorRole role) {
            Bytes sum = 0;
            for (const Tensor& tensor : plan.tensors)
                if (tensor.role == role && (tensor.layer <= 6)) sum += tensor.bytes();
            return sum;
        };
        for (const TensorRole role : {TensorRole::Weight, TensorRole::Gradient, TensorRole::Moment1})
            EXPECT_EQ(bytes(divided, role) * tensor, bytes(alone, role));
        EXPECT_EQ(bytes(divided, TensorRole::Activation) * 2 * tensor,
                  bytes(alone, TensorRole::Activation) * (tensor + 1));
        EXPECT_EQ(divided.ruleOfThumbFlops(), 6 * config.batch * ownParameters(divided));
        EXPECT_EQ(ownParameters(divided), 6 * 96 * 96 / tensor + 96 * 5);
    }
}

TEST(TensorPlan, SumsBeforeTheReluAndBesideTheGradientOfTheWeights) {
    const StepPlan plan = planOf(dividedConfig(3, 2));
    std::vector<std::string> ids;
    for (std::int32_t index = plan.passBegin[0]; index < plan.passEnd[0]; ++index)
        ids.push_back(plan.opId(index));
    EXPECT_THAT(
        ids, testing::ElementsAre(
                 "m1.load", "m1.layer1.forward", "m1.layer2.forward", "m1.layer2.forward.all_reduce",
                 "m1.layer2.forward.relu", "m1.layer3.forward", "m1.head.forward",
                 "m1.head.forward.all_reduce", "m1.loss", "m1.head.backward.weight", "m1.head.backward.input",
                 "m1.layer3.backward.input", "m1.layer2.backward.all_reduce", "m1.layer3.backward.weight",
                 "m1.layer2.backward.weight", "m1.layer2.backward.input", "m1.layer1.backward.weight"));
    const auto joiner = [&](const char* id) { return plan.opId(plan.op(plan.findOp(id)).joinedBy); };
    EXPECT_EQ(joiner("m1.layer2.forward.all_reduce"), "m1.layer2.forward.relu");
    EXPECT_EQ(joiner("m1.head.forward.all_reduce"), "m1.loss");
    EXPECT_EQ(joiner("m1.layer2.backward.all_reduce"), "m1.layer2.backward.weight");
    EXPECT_EQ(plan.opName(plan.findOp("m1.layer2.forward.all_reduce")), "layer 2 · activation · all-reduce");
    EXPECT_EQ(plan.opName(plan.findOp("m1.layer2.backward.all_reduce")),
              "layer 2 · activation gradient · all-reduce");
    EXPECT_EQ(plan.opName(plan.findOp("m1.head.forward.all_reduce")), "head · output y · all-reduce");
    EXPECT_EQ(plan.opName(plan.findOp("m1.layer2.forward.relu")), "layer 2 · ReLU");
    EXPECT_EQ(plan.opName(plan.findOp("m2+.layer2.forward.all_reduce")),
              "layer 2 · activation · all-reduce · micro-batches 2–12");
    EXPECT_EQ(plan.op(plan.findOp("m2+.layer2.forward.all_reduce")).executions, 11);
}

TEST(TensorPlan, JoinsEachCollectiveOnceAndHasEveryIdOnce) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        RunConfig config = test::randomConfig(seed);
        config.residentBatch = false;
        config.layers = std::max<std::int64_t>(config.layers, 1) + (config.head ? 0 : config.layers % 2);
        config.head = config.head || config.layers % 2 != 0;
        config.dim *= 3;
        config.batch *= 2;
        config.parallel = {.data = 2, .tensor = 3};
        config.settings = {};
        if (config.optimizer == Optimizer::Adafactor) config.optimizer = Optimizer::Lion;
        if (config.precision == Precision::Fp16 || config.precision == Precision::Fp8)
            config.precision = Precision::Bf16;
        for (const Place& place : {Place{}, Place{1, 2}}) {
            const auto made = planStep(config, cpuTraits(), place);
            ASSERT_TRUE(made.has_value()) << made.error().text();
            const StepPlan& plan = *made;
            std::set<std::string> ids, names;
            for (std::int32_t index = 0; index < plan.opCount(); ++index) {
                const Op& op = plan.op(index);
                ASSERT_TRUE(ids.insert(opId(op)).second) << "seed " << seed << ": " << opId(op) << " twice";
                ASSERT_TRUE(names.insert(opName(plan, op)).second)
                    << "seed " << seed << ": " << opName(plan, op);
                ASSERT_TRUE(operandsOf(plan, op).has_value());
                if (op.lane == Lane::Compute) continue;
                ASSERT_TRUE(op.joinedAfter ? op.joinedBy >= index : op.joinedBy > index) << opId(op);
                forEachOperand(op, [&](TensorId id) {
                    const Tensor& tensor = plan.tensor(id);
                    ASSERT_TRUE(tensor.persistent() || tensor.lastOp >= op.joinedBy) << plan.tensorName(id);
                });
            }
        }
    }
}

TEST(TensorPlan, CountsWhatAllRanksHaveOnce) {
    for (const std::int64_t layers : {3, 4}) {
        const RunConfig config = dividedConfig(layers, 2);
        std::int64_t parameters = 0;
        for (std::int64_t rank = 0; rank < 2; ++rank)
            for (std::int64_t matrix = 1; matrix <= config.matrices(); ++matrix)
                if (countsFor(config, {.tensor = rank}, matrix))
                    parameters += partOf(config, matrix).elements();
        EXPECT_EQ(parameters, config.parameters());
    }
}

}  // namespace
}  // namespace plumb
