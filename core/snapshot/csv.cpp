// SPDX-License-Identifier: Apache-2.0
#include "core/snapshot/csv.h"

#include "core/io/csv_writer.h"
#include "core/measure/training_series.h"
#include "core/snapshot/snapshot.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

namespace plumb {

namespace {

/// An op as both readings know it; at least one of them does.
struct Row {
    const OpReading* predicted = nullptr;
    const OpReading* measured = nullptr;
    const CategoryBytes* predictedBytes = nullptr;
    const CategoryBytes* measuredBytes = nullptr;
};

void addReading(std::vector<Row>& rows, std::unordered_map<std::string, std::size_t>& index,
                const std::optional<Reading>& reading, const OpReading* Row::*op,
                const CategoryBytes* Row::*bytes) {
    if (!reading) return;
    for (std::size_t i = 0; i < reading->ops.size(); ++i) {
        const auto [place, fresh] = index.emplace(reading->ops[i].id, rows.size());
        if (fresh) rows.emplace_back();
        Row& row = rows[place->second];
        row.*op = &reading->ops[i];
        if (reading->memory && i < reading->memory->curve.size()) row.*bytes = &reading->memory->curve[i];
    }
}

void categoryCells(CsvWriter& csv, const CategoryBytes* bytes) {
    for (const Category category : kAllCategories)
        csv.cell(bytes != nullptr ? std::optional<std::int64_t>((*bytes)[category]) : std::nullopt);
}

void counterCells(CsvWriter& csv, const OpReading* measured) {
    for (const CounterKind kind : kAllCounters) {
        const std::optional<Counted> count = measured != nullptr ? measured->counters[kind] : std::nullopt;
        csv.cell(count ? std::optional<std::int64_t>(count->value) : std::nullopt);
    }
}

}  // namespace

std::string toCsv(const Snapshot& snapshot) {
    std::vector<Row> rows;
    std::unordered_map<std::string, std::size_t> index;
    addReading(rows, index, snapshot.predicted, &Row::predicted, &Row::predictedBytes);
    addReading(rows, index, snapshot.measured, &Row::measured, &Row::measuredBytes);

    CsvWriter csv;
    for (const char* column : {"id", "name", "phase", "kind", "flops", "bytes", "predicted_seconds",
                               "predicted_tier", "measured_seconds", "measured_tier"})
        csv.cell(std::string_view(column));
    for (const char* reading : {"predicted", "measured"})
        for (const Category category : kAllCategories)
            csv.cell(std::string_view(fmt::format("{}_{}_bytes", reading, categoryName(category))));
    for (const CounterKind kind : kAllCounters)
        csv.cell(std::string_view(fmt::format("measured_{}", counterName(kind))));
    csv.endRow();

    for (const Row& row : rows) {
        const OpReading& op = row.predicted != nullptr ? *row.predicted : *row.measured;
        csv.cell(std::string_view(op.id));
        csv.cell(std::string_view(op.name));
        csv.cell(phaseName(op.phase));
        csv.cell(std::string_view(op.kind));
        csv.cell(op.flops);
        csv.cell(op.bytes);
        for (const OpReading* reading : {row.predicted, row.measured}) {
            csv.cell(reading != nullptr ? reading->seconds : std::nullopt);
            csv.cell(reading != nullptr && reading->seconds && reading->tier ? tierName(*reading->tier)
                                                                             : std::string_view());
        }
        categoryCells(csv, row.predictedBytes);
        categoryCells(csv, row.measuredBytes);
        counterCells(csv, row.measured);
        csv.endRow();
    }
    return csv.take();
}

std::string trainingToCsv(const TrainingSeries& series) {
    CsvWriter csv;
    csv.cell(std::string_view("step"));
    for (const StepMetric& metric : kStepMetrics) csv.cell(metric.name);
    csv.endRow();
    for (const StepMetrics& step : series.steps) {
        csv.cell(std::optional<std::int64_t>(step.step));
        for (const StepMetric& metric : kStepMetrics) csv.cell(std::optional<double>(step.*metric.value));
        csv.endRow();
    }
    return csv.take();
}

}  // namespace plumb
