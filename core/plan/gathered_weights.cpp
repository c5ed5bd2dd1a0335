// SPDX-License-Identifier: Apache-2.0
#include "core/plan/gathered_weights.h"

#include "core/base/entry_at.h"
#include "core/plan/shards.h"

#include <utility>

namespace plumb {

std::vector<WeightUse> weightUses(const RunConfig& config, const RecomputeSchedule& schedule) {
    std::vector<WeightUse> uses;
    const auto depth = static_cast<std::int32_t>(config.layers);
    for (std::int32_t layer = 1; layer <= config.matrices(); ++layer) uses.push_back({Phase::Forward, layer});
    if (config.head && depth > 0) uses.push_back({Phase::Backward, depth + 1});
    for (std::int32_t layer = depth; layer >= 1; --layer) {
        const std::int32_t end = entryAt(schedule.firstStretch, layer);
        for (std::int32_t i = entryAt(schedule.firstStretch, layer + 1); i < end; ++i) {
            const RecomputeStretch& stretch = entryAt(schedule.stretches, i);
            for (std::int32_t link = stretch.from + 1; link <= stretch.to; ++link)
                uses.push_back({Phase::Recompute, link, layer});
        }
        if (layer > 1) uses.push_back({Phase::Backward, layer});
    }
    return uses;
}

void GatheredWeights::beginPass(std::vector<WeightUse> uses, TensorRange slices) {
    m_uses = std::move(uses);
    m_slices = slices;
    m_next = 0;
    m_gathered.assign(static_cast<std::size_t>(slices.count) + 1, -1);
}

TensorId GatheredWeights::gather(const WeightUse& use) {
    TensorId& gathered = entryAt(m_gathered, use.layer);
    if (gathered >= 0) return gathered;
    const RunConfig& config = m_builder.config();
    gathered = m_builder.addTensor(TensorRole::GatheredWeight, Category::Parameters, config.weightDtype(),
                                   use.layer, config.dim, config.columnsOf(use.layer));
    Tensor& whole = m_builder.tensor(gathered);
    whole.padding = paddedElements(config, use.layer) - whole.elements();
    m_traffic.gatherWeight(use.phase, use.layer, use.forLayer, oneTensor(m_slices.first + use.layer - 1),
                           oneTensor(gathered));
    return gathered;
}

TensorRange GatheredWeights::beginUse() {
    const TensorRange read = oneTensor(gather(entryAt(m_uses, m_next)));
    if (m_next + 1 < m_uses.size()) gather(m_uses[m_next + 1]);
    return read;
}

void GatheredWeights::endUse() {
    const WeightUse& use = entryAt(m_uses, m_next);
    ++m_next;
    const bool isNext = m_next < m_uses.size() && m_uses[m_next].layer == use.layer;
    const bool stays = use.phase == Phase::Forward && use.layer >= m_builder.config().layers;
    if (!isNext && !stays) entryAt(m_gathered, use.layer) = -1;
}

}  // namespace plumb
