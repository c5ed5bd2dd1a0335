// SPDX-License-Identifier: Apache-2.0
#include "core/train/step_statistics.h"

#include "core/plan/shards.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace plumb {

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
    const std::int64_t rows = config.rankBatch() * config.dim;
    for (std::int32_t layer = 0; layer <= layers; ++layer) add(TensorRole::Activation, layer, rows);
    for (const TensorRole role : {TensorRole::Weight, TensorRole::Gradient})
        for (std::int32_t layer = 1; layer <= matrices; ++layer)
            add(role, layer, ownSlice(config, m_plan.place, layer).elements());
    for (std::int32_t layer = 1; layer <= matrices; ++layer)
        add(TensorRole::ActivationGradient, layer, config.rankBatch() * config.columnsOf(layer));
    return statistics;
}

}  // namespace plumb
