// SPDX-License-Identifier: Apache-2.0
#include "core/plan/traffic.h"

namespace plumb {
namespace {

int rankOf(const StepPlan& plan) { return static_cast<int>(plan.place.data); }
int sizeOf(const StepPlan& plan) { return static_cast<int>(plan.config.parallel.data); }

}  // namespace

CommCall callOf(const StepPlan& plan, const Op& op, const std::function<std::byte*(TensorId)>& memoryOf) {
    const TensorRange& moved = op.reads[0];
    const Tensor& first = plan.tensor(moved.first);
    CommCall call{.kind = CommKind::AllReduce, .dtype = first.dtype};
    if (first.role == TensorRole::Scales) call.reduction = Reduction::Max;
    call.pieces.reserve(static_cast<std::size_t>(moved.count));
    for (TensorId id = moved.first; id < moved.first + moved.count; ++id) {
        // Of the loss its value alone, which stands first: the norms are made of reduced gradients.
        const std::int64_t elements = first.role == TensorRole::Loss ? 1 : plan.tensor(id).elements();
        call.pieces.push_back({memoryOf ? memoryOf(id) : nullptr, elements});
    }
    return call;
}

Bytes movedBytes(const StepPlan& plan, const Op& op) {
    const CommCall call = callOf(plan, op);
    Bytes bytes = 0;
    for (const CommCall::Piece& piece : call.pieces) bytes += piece.elements * dtypeSize(call.dtype);
    return bytes;
}

CommBytes bytesOnWire(const StepPlan& plan, const Op& op) {
    return bytesOf(callOf(plan, op), rankOf(plan), sizeOf(plan));
}

Bytes exchangeBytes(const StepPlan& plan, const Op& op) {
    return scratchBytes(callOf(plan, op), rankOf(plan), sizeOf(plan));
}

Flops reducedFlops(const StepPlan& plan, const Op& op) {
    return exchangeBytes(plan, op) / dtypeSize(plan.tensor(op.reads[0].first).dtype);
}

}  // namespace plumb
