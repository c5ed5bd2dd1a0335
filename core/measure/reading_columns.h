// SPDX-License-Identifier: Apache-2.0
// A reading of a deep network in columns: with a name before every number, one of 65 536 layers would be
// hundreds of megabytes large.
#pragma once

#include "core/io/json_fields.h"
#include "core/measure/reading.h"

#include <array>
#include <optional>
#include <vector>

namespace plumb {

/// As many ops are written as a list of objects, which people can read; more of them in columns.
inline constexpr std::size_t kMostListedOps = 8192;
/// More than any plan has: both passes of the deepest network with recomputation.
inline constexpr std::size_t kMostOps = 8 * static_cast<std::size_t>(kMaxLayers) + 1024;

/// Empty for ops whose texts columns cannot hold. `whole`: the tier of the totals, which ops of the same one
/// do not repeat.
[[nodiscard]] std::optional<nlohmann::json> opColumns(const std::vector<OpReading>& ops,
                                                      std::optional<Tier> whole);
[[nodiscard]] std::vector<OpReading> readOpColumns(const JsonField& field, std::optional<Tier> whole);
[[nodiscard]] nlohmann::json opColumnsSchema(nlohmann::json& definitions);

[[nodiscard]] nlohmann::json curveColumns(const std::vector<CategoryBytes>& curve);
/// `ops`: how many there are; the curve has an entry for each.
[[nodiscard]] std::vector<CategoryBytes> readCurveColumns(const JsonField& field, std::size_t ops);
[[nodiscard]] nlohmann::json curveColumnsSchema(nlohmann::json& definitions);

}  // namespace plumb
