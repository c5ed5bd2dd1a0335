// SPDX-License-Identifier: Apache-2.0
#include "core/train/step_tensors.h"

#include "core/base/entry_at.h"
#include "core/measure/layer_statistics.h"
#include "core/plan/control_tensors.h"
#include "core/plan/shards.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
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
    if (splitOf(m_plan.config, layer) != MatrixSplit::None)
        return badInput(fmt::format("a rank has a part of each weight alone while it trains (tensor {})",
                                    m_plan.config.parallel.tensor),
                        "look at them when the training has ended, or train with tensor 1");
    PLUMB_TRY(const TensorId id, weightOf(layer));
    return copy(id);
}

Result<void> StepTensors::collect(TensorId id, std::span<std::byte> whole) const {
    const Tensor& tensor = m_plan.tensor(id);
    if (splitOf(m_plan.config, tensor.layer) != MatrixSplit::None) return collectParts(id, whole);
    const bool isFirst = m_plan.place == Place{};
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

// One after the other, so that the first rank has room for one part besides.
Result<void> StepTensors::collectParts(TensorId id, std::span<std::byte> whole) const {
    const Place& place = m_plan.place;
    if (place.data != 0) return {};
    if (m_link == nullptr) return internalError("a part of a tensor is all that there is");
    const Tensor& tensor = m_plan.tensor(id);
    PLUMB_TRY(std::vector<std::byte> bytes, download(id));
    const auto travel = [&](CommKind kind, std::int64_t peer) -> Result<void> {
        const CommCall call{.kind = kind,
                            .dtype = tensor.dtype,
                            .pieces = {{.buffer = bytes.data(), .elements = tensor.elements()}},
                            .scratch = {},
                            .peer = static_cast<int>(peer)};
        const auto joined = m_link->tensor->join(m_link->tensor->start(call));
        return joined.has_value() ? Result<void>() : joined.error();
    };
    if (place.tensor != 0) return travel(CommKind::Send, 0);
    const auto element = static_cast<std::size_t>(dtypeSize(tensor.dtype));
    for (std::int64_t rank = 0; rank < m_plan.config.parallel.tensor; ++rank) {
        if (rank > 0) PLUMB_CHECK(travel(CommKind::Receive, rank));
        const MatrixPart part = partOf(m_plan.config, tensor.layer, {.tensor = rank});
        const std::size_t row = static_cast<std::size_t>(part.columns) * element;
        for (std::int64_t at = 0; at < part.rows; ++at) {
            const std::int64_t first =
                (part.firstRow + at) * m_plan.config.columnsOf(tensor.layer) + part.firstColumn;
            std::memcpy(whole.data() + static_cast<std::size_t>(first) * element,
                        bytes.data() + static_cast<std::size_t>(at) * row, row);
        }
    }
    return {};
}

Result<TensorCopy> StepTensors::collectWeight(std::int32_t layer) const {
    const Parallel& parallel = m_plan.config.parallel;
    if (!parallel.shares(Zero::Weights) && parallel.tensor == 1) return weight(layer);
    PLUMB_TRY(const TensorId id, weightOf(layer));
    PLUMB_TRY(TensorCopy copy, this->copy(id));
    copy.tensor.rows = m_plan.config.dim;
    copy.tensor.columns = m_plan.config.columnsOf(layer);
    copy.tensor.padding = 0;
    copy.bytes.clear();
    if (m_plan.place == Place{}) copy.bytes.resize(static_cast<std::size_t>(copy.tensor.bytes()));
    PLUMB_CHECK(collect(id, copy.bytes));
    return copy;
}

}  // namespace plumb
