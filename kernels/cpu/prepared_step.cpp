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
constexpr std::int32_t kAnyLayer = -1;

/// Looks an op's tensors up by role and layer among those that the op itself names: the same role and layer
/// can occur twice in a plan (a recomputed activation), but not in one op.
class OpResolver {
public:
    OpResolver(const StepPlan& plan, const Op& op) : m_plan(plan), m_op(op) {}

    [[nodiscard]] Result<Operand> find(TensorRole role, std::int32_t layer) const {
        for (const auto* ranges : {&m_op.reads, &m_op.writes})
            for (const TensorRange& range : *ranges) {
                if (range.count == 0) continue;
                // A range holds one role, layer after layer.
                const Tensor& first = m_plan.tensors[static_cast<std::size_t>(range.first)];
                const std::int32_t offset = layer == kAnyLayer ? 0 : layer - first.layer;
                if (offset < 0 || offset >= range.count) continue;
                const TensorId id = range.first + offset;
                const Tensor& tensor = m_plan.tensors[static_cast<std::size_t>(id)];
                if (tensor.role != role || (layer != kAnyLayer && tensor.layer != layer)) continue;
                PLUMB_TRY(const Bytes bytes, tensorBytes(m_plan.config, tensor));
                return Operand{id, bytes};
            }
        Tensor missing;
        missing.role = role;
        missing.layer = std::max(layer, 0);
        return Error{ErrorCode::Internal,
                     fmt::format(R"(the op "{}" does not name the tensor "{}" that it works on)",
                                 opName(m_plan, m_op), tensorName(m_plan, missing)),
                     "report this with the run's configuration"};
    }

    /// h_layer; the features for layer 0.
    [[nodiscard]] Result<Operand> activation(std::int32_t layer) const {
        return layer == 0 ? find(TensorRole::Features, kAnyLayer) : find(TensorRole::Activation, layer);
    }

private:
    const StepPlan& m_plan;
    const Op& m_op;
};

Result<void> resolveParameters(const StepPlan& plan, const OpResolver& resolve, PreparedOp& prepared) {
    constexpr std::array kStateRoles{TensorRole::Moment1, TensorRole::Moment2, TensorRole::Moment3};
    const RunConfig& config = plan.config;
    const bool updates = prepared.op->kind == OpKind::OptimizerStep;
    PLUMB_TRY(prepared.other, resolve.find(TensorRole::Loss, kAnyLayer));
    const auto matrices = static_cast<std::int32_t>(config.matrices());
    for (std::int32_t layer = 1; layer <= matrices; ++layer) {
        ParameterOperands parameters;
        parameters.rows = config.dim;
        parameters.columns = config.columnsOf(layer);
        PLUMB_TRY(parameters.gradient, resolve.find(TensorRole::Gradient, layer));
        if (updates) {
            PLUMB_TRY(parameters.weight, resolve.find(TensorRole::Weight, layer));
            if (config.hasMasterCopy()) {
                PLUMB_TRY(parameters.master, resolve.find(TensorRole::Master, layer));
            }
            for (std::size_t state = 0; state < optimizerStates(config).count; ++state) {
                PLUMB_TRY(parameters.states[state], resolve.find(kStateRoles[state], layer));
            }
        }
        prepared.parameters.push_back(parameters);
    }
    return {};
}

