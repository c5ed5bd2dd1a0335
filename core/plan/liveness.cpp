// SPDX-License-Identifier: Apache-2.0
#include "core/plan/step_plan.h"

namespace plumb {

std::vector<CategoryBytes> memoryCurve(const StepPlan& plan) {
    // Each tensor adds at its first op and takes away after its last one; running sums then give the curve in
    // O(ops + tensors).
    const std::size_t opCount = plan.ops.size();
    std::vector<CategoryBytes> curve(opCount);
    CategoryBytes live{};
    for (const Tensor& tensor : plan.tensors) {
        const Bytes bytes = tensor.bytes();
        const auto category = static_cast<std::size_t>(tensor.category);
        if (tensor.persistent())
            live[category] += bytes;
        else
            curve[static_cast<std::size_t>(tensor.firstOp)][category] += bytes;
        const std::size_t after = static_cast<std::size_t>(tensor.lastOp) + 1;
        if (after < opCount) curve[after][category] -= bytes;
    }
    for (CategoryBytes& at : curve) {
        for (std::size_t category = 0; category < kCategoryCount; ++category) {
            live[category] += at[category];
            at[category] = live[category];
        }
    }
    return curve;
}

}  // namespace plumb
