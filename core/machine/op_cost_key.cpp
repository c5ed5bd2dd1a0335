// SPDX-License-Identifier: Apache-2.0
#include "core/machine/op_cost_key.h"

#include "core/model/names.h"
#include "core/plan/shards.h"
#include "core/plan/thread_work.h"
#include "core/plan/traffic.h"

#include <algorithm>
#include <cmath>

namespace plumb {

namespace {

bool isProduct(OpKind kind) { return !einsumText(kind).empty(); }

/// What an op names because it stays resident, not for its size.
bool isPassenger(const Tensor& tensor) { return tensor.role == TensorRole::Loss; }

const Tensor& firstOf(const StepPlan& plan, const TensorRange& range) { return plan.tensor(range.first); }

double elementsOf(const StepPlan& plan, const TensorRange& range) {
    double elements = 0;
    for (TensorId id = range.first; id < range.first + range.count; ++id)
        elements += static_cast<double>(plan.tensor(id).elements());
    return elements;
}

}  // namespace

OpSignature signatureOf(const StepPlan& plan, const Op& op) {
    OpSignature signature;
    // One link alone is the layer again; of several, each finds its input in the caches.
    signature.kind = op.kind == OpKind::RecomputeChain && op.repeat == 1 ? OpKind::LayerForward : op.kind;
    signature.isHead = op.isHead;
    signature.fusedActivation = op.fusedActivation;
    signature.accumulates = op.accumulates;
    signature.fromFile = op.kind == OpKind::LoadBatch && plan.config.data != "synthetic";
    if (op.kind == OpKind::OptimizerStep) signature.optimizer = plan.config.optimizer;
    const auto add = [&](const std::array<TensorRange, 6>& ranges, std::size_t most) {
        std::size_t taken = 0;
        for (const TensorRange& range : ranges) {
            if (range.count == 0 || taken == most || signature.ranges == OpSignature::kMostRanges) break;
            const Tensor& tensor = firstOf(plan, range);
            if (isPassenger(tensor)) continue;
            // Stored as fp32, read with fewer bits.
            const bool tf32 = isProduct(op.kind) && &ranges == &op.reads && tensor.dtype == Dtype::Fp32 &&
                              plan.config.computeDtype() == Dtype::Tf32;
            signature.types[signature.ranges++] = tf32 ? Dtype::Tf32 : tensor.dtype;
            ++taken;
        }
    };
    // A chain has a second buffer, an accumulating or masked product a third operand, of a type that is known
    // already: two operands and a result say all of a product.
    const std::size_t most = isProduct(op.kind) ? 2 : OpSignature::kMostRanges;
    add(op.reads, most);
    signature.reads = signature.ranges;
    add(op.writes, isProduct(op.kind) ? 1 : OpSignature::kMostRanges);
    for (const TensorRange& range : op.scratch) {
        if (range.count == 0) break;
        const TensorRole role = firstOf(plan, range).role;
        if (role == TensorRole::CastA) signature.casts |= 1U;
        if (role == TensorRole::CastB) signature.casts |= 2U;
        if (role == TensorRole::CastResult) signature.casts |= 4U;
    }
    return signature;
}

OpSignature OpSignature::link() const {
    OpSignature signature = *this;
    if (kind == OpKind::RecomputeChain) signature.kind = OpKind::LayerForward;
    return signature;
}

OpSignature OpSignature::plain() const {
    OpSignature signature = link();
    signature.fusedActivation = signature.accumulates = false;
    signature.casts = 0;
    for (std::size_t i = 0; i < ranges; ++i)
        if (types[i] != Dtype::Fp64) signature.types[i] = Dtype::Fp32;
    // It writes all that it reads but the gradient, and the weights once more where they have an fp32 copy or
    // are kept transposed.
    while (kind == OpKind::OptimizerStep && signature.ranges > 2 * reads - 1) {
        --signature.ranges;
        signature.types[signature.ranges] = Dtype{};
    }
    return signature;
}

std::string OpSignature::text() const {
    std::string text(kindName(kind));
    if (isHead) text += " head";
    if (fromFile) text += " rows";
    if (kind == OpKind::OptimizerStep) (text += ' ') += kOptimizerNames.name(optimizer);
    for (std::size_t i = 0; i < ranges; ++i) {
        if (i == reads) text += " >";
        (text += ' ') += dtypeName(types[i]);
    }
    if (fusedActivation) text += " relu";
    if (accumulates) text += " add";
    if (casts != 0) {
        text += " casts ";
        for (const auto& [bit, letter] : {std::pair{1U, 'a'}, {2U, 'b'}, {4U, 'r'}})
            if ((casts & bit) != 0) text += letter;
    }
    return text;
}

CostPoint costPoint(const StepPlan& plan, const Op& op, int threads) {
    const auto rows = static_cast<double>(op.batchRows);
    const auto in = static_cast<double>(op.in);
    const auto out = static_cast<double>(op.out);
    CostPoint point;
    const bool isLoad = op.kind == OpKind::LoadBatch;
    if (op.lane == Lane::Traffic) {
        point.row = point.work = static_cast<double>(movedBytes(plan, op));
    } else if (isLoad && plan.config.data != "synthetic") {
        point.row = rows;
        point.column = in + out;
        point.work = rows * (in + out);
    } else if (isProduct(op.kind) || isLoad || op.kind == OpKind::HeadPass) {
        const bool layer = !op.isHead && !isLoad;
        point.row = rows;
        point.column = layer ? std::sqrt(in * out) : in;
        point.plane = layer ? 1 : out;
        point.work = isLoad ? rows * (in + out) : rows * in * out;
        if (layer) point.work /= threadsForProduct(2 * point.work, threads);
    } else {
        const TensorRange& first = op.reads[0].count > 0 ? op.reads[0] : op.writes[0];
        point.row = point.work = first.count > 0 ? elementsOf(plan, first) : 1;
        // How much of what it reads is still in the caches depends on what the step around it takes of them.
        if (op.kind == OpKind::LossGradient) point.column = static_cast<double>(plan.config.dim);
        if (op.phase == Phase::Optimizer) {
            point.row = point.work = static_cast<double>(ownParameters(plan));
            point.column = static_cast<double>(plan.config.microBatchSize());
        }
    }
    point.row = std::max(point.row, 1.0);
    point.column = std::max(point.column, 1.0);
    point.plane = std::max(point.plane, 1.0);
    point.work = std::max(point.work, 1.0);
    return point;
}

std::string trafficTable(OpKind kind, Dtype dtype) {
    const Dtype timed = kind == OpKind::AllGather ? Dtype::Fp32 : dtype;
    return std::string(kindName(kind)) + ' ' + std::string(dtypeName(timed));
}

const CostTables* costsOf(const Machine& machine, std::int64_t ranksOfMachine) {
    if (ranksOfMachine == 1) return machine.costs ? &*machine.costs : nullptr;
    const auto found = std::ranges::find(machine.ofRanks, ranksOfMachine, &RankCosts::ranks);
    return found == machine.ofRanks.end() ? nullptr : &found->costs;
}

double depthOf(std::int64_t layers) {
    const double deep = std::log(static_cast<double>(kDeepLayers) / static_cast<double>(kShallowLayers));
    const double here = std::log(static_cast<double>(std::max<std::int64_t>(layers, 1)) /
                                 static_cast<double>(kShallowLayers));
    return std::clamp(here / deep, 0.0, 1.0);
}

double RelativeSpeed::*speedPartOf(const Op& op) {
    constexpr Bytes kBeyondCaches = Bytes{8} << 20;
    constexpr Flops kFlopsPerByte = 10;  // with fewer of them a product waits for memory
    const std::int64_t executions = std::max<std::int64_t>(op.executions * op.repeat, 1);
    const bool beyondCaches = op.bytes / executions >= kBeyondCaches && op.kind != OpKind::LoadBatch;
    const Flops once = op.flops / executions;
    const bool isShared = threadsForProduct(static_cast<double>(once), 2) > 1;
    if (isProduct(op.kind) && isShared && !(beyondCaches && op.flops < kFlopsPerByte * op.bytes))
        return &RelativeSpeed::product;
    return beyondCaches ? &RelativeSpeed::copy : &RelativeSpeed::loop;
}

Seconds secondsAfterOp(const CostTables& costs, const BackendTraits& traits) {
    if (!traits.replaysSteps || !costs.replay) return costs.betweenOps;
    return costs.replay->betweenNodes - costs.replay->marks;
}

}  // namespace plumb
