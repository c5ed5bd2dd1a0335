// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_fields.h"
#include "core/machine/cost_tables.h"

// The measured part of a machine, as fields of its JSON object.
namespace plumb {

[[nodiscard]] nlohmann::json toJson(const CostTables& costs);
[[nodiscard]] nlohmann::json toJson(const PredictionRecord& record);
[[nodiscard]] nlohmann::json toJson(const SpeedProbe& probe);

/// Absent for null, and for a version that this program does not know: it predicts by the ceilings then.
[[nodiscard]] std::optional<CostTables> readCosts(const JsonField& field);
[[nodiscard]] std::optional<PredictionRecord> readPredictionRecord(const JsonField& field);
[[nodiscard]] SpeedProbe readSpeedProbe(const JsonField& field);

}  // namespace plumb
