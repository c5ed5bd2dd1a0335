// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compare/budget.h"
#include "core/compare/comparison.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace plumb::cli {

enum class TableForm : std::uint8_t { Text, Markdown };

/// The comparison for people: what was chosen or found differently, the figures, and what really differs of
/// operations and tensors; with `all` also what does not.
[[nodiscard]] std::string comparisonReport(const Comparison& comparison, TableForm form, bool all);
[[nodiscard]] nlohmann::json comparisonJson(const Comparison& comparison);

[[nodiscard]] std::string budgetReport(const std::vector<BudgetLine>& lines, TableForm form);
[[nodiscard]] nlohmann::json budgetJson(const std::vector<BudgetLine>& lines);

}  // namespace plumb::cli
