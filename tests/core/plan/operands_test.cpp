// SPDX-License-Identifier: Apache-2.0
#include "core/plan/operands.h"

#include "tests/support/random_config.h"

#include <gmock/gmock.h>

#include <set>
#include <string>

namespace plumb {
namespace {

using testing::HasSubstr;

/// Random steps as a CPU and as GPUs with and without masks of bits plan them.
std::vector<StepPlan> somePlans() {
    std::vector<StepPlan> plans;
    for (std::uint64_t seed = 0; seed < 200; ++seed)
        for (const char* backend : {"cpu", "cuda"}) {
            auto plan = planStep(test::randomConfig(seed), traitsFor(backend, 90));
            if (plan.has_value()) plans.push_back(std::move(plan).value());
        }
    return plans;
}

/// Role and layer, or "-".
std::string what(const StepPlan& plan, TensorId id) {
    return id < 0 ? "-" : tensorName(plan, plan.tensor(id));
}

TEST(Operands, AreAllThatAnOpReadsAndWritesEachOnce) {
    for (const StepPlan& plan : somePlans())
        for (const Op& op : plan.ops) {
            std::multiset<TensorId> named, known;
            for (const auto* ranges : {&op.reads, &op.writes})
                for (const TensorRange& range : *ranges)
                    for (std::int32_t i = 0; i < range.count; ++i) named.insert(range.first + i);
            const auto operands = operandsOf(plan, op);
            ASSERT_TRUE(operands.has_value()) << operands.error().text();
            for (const TensorId id :
                 {operands->input, operands->targets, operands->outputGradient, operands->mask,
                  operands->result, operands->resultMask, operands->chainBuffer, operands->loss,
                  operands->output, operands->inputGradient})
                if (id >= 0) known.insert(id);
            for (const TensorRange* range :
                 {&operands->weights, &operands->gradients, &operands->masters, &operands->states[0],
                  &operands->states[1], &operands->states[2], &operands->transposedWeights})
                for (std::int32_t i = 0; i < range->count; ++i) known.insert(range->first + i);
            // What is added to or updated in place is read and written.
            EXPECT_EQ(std::set<TensorId>(known.begin(), known.end()),
                      std::set<TensorId>(named.begin(), named.end()))
                << opName(plan, op);
            EXPECT_EQ(std::set<TensorId>(known.begin(), known.end()).size(), known.size())
                << opName(plan, op);
        }
}

TEST(Operands, AreWhatTheirNamesSay) {
    for (const StepPlan& plan : somePlans()) {
        const RunConfig& config = plan.config;
        const auto isActivation = [&](TensorId id, std::int32_t layer) {
            const Tensor& tensor = plan.tensor(id);
            return layer == 0 ? tensor.role == TensorRole::Features
                              : tensor.role == TensorRole::Activation && tensor.layer == layer;
        };
        const auto isWeight = [&](TensorId id, std::int32_t layer) {
            const TensorRole role = plan.tensor(id).role;
            return (role == TensorRole::Weight || role == TensorRole::TransposedWeight) &&
                   plan.tensor(id).layer == layer;
        };
        for (const Op& op : plan.ops) {
            const Operands operands = *operandsOf(plan, op);
            SCOPED_TRACE(opName(plan, op));
            const auto roleOf = [&](TensorId id) { return plan.tensor(id).role; };
            const TensorRole gradientAbove =
                op.isHead ? TensorRole::HeadGradient : TensorRole::ActivationGradient;
            switch (op.kind) {
            case OpKind::LoadBatch:
                EXPECT_EQ(roleOf(operands.result), TensorRole::Features);
                EXPECT_EQ(roleOf(operands.targets), TensorRole::Targets);
                break;
            case OpKind::LayerForward:
            case OpKind::HeadForward:
                EXPECT_TRUE(isActivation(operands.input, op.layer - 1)) << what(plan, operands.input);
                EXPECT_TRUE(isWeight(operands.weight(), op.layer)) << what(plan, operands.weight());
                if (op.isHead) {
                    EXPECT_EQ(roleOf(operands.result), TensorRole::HeadOutput);
                } else {
                    EXPECT_TRUE(isActivation(operands.result, op.layer)) << what(plan, operands.result);
                }
                break;
            case OpKind::HeadPass:
                EXPECT_TRUE(isActivation(operands.input, op.layer - 1)) << what(plan, operands.input);
                EXPECT_TRUE(isWeight(operands.weight(), op.layer)) << what(plan, operands.weight());
                EXPECT_EQ(roleOf(operands.targets), TensorRole::Targets);
                EXPECT_EQ(roleOf(operands.result), TensorRole::Gradient);
                EXPECT_EQ(roleOf(operands.loss), TensorRole::Loss);
                EXPECT_EQ(roleOf(operands.output), TensorRole::HeadOutput);
                EXPECT_EQ(roleOf(operands.outputGradient), TensorRole::HeadGradient);
                EXPECT_EQ(operands.inputGradient >= 0, config.layers > 0);
                break;
            case OpKind::LossGradient:
                EXPECT_EQ(roleOf(operands.input),
                          config.head ? TensorRole::HeadOutput : TensorRole::Activation);
                EXPECT_EQ(roleOf(operands.targets), TensorRole::Targets);
                EXPECT_EQ(roleOf(operands.result),
                          config.head ? TensorRole::HeadGradient : TensorRole::ActivationGradient);
                EXPECT_EQ(roleOf(operands.loss), TensorRole::Loss);
                break;
            case OpKind::WeightGradient:
                EXPECT_TRUE(isActivation(operands.input, op.layer - 1)) << what(plan, operands.input);
                EXPECT_EQ(roleOf(operands.outputGradient), gradientAbove);
                EXPECT_EQ(roleOf(operands.result), TensorRole::Gradient);
                EXPECT_EQ(plan.tensor(operands.result).layer, op.layer);
                break;
            case OpKind::InputGradient:
                EXPECT_EQ(roleOf(operands.outputGradient), gradientAbove);
                EXPECT_TRUE(isWeight(operands.weight(), op.layer)) << what(plan, operands.weight());
                EXPECT_EQ(roleOf(operands.result), TensorRole::ActivationGradient);
                EXPECT_EQ(plan.tensor(operands.result).layer, op.layer - 1);
                EXPECT_EQ(operands.mask >= 0, op.fusedActivation);
                if (op.fusedActivation) {
                    EXPECT_TRUE(roleOf(operands.mask) == TensorRole::ReluMask ||
                                isActivation(operands.mask, op.layer - 1))
                        << what(plan, operands.mask);
                }
                break;
            case OpKind::RecomputeChain:
                EXPECT_TRUE(isActivation(operands.input, op.layer - op.repeat)) << what(plan, operands.input);
                for (std::int32_t i = 0; i < op.repeat; ++i)
                    EXPECT_TRUE(isWeight(operands.weight(i), op.layer - op.repeat + 1 + i)) << i;
                EXPECT_TRUE(isActivation(operands.result, op.layer)) << what(plan, operands.result);
                EXPECT_EQ(operands.chainBuffer >= 0, op.repeat > 1);
                break;
            case OpKind::AllReduce:
            case OpKind::ReduceScatter:
            case OpKind::AllGather:
                FAIL() << "these plans are of one rank";
            case OpKind::GradientNorm:
            case OpKind::OptimizerStep:
                EXPECT_EQ(operands.gradients.count, config.matrices());
                EXPECT_EQ(operands.weights.count, op.kind == OpKind::OptimizerStep ? config.matrices() : 0);
                EXPECT_EQ(operands.masters.count,
                          op.kind == OpKind::OptimizerStep && config.hasMasterCopy() ? config.matrices() : 0);
                EXPECT_EQ(roleOf(operands.loss), TensorRole::Loss);
                break;
            }
            if (operands.resultMask >= 0) {
                EXPECT_EQ(roleOf(operands.resultMask), TensorRole::ReluMask);
                EXPECT_EQ(plan.tensor(operands.resultMask).layer, op.layer);
            }
        }
    }
}

TEST(Operands, NameTheOpThatLacksOne) {
    RunConfig config;
    config.layers = 3;
    StepPlan plan = *planStep(config, cpuTraits());
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        Op broken = plan.ops[i];
        broken.reads = {};
        broken.writes = {};
        const auto operands = operandsOf(plan, broken);
        ASSERT_FALSE(operands.has_value()) << opName(plan, broken);
        EXPECT_EQ(operands.error().code, ErrorCode::Internal);
        EXPECT_THAT(operands.error().message, HasSubstr(opName(plan, plan.ops[i])));
        EXPECT_THAT(operands.error().message, HasSubstr("does not name"));
    }
}

}  // namespace
}  // namespace plumb
