// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/answer.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace plumb::cli {

/// Answers for people: a table of low, expected and high, then each formula with the numbers put in, and
/// where the numbers are from.
[[nodiscard]] std::string plannerText(const std::vector<planner::Answer>& answers);

/// The same for programs: { "question", "model", "device", KEY: {low, expected, high}, ..., "explanations",
/// "assumptions", "notes" }.
[[nodiscard]] nlohmann::json plannerJson(std::string_view question, const planner::Scenario& scenario,
                                         const std::vector<planner::Answer>& answers);

[[nodiscard]] nlohmann::json rangeJson(const planner::Range& range, std::string_view unit);
/// Whole for bytes, which are counted.
[[nodiscard]] nlohmann::json numberJson(double value, std::string_view unit);

}  // namespace plumb::cli
