// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/io/npy.h"
#include "core/model/run_config.h"

#include <cstdint>
#include <memory>

namespace plumb {

/// Features and targets from two mapped .npy files, every row once per epoch in an order that depends on the
/// seed and the epoch alone. The order is a permutation computed per sample (a Feistel network over the next
/// power of four, walked until it lands inside), so it needs no index array however large the file is.
class NpyBatches final : public BatchSource {
public:
    /// Errors: those of NpyArray::open(); BadInput when the widths are not D and K, when the row counts
    /// differ or when there are no rows.
    [[nodiscard]] static Result<std::unique_ptr<NpyBatches>> open(const RunConfig& config);

    void copySample(std::int64_t row, std::span<float> x, std::span<float> t) const override;
    [[nodiscard]] std::string describe(std::int64_t row) const override;

    [[nodiscard]] std::int64_t rows() const { return m_features.rows(); }
    /// The file row of sample `row` of the stream: a permutation of [0, rows()) within each epoch.
    [[nodiscard]] std::int64_t fileRow(std::int64_t row) const;

private:
    NpyBatches(NpyArray features, NpyArray targets, std::uint64_t seed)
        : m_features(std::move(features)), m_targets(std::move(targets)), m_seed(seed) {}
    NpyArray m_features;
    NpyArray m_targets;
    std::uint64_t m_seed;
};

}  // namespace plumb
