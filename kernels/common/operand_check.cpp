// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/operand_check.h"

#include "core/plan/operands.h"

#include <fmt/format.h>

namespace plumb::common {

Result<void> checkResident(const StepPlan& plan, const OpCall& call, TensorId tensor, Bytes bytes) {
    const auto at = static_cast<std::size_t>(tensor);
    const Buffer buffer = at < call.tensors.size() ? call.tensors[at] : Buffer{};
    if (buffer.data != nullptr && buffer.bytes >= bytes) return {};
    const std::string what = buffer.data == nullptr
                                 ? std::string("is not resident")
                                 : fmt::format("has {} bytes instead of {}", buffer.bytes, bytes);
    const Op& op = plan.op(call.opIndex);
    return Error{ErrorCode::Internal,
                 fmt::format(R"(the tensor "{}" of the op "{}" {})", tensorName(plan, plan.tensor(tensor)),
                             opName(plan, op), what),
                 "report this with the run's configuration"};
}

Result<void> checkResident(const StepPlan& plan, const OpCall& call,
                           const std::function<Bytes(TensorId)>& bytesOf) {
    const Op& op = plan.op(call.opIndex);
    Result<void> found;
    const auto check = [&](TensorId id) {
        if (found.has_value()) found = checkResident(plan, call, id, bytesOf(id));
    };
    forEachOperand(op, check);
    for (const TensorId id :
         {plan.statistics, plan.lossScale, plan.scales, plan.stepControl, plan.sharedScratch})
        if (id >= 0) check(id);
    return found;
}

}  // namespace plumb::common
