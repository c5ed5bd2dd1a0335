// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_fields.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace plumb {

/// Whole numbers and numbers as lists; a null number is NaN when `nullIsNan`, otherwise a problem.
[[nodiscard]] std::vector<std::int64_t> readCounts(const JsonField& field);
[[nodiscard]] std::vector<double> readNumbers(const JsonField& field, bool nullIsNan);

/// Finite numbers as they are; absent or not finite ones as null.
[[nodiscard]] nlohmann::json numberJson(std::optional<double> value);
[[nodiscard]] nlohmann::json countJson(std::optional<std::int64_t> value);
[[nodiscard]] nlohmann::json numbersJson(const std::vector<double>& values);

}  // namespace plumb
