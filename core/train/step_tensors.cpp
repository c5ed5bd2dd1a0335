// SPDX-License-Identifier: Apache-2.0
#include "core/train/step_tensors.h"

#include "core/base/entry_at.h"
#include "core/measure/layer_statistics.h"
#include "core/plan/control_tensors.h"
#include "core/plan/shards.h"

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
    copy.tensor.padding = 0;
    copy.bytes.resize(static_cast<std::size_t>(copy.tensor.bytes()));
    const bool isFp8 = copy.tensor.dtype == Dtype::Fp8E4M3 || copy.tensor.dtype == Dtype::Fp8E5M2;
    if (!isFp8 || m_plan.scales < 0) return copy;
    const std::int64_t row = statisticsSlot(m_plan.config, copy.tensor.role, copy.tensor.layer);
    std::vector<float> scales(static_cast<std::size_t>(statisticsSlots(m_plan.config) * kScalesColumns));
    PLUMB_CHECK(download(m_plan.scales, std::as_writable_bytes(std::span(scales))));
    copy.scale = static_cast<double>(entryAt(scales, row * kScalesColumns));
    return copy;
}

Result<TensorId> StepTensors::weightOf(std::int32_t layer) const {
    const auto found = std::find_if(m_plan.tensors.begin(), m_plan.tensors.end(), [&](const Tensor& tensor) {
        return tensor.role == TensorRole::Weight && tensor.layer == layer;
    });
    if (found == m_plan.tensors.end()) return noSuchTensor(m_plan.config, TensorRole::Weight, layer);
    return static_cast<TensorId>(found - m_plan.tensors.begin());
}

Result<TensorCopy> StepTensors::weight(std::int32_t layer) const {
    if (m_plan.config.parallel.shares(Zero::Weights))
        return badInput("a rank has a slice of each weight alone while it trains (zero 3)",
                        "look at them when the training has ended, or train with zero 2");
    PLUMB_TRY(const TensorId id, weightOf(layer));
    return copy(id);
}

Result<void> StepTensors::collect(TensorId id, std::span<std::byte> whole) const {
    const Tensor& tensor = m_plan.tensor(id);
    const bool isFirst = m_plan.place.data == 0;
    if (!isSliced(m_plan.config.parallel, tensor.role)) return isFirst ? download(id, whole) : Result<void>();
    if (m_link == nullptr) return internalError("a slice of a tensor is all that there is");
    const std::int64_t element = dtypeSize(tensor.dtype);
    const auto ownOf = [&](std::int64_t rank) { return ownSlice(m_plan.config, {rank}, tensor.layer); };
    const auto bytesOf = [&](const Slice& slice) {
        return static_cast<std::size_t>(slice.elements() * element);
    };
    std::vector<std::byte> sent;
    std::vector<Communicator::Ticket> tickets;
    const auto start = [&](CommKind kind, std::int64_t peer, std::byte* bytes, std::int64_t elements) {
        if (elements > 0)
            tickets.push_back(m_link->data->start({.kind = kind,
                                                   .dtype = tensor.dtype,
                                                   .pieces = {{.buffer = bytes, .elements = elements}},
                                                   .scratch = {},
                                                   .peer = static_cast<int>(peer)}));
    };
    const Slice own = ownOf(m_plan.place.data);
    if (isFirst) {
        PLUMB_CHECK(download(id, whole.first(bytesOf(own))));
        for (std::int64_t rank = 1; rank < m_plan.config.parallel.data; ++rank) {
            const Slice slice = ownOf(rank);
            start(CommKind::Receive, rank, whole.data() + slice.begin * element, slice.elements());
        }
    } else {
        sent.resize(bytesOf(own));
        PLUMB_CHECK(download(id, sent));
        start(CommKind::Send, 0, sent.data(), own.elements());
    }
    Result<void> all;
    for (const Communicator::Ticket ticket : tickets)
        if (const auto joined = m_link->data->join(ticket); !joined.has_value()) all = joined.error();
    return all;
}

Result<TensorCopy> StepTensors::collectWeight(std::int32_t layer) const {
    if (!m_plan.config.parallel.shares(Zero::Weights)) return weight(layer);
    PLUMB_TRY(const TensorId id, weightOf(layer));
    PLUMB_TRY(TensorCopy copy, this->copy(id));
    copy.tensor.rows = m_plan.config.dim;
    copy.tensor.columns = m_plan.config.columnsOf(layer);
    copy.tensor.padding = 0;
    copy.bytes.clear();
    if (m_plan.place.data == 0) copy.bytes.resize(static_cast<std::size_t>(copy.tensor.bytes()));
    PLUMB_CHECK(collect(id, copy.bytes));
    return copy;
}

}  // namespace plumb
