// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_builder.h"

#include "core/base/entry_at.h"

#include <utility>

namespace plumb {
namespace {

constexpr std::int32_t kNotYetNamed = INT32_MAX;

}  // namespace

PlanBuilder::PlanBuilder(const RunConfig& config, const BackendTraits& traits, std::size_t ops,
                         std::size_t tensors)
    : m_products(config) {
    m_plan.config = config;
    m_plan.traits = traits;
    m_plan.samples = config.batch;
    m_plan.productDtype = config.computeDtype();
    m_plan.ops.reserve(ops);
    m_plan.tensors.reserve(tensors);
}

TensorId PlanBuilder::addTensor(TensorRole role, Category category, Dtype dtype, std::int32_t layer,
                                std::int64_t rows, std::int64_t columns) {
    const auto id = static_cast<TensorId>(m_plan.tensors.size());
    Tensor& added = m_plan.tensors.emplace_back();
    added.role = role;
    added.category = category;
    added.dtype = dtype;
    added.layer = layer;
    added.rows = rows;
    added.columns = columns;
    added.firstOp = kNotYetNamed;
    return id;
}

TensorId PlanBuilder::addPersistent(TensorRole role, Category category, Dtype dtype, std::int32_t layer,
                                    std::int64_t rows, std::int64_t columns) {
    const TensorId id = addTensor(role, category, dtype, layer, rows, columns);
    tensor(id).firstOp = -1;
    return id;
}

void PlanBuilder::beginPass(std::int32_t pass, std::int64_t executions) {
    m_pass = pass;
    m_executions = executions;
    entryAt(m_plan.passBegin, pass) = static_cast<std::int32_t>(m_plan.ops.size());
}

void PlanBuilder::endPass() {
    entryAt(m_plan.passEnd, m_pass) = static_cast<std::int32_t>(m_plan.ops.size());
    m_pass = 0;
    m_executions = 1;
}

Op& PlanBuilder::newOp(OpKind kind, Phase phase) {
    Op& op = m_plan.ops.emplace_back();
    op.kind = kind;
    op.phase = phase;
    op.pass = m_pass;
    op.executions = m_executions;
    return op;
}

// The only place where lifetimes are made.
void PlanBuilder::use(const TensorRange& range, std::int32_t op) {
    if (tensor(range.first).persistent())
        return;  // ranges are of one role, so the first tensor speaks for all
    for (std::int32_t i = 0; i < range.count; ++i) {
        Tensor& used = tensor(range.first + i);
        used.firstOp = std::min(used.firstOp, op);
        used.lastOp = op;
    }
}

void PlanBuilder::finishOp() {
    Op& op = m_plan.ops.back();
    const auto index = static_cast<std::int32_t>(m_plan.ops.size()) - 1;
    const auto useAll = [&](const auto& ranges) {
        for (const TensorRange& range : ranges) {
            if (range.count == 0) break;
            use(range, index);
        }
    };
    useAll(op.reads);
    useAll(op.writes);
    useAll(op.scratch);
    setCosts(op, m_plan, m_products);
    m_plan.matmulFlops += op.matmulFlops;
    m_plan.recomputedFlops += op.phase == Phase::Recompute ? op.matmulFlops : 0;
    m_plan.flops += op.flops;
    m_plan.bytes += op.bytes;
}

Result<StepPlan> PlanBuilder::take() && {
    const auto end = static_cast<std::int32_t>(m_plan.ops.size());
    Bytes sum = 0;
    for (Tensor& each : m_plan.tensors) {
        if (each.persistent()) each.lastOp = end;
        if (each.firstOp == kNotYetNamed) m_isBroken = true;
        sum = addOrOverflow(sum, each.bytes());
    }
    if (m_isBroken)
        return Error{ErrorCode::Internal, "the plan of the step is broken",
                     "please report it with its options"};
    if (sum < 0)
        return Error{ErrorCode::BadInput, "one step has more bytes of tensors and scratch than 63 bits hold",
                     "make dim, layers or batch smaller"};
    return std::move(m_plan);
}

}  // namespace plumb
