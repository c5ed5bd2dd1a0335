// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/npy.h"
#include "core/model/run_config.h"
#include "core/train/batch_source.h"
#include "core/train/epoch_order.h"

#include <cstdint>
#include <memory>

namespace plumb {

/// Features and targets from two .npy files, every row once per epoch in the order of EpochOrder.
class NpyBatches final : public BatchSource {
public:
    /// Errors: those of NpyArray::open(); BadInput when the widths are not D and K, when the row counts
    /// differ or when there are no rows.
    [[nodiscard]] static Result<std::unique_ptr<NpyBatches>> open(const RunConfig& config);

    [[nodiscard]] std::int64_t samples() const override { return m_order.count(); }
    [[nodiscard]] Result<void> copySamples(std::int64_t first, std::span<float> x,
                                           std::span<float> t) const override;
    [[nodiscard]] std::string describe(std::int64_t position) const override;
    [[nodiscard]] std::string summary() const override;

private:
    NpyBatches(NpyArray features, NpyArray targets, std::uint64_t seed)
        : m_features(std::move(features)), m_targets(std::move(targets)), m_order(m_features.rows(), seed) {}
    NpyArray m_features;
    NpyArray m_targets;
    EpochOrder m_order;
};

}  // namespace plumb
