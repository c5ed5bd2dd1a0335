// SPDX-License-Identifier: Apache-2.0
#include "core/plan/op_cost.h"

#include "core/plan/einsum.h"
#include "core/plan/operands.h"
#include "core/plan/shards.h"
#include "core/plan/traffic.h"

#include <cassert>
#include <string>

namespace plumb {
namespace {

enum Product : std::size_t { Forward, WeightGradient, InputGradient, ProductCount };

/// The forward expression and the two that follow from it.
struct ProductExpressions {
    std::array<Einsum, ProductCount> einsum;
    std::array<std::string, ProductCount> text;
};

const ProductExpressions& expressions() {
    static const ProductExpressions kExpressions = [] {
        ProductExpressions all;
        Result<Einsum> forward = Einsum::parse("batch in, in out -> batch out");
        assert(forward.has_value());
        all.einsum = {*forward, forward->backward(1), forward->backward(0)};
        for (std::size_t product = 0; product < ProductCount; ++product)
            all.text[product] = all.einsum[product].text();
        return all;
    }();
    return kExpressions;
}

/// ProductCount for element-wise kinds.
Product productOf(OpKind kind) {
    switch (kind) {
    case OpKind::LayerForward:
    case OpKind::HeadForward:
    case OpKind::RecomputeChain:
        return Forward;
    case OpKind::WeightGradient:
        return WeightGradient;
    case OpKind::InputGradient:
        return InputGradient;
    case OpKind::LoadBatch:
    case OpKind::LossGradient:
    case OpKind::HeadPass:
    case OpKind::Activation:
    case OpKind::GradientNorm:
    case OpKind::AllReduce:
    case OpKind::ReduceScatter:
    case OpKind::AllGather:
    case OpKind::OptimizerStep:
        break;
    }
    return ProductCount;
}

Bytes bytesOf(const StepPlan& plan, const TensorRange& range) {
    Bytes bytes = 0;
    for (std::int32_t i = 0; i < range.count; ++i) {
        const Tensor& tensor = plan.tensor(range.first + i);
        bytes += tensor.elements() * dtypeSize(tensor.dtype);
    }
    return bytes;
}

/// What the update reads or writes of tensors that have all of a matrix or the own slice.
Bytes ownBytesOf(const StepPlan& plan, const TensorRange& range) {
    if (range.first == plan.loss || !plan.config.parallel.shares(Zero::States)) return bytesOf(plan, range);
    return ownParameters(plan) * dtypeSize(plan.tensor(range.first).dtype);
}

/// Element-wise FLOPs of one execution.
Flops elementwiseFlops(const Op& op, const StepPlan& plan) {
    constexpr Flops kLossFlopsPerOutput = 4;  // y - t, its square, the sum, the scaled gradient
    const RunConfig& config = plan.config;
    switch (op.kind) {
    case OpKind::LayerForward:
    case OpKind::RecomputeChain:
        return op.fusedActivation ? op.repeat * op.batchRows * op.out : 0;
    case OpKind::InputGradient:
        return op.fusedActivation ? op.batchRows * op.in : 0;
    case OpKind::Activation:
        return op.batchRows * op.out;
    case OpKind::WeightGradient:
        return op.accumulates ? op.in * op.out : 0;
    case OpKind::LossGradient:
        return (kLossFlopsPerOutput + (op.fusedActivation ? 1 : 0)) * op.batchRows * op.out;
    case OpKind::HeadPass:
        return kLossFlopsPerOutput * op.batchRows * op.out + (op.accumulates ? op.in * op.out : 0) +
               (op.fusedActivation ? op.batchRows * op.in : 0);
    case OpKind::OptimizerStep:
        return optimizerFlopsPerParameter(config) * ownParameters(plan);
    case OpKind::GradientNorm:
        return 2 * ownParameters(plan);  // square and add
    case OpKind::AllReduce:
    case OpKind::ReduceScatter:
    case OpKind::AllGather:
        return reducedFlops(plan, op);
    case OpKind::LoadBatch:
    case OpKind::HeadForward:
        break;
    }
    return 0;
}

/// Compulsory traffic of one execution.
Bytes compulsoryBytes(const Op& op, const StepPlan& plan) {
    if (op.kind == OpKind::RecomputeChain) {
        const Operands operands = *operandsOf(plan, op);
        // Of several layers all have the shape and type of the chain's output.
        return plan.tensor(operands.input).bytes() +
               (2 * op.repeat - 1) * plan.tensor(operands.result).bytes() +
               op.repeat * bytesOf(plan, {operands.weight(), 1});
    }
    if (op.lane == Lane::Traffic) return touchedBytes(plan, op);
    const bool updates = op.phase == Phase::Optimizer;
    const auto bytesOfRange = updates ? &ownBytesOf : &bytesOf;
    Bytes bytes = 0;
    for (const TensorRange& range : op.reads) {
        if (range.count == 0) break;
        const bool held = updates && range.first == plan.loss;
        bytes += held ? 0 : bytesOfRange(plan, range);
    }
    for (const TensorRange& range : op.writes)
        if (range.count > 0) bytes += bytesOfRange(plan, range);
    if (op.kind == OpKind::LoadBatch && plan.staging >= 0)  // one half of the double buffer
        bytes += plan.tensor(plan.staging).bytes() / 2;
    return bytes;
}

}  // namespace

std::string_view einsumText(OpKind kind) {
    const Product product = productOf(kind);
    return product == ProductCount ? std::string_view() : std::string_view(expressions().text[product]);
}

ProductFlops::ProductFlops(const RunConfig& config) {
    for (std::size_t product = 0; product < ProductCount; ++product) {
        for (const bool head : {false, true}) {
            // Only sizes of what is there are checked to fit.
            if (head ? !config.head : config.layers == 0) continue;
            const MatrixPart part = partOf(config, head ? config.layers + 1 : 1);
            const DimensionSizes sizes{
                {"batch", config.microBatchSize()}, {"in", part.rows}, {"out", part.columns}};
            const Result<Flops> flops = einsumFlops(expressions().einsum[product], sizes);
            assert(flops.has_value());
            m_flops[product][head ? 1 : 0] = *flops;
        }
    }
}

Flops ProductFlops::of(const Op& op) const {
    if (op.kind == OpKind::HeadPass)  // the gradient of x has no reader
        return m_flops[Forward][1] + m_flops[WeightGradient][1] +
               (op.layer > 1 ? m_flops[InputGradient][1] : 0);
    const Product product = productOf(op.kind);
    return product == ProductCount ? 0 : m_flops[product][op.isHead ? 1 : 0];
}

void setCosts(Op& op, const StepPlan& plan, const ProductFlops& products) {
    op.isProduct = productOf(op.kind) != ProductCount || op.kind == OpKind::HeadPass;
    op.units = op.isProduct ? plan.productDtype : Dtype::Fp32;
    op.matmulFlops = op.executions * op.repeat * products.of(op);
    op.flops = op.matmulFlops + op.executions * elementwiseFlops(op, plan);
    op.bytes = op.executions * compulsoryBytes(op, plan);
    if (op.lane == Lane::Traffic) op.wireBytes = op.executions * bytesOnWire(plan, op).sent;
}

}  // namespace plumb
