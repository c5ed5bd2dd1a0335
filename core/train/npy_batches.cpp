// SPDX-License-Identifier: Apache-2.0
#include "core/train/npy_batches.h"

#include <fmt/format.h>

#include <vector>

namespace plumb {

Result<std::unique_ptr<NpyBatches>> NpyBatches::open(const RunConfig& config) {
    PLUMB_TRY(NpyArray features, NpyArray::open(config.data));
    PLUMB_TRY(NpyArray targets, NpyArray::open(config.targets));
    if (features.columns() != config.dim)
        return Error{ErrorCode::BadInput,
                     fmt::format("features in {} have {} columns, but dim is {}", config.data,
                                 features.columns(), config.dim),
                     fmt::format("set dim to {}", features.columns())};
    if (targets.columns() != config.outputs)
        return Error{ErrorCode::BadInput,
                     fmt::format("targets in {} have {} columns, but outputs is {}", config.targets,
                                 targets.columns(), config.outputs),
                     fmt::format("set outputs to {}", targets.columns())};
    if (features.rows() != targets.rows())
        return Error{ErrorCode::BadInput,
                     fmt::format("{} has {} rows and {} has {}", config.data, features.rows(), config.targets,
                                 targets.rows()),
                     "give one target row for each feature row"};
    return std::unique_ptr<NpyBatches>(new NpyBatches(std::move(features), std::move(targets), config.seed));
}

Result<void> NpyBatches::copySamples(std::int64_t first, std::span<float> x, std::span<float> t) const {
    std::vector<std::int64_t> rows(t.size() / static_cast<std::size_t>(m_targets.columns()));
    m_order.fill(first, rows);
    PLUMB_CHECK(m_features.copyRows(rows, x));
    return m_targets.copyRows(rows, t);
}

std::string NpyBatches::describe(std::int64_t position) const {
    return fmt::format("row {} of {} or {}", m_order.at(position), m_features.path(), m_targets.path());
}

std::string NpyBatches::summary() const {
    return fmt::format("{} ({}) and {} ({}), {} rows", m_features.path(), dtypeName(m_features.dtype()),
                       m_targets.path(), dtypeName(m_targets.dtype()), samples());
}

}  // namespace plumb
