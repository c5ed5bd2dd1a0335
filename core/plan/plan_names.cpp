// SPDX-License-Identifier: Apache-2.0
#include "core/model/names.h"
#include "core/plan/step_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

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

/// What a collective is about: "layers 3–8", "head and layer 8", "loss", "fp8 scales".
std::string trafficPlace(const StepPlan& plan, const Op& op) {
    const TensorRange& moved = op.reads[0];
    switch (plan.tensor(moved.first).role) {
    case TensorRole::Loss:
        if (op.phase == Phase::Loss) return "loss";
        return op.columns == 1 ? "norm of the gradients" : "norms of the step";
    case TensorRole::Scales:
        return "fp8 scales";
    case TensorRole::Activation:
        return layerName(plan, op.layer) + " · activation";
    case TensorRole::ActivationGradient:
        return layerName(plan, op.layer) + " · activation gradient";
    case TensorRole::HeadOutput:
        return "head · output y";
    default:
        break;
    }
    const std::int32_t first = plan.tensor(moved.first).layer, last = first + moved.count - 1;
    const bool hasHead = last > plan.config.layers;
    const std::int32_t lastLayer = hasHead ? last - 1 : last;
    std::string layers;
    if (first == lastLayer) layers = fmt::format("layer {}", first);
    if (first < lastLayer) layers = fmt::format("layers {}–{}", first, lastLayer);
    if (!hasHead) return layers;
    return layers.empty() ? "head" : "head and " + layers;
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
    case OpKind::HeadPass:
        return "head · forward, loss and gradients";
    case OpKind::WeightGradient:
        return layerName(plan, op.layer) + " · backward · weight gradient";
    case OpKind::InputGradient:
        return layerName(plan, op.layer) + " · backward · input gradient";
    case OpKind::RecomputeChain:
        if (op.forLayer > 0) return fmt::format("layer {} · recompute for layer {}", op.layer, op.forLayer);
        return op.repeat == 1 ? fmt::format("layer {} · recompute", op.layer)
                              : fmt::format("layers {}–{} · recompute", op.layer - op.repeat + 1, op.layer);
    case OpKind::Activation:
        if (op.forLayer > 0)
            return fmt::format("layer {} · ReLU to recompute for layer {}", op.layer, op.forLayer);
        return layerName(plan, op.layer) + " · ReLU";
    case OpKind::GradientNorm:
        return "norm of the gradients";
    case OpKind::AllReduce:
        if (op.forLayer > 0)
            return fmt::format("layer {} · all-reduce to recompute for layer {}", op.layer, op.forLayer);
        return trafficPlace(plan, op) + " · all-reduce";
    case OpKind::ReduceScatter:
        return trafficPlace(plan, op) + " · reduce-scatter";
    case OpKind::AllGather:
        if (op.forLayer > 0)
            return fmt::format("layer {} · all-gather to recompute for layer {}", op.layer, op.forLayer);
        if (op.phase == Phase::Backward)
            return trafficPlace(plan, op) + " · all-gather for the backward pass";
        return trafficPlace(plan, op) + " · all-gather";
    case OpKind::OptimizerStep:
        return std::string(optimizerLabel(plan.config.optimizer));
    }
    return {};
}

std::string_view roleLabel(const StepPlan& plan, TensorRole role) {
    const auto state = [&] {
        const OptimizerStates states = optimizerStates(plan.config);
        const std::size_t index = stateIndex(role);
        return index < states.count ? stateLabel(states.kind[index]) : std::string_view();
    };
    switch (role) {
    case TensorRole::Weight:
        return "weights";
    case TensorRole::TransposedWeight:
        return "transposed weights";
    case TensorRole::Master:
        return "master weights";
    case TensorRole::Moment1:
    case TensorRole::Moment2:
    case TensorRole::Moment3:
        return state();
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
        return plan.traits.castsProducts ? "fp32 copy of the first operand" : "transposed first operand";
    case TensorRole::CastB:
        return plan.traits.castsProducts ? "fp32 copy of the second operand" : "transposed second operand";
    case TensorRole::CastResult:
        return plan.traits.castsProducts ? "fp32 result" : "bf16 result";
    case TensorRole::LibraryScratch:
        return "library scratch";
    case TensorRole::ExchangeBuffer:
        return "exchange buffer";
    case TensorRole::GatheredWeight:
        return "gathered weights";
    case TensorRole::WholeGradient:
        return "whole weight gradient";
    }
    return {};
}

bool isScratch(TensorRole role) {
    return role == TensorRole::CastA || role == TensorRole::CastB || role == TensorRole::CastResult ||
           role == TensorRole::LibraryScratch;
}

