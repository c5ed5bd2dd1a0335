// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/operand_check.h"

#include <fmt/format.h>

namespace plumb::common {

Error notResident(const StepPlan& plan, const OpCall& call, TensorId tensor, Bytes bytes) {
    const auto at = static_cast<std::size_t>(tensor);
    const Buffer buffer = at < call.tensors.size() ? call.tensors[at] : Buffer{};
    const std::string what = buffer.data == nullptr
                                 ? std::string("is not resident")
                                 : fmt::format("has {} bytes instead of {}", buffer.bytes, bytes);
    return internalError(fmt::format(R"(the tensor "{}" of the op "{}" {})",
                                     tensorName(plan, plan.tensor(tensor)),
                                     opName(plan, plan.op(call.opIndex)), what));
}

}  // namespace plumb::common
