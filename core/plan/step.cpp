// SPDX-License-Identifier: Apache-2.0
#include "core/plan/step.h"

#include "core/base/entry_at.h"

namespace plumb {

bool Step::hasSameOps(const Step& other) const {
    if (opCount() != other.opCount()) return false;
    for (std::int32_t op = 0; op < opCount(); ++op)
        if (opId(op) != other.opId(op)) return false;
    return true;
}

bool Step::hasSameTensors(const Step& other) const {
    if (tensorCount() != other.tensorCount()) return false;
    for (TensorId id = 0; id < tensorCount(); ++id)
        if (tensorName(id) != other.tensorName(id)) return false;
    return true;
}

std::int32_t Step::findOp(std::string_view id) const {
    for (std::int32_t op = 0; !id.empty() && op < opCount(); ++op)
        if (opId(op) == id) return op;
    return -1;
}

std::vector<CategoryBytes> memoryCurve(const Step& step) {
    // Each tensor adds at its first op and takes away after its last one; running sums then give the curve in
    // O(ops + tensors).
    const auto opCount = static_cast<std::size_t>(step.opCount());
    std::vector<CategoryBytes> curve(opCount);
    CategoryBytes live{};
    for (TensorId id = 0; id < step.tensorCount(); ++id) {
        const StepTensor& tensor = step.tensor(id);
        const Bytes bytes = step.tensorBytes(id);
        if (tensor.persistent())
            live[tensor.category] += bytes;
        else
            entryAt(curve, tensor.firstOp)[tensor.category] += bytes;
        const std::size_t after = static_cast<std::size_t>(tensor.lastOp) + 1;
        if (after < opCount) curve[after][tensor.category] -= bytes;
    }
    for (CategoryBytes& at : curve) {
        for (const Category category : kAllCategories) {
            live[category] += at[category];
            at[category] = live[category];
        }
    }
    return curve;
}

std::string_view categoryLabel(Category category) {
    switch (category) {
    case Category::MasterParameters:
        return "master parameters";
    case Category::OptimizerState:
        return "optimizer state";
    case Category::ActivationGradients:
        return "activation gradients";
    default:
        return categoryName(category);
    }
}

}  // namespace plumb