/// What tells apart what is recomputed several times in a pass.
std::string recomputedFor(const Op& op) {
    return op.forLayer > 0 ? fmt::format(".for{}", op.forLayer) : std::string();
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
    case OpKind::HeadPass:
        return fmt::format("{}.head.pass", pass);
    case OpKind::WeightGradient:
        return fmt::format("{}.{}.backward.weight", pass, where);
    case OpKind::InputGradient:
        return fmt::format("{}.{}.backward.input", pass, where);
    case OpKind::RecomputeChain:
        return fmt::format("{}.{}.recompute{}", pass, where, recomputedFor(op));
    case OpKind::Activation:
        return fmt::format("{}.{}.{}.relu{}", pass, where, phaseName(op.phase), recomputedFor(op));
    case OpKind::AllReduce:
        if (op.axis == RankAxis::Tensor && op.layer > 0)
            return fmt::format("{}.{}.{}.all_reduce{}", pass, where, phaseName(op.phase), recomputedFor(op));
        if (op.phase == Phase::Optimizer)
            return fmt::format("optimizer.{}.all_reduce",
                               op.columns == 0 ? "scales" : (op.columns == 1 ? "norm" : "norms"));
        if (op.layer == 0)
            return fmt::format("{}.{}.all_reduce", pass, op.phase == Phase::Loss ? "loss" : "scales");
        return fmt::format("{}.{}.all_reduce", pass, where);
    case OpKind::ReduceScatter:
        return fmt::format("{}.{}.reduce_scatter", pass, where);
    case OpKind::AllGather:
        if (op.phase == Phase::Optimizer) return fmt::format("optimizer.{}.all_gather", where);
        return fmt::format("{}.{}.{}.all_gather{}", pass, where, phaseName(op.phase), recomputedFor(op));
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
    const bool isRecomputed = tensor.role == TensorRole::Activation && maker.kind == OpKind::RecomputeChain;
    const bool isGathered = tensor.role == TensorRole::GatheredWeight;
    if (isRecomputed && maker.forLayer > 0)
        text = fmt::format("{} · recomputed for layer {}", text, maker.forLayer);
    else if (isRecomputed)
        text += " · recomputed";
    if (isGathered && maker.forLayer > 0)
        text = fmt::format("{} · to recompute for layer {}", text, maker.forLayer);
    else if (isGathered && maker.phase == Phase::Backward)
        text = fmt::format("{} · for the backward pass", text);
    return text + passSuffix(plan, maker.pass);
}

std::string_view kindLabel(std::string_view kind) {
    static constexpr auto kLabels = enumNames<OpKind>({{OpKind::LoadBatch, "load batch"},
                                                       {OpKind::LayerForward, "layer forward"},
                                                       {OpKind::HeadForward, "head forward"},
                                                       {OpKind::LossGradient, "loss and gradient"},
                                                       {OpKind::HeadPass, "head and loss"},
                                                       {OpKind::WeightGradient, "weight gradient"},
                                                       {OpKind::InputGradient, "input gradient"},
                                                       {OpKind::RecomputeChain, "recomputed layers"},
                                                       {OpKind::Activation, "ReLU"},
                                                       {OpKind::GradientNorm, "norm of the gradients"},
                                                       {OpKind::AllReduce, "all-reduce"},
                                                       {OpKind::ReduceScatter, "reduce-scatter"},
                                                       {OpKind::AllGather, "all-gather"},
                                                       {OpKind::OptimizerStep, "optimizer step"}});
    const std::optional<OpKind> ours = kOpKindNames.find(kind);
    return ours ? kLabels.name(*ours) : kind;
}

std::string titleOf(const RunConfig& config) {
    return fmt::format("D {} · L {} · B {} · {} · {}", config.dim, config.layers, config.batch,
                       name(config.precision), optimizerLabel(config.optimizer));
}

std::string StepPlan::title() const { return titleOf(config); }

Flops StepPlan::ruleOfThumbFlops() const {
    std::int64_t parameters = config.layers > 0 ? config.layers * partOf(config, 1).elements() : 0;
    if (config.head) parameters += partOf(config, config.layers + 1).elements();
    return 6 * config.rankBatch() * parameters;
}

std::vector<PassRange> StepPlan::passes() const {
    std::vector<PassRange> passes{{passBegin[0], passEnd[0], 1, 1}};
    if (passEnd[1] > passBegin[1]) passes.push_back({passBegin[1], passEnd[1], 2, config.microBatches()});
    return passes;
}

std::string StepPlan::opName(std::int64_t index) const { return plumb::opName(*this, op(index)); }
std::string StepPlan::opId(std::int64_t index) const { return plumb::opId(op(index)); }
std::string_view StepPlan::opKind(std::int64_t index) const { return kindName(op(index).kind); }
std::string_view StepPlan::opExpression(std::int64_t index) const { return einsumText(op(index).kind); }

