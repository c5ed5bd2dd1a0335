// SPDX-License-Identifier: Apache-2.0
#include "core/train/step_statistics.h"

#include "core/measure/value_histogram.h"
#include "core/plan/shards.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace plumb {

Result<void> StepStatistics::addSum(const Op& collective, std::int64_t microBatch) {
    const TensorId id = collective.reads[0].first;
    const Tensor& tensor = m_plan.tensor(id);
    const std::int64_t slot = statisticsSlot(m_plan.config, tensor.role, tensor.layer);
    const bool isFollowed =
        tensor.role == TensorRole::Activation && m_plan.config.activation == Activation::Relu;
    if (slot < 0 || isFollowed || collective.phase == Phase::Recompute) return {};
    PLUMB_TRY(const TensorCopy copy, m_tensors.copy(id));
    double squares = 0, amax = 0;
    for (const float value : decodeValues(copy.tensor.dtype, copy.bytes)) {
        const double number = value;
        squares += number * number;
        if (!(std::abs(number) <= amax)) amax = std::abs(number);  // what is not a number stays so
    }
    PLUMB_TRY(std::vector<std::byte> bytes, m_tensors.download(m_plan.statistics));
    std::array<double, kStatisticCount> row{};
    std::byte* const place = bytes.data() + static_cast<std::size_t>(slot) * sizeof row;
    std::memcpy(row.data(), place, sizeof row);
    double& sum = row[static_cast<std::size_t>(Statistic::SumOfSquares)];
    double& most = row[static_cast<std::size_t>(Statistic::Amax)];
    const bool isFirst = microBatch == 0;
    sum = isFirst ? squares : sum + squares;
    if (isFirst || !(amax <= most)) most = amax;
    std::memcpy(place, row.data(), sizeof row);
    return m_tensors.upload(m_plan.statistics, bytes);
}

Result<LayerStatistics> StepStatistics::read() const {
    const RunConfig& config = m_plan.config;
    std::vector<double> numbers(static_cast<std::size_t>(statisticsSlots(config) * kStatisticCount));
    PLUMB_CHECK(m_tensors.download(m_plan.statistics, std::as_writable_bytes(std::span(numbers))));
    LayerStatistics statistics;
    statistics.step = std::max<std::int64_t>(m_newest, 0);
    if (m_observedSteps > 0) statistics.observedSteps = m_observedSteps;
    const auto layers = static_cast<std::int32_t>(config.layers);
    const auto matrices = static_cast<std::int32_t>(config.matrices());
    const auto add = [&](TensorRole role, std::int32_t layer, std::int64_t elements) {
        const auto row = static_cast<std::size_t>(statisticsSlot(config, role, layer) * kStatisticCount);
        const auto number = [&](Statistic which) { return numbers[row + static_cast<std::size_t>(which)]; };
        TensorStatistics tensor;
        tensor.role = role;
        tensor.layer = layer;
        if (m_newest >= 0) {
            tensor.rootMeanSquare =
                std::sqrt(number(Statistic::SumOfSquares) / static_cast<double>(elements));
            tensor.amax = number(Statistic::Amax);
        }
        tensor.overflowed = number(Statistic::Overflowed);
        tensor.underflowed = number(Statistic::Underflowed);
        statistics.tensors.push_back(tensor);
    };
    const auto activations = [&](std::int32_t layer) { return config.rankBatch() * widthOf(config, layer); };
    for (std::int32_t layer = 0; layer <= layers; ++layer)
        add(TensorRole::Activation, layer, activations(layer));
    for (const TensorRole role : {TensorRole::Weight, TensorRole::Gradient})
        for (std::int32_t layer = 1; layer <= matrices; ++layer)
            add(role, layer, ownSlice(config, m_plan.place, layer).elements());
    for (std::int32_t layer = 1; layer <= matrices; ++layer)
        add(TensorRole::ActivationGradient, layer,
            layer > layers ? config.rankBatch() * config.outputs : activations(layer));
    return statistics;
}

}  // namespace plumb
