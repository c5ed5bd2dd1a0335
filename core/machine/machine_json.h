// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/machine/machine.h"

namespace plumb {

/// Version of the costs of a machine.
inline constexpr std::int64_t kCostsVersion = 2;

/// Dtypes that this version does not know are passed over, and so are costs of another version: it predicts
/// by the ceilings then.
[[nodiscard]] JsonType<Machine> jsonType(Of<Machine>);
[[nodiscard]] JsonType<CostTables> jsonType(Of<CostTables>);
[[nodiscard]] JsonType<RankCosts> jsonType(Of<RankCosts>);
[[nodiscard]] JsonType<CopyRate> jsonType(Of<CopyRate>);
[[nodiscard]] JsonType<CopyRates> jsonType(Of<CopyRates>);
[[nodiscard]] JsonType<PredictionErrors> jsonType(Of<PredictionErrors>);
[[nodiscard]] JsonType<SpeedProbe> jsonType(Of<SpeedProbe>);

}  // namespace plumb
