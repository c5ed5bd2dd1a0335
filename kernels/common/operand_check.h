// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/plan/operands.h"

namespace plumb::common {

/// Says that `tensor` of the op of `call` is missing or has less than `bytes`: Internal, naming both.
[[nodiscard]] Error notResident(const StepPlan& plan, const OpCall& call, TensorId tensor, Bytes bytes);

/// Whether `tensor` is there with at least `bytes`.
[[nodiscard]] inline bool isResident(const OpCall& call, TensorId tensor, Bytes bytes) {
    const auto at = static_cast<std::size_t>(tensor);
    return at < call.tensors.size() && call.tensors[at].data != nullptr && call.tensors[at].bytes >= bytes;
}

/// Whether all that the op names is there, and the control tensors, which are open to every op.
/// `bytesOf(id)`: what the backend's kernels address there. Errors: those of notResident(), of the first one.
template <class BytesOf>
[[nodiscard]] Result<void> checkResident(const StepPlan& plan, const OpCall& call, const BytesOf& bytesOf) {
    TensorId missing = -1;
    const auto check = [&](TensorId id) {
        if (missing < 0 && !isResident(call, id, bytesOf(id))) missing = id;
    };
    forEachOperand(plan.op(call.opIndex), check);
    for (const TensorId id :
         {plan.statistics, plan.lossScale, plan.scales, plan.stepControl, plan.sharedScratch})
        if (id >= 0) check(id);
    if (missing >= 0) return notResident(plan, call, missing, bytesOf(missing));
    return {};
}

}  // namespace plumb::common
