// SPDX-License-Identifier: Apache-2.0
#include "core/measure/training_json.h"

#include "core/io/json_values.h"
#include "core/io/packed_json.h"
#include "core/measure/reading_columns.h"
#include "core/measure/step_metrics_json.h"
#include "core/measure/training_series.h"

namespace plumb {

namespace {

using nlohmann::json;

std::vector<HoldOutLoss> readHoldOut(const JsonField& field) {
    std::vector<HoldOutLoss> points;
    if (!field.expectObject()) return points;
    const JsonField step = field["step"], loss = field["loss"];
    const std::vector<std::int64_t> steps = readCounts(step);
    const std::vector<double> losses = readNumbers(loss, true);
    if (field.ok() && losses.size() != steps.size()) loss.fail("and step have different lengths");
    for (std::size_t i = 0; i < steps.size() && field.ok(); ++i) {
        if (i > 0 && steps[i] <= steps[i - 1]) step.at(i).fail("is not after the step before it");
        points.push_back({steps[i], losses[i]});
    }
    return points;
}

TensorRole readRole(const JsonField& field) {
    const auto role = statisticsRoleFromName(field.text());
    if (!role) field.fail("is no tensor that has statistics");
    return role.value_or(TensorRole::Weight);
}

std::int32_t readLayer(const JsonField& field) {
    return static_cast<std::int32_t>(field.count(0, kMaxLayers + 1));
}

/// The statistics of a deep network in columns, as its ops are.
json tensorColumns(const std::vector<TensorStatistics>& tensors) {
    const auto cells = [&](const auto& cell) {
        std::vector<json> values;
        values.reserve(tensors.size());
        for (const TensorStatistics& tensor : tensors) values.push_back(cell(tensor));
        return columnJson(values);
    };
    using Tensor = const TensorStatistics&;
    return json{{"count", tensors.size()},
                {"tensor", cells([](Tensor tensor) { return json(statisticsRoleName(tensor.role)); })},
                {"layer", cells([](Tensor tensor) { return json(tensor.layer); })},
                {"rms", cells([](Tensor tensor) { return numberJson(tensor.rootMeanSquare); })},
                {"largest", cells([](Tensor tensor) { return numberJson(tensor.largestMagnitude); })},
                {"overflowed", cells([](Tensor tensor) { return numberJson(tensor.overflowed); })},
                {"underflowed", cells([](Tensor tensor) { return numberJson(tensor.underflowed); })}};
}

std::vector<TensorStatistics> readTensorColumns(const JsonField& field) {
    const auto count = static_cast<std::size_t>(field["count"].count(0, static_cast<std::int64_t>(kMostOps)));
    std::vector<TensorStatistics> tensors(field.ok() ? count : 0);
    const auto read = [&](std::string_view key, const auto& take) {
        if (field.ok())
            readColumn(field[key], count,
                       [&](std::size_t i, const JsonField& cell) { take(tensors[i], cell); });
    };
    using Cell = const JsonField&;
    read("tensor", [](TensorStatistics& tensor, Cell cell) { tensor.role = readRole(cell); });
    read("layer", [](TensorStatistics& tensor, Cell cell) { tensor.layer = readLayer(cell); });
    read("rms", [](TensorStatistics& tensor, Cell cell) { tensor.rootMeanSquare = cell.numberOrNull(); });
    read("largest",
         [](TensorStatistics& tensor, Cell cell) { tensor.largestMagnitude = cell.numberOrNull(); });
    read("overflowed",
         [](TensorStatistics& tensor, Cell cell) { tensor.overflowed = cell.numberOrNull().value_or(0); });
    read("underflowed",
         [](TensorStatistics& tensor, Cell cell) { tensor.underflowed = cell.numberOrNull().value_or(0); });
    return tensors;
}

}  // namespace

json toJson(const LayerStatistics& statistics) {
    if (statistics.tensors.size() > kMostListedOps)
        return json{{"step", statistics.step}, {"tensors", tensorColumns(statistics.tensors)}};
    json tensors = json::array();
    for (const TensorStatistics& tensor : statistics.tensors)
        tensors.push_back(json{{"tensor", statisticsRoleName(tensor.role)},
                               {"layer", tensor.layer},
                               {"rms", numberJson(tensor.rootMeanSquare)},
                               {"largest", numberJson(tensor.largestMagnitude)},
                               {"overflowed", numberJson(tensor.overflowed)},
                               {"underflowed", numberJson(tensor.underflowed)}});
    return json{{"step", statistics.step}, {"tensors", std::move(tensors)}};
}

LayerStatistics readStatistics(const JsonField& field) {
    LayerStatistics statistics;
    if (!field.expectObject()) return statistics;
    statistics.step = field["step"].count();
    const JsonField tensors = field["tensors"];
    if (tensors.json() != nullptr && tensors.json()->is_object()) {
        statistics.tensors = readTensorColumns(tensors);
        return statistics;
    }
    const std::size_t size = tensors.arraySize();
    for (std::size_t i = 0; i < size && field.ok(); ++i) {
        const JsonField entry = tensors.at(i);
        if (!entry.expectObject()) break;
        TensorStatistics tensor;
        tensor.role = readRole(entry["tensor"]);
        tensor.layer = readLayer(entry["layer"]);
        tensor.rootMeanSquare = entry["rms"].numberOrNull();
        tensor.largestMagnitude = entry["largest"].numberOrNull();
        tensor.overflowed = entry["overflowed"].numberOrNull().value_or(0);
        tensor.underflowed = entry["underflowed"].numberOrNull().value_or(0);
        statistics.tensors.push_back(tensor);
    }
    return statistics;
}

json toJson(const TrainingSeries& series) {
    json result{{"steps_done", series.stepsDone},
                {"skipped_steps", series.skippedSteps},
                {"outcome", series.outcome}};
    putSteps(result, series.steps);
    if (!series.holdOut.empty()) {
        json steps = json::array(), losses = json::array();
        for (const HoldOutLoss& point : series.holdOut) {
            steps.push_back(point.step);
            losses.push_back(numberJson(point.loss));
        }
        result["hold_out"] = json{{"step", std::move(steps)}, {"loss", std::move(losses)}};
    }
    if (series.firstScales) result["first_scales"] = toJson(*series.firstScales);
    if (series.lastScales) result["last_scales"] = toJson(*series.lastScales);
    return result;
}

TrainingSeries readTraining(const JsonField& field) {
    TrainingSeries series;
    if (!field.expectObject()) return series;
    series.steps = readSteps(field);
    series.stepsDone = field["steps_done"].count();
    if (const JsonField skipped = field["skipped_steps"]; !skipped.isNull())
        series.skippedSteps = skipped.count();
    series.outcome = field["outcome"].textOr("");
    if (const JsonField held = field["hold_out"]; !held.isNull()) series.holdOut = readHoldOut(held);
    if (const JsonField first = field["first_scales"]; !first.isNull())
        series.firstScales = readStatistics(first);
    if (const JsonField last = field["last_scales"]; !last.isNull()) series.lastScales = readStatistics(last);
    return series;
}

Result<TrainingSeries> trainingFromJson(const json& document) {
    return readWhole<TrainingSeries>(document, "training", readTraining);
}

}  // namespace plumb
