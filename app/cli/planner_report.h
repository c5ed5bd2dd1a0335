// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/verdict.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::cli {

/// The answers to a question.
struct PlannerReply {
    std::string_view question;
    const planner::Scenario& scenario;
    std::vector<planner::Answer> answers;
    std::optional<planner::Verdict> verdict;  ///< empty: does not matter, or is not known
};

/// Answers for people: whether it fits, a table of low, expected and high, then each formula with the numbers
/// put in, and where the numbers are from. What does not fit has the word beside each time.
[[nodiscard]] std::string plannerText(const PlannerReply& reply);
/// The line of what was taken for granted; empty when nothing was.
[[nodiscard]] std::string conventionsText(const PlannerReply& reply);

/// The same for programs: { "question", "model", "device", KEY: {low, expected, high}, ..., "fits",
/// "needed_bytes", "available_bytes", "explanations", "assumptions", "notes", "conventions" }.
[[nodiscard]] nlohmann::json plannerJson(const PlannerReply& reply);
/// "fits", "needed_bytes" and "available_bytes"; null where it is not known.
void addVerdict(nlohmann::json& document, const std::optional<planner::Verdict>& verdict);

[[nodiscard]] nlohmann::json rangeJson(const planner::Range& range, std::string_view unit);
/// Whole for bytes, which are counted.
[[nodiscard]] nlohmann::json numberJson(double value, std::string_view unit);

}  // namespace plumb::cli
