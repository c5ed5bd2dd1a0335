// SPDX-License-Identifier: Apache-2.0
#include "core/train/staged_batches.h"

#include <mutex>
#include <optional>
#include <utility>

namespace plumb {

StagedBatches::StagedBatches(const StepPlan& plan, Backend& backend, const Residency& residency,
                             const BatchSource* source)
    : m_plan(plan),
      m_backend(backend),
      m_residency(residency),
      m_source(source),
      m_copies(backend.capabilities().staging),
      m_hostCores(backend.capabilities().hostCores) {}

Result<void> StagedBatches::start(std::int64_t steps) {
    if (!areRead()) return {};
    if (m_source == nullptr) return internalError("the step reads data from a file, and none was opened");
    if (m_source->isInMemory() && m_hostCores != nullptr) return {};  // gather() does it
    PLUMB_TRY(m_prefetcher,
              BatchPrefetcher::create(*m_source, shape(), floats(), steps * m_plan.config.microBatches()));
    return {};
}

BatchPrefetcher::Shape StagedBatches::shape() const {
    const RunConfig& config = m_plan.config;
    return {config.microBatchSize(), config.dim, config.outputWidth(), DataShare(config, m_plan.place)};
}

std::span<float> StagedBatches::floats() const {
    const Buffer& staging = m_residency[m_plan.staging];
    return {static_cast<float*>(staging.host != nullptr ? staging.host : staging.data),
            static_cast<std::size_t>(staging.bytes) / sizeof(float)};
}

Result<void> StagedBatches::stage(std::int32_t half) {
    return m_copies != nullptr ? m_copies->stage(m_residency[m_plan.staging], half) : Result<void>();
}

Result<void> StagedBatches::gather(std::int64_t number) {
    constexpr std::int64_t kOrderCost = 64;  // where a row lies takes as long as copying so many floats
    const BatchPrefetcher::Shape batch = shape();
    const std::span<float> half = floats();
    const auto dim = static_cast<std::size_t>(batch.dim), outputs = static_cast<std::size_t>(batch.outputs);
    const std::size_t features = static_cast<std::size_t>(batch.rows) * dim;
    std::mutex mutex;
    std::optional<std::pair<std::int64_t, Error>>
        failure;  // with where the part begins: the first one counts
    m_hostCores->onHostCores(
        batch.rows, batch.dim + batch.outputs + kOrderCost, [&](std::int64_t begin, std::int64_t end) {
            const auto at = static_cast<std::size_t>(begin), count = static_cast<std::size_t>(end - begin);
            const auto copied = m_source->copySamples(batch.share.inStream(number) * batch.rows + begin,
                                                      half.subspan(at * dim, count * dim),
                                                      half.subspan(features + at * outputs, count * outputs));
            if (copied.has_value()) return;
            const std::lock_guard lock(mutex);
            if (!failure || begin < failure->first) failure.emplace(begin, copied.error());
        });
    return failure ? Result<void>(failure->second) : Result<void>();
}

}  // namespace plumb
