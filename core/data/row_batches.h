// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/batch_source.h"
#include "core/data/data_provenance.h"
#include "core/data/sample_split.h"
#include "core/data/sample_table.h"
#include "core/model/run_config.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace plumb {

/// Features and targets from two tables, every row that is trained on once per epoch in the order of
/// SampleSplit, standardised where the configuration says so.
class RowBatches final : public BatchSource {
public:
    /// Errors: those of openSampleTables(); BadInput when the widths are not D and K, for a single row of
    /// which a share is to be held out, and for numbers that are not finite and are to be standardised.
    [[nodiscard]] static Result<std::unique_ptr<RowBatches>> open(const RunConfig& config);

    [[nodiscard]] std::int64_t samples() const override { return m_split.trained(); }
    [[nodiscard]] Result<void> copySamples(std::int64_t first, std::span<float> x,
                                           std::span<float> t) const override;
    [[nodiscard]] std::string describe(std::int64_t position) const override;
    [[nodiscard]] std::optional<double> beyondFp32(std::int64_t position) const override;
    [[nodiscard]] std::string summary() const override;
    [[nodiscard]] bool isInMemory() const override {
        return m_tables.features->isInMemory() && m_tables.targets->isInMemory();
    }
    [[nodiscard]] std::int64_t heldOut() const override { return m_split.heldOut(); }
    [[nodiscard]] Result<void> copyHeldOut(std::int64_t first, std::span<float> x,
                                           std::span<float> t) const override;
    [[nodiscard]] const Standardization* standardization() const override { return m_features.madeOrNull(); }
    [[nodiscard]] const Standardization* targetStandardization() const override {
        return m_targets.madeOrNull();
    }

private:
    /// How the columns of a table are standardised, if they are.
    struct Scale {
        std::optional<Standardization> made;
        std::vector<float> means, factors;  ///< as they are used
        [[nodiscard]] const Standardization* madeOrNull() const { return made ? &*made : nullptr; }
        void apply(std::span<float> rows) const;
    };

    RowBatches(SampleTables tables, SampleSplit split)
        : m_tables(std::move(tables)), m_split(std::move(split)) {}
    [[nodiscard]] Result<void> copyRows(std::span<const std::int64_t> rows, std::span<float> x,
                                        std::span<float> t) const;
    [[nodiscard]] Result<Scale> measure(const SampleTable& table, const char* option) const;

    SampleTables m_tables;
    SampleSplit m_split;
    Scale m_features, m_targets;
};

}  // namespace plumb
