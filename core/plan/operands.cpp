// SPDX-License-Identifier: Apache-2.0
#include "core/plan/operands.h"

#include <fmt/format.h>

#include <string_view>

namespace plumb {

namespace {

TensorId idOf(const TensorRange& range) { return range.count > 0 ? range.first : -1; }

/// Sorts the tensors of the optimizer, which differ with its rule: each range holds one role.
void sortByRole(const StepPlan& plan, const TensorRange& range, Operands& operands) {
    if (range.count == 0) return;
    const TensorRole role = plan.tensor(range.first).role;
    switch (role) {
    case TensorRole::Weight:
        operands.weights = range;
        break;
    case TensorRole::Master:
        operands.masters = range;
        break;
    case TensorRole::TransposedWeight:
        operands.transposedWeights = range;
        break;
    case TensorRole::Gradient:
        operands.gradients = range;
        break;
    case TensorRole::Moment1:
    case TensorRole::Moment2:
    case TensorRole::Moment3:
        operands.states[stateIndex(role)] = range;
        break;
    case TensorRole::Loss:
        operands.loss = range.first;
        break;
    default:
        break;
    }
}

/// What an op of this kind cannot do without, and does not have; empty when it has all.
std::string_view missing(const Op& op, const Operands& operands) {
    const bool optimizes = op.phase == Phase::Optimizer && op.lane == Lane::Compute;
    const bool weighs = op.lane == Lane::Compute && op.kind != OpKind::LoadBatch &&
                        op.kind != OpKind::LossGradient && op.kind != OpKind::WeightGradient &&
                        op.kind != OpKind::Activation && op.kind != OpKind::GradientNorm;
    const bool fromGradient = op.kind == OpKind::WeightGradient || op.kind == OpKind::InputGradient;
    const bool loads = op.kind == OpKind::LoadBatch;
    const bool loses = op.kind == OpKind::LossGradient || op.kind == OpKind::HeadPass;
    if (!optimizes && !loads && op.kind != OpKind::InputGradient && operands.input < 0) return "its input";
    if (weighs && operands.weights.count < op.repeat) return "its weights";
    if (fromGradient && operands.outputGradient < 0) return "the gradient of its output";
    if ((loads || loses) && operands.targets < 0) return "the targets";
    if (op.kind == OpKind::InputGradient && op.fusedActivation && operands.mask < 0)
        return "the mask of its ReLU";
    if (!optimizes && operands.result < 0) return "its result";
    if (op.kind == OpKind::RecomputeChain && op.repeat > 1 && operands.chainBuffer < 0)
        return "its second buffer";
    if (optimizes && operands.gradients.count == 0) return "the gradients";
    if ((optimizes || loses) && operands.loss < 0) return "the loss";
    return {};
}

}  // namespace

Result<Operands> operandsOf(const StepPlan& plan, const Op& op) {
    Operands operands;
    const auto read = [&op](std::size_t place) { return idOf(op.reads[place]); };
    const auto written = [&op](std::size_t place) { return idOf(op.writes[place]); };
    switch (op.kind) {
    case OpKind::LoadBatch:
        operands.targets = written(1);
        break;
    case OpKind::LayerForward:
        operands.resultMask = written(1);
        [[fallthrough]];
    case OpKind::HeadForward:
        operands.input = read(0);
        operands.weights = op.reads[1];
        break;
    case OpKind::Activation:
    case OpKind::AllReduce:
    case OpKind::ReduceScatter:
    case OpKind::AllGather:
        operands.input = read(0);
        break;
    case OpKind::LossGradient:
        operands.input = read(0);
        operands.targets = read(1);
        operands.loss = written(1);
        break;
    case OpKind::HeadPass:
        operands.input = read(0);
        operands.weights = op.reads[1];
        operands.targets = read(2);
        operands.loss = written(1);
        operands.output = written(2);
        operands.outputGradient = written(3);
        operands.inputGradient = written(4);
        break;
    case OpKind::WeightGradient:
        operands.input = read(0);
        operands.outputGradient = read(1);
        break;
    case OpKind::InputGradient:
        operands.outputGradient = read(0);
        operands.weights = op.reads[1];
        operands.mask = read(2);
        break;
    case OpKind::RecomputeChain:
        operands.input = read(0);
        operands.weights = op.reads[1];
        if (op.repeat > 1) operands.chainBuffer = written(1);
        operands.resultMask = written(op.repeat > 1 ? 2 : 1);
        break;
    case OpKind::GradientNorm:
    case OpKind::OptimizerStep:
        for (const TensorRange& range : op.reads) sortByRole(plan, range, operands);
        for (const TensorRange& range : op.writes) sortByRole(plan, range, operands);
        break;
    }
    if (op.phase != Phase::Optimizer || op.lane == Lane::Traffic) operands.result = written(0);
    if (const std::string_view what = missing(op, operands); !what.empty())
        return internalError(fmt::format(R"(the op "{}" does not name {})", opName(plan, op), what));
    return operands;
}

}  // namespace plumb
