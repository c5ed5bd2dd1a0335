// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/survey_rows.h"

#include <algorithm>

namespace plumb {

namespace {

/// More than the nearest caches hold, as a file of samples is.
constexpr std::int64_t kValues = std::int64_t{4} << 20;

/// Half of a power of four: finding the next row of the order takes two attempts then, which is what it takes
/// on average over the sizes of files, between one attempt and four (EpochOrder).
std::int64_t rowsOf(const RunConfig& config) {
    if (config.data == "synthetic") return 1;
    const std::int64_t most = std::max<std::int64_t>(kValues / (config.dim + config.outputs), 2);
    std::int64_t rows = 2;
    while (rows * 4 <= most) rows *= 4;
    return rows;
}

}  // namespace

SurveyRows::SurveyRows(const RunConfig& config, bool isGathered)
    : m_isGathered(isGathered),
      m_dim(config.dim),
      m_outputs(config.outputs),
      m_order(rowsOf(config), config.seed) {
    if (config.data == "synthetic" || isGathered) return;
    m_features.assign(static_cast<std::size_t>(samples() * m_dim), 0.5F);
    m_targets.assign(static_cast<std::size_t>(samples() * m_outputs), 0.25F);
}

Result<void> SurveyRows::copySamples(std::int64_t first, std::span<float> x, std::span<float> t) const {
    if (m_isGathered) return {};
    std::vector<std::int64_t> rows(t.size() / static_cast<std::size_t>(m_outputs));
    m_order.fill(first, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::copy_n(m_features.begin() + rows[i] * m_dim, m_dim,
                    x.begin() + static_cast<std::int64_t>(i) * m_dim);
        std::copy_n(m_targets.begin() + rows[i] * m_outputs, m_outputs,
                    t.begin() + static_cast<std::int64_t>(i) * m_outputs);
    }
    return {};
}

std::string SurveyRows::describe(std::int64_t position) const {
    return "row " + std::to_string(m_order.at(position)) + " of the calibration";
}

std::string SurveyRows::summary() const { return "rows of the calibration"; }

}  // namespace plumb
