// SPDX-License-Identifier: Apache-2.0
#include "core/plan/step_plan.h"

#include <fmt/format.h>

namespace plumb {
namespace {

/// " · micro-batches 2–8" for what belongs to pass 1.
std::string passSuffix(const StepPlan& plan, std::int32_t pass) {
    if (pass == 0) return {};
    const std::int64_t last = plan.config.microBatches();
    return last == 2 ? " · micro-batch 2" : fmt::format(" · micro-batches 2–{}", last);
}

std::string layerName(const StepPlan& plan, std::int32_t layer) {
    return layer > plan.config.layers ? "head" : fmt::format("layer {}", layer);
}

std::string nameInPass(const StepPlan& plan, const Op& op) {
    switch (op.kind) {
    case OpKind::LoadBatch:
        return "load batch";
    case OpKind::LayerForward:
    case OpKind::HeadForward:
        return layerName(plan, op.layer) + " · forward";
    case OpKind::LossGradient:
        return "loss and gradient";
    case OpKind::WeightGradient:
        return layerName(plan, op.layer) + " · backward · weight gradient";
    case OpKind::InputGradient:
        return layerName(plan, op.layer) + " · backward · input gradient";
    case OpKind::RecomputeChain:
        return op.repeat == 1 ? fmt::format("layer {} · recompute", op.layer)
                              : fmt::format("layers {}–{} · recompute", op.layer - op.repeat + 1, op.layer);
    case OpKind::GradientNorm:
        return "norm of the gradients";
    case OpKind::OptimizerStep:
        return std::string(optimizerLabel(plan.config.optimizer));
    }
    return {};
}

std::string_view roleLabel(const StepPlan& plan, TensorRole role) {
    const auto state = [&plan](std::size_t index) {
        const OptimizerStates states = optimizerStates(plan.config);
        return index < states.count ? stateLabel(states.kind[index]) : std::string_view();
    };
    switch (role) {
    case TensorRole::Weight:
        return "weights";
    case TensorRole::Master:
        return "master weights";
    case TensorRole::Moment1:
        return state(0);
    case TensorRole::Moment2:
        return state(1);
    case TensorRole::Moment3:
        return state(2);
    case TensorRole::Gradient:
        return "weight gradient";
    case TensorRole::Features:
        return "features x";
    case TensorRole::Targets:
        return "targets t";
    case TensorRole::Activation:
        return "activation";
    case TensorRole::ChainBuffer:
        return "recompute buffer";
    case TensorRole::ActivationGradient:
        return "activation gradient";
    case TensorRole::HeadOutput:
        return "output y";
    case TensorRole::HeadGradient:
        return "output gradient";
    case TensorRole::Loss:
        return "loss and norms";
    case TensorRole::Statistics:
        return "statistics of the tensors";
    case TensorRole::LossScale:
        return "loss scale";
    case TensorRole::Scales:
        return "fp8 scales";
    case TensorRole::Staging:
        return "staged batches";
    case TensorRole::StepControl:
        return "step control";
    case TensorRole::SharedScratch:
        return "shared scratch";
    case TensorRole::ReluMask:
        return "ReLU mask";
    case TensorRole::CastA:
        return plan.traits.castsProducts ? "fp32 copy of the first operand" : "turned first operand";
    case TensorRole::CastB:
        return plan.traits.castsProducts ? "fp32 copy of the second operand" : "turned second operand";
    case TensorRole::CastResult:
        return plan.traits.castsProducts ? "fp32 result" : "bf16 result";
    case TensorRole::LibraryScratch:
        return "library scratch";
    }
    return {};
}

bool isScratch(TensorRole role) {
    return role == TensorRole::CastA || role == TensorRole::CastB || role == TensorRole::CastResult ||
           role == TensorRole::LibraryScratch;
}

}  // namespace

std::string opName(const StepPlan& plan, const Op& op) {
    return nameInPass(plan, op) + passSuffix(plan, op.pass);
}

std::string opId(const Op& op) {
    if (op.kind == OpKind::OptimizerStep) return "optimizer";
    if (op.kind == OpKind::GradientNorm) return "gradient_norm";
    const std::string_view pass = op.pass == 0 ? "m1" : "m2+";
    const std::string where = op.isHead ? "head" : fmt::format("layer{}", op.layer);
    switch (op.kind) {
    case OpKind::LoadBatch:
        return fmt::format("{}.load", pass);
    case OpKind::LayerForward:
    case OpKind::HeadForward:
        return fmt::format("{}.{}.forward", pass, where);
    case OpKind::LossGradient:
        return fmt::format("{}.loss", pass);
    case OpKind::WeightGradient:
        return fmt::format("{}.{}.backward.weight", pass, where);
    case OpKind::InputGradient:
        return fmt::format("{}.{}.backward.input", pass, where);
    case OpKind::RecomputeChain:
        return fmt::format("{}.{}.recompute", pass, where);
    case OpKind::GradientNorm:
    case OpKind::OptimizerStep:
        break;
    }
    return {};
}

std::string tensorName(const StepPlan& plan, const Tensor& tensor) {
    std::string text(roleLabel(plan, tensor.role));
    // Only tensors that come and go within a pass are told apart by the op that makes them.
    const bool ofPass =
        !tensor.persistent() && tensor.role != TensorRole::Gradient && tensor.role != TensorRole::Loss;
    if (!ofPass)
        return tensor.layer == 0 ? text : fmt::format("{} · {}", layerName(plan, tensor.layer), text);
    const Op& maker = plan.op(tensor.firstOp);
    if (isScratch(tensor.role)) return fmt::format("{} · {}", opName(plan, maker), text);
    if (tensor.layer > 0) text = fmt::format("{} · {}", layerName(plan, tensor.layer), text);
    if (tensor.role == TensorRole::Activation && maker.kind == OpKind::RecomputeChain)
        text += " · recomputed";
    return text + passSuffix(plan, maker.pass);
}

std::string_view categoryLabel(Category category) {
    switch (category) {
    case Category::MasterParameters:
        return "master parameters";
    case Category::OptimizerState:
        return "optimizer state";
    case Category::ActivationGradients:
        return "activation gradients";
    default:
        return categoryName(category);
    }
}

}  // namespace plumb
