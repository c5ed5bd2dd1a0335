// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compare/budget.h"
#include "core/compare/comparison.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace plumb::cli {

[[nodiscard]] nlohmann::json comparisonJson(const Comparison& comparison);
[[nodiscard]] nlohmann::json budgetJson(const std::vector<BudgetLine>& lines);

}  // namespace plumb::cli
