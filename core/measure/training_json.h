// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/measure/layer_statistics.h"
#include "core/measure/training_series.h"

namespace plumb {

struct StatisticsRole : Named<kStatisticsRoleNames> {
    static nlohmann::json write(TensorRole role) { return statisticsRoleName(role); }
};

/// A null loss is NaN.
[[nodiscard]] JsonType<TrainingSeries> jsonType(Of<TrainingSeries>);
[[nodiscard]] JsonType<LayerStatistics> jsonType(Of<LayerStatistics>);

}  // namespace plumb
