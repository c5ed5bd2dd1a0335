// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/prepared_step.h"

#include "kernels/common/tensor_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::cpu {

namespace {

constexpr Bytes kFp32 = 4;

/// The library product behind a layer's op, or false for an op that is done by our own kernels.
bool productShapeOf(const StepPlan& plan, const PreparedOp& prepared, ProductShape& shape) {
    if (prepared.op->isHead) return false;
    const RunConfig& config = plan.config;
    shape = {ProductKind::Forward, config.microBatchSize(), prepared.op->in, prepared.op->out, false};
    switch (prepared.op->kind) {
    case OpKind::LayerForward:
    case OpKind::RecomputeChain:
        return true;
    case OpKind::WeightGradient:
        shape.kind = ProductKind::WeightGradient;
        // Otherwise the sum is part of the pass that rounds the product.
        shape.accumulate = config.parameterGradientDtype() == Dtype::Fp32 && prepared.op->accumulates;
        return true;
    case OpKind::InputGradient:
        shape.kind = ProductKind::InputGradient;
        return true;
    default:
        return false;
    }
}

ScratchBytes scratchOf(const StepPlan& plan, const ProductShape& shape) {
    const ProductElements elements = elementsOf(shape);
    ScratchBytes scratch;
    scratch.library = libraryScratchBytes(plan.traits, (elements.a + elements.b + elements.result) * kFp32);
    const RunConfig& config = plan.config;
    // tf32 is stored as fp32, and rounded into the copies.
    if (config.precision != Precision::Fp32) {
        scratch.castA = elements.a * kFp32;
        scratch.castB = elements.b * kFp32;
    }
    const Dtype result = shape.kind == ProductKind::WeightGradient  ? config.parameterGradientDtype()
                         : shape.kind == ProductKind::InputGradient ? config.activationGradientDtype()
                                                                    : config.activationDtype();
    if (result != Dtype::Fp32) scratch.castResult = elements.result * kFp32;
    return scratch;
}

}  // namespace

Bytes libraryScratchBytes(const BackendTraits& traits, Bytes operandBytes) {
    const double wanted = static_cast<double>(traits.libraryScratchBase) +
                          std::ceil(traits.libraryScratchPerByte * static_cast<double>(operandBytes));
    const auto most = static_cast<double>(traits.libraryScratchBytes);
    const auto bytes = static_cast<Bytes>(std::clamp(wanted, 0.0, most));
    return (bytes + kFp32 - 1) / kFp32 * kFp32;
}

Result<Bytes> tensorBytes(const RunConfig& config, const Tensor& tensor) {
    if (const auto bytes = common::storedBytes(config, tensor)) return *bytes;
    return internalError("scratch of an op was to be allocated outside of it");
}

Result<PreparedStep> prepareStep(const StepPlan& plan, int threads) {
    BackendTraits planned = plan.traits;
    planned.multipliesBf16 = cpuTraits().multipliesBf16;  // says how, and needs the same
    if (planned != cpuTraits())
        return Error{
            ErrorCode::BadInput,
            fmt::format("the step was planned for another backend (\"{}\") than the CPU's of this version",
                        plan.traits.backend),
            "plan it with the traits of the backend that runs it"};
    PreparedStep step;
    step.plan = &plan;
    step.ops.reserve(plan.ops.size());
    step.bytes.reserve(plan.tensors.size());
    for (const Tensor& tensor : plan.tensors)
        step.bytes.push_back(common::storedBytes(plan.config, tensor).value_or(0));
    for (const Op& op : plan.ops) {
        PreparedOp prepared;
        prepared.op = &op;
        PLUMB_TRY(prepared.operands, operandsOf(plan, op));
        ProductShape shape;
        if (productShapeOf(plan, prepared, shape)) {
            prepared.scratch = scratchOf(plan, shape);
            const auto known = std::find_if(step.products.begin(), step.products.end(),
                                            [&](const Product& product) { return product.shape() == shape; });
            prepared.product = static_cast<std::int32_t>(known - step.products.begin());
            if (known == step.products.end()) {
                PLUMB_TRY(Product product, Product::create(shape, prepared.scratch.library, threads));
                step.products.push_back(std::move(product));
            }
        }
        step.ops.push_back(prepared);
    }
    return step;
}

}  // namespace plumb::cpu
