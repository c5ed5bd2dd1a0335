// SPDX-License-Identifier: Apache-2.0
// What is inside the tensors: copies of them, and their statistics.
#include "core/io/json_values.h"
#include "core/plan/control_tensors.h"
#include "core/train/executor_impl.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

namespace plumb {

namespace {

std::string matricesText(const RunConfig& config) {
    if (config.layers == 0) return "there are no layers; the head is layer 1";
    return "the layers are 1 to " + std::to_string(config.layers) +
           (config.head ? ", and the head behind them" : "");
}

}  // namespace

Result<void> Executor::Impl::capture(const Op& op) {
    for (const TensorRange& range : op.writes)
        for (TensorId id = range.first; id < range.first + range.count; ++id) {
            const Tensor& tensor = plan->tensor(id);
            if (statisticsSlot(plan->config, tensor.role, tensor.layer) != watchedSlot) continue;
            PLUMB_TRY(watched, copyOf(id));
        }
    return {};
}

Result<WatchedTensor> Executor::Impl::copyOf(TensorId id) const {
    const Tensor& tensor = plan->tensor(id);
    const Buffer& buffer = residency[id];
    WatchedTensor copy;
    copy.tensor = tensor;
    copy.bytes.resize(static_cast<std::size_t>(buffer.bytes));
    PLUMB_CHECK(backend.download(copy.bytes, buffer));
    copy.bytes.resize(static_cast<std::size_t>(tensor.bytes()));
    const bool isGradient = tensor.role == TensorRole::Gradient || tensor.role == TensorRole::HeadGradient ||
                            tensor.role == TensorRole::ActivationGradient;
    if (isGradient) copy.scale = lossScaleThisStep;
    const bool isFp8 = tensor.dtype == Dtype::Fp8E4M3 || tensor.dtype == Dtype::Fp8E5M2;
    if (!isFp8 || plan->scales < 0) return copy;
    const std::int64_t row = statisticsSlot(plan->config, tensor.role, tensor.layer);
    std::vector<float> scales(static_cast<std::size_t>(statisticsSlots(plan->config) * kScalesColumns));
    PLUMB_CHECK(backend.download(std::as_writable_bytes(std::span(scales)), residency[plan->scales]));
    copy.scale = static_cast<double>(scales[static_cast<std::size_t>(row * kScalesColumns)]);
    return copy;
}

Result<void> Executor::watch(TensorRole role, std::int32_t layer) {
    const StepPlan& plan = *m_impl->plan;
    // A row of its own does not mean that the step writes such a tensor: nobody needs the gradient of x.
    const bool isLayer = layer >= 0 && layer <= plan.config.matrices();
    const std::int64_t slot = isLayer ? statisticsSlot(plan.config, role, layer) : -1;
    const bool isThere =
        slot >= 0 && std::any_of(plan.ops.begin(), plan.ops.end(), [&](const Op& op) {
            return std::any_of(op.writes.begin(), op.writes.end(), [&](const TensorRange& range) {
                for (TensorId id = range.first; id < range.first + range.count; ++id) {
                    const Tensor& tensor = plan.tensor(id);
                    if (statisticsSlot(plan.config, tensor.role, tensor.layer) == slot) return true;
                }
                return false;
            });
        });
    if (!isThere)
        return Error{ErrorCode::BadInput,
                     "the step has no " + std::string(statisticsRoleName(role)) + " of layer " +
                         std::to_string(layer),
                     matricesText(plan.config)};
    m_impl->watchedSlot = slot;
    m_impl->watched.reset();
    return {};
}

std::optional<WatchedTensor> Executor::takeWatched() {
    m_impl->watchedSlot = -1;
    return std::exchange(m_impl->watched, std::nullopt);
}

Result<WatchedTensor> Executor::weight(std::int32_t layer) const {
    const StepPlan& plan = *m_impl->plan;
    for (std::size_t id = 0; id < plan.tensors.size(); ++id)
        if (plan.tensors[id].role == TensorRole::Weight && plan.tensors[id].layer == layer)
            return m_impl->copyOf(static_cast<TensorId>(id));
    return Error{ErrorCode::BadInput, "the step has no weight of layer " + std::to_string(layer),
                 matricesText(plan.config)};
}

void Executor::setObserving(bool on) { m_impl->observing = on; }

Result<LayerStatistics> Executor::statistics() const {
    const StepPlan& plan = *m_impl->plan;
    const RunConfig& config = plan.config;
    std::vector<double> numbers(static_cast<std::size_t>(statisticsSlots(config) * kStatisticCount));
    PLUMB_CHECK(m_impl->readNumbers(plan.statistics, numbers));
    LayerStatistics statistics;
    statistics.step = std::max<std::int64_t>(m_impl->observedStep, 0);
    const auto layers = static_cast<std::int32_t>(config.layers);
    const auto matrices = static_cast<std::int32_t>(config.matrices());
    const auto add = [&](TensorRole role, std::int32_t layer, std::int64_t elements) {
        const auto row = static_cast<std::size_t>(statisticsSlot(config, role, layer) * kStatisticCount);
        const auto number = [&](Statistic which) { return numbers[row + static_cast<std::size_t>(which)]; };
        TensorStatistics tensor;
        tensor.role = role;
        tensor.layer = layer;
        if (m_impl->observedStep >= 0) {
            tensor.rootMeanSquare =
                std::sqrt(number(Statistic::SumOfSquares) / static_cast<double>(elements));
            tensor.largestMagnitude = number(Statistic::LargestMagnitude);
        }
        tensor.overflowed = number(Statistic::Overflowed);
        tensor.underflowed = number(Statistic::Underflowed);
        statistics.tensors.push_back(tensor);
    };
    const std::int64_t rows = config.batch * config.dim;
    for (std::int32_t layer = 0; layer <= layers; ++layer) add(TensorRole::Activation, layer, rows);
    for (const TensorRole role : {TensorRole::Weight, TensorRole::Gradient})
        for (std::int32_t layer = 1; layer <= matrices; ++layer)
            add(role, layer, config.dim * config.columnsOf(layer));
    for (std::int32_t layer = 1; layer <= matrices; ++layer)
        add(TensorRole::ActivationGradient, layer, config.batch * config.columnsOf(layer));
    return statistics;
}

Result<std::vector<std::byte>> Executor::download(TensorId tensor) const {
    std::vector<std::byte> bytes(static_cast<std::size_t>(m_impl->residency[tensor].bytes));
    PLUMB_CHECK(download(tensor, bytes));
    return bytes;
}

Result<void> Executor::download(TensorId tensor, std::span<std::byte> target) const {
    const Buffer& buffer = m_impl->residency[tensor];
    if (buffer.data == nullptr)
        return Error{ErrorCode::Internal,
                     "tensor " + std::to_string(tensor) + " is not resident between steps", ""};
    return m_impl->backend.download(target, buffer);
}

Result<void> Executor::upload(TensorId tensor, std::span<const std::byte> bytes) {
    const Buffer& buffer = m_impl->residency[tensor];
    if (buffer.data == nullptr || static_cast<Bytes>(bytes.size()) != buffer.bytes)
        return Error{ErrorCode::Internal,
                     "tensor " + std::to_string(tensor) + " takes " + std::to_string(buffer.bytes) +
                         " bytes, not " + std::to_string(bytes.size()),
                     ""};
    return m_impl->backend.upload(buffer, bytes);
}

}  // namespace plumb
