// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/sample_table.h"
#include "core/model/run_config.h"
#include "core/train/batch_source.h"
#include "core/train/sample_split.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace plumb {

/// Features and targets from two tables, every row that is trained on once per epoch in the order of
/// SampleSplit, standardised where the configuration says so.
class RowBatches final : public BatchSource {
public:
    /// Errors: those of openSampleTables(); BadInput when the widths are not D and K, for a single row of
    /// which a share is to be held out, and for features that are not finite and are to be standardised.
    [[nodiscard]] static Result<std::unique_ptr<RowBatches>> open(const RunConfig& config);

    [[nodiscard]] std::int64_t samples() const override { return m_split.trained(); }
    [[nodiscard]] Result<void> copySamples(std::int64_t first, std::span<float> x,
                                           std::span<float> t) const override;
    [[nodiscard]] std::string describe(std::int64_t position) const override;
    [[nodiscard]] std::string summary() const override;
    [[nodiscard]] std::int64_t heldOut() const override { return m_split.heldOut(); }
    [[nodiscard]] Result<void> copyHeldOut(std::int64_t first, std::span<float> x,
                                           std::span<float> t) const override;
    [[nodiscard]] const Standardization* standardization() const override {
        return m_standardization ? &*m_standardization : nullptr;
    }

private:
    RowBatches(SampleTables tables, SampleSplit split) : m_tables(std::move(tables)), m_split(split) {}
    [[nodiscard]] Result<void> copyRows(std::span<const std::int64_t> rows, std::span<float> x,
                                        std::span<float> t) const;
    [[nodiscard]] Result<void> measureFeatures();

    SampleTables m_tables;
    SampleSplit m_split;
    std::optional<Standardization> m_standardization;
    std::vector<float> m_means, m_factors;  ///< as they are used
};

}  // namespace plumb