std::string_view StepPlan::opGroup(std::int64_t index) const {
    const Op& at = op(index);
    if (at.isHead && at.kind == OpKind::WeightGradient) return "weight_gradient/head";
    if (at.isHead && at.kind == OpKind::InputGradient) return "input_gradient/head";
    return kindName(at.kind);
}

std::string StepPlan::groupLabel(std::int64_t index) const {
    const Op& at = op(index);
    if (at.kind == OpKind::OptimizerStep) return std::string(optimizerLabel(config.optimizer));
    const bool ofHead = at.isHead && at.kind != OpKind::HeadForward && at.kind != OpKind::HeadPass;
    return (ofHead ? "head " : "") + std::string(kindLabel(kindName(at.kind)));
}

std::string StepPlan::opLabel(std::int64_t index) const {
    if (opLayers(index) || op(index).lane == Lane::Traffic) return opName(index);
    if (op(index).kind == OpKind::OptimizerStep) {
        const bool isFused = !traits.backend.starts_with("pytorch");  // torch.optim makes several passes
        return fmt::format("{} ({}{} parameters)", groupLabel(index), isFused ? "fused, " : "",
                           formatQuantity(static_cast<double>(config.parameters()), ""));
    }
    const std::string where = placeInGroup(index);
    return where.empty() ? groupLabel(index) : groupLabel(index) + " · " + where;
}

std::optional<std::pair<std::int32_t, std::int32_t>> StepPlan::opLayers(std::int64_t index) const {
    const Op& at = op(index);
    if (at.layer < 1 || at.isHead) return std::nullopt;
    if (at.lane == Lane::Traffic) {
        const auto layers = static_cast<std::int32_t>(config.layers);
        return std::pair(at.layer, std::min(at.layer + at.reads[0].count - 1, layers));
    }
    return std::pair(at.layer - at.repeat + 1, at.layer);
}

std::string StepPlan::placeInGroup(std::int64_t index) const {
    const Op& at = op(index);
    std::string where;
    if (at.lane == Lane::Traffic)
        where = trafficPlace(*this, at);
    else if (const auto layers = opLayers(index))
        where = at.repeat > 1 ? fmt::format("layers {}–{}", layers->first, layers->second)
                              : fmt::format("layer {}", at.layer);
    if (config.microBatches() == 1 || at.phase == Phase::Optimizer) return where;
    constexpr std::string_view kDot = " · ";
    const std::string suffix = at.pass == 0 ? " · micro-batch 1" : passSuffix(*this, at.pass);
    return where.empty() ? suffix.substr(kDot.size()) : where + suffix;
}

namespace {

/// Path of the module of one layer, 1..L and L+1 for the head; 0 is none.
std::string moduleOf(const RunConfig& config, std::int64_t layer) {
    if (layer < 1) return {};
    return layer > config.layers ? "head" : fmt::format("layer {}", layer);
}

}  // namespace

std::string StepPlan::opModule(std::int64_t index) const {
    const Op& at = op(index);
    const bool ofSeveral = at.repeat > 1 || (at.lane == Lane::Traffic && at.reads[0].count > 1);
    return ofSeveral ? std::string() : moduleOf(config, at.layer);
}

std::string StepPlan::tensorModule(TensorId id) const { return moduleOf(config, tensor(id).layer); }

std::string StepPlan::tensorName(TensorId id) const { return plumb::tensorName(*this, tensor(id)); }

std::int64_t StepPlan::tensorOrder(TensorId id) const {
    return (static_cast<std::int64_t>(tensor(id).role) << 32) + tensor(id).layer;
}

bool StepPlan::isSameStep(const Step& other) const {
    const auto* ours = dynamic_cast<const StepPlan*>(&other);
    return ours != nullptr && ours->config == config && ours->place == place;
}

bool StepPlan::hasSameOps(const Step& other) const {
    const auto* ours = dynamic_cast<const StepPlan*>(&other);
    const auto key = [](const Op& op) {
        return std::tie(op.kind, op.phase, op.layer, op.pass, op.repeat, op.forLayer, op.columns);
    };
    return ours != nullptr && config.layers == ours->config.layers &&
           std::ranges::equal(ops, ours->ops, [&](const Op& a, const Op& b) { return key(a) == key(b); });
}

bool StepPlan::hasSameTensors(const Step& other) const {
    const auto* ours = dynamic_cast<const StepPlan*>(&other);
    return ours != nullptr &&
           std::ranges::equal(tensors, ours->tensors, [](const Tensor& a, const Tensor& b) {
               return a.role == b.role && a.layer == b.layer;
           });
}

std::optional<OpKind> productKind(std::string_view kind) {
    const std::optional<OpKind> found = kOpKindNames.find(kind);
    const bool isProduct = found && (*found == OpKind::HeadPass || !einsumText(*found).empty());
    return isProduct ? found : std::nullopt;
}

}  // namespace plumb
