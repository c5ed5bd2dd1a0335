// SPDX-License-Identifier: Apache-2.0
#include "core/plan/traffic.h"

#include "core/plan/shards.h"

namespace plumb {
namespace {

int rankOf(const StepPlan& plan, const Op& op) {
    return static_cast<int>(op.axis == RankAxis::Tensor ? plan.place.tensor : plan.place.data);
}
int sizeOf(const StepPlan& plan, const Op& op) { return static_cast<int>(ranksOf(plan, op)); }

/// What all ranks have or are to have, and where a rank keeps its own slice of it, if apart.
struct Moved {
    TensorRange whole, slices;
};
Moved movedBy(const Op& op) {
    const TensorRange &read = op.reads[0], &written = op.writes[0];
    if (read == written) return {read, {}};
    return op.kind == OpKind::AllGather ? Moved{written, read} : Moved{read, written};
}

}  // namespace

CommKind commKindOf(OpKind kind) {
    switch (kind) {
    case OpKind::ReduceScatter:
        return CommKind::ReduceScatter;
    case OpKind::AllGather:
        return CommKind::AllGather;
    default:
        return CommKind::AllReduce;
    }
}

CommCall callOf(const StepPlan& plan, const Op& op, const std::function<std::byte*(TensorId)>& memoryOf) {
    const auto [whole, slices] = movedBy(op);
    const Tensor& first = plan.tensor(whole.first);
    const std::int64_t element = dtypeSize(first.dtype);
    CommCall call{.kind = commKindOf(op.kind), .dtype = first.dtype};
    if (first.role == TensorRole::Scales) call.reduction = Reduction::Max;
    call.accumulates = op.kind == OpKind::ReduceScatter && op.accumulates;
    call.pieces.reserve(static_cast<std::size_t>(whole.count));
    for (std::int32_t i = 0; i < whole.count; ++i) {
        const TensorId id = whole.first + i;
        CommCall::Piece piece{.elements = op.columns > 0 ? op.columns : plan.tensor(id).bytes() / element};
        if (memoryOf) {
            piece.buffer = memoryOf(id);
            if (op.columns > 0) piece.buffer += op.firstColumn * element;
            if (slices.count > 0) piece.slice = memoryOf(slices.first + i);
        }
        call.pieces.push_back(piece);
    }
    return call;
}

Bytes movedBytes(const StepPlan& plan, const Op& op) {
    const CommCall call = callOf(plan, op);
    Bytes bytes = 0;
    for (const CommCall::Piece& piece : call.pieces) bytes += piece.elements * dtypeSize(call.dtype);
    return bytes;
}

Bytes touchedBytes(const StepPlan& plan, const Op& op) {
    const Bytes whole = movedBytes(plan, op);
    if (op.kind == OpKind::AllReduce) return 2 * whole;
    return whole + (op.accumulates ? 2 : 1) * whole / ranksOf(plan, op);
}

CommBytes bytesOnWire(const StepPlan& plan, const Op& op) {
    return bytesOf(callOf(plan, op), rankOf(plan, op), sizeOf(plan, op));
}

Bytes exchangeBytes(const StepPlan& plan, const Op& op) {
    return scratchBytes(callOf(plan, op), rankOf(plan, op), sizeOf(plan, op));
}

Flops reducedFlops(const StepPlan& plan, const Op& op) {
    const CommCall call = callOf(plan, op);
    const Bytes added = exchangeBytes(plan, op);
    const Bytes kept = call.accumulates ? movedBytes(plan, op) / sizeOf(plan, op) : 0;
    return (added + kept) / dtypeSize(call.dtype);
}

}  // namespace plumb
