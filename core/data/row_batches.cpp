// SPDX-License-Identifier: Apache-2.0
#include "core/data/row_batches.h"

#include "core/data/data_provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb {

Result<std::unique_ptr<RowBatches>> RowBatches::open(const RunConfig& config) {
    PLUMB_TRY(SampleTables tables, openSampleTables(config));
    const SampleTable& features = *tables.features;
    const SampleTable& targets = *tables.targets;
    if (features.columns() != config.dim)
        return Error{ErrorCode::BadInput,
                     fmt::format("features in {} have {} columns, but dim is {}", features.name(),
                                 features.columns(), config.dim),
                     fmt::format("set dim to {}", features.columns())};
    if (targets.columns() != config.outputWidth())
        return Error{
            ErrorCode::BadInput,
            fmt::format("targets in {} have {} columns, but {}", targets.name(), targets.columns(),
                        config.head
                            ? fmt::format("outputs is {}", config.outputs)
                            : fmt::format("without a head there are as many outputs as dim, {}", config.dim)),
            config.head ? fmt::format("set outputs to {}", targets.columns()) : "leave the head on"};
    const std::int64_t rows = features.rows();
    if (config.holdOut > 0 && rows < 2)
        return Error{ErrorCode::BadInput,
                     fmt::format("of one row nothing can be held out (holdout {})", config.holdOut),
                     "give more rows, or leave holdout out"};
    SampleSplit split(rows, heldOutOf(rows, config.holdOut), config.seed);
    std::unique_ptr<RowBatches> batches(new RowBatches(std::move(tables), std::move(split)));
    if (config.standardize) {
        PLUMB_TRY(batches->m_features, batches->measure(*batches->m_tables.features, "standardize"));
    }
    if (config.standardizeTargets) {
        PLUMB_TRY(batches->m_targets, batches->measure(*batches->m_tables.targets, "standardize-targets"));
    }
    return batches;
}

// Two passes, so that large means cost no digits.
Result<RowBatches::Scale> RowBatches::measure(const SampleTable& table, const char* option) const {
    const auto width = static_cast<std::size_t>(table.columns());
    const std::int64_t count = m_split.trained();
    constexpr std::int64_t kValuesAtOnce = std::int64_t{1} << 20;
    const std::int64_t atOnce = std::max<std::int64_t>(1, kValuesAtOnce / table.columns());
    Standardization found{std::vector<double>(width), std::vector<double>(width)};
    const auto forEach = [&](auto&& visit) -> Result<void> {
        std::vector<std::int64_t> rows;
        std::vector<float> values;
        for (std::int64_t first = 0; first < count; first += atOnce) {
            rows.resize(static_cast<std::size_t>(std::min(atOnce, count - first)));
            for (std::size_t i = 0; i < rows.size(); ++i)
                rows[i] = m_split.trainedRow(first + static_cast<std::int64_t>(i));
            values.resize(rows.size() * width);
            PLUMB_CHECK(table.copyRows(rows, values));
            for (std::size_t i = 0; i < values.size(); ++i) visit(i % width, static_cast<double>(values[i]));
        }
        return {};
    };
    const auto samples = static_cast<double>(count);
    PLUMB_CHECK(forEach([&](std::size_t column, double value) { found.means[column] += value; }));
    for (double& mean : found.means) mean /= samples;
    PLUMB_CHECK(forEach([&](std::size_t column, double value) {
        const double distance = value - found.means[column];
        found.deviations[column] += distance * distance;
    }));
    Scale scale;
    scale.means.resize(width);
    scale.factors.resize(width);
    for (std::size_t column = 0; column < width; ++column) {
        double& deviation = found.deviations[column];
        deviation = std::sqrt(deviation / samples);
        if (!std::isfinite(found.means[column]) || !std::isfinite(deviation)) {
            for (std::int64_t i = 0; i < count; ++i)
                if (const auto value = table.beyondFp32(m_split.trainedRow(i)))
                    return Error{ErrorCode::BadInput,
                                 fmt::format("row {} of {} holds {}, which fp32 cannot hold",
                                             m_split.trainedRow(i) + table.firstRow(), table.name(), *value),
                                 "scale its column, or leave the row out"};
            return Error{
                ErrorCode::BadInput,
                fmt::format("column {} of {} holds a value that is not finite", column, table.name()),
                fmt::format("remove or replace it, or leave {} out", option)};
        }
        if (!(deviation > 0)) deviation = 1;
        scale.means[column] = static_cast<float>(found.means[column]);
        scale.factors[column] = static_cast<float>(1 / deviation);
    }
    scale.made = std::move(found);
    return scale;
}

void RowBatches::Scale::apply(std::span<float> rows) const {
    const std::size_t width = means.size();
    for (std::size_t at = 0; width > 0 && at < rows.size(); at += width)
        for (std::size_t column = 0; column < width; ++column)
            rows[at + column] = (rows[at + column] - means[column]) * factors[column];
}

Result<void> RowBatches::copyRows(std::span<const std::int64_t> rows, std::span<float> x,
                                  std::span<float> t) const {
    PLUMB_CHECK(m_tables.features->copyRows(rows, x));
    m_features.apply(x);
    PLUMB_CHECK(m_tables.targets->copyRows(rows, t));
    m_targets.apply(t);
    return {};
}

Result<void> RowBatches::copySamples(std::int64_t first, std::span<float> x, std::span<float> t) const {
    std::vector<std::int64_t> rows(t.size() / static_cast<std::size_t>(m_tables.targets->columns()));
    m_split.fill(first, rows);
    return copyRows(rows, x, t);
}

Result<void> RowBatches::copyHeldOut(std::int64_t first, std::span<float> x, std::span<float> t) const {
    std::vector<std::int64_t> rows(t.size() / static_cast<std::size_t>(m_tables.targets->columns()));
    m_split.fillHeldOut(first, rows);
    return copyRows(rows, x, t);
}

std::string RowBatches::describe(std::int64_t position) const {
    const SampleTable& features = *m_tables.features;
    const SampleTable& targets = *m_tables.targets;
    const std::int64_t row = m_split.at(position);
    const std::int64_t first = row + features.firstRow(), second = row + targets.firstRow();
    if (features.name() == targets.name()) return fmt::format("row {} of {}", first, features.name());
    if (first == second) return fmt::format("row {} of {:s} or {:s}", first, features.name(), targets.name());
    return fmt::format("row {} of {:s} or row {} of {:s}", first, features.name(), second, targets.name());
}

std::optional<double> RowBatches::beyondFp32(std::int64_t position) const {
    const std::int64_t row = m_split.at(position);
    const std::optional<double> value = m_tables.features->beyondFp32(row);
    return value ? value : m_tables.targets->beyondFp32(row);
}

std::string RowBatches::summary() const {
    const SampleTable& features = *m_tables.features;
    const SampleTable& targets = *m_tables.targets;
    std::string text = fmt::format("{} ({}) and {} ({}), {} rows", features.name(), features.note(),
                                   targets.name(), targets.note(), features.rows());
    if (heldOut() > 0) text += fmt::format(", {} of them held out", heldOut());
    if (m_features.made) text += ", features standardised";
    if (m_targets.made) {
        const std::vector<double>& deviations = m_targets.made->deviations;
        text += ", targets standardised: the loss is in units of their variance";
        if (deviations.size() == 1) text += fmt::format(" ({:.6g})", deviations[0] * deviations[0]);
    }
    return text;
}

}  // namespace plumb
