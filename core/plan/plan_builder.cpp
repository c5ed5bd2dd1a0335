// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_builder.h"

#include "core/base/entry_at.h"
#include "core/plan/traffic.h"

#include <span>
#include <utility>

namespace plumb {
namespace {

constexpr std::int32_t kNotYetNamed = INT32_MAX;

}  // namespace

PlanBuilder::PlanBuilder(const RunConfig& config, const BackendTraits& traits, const Place& place,
                         std::size_t ops, std::size_t tensors)
    : m_products(config) {
    m_plan.config = config;
    m_plan.traits = traits;
    m_plan.place = place;
    m_plan.samples = config.batch;
    m_plan.ranksOfMachine = ranksOfMachine(config, traits);
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

Op& PlanBuilder::newTraffic(OpKind kind, Phase phase) {
    Op& op = newOp(kind, phase);
    op.lane = Lane::Traffic;
    op.executions = 1;
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

void PlanBuilder::useOperands(const Op& op, std::int32_t index) {
    const auto useAll = [&](const auto& ranges) {
        for (const TensorRange& range : ranges) {
            if (range.count == 0) break;
            use(range, index);
        }
    };
    useAll(op.reads);
    useAll(op.writes);
    useAll(op.scratch);
}

bool PlanBuilder::joins(const Op& op, const Op& traffic) const {
    if (op.phase == Phase::Optimizer) return true;
    const auto overlap = [](std::span<const TensorRange> ours, std::span<const TensorRange> theirs) {
        for (const TensorRange& a : ours)
            for (const TensorRange& b : theirs)
                if (a.first < b.first + b.count && b.first < a.first + a.count) return true;
        return false;
    };
    return overlap(op.reads, traffic.reads) || overlap(op.writes, traffic.reads) ||
           overlap(op.reads, traffic.writes) || overlap(op.writes, traffic.writes);
}

void PlanBuilder::joinTraffic(std::int32_t index) {
    const Op& op = m_plan.op(index);
    std::erase_if(m_open, [&](const Open& open) {
        Op& traffic = entryAt(m_plan.ops, open.op);
        if (!open.byNext && !joins(op, traffic)) return false;
        traffic.joinedBy = index;
        useOperands(traffic, index);
        return true;
    });
}

void PlanBuilder::joinByNext(std::int32_t traffic) {
    for (Open& open : m_open) open.byNext = open.byNext || open.op == traffic;
}

void PlanBuilder::joinAfterLast(const Open& open) {
    Op& traffic = entryAt(m_plan.ops, open.op);
    traffic.joinedBy = static_cast<std::int32_t>(m_plan.ops.size()) - 1;
    traffic.joinedAfter = true;
    useOperands(traffic, traffic.joinedBy);
}

void PlanBuilder::joinAtEnd() {
    for (const Open& open : m_open) joinAfterLast(open);
    m_open.clear();
}

void PlanBuilder::finishOp() {
    Op& op = m_plan.ops.back();
    const auto index = static_cast<std::int32_t>(m_plan.ops.size()) - 1;
    useOperands(op, index);
    // Collectives wait for each other without being told.
    if (op.lane == Lane::Traffic)
        m_open.push_back({index});
    else if (!m_open.empty())
        joinTraffic(index);
    setCosts(op, m_plan, m_products);
    m_plan.matmulFlops += op.matmulFlops;
    m_plan.recomputedFlops += op.phase == Phase::Recompute ? op.matmulFlops : 0;
    m_plan.flops += op.flops;
    m_plan.bytes += op.bytes;
    m_plan.wireBytes += op.wireBytes;
}

Result<StepPlan> PlanBuilder::take() && {
    const auto end = static_cast<std::int32_t>(m_plan.ops.size());
    std::erase_if(m_open, [this](const Open& open) {
        if (m_plan.op(open.op).phase != Phase::Optimizer) return false;
        joinAfterLast(open);
        return true;
    });
    Bytes sum = 0;
    for (Tensor& each : m_plan.tensors) {
        if (each.persistent()) each.lastOp = end;
        if (each.firstOp == kNotYetNamed) m_isBroken = true;
        sum = addOrOverflow(sum, each.bytes());
    }
    if (m_isBroken || !m_open.empty())
        return Error{ErrorCode::Internal, "the plan of the step is broken",
                     "please report it with its options"};
    if (sum < 0)
        return Error{ErrorCode::BadInput, "one step has more bytes of tensors and scratch than 63 bits hold",
                     "make dim, layers or batch smaller"};
    return std::move(m_plan);
}

}  // namespace plumb