Result<void> resolveOperands(const StepPlan& plan, PreparedOp& prepared) {
    const Op& op = *prepared.op;
    const OpResolver resolve(plan, op);
    const std::int32_t layer = op.layer;
    const bool head = op.isHead;
    switch (op.kind) {
    case OpKind::LoadBatch: {
        PLUMB_TRY(prepared.result, resolve.find(TensorRole::Features, kAnyLayer));
        PLUMB_TRY(prepared.other, resolve.find(TensorRole::Targets, kAnyLayer));
        break;
    }
    case OpKind::LayerForward:
    case OpKind::HeadForward: {
        PLUMB_TRY(prepared.a, resolve.activation(layer - 1));
        PLUMB_TRY(prepared.b, resolve.find(TensorRole::Weight, layer));
        PLUMB_TRY(prepared.result,
                  head ? resolve.find(TensorRole::HeadOutput, kAnyLayer) : resolve.activation(layer));
        break;
    }
    case OpKind::LossGradient: {
        const auto last = static_cast<std::int32_t>(plan.config.layers);
        const bool chain = !plan.config.head;
        PLUMB_TRY(prepared.a,
                  chain ? resolve.activation(last) : resolve.find(TensorRole::HeadOutput, kAnyLayer));
        PLUMB_TRY(prepared.b, resolve.find(TensorRole::Targets, kAnyLayer));
        PLUMB_TRY(prepared.result, chain ? resolve.find(TensorRole::ActivationGradient, last)
                                         : resolve.find(TensorRole::HeadGradient, kAnyLayer));
        PLUMB_TRY(prepared.other, resolve.find(TensorRole::Loss, kAnyLayer));
        break;
    }
    case OpKind::WeightGradient: {
        PLUMB_TRY(prepared.a, resolve.activation(layer - 1));
        PLUMB_TRY(prepared.b, head ? resolve.find(TensorRole::HeadGradient, kAnyLayer)
                                   : resolve.find(TensorRole::ActivationGradient, layer));
        PLUMB_TRY(prepared.result, resolve.find(TensorRole::Gradient, layer));
        break;
    }
    case OpKind::InputGradient: {
        PLUMB_TRY(prepared.a, head ? resolve.find(TensorRole::HeadGradient, kAnyLayer)
                                   : resolve.find(TensorRole::ActivationGradient, layer));
        PLUMB_TRY(prepared.b, resolve.find(TensorRole::Weight, layer));
        PLUMB_TRY(prepared.result, resolve.find(TensorRole::ActivationGradient, layer - 1));
        if (op.fusedActivation) {
            PLUMB_TRY(prepared.mask, resolve.activation(layer - 1));
        }
        break;
    }
    case OpKind::RecomputeChain: {
        PLUMB_TRY(prepared.a, resolve.activation(layer - op.repeat));
        PLUMB_TRY(prepared.b, resolve.find(TensorRole::Weight, layer - op.repeat + 1));
        PLUMB_TRY(const Operand lastWeight, resolve.find(TensorRole::Weight, layer));
        if (lastWeight.id != prepared.b.id + op.repeat - 1)
            return Error{ErrorCode::Internal,
                         fmt::format("the weights of \"{}\" do not follow each other", opName(plan, op)),
                         "report this with the run's configuration"};
        PLUMB_TRY(prepared.result, resolve.activation(layer));
        if (op.repeat > 1) {
            PLUMB_TRY(prepared.other, resolve.find(TensorRole::ChainBuffer, kAnyLayer));
        }
        break;
    }
    case OpKind::GradientNorm:
    case OpKind::OptimizerStep:
        PLUMB_CHECK(resolveParameters(plan, resolve, prepared));
        break;
    }
    return {};
}

/// The library product behind a layer's op, or false for an op that is done by our own kernels.
bool productShapeOf(const StepPlan& plan, const PreparedOp& prepared, ProductShape& shape) {
    if (prepared.op->isHead) return false;
    const RunConfig& config = plan.config;
    shape = {ProductKind::Forward, config.microBatchSize(), config.dim, config.dim, false};
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
    const Bytes rows = shape.batch * shape.in * kFp32;  // x, y and both gradients are [batch, D]
    const Bytes matrix = shape.in * shape.out * kFp32;
    const bool weightGradient = shape.kind == ProductKind::WeightGradient;
    const Bytes operandB = weightGradient ? rows : matrix;
    ScratchBytes scratch;
    scratch.library = libraryScratchBytes(plan.traits, 2 * rows + matrix);
    const RunConfig& config = plan.config;
    // tf32 is stored as fp32, and rounded into the copies.
    if (config.precision != Precision::Fp32) {
        scratch.castA = rows;
        scratch.castB = operandB;
    }
    const Dtype result = weightGradient                             ? config.parameterGradientDtype()
                         : shape.kind == ProductKind::InputGradient ? config.activationGradientDtype()
                                                                    : config.activationDtype();
    if (result != Dtype::Fp32) scratch.castResult = weightGradient ? matrix : rows;
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
    return Error{ErrorCode::Internal, "scratch of an op was to be allocated outside of it", ""};
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
    for (const TensorId id : {plan.statistics, plan.lossScale, plan.scales}) {
        if (id < 0) continue;
        PLUMB_TRY(const Bytes bytes, tensorBytes(plan.config, plan.tensors[static_cast<std::size_t>(id)]));
        step.control.push_back({id, bytes});
    }
    for (const Op& op : plan.ops) {
        PreparedOp prepared;
        prepared.op = &op;
        PLUMB_CHECK(resolveOperands(plan, prepared));
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
        step.ops.push_back(std::move(prepared));
    }
    return step;
}

}  // namespace plumb::cpu
