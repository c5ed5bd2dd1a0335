// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_fields.h"
#include "core/measure/layer_statistics.h"
#include "core/measure/training_series.h"

namespace plumb {

[[nodiscard]] nlohmann::json toJson(const TrainingSeries& series);
[[nodiscard]] nlohmann::json toJson(const LayerStatistics& statistics);

/// The way back. Errors: BadInput with the path of the field. A null loss is NaN.
[[nodiscard]] TrainingSeries readTraining(const JsonField& field);
[[nodiscard]] Result<TrainingSeries> trainingFromJson(const nlohmann::json& json);
[[nodiscard]] LayerStatistics readStatistics(const JsonField& field);

}  // namespace plumb
