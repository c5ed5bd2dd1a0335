// SPDX-License-Identifier: Apache-2.0
#include "core/train/step_tensors.h"

#include "core/base/entry_at.h"
#include "core/measure/layer_statistics.h"
#include "core/plan/control_tensors.h"

#include <algorithm>
#include <string>

namespace plumb {

Error noSuchTensor(const RunConfig& config, TensorRole role, std::int32_t layer) {
    return {ErrorCode::BadInput,
            "the step has no " + std::string(statisticsRoleName(role)) + " of layer " + std::to_string(layer),
            config.layers == 0 ? "there are no layers; the head is layer 1"
                               : "the layers are 1 to " + std::to_string(config.layers) +
                                     (config.head ? ", and the head behind them" : "")};
}

Result<std::vector<std::byte>> StepTensors::download(TensorId tensor) const {
    std::vector<std::byte> bytes(static_cast<std::size_t>(m_residency[tensor].bytes));
    PLUMB_CHECK(download(tensor, bytes));
    return bytes;
}

Result<void> StepTensors::download(TensorId tensor, std::span<std::byte> target) const {
    const Buffer& buffer = m_residency[tensor];
    if (buffer.data == nullptr) return internalError("tensor " + std::to_string(tensor) + " is not resident");
    return m_backend.download(target, buffer);
}

Result<void> StepTensors::upload(TensorId tensor, std::span<const std::byte> bytes) {
    const Buffer& buffer = m_residency[tensor];
    if (buffer.data == nullptr || static_cast<Bytes>(bytes.size()) != buffer.bytes)
        return internalError("tensor " + std::to_string(tensor) + " takes " + std::to_string(buffer.bytes) +
                             " bytes, not " + std::to_string(bytes.size()));
    return m_backend.upload(buffer, bytes);
}

Result<TensorCopy> StepTensors::copy(TensorId id) const {
    TensorCopy copy;
    copy.tensor = m_plan.tensor(id);
    PLUMB_TRY(copy.bytes, download(id));
    copy.bytes.resize(static_cast<std::size_t>(copy.tensor.bytes()));
    const bool isFp8 = copy.tensor.dtype == Dtype::Fp8E4M3 || copy.tensor.dtype == Dtype::Fp8E5M2;
    if (!isFp8 || m_plan.scales < 0) return copy;
    const std::int64_t row = statisticsSlot(m_plan.config, copy.tensor.role, copy.tensor.layer);
    std::vector<float> scales(static_cast<std::size_t>(statisticsSlots(m_plan.config) * kScalesColumns));
    PLUMB_CHECK(download(m_plan.scales, std::as_writable_bytes(std::span(scales))));
    copy.scale = static_cast<double>(entryAt(scales, row * kScalesColumns));
    return copy;
}

Result<TensorCopy> StepTensors::weight(std::int32_t layer) const {
    const auto found = std::find_if(m_plan.tensors.begin(), m_plan.tensors.end(), [&](const Tensor& tensor) {
        return tensor.role == TensorRole::Weight && tensor.layer == layer;
    });
    if (found == m_plan.tensors.end()) return noSuchTensor(m_plan.config, TensorRole::Weight, layer);
    return copy(static_cast<TensorId>(found - m_plan.tensors.begin()));
}

}  // namespace plumb
