// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compare/budget.h"
#include "core/compare/comparison.h"

#include <cstdint>
#include <string>
#include <vector>

namespace plumb {

enum class TableForm : std::uint8_t { Text, Markdown, Csv };

/// Where the numbers of a step are from: "measured, 20 steps", "predicted".
[[nodiscard]] std::string originOf(const ComparedStep& step);

/// The comparison for people: what was chosen or found differently, the figures, and what really differs of
/// operations and tensors; with `all` also what does not. As CSV: differencesCsv() of each step against the
/// baseline, with the step and what the row is a difference of in front.
[[nodiscard]] std::string comparisonReport(const Comparison& comparison, TableForm form, bool all);

[[nodiscard]] std::string budgetReport(const std::vector<BudgetLine>& lines, TableForm form);

}  // namespace plumb
