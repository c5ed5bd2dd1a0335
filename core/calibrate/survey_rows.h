// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/batch_source.h"
#include "core/data/epoch_order.h"

#include <string>
#include <vector>

namespace plumb {

/// Rows as those of an .npy file in fp32 that lies in the page cache, visited in the order of a training:
/// what calibration times the loading of files with. Without rows when `config` is synthetic.
class SurveyRows final : public BatchSource {
public:
    /// `isGathered`: what copySamples() is asked for is there already, so that a step's own share of loading
    /// is timed without the wait for a thread beside it.
    explicit SurveyRows(const RunConfig& config, bool isGathered = false);

    [[nodiscard]] std::int64_t samples() const override { return m_order.count(); }
    [[nodiscard]] Result<void> copySamples(std::int64_t first, std::span<float> x,
                                           std::span<float> t) const override;
    [[nodiscard]] std::string describe(std::int64_t position) const override;
    [[nodiscard]] std::string summary() const override;
    [[nodiscard]] bool isInMemory() const override { return true; }

private:
    bool m_isGathered;
    std::int64_t m_dim;
    std::int64_t m_outputs;
    EpochOrder m_order;
    std::vector<float> m_features, m_targets;
};

}  // namespace plumb
