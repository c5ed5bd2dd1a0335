// SPDX-License-Identifier: Apache-2.0
#include "core/plan/matrix_tensors.h"

#include "core/plan/shards.h"

namespace plumb {

void MatrixTensors::beginPass(const RecomputeSchedule& schedule) {
    if (shares(Zero::Weights))
        m_gathered.beginPass(weightUses(m_builder.config(), schedule), m_state.weights);
}

TensorRange MatrixTensors::weight(std::int32_t layer) {
    return shares(Zero::Weights) ? m_gathered.beginUse() : oneTensor(m_state.weights.first + layer - 1);
}

TensorRange MatrixTensors::weightsForward(std::int32_t layer, std::int32_t count) {
    if (shares(Zero::Weights)) return m_gathered.beginUse();
    return {(m_state.transposed.count > 0 ? m_state.transposed.first : m_state.weights.first) + layer - 1,
            count};
}

void MatrixTensors::finishProduct() {
    m_builder.finishOp();
    if (shares(Zero::Weights)) m_gathered.endUse();
}

TensorRange MatrixTensors::gradient(std::int32_t layer) const {
    return oneTensor(m_state.gradients.first + layer - 1);
}

TensorRange MatrixTensors::wholeGradient(std::int32_t layer) {
    if (!shares(Zero::Gradients)) return gradient(layer);
    const RunConfig& config = m_builder.config();
    const TensorId id =
        m_builder.addTensor(TensorRole::WholeGradient, Category::Gradients, config.parameterGradientDtype(),
                            layer, config.dim, config.columnsOf(layer));
    Tensor& whole = m_builder.tensor(id);
    whole.padding = paddedElements(config, layer) - whole.elements();
    return oneTensor(id);
}

}  // namespace plumb
