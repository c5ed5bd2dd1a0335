// SPDX-License-Identifier: Apache-2.0
#include "core/train/tensor_watch.h"

#include "core/plan/operands.h"

#include <utility>

namespace plumb {

namespace {

/// The loss scale of fp16 is in it.
bool isGradient(TensorRole role) {
    return role == TensorRole::Gradient || role == TensorRole::WholeGradient ||
           role == TensorRole::HeadGradient || role == TensorRole::ActivationGradient;
}

}  // namespace

bool TensorWatch::isWatched(TensorId id) const {
    const Tensor& tensor = m_plan.tensor(id);
    return statisticsSlot(m_plan.config, tensor.role, tensor.layer) == m_slot;
}

Result<void> TensorWatch::begin(TensorRole role, std::int32_t layer) {
    const std::int64_t before = m_slot;
    const bool isLayer = layer >= 0 && layer <= m_plan.config.matrices();
    m_slot = isLayer ? statisticsSlot(m_plan.config, role, layer) : -1;
    // A row of its own does not mean that the step writes such a tensor: nobody needs the gradient of x.
    bool isThere = false;
    if (isOn())
        for (const Op& op : m_plan.ops)
            forEachTensor(op.writes, [&](TensorId id) { isThere = isThere || isWatched(id); });
    if (!isThere) {
        m_slot = before;
        return noSuchTensor(m_plan.config, role, layer);
    }
    m_copy.reset();
    return {};
}

Result<void> TensorWatch::afterOp(const Op& op, double lossScale) {
    Result<void> copied;
    if (op.isPartial) return copied;  // a collective makes it whole
    forEachTensor(op.writes, [&](TensorId id) {
        if (!copied.has_value() || !isWatched(id)) return;
        auto copy = m_tensors.copy(id);
        if (!copy.has_value()) {
            copied = copy.error();
            return;
        }
        m_copy = std::move(*copy);
        if (isGradient(m_copy->tensor.role)) m_copy->scale *= lossScale;
    });
    return copied;
}

std::optional<TensorCopy> TensorWatch::take() {
    m_slot = -1;
    return std::exchange(m_copy, std::nullopt);
}

}  // namespace plumb
