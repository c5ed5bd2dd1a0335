// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/answer.h"

#include <optional>
#include <string>
#include <vector>

namespace plumb::planner {

/// A scenario under the name that it is compared by.
struct NamedScenario {
    std::string name;
    Scenario scenario;
};

/// One thing that the plans have, side by side.
struct ComparedRow {
    std::string key;                            ///< for programs: "devices", "memory.activations"
    std::string label;                          ///< for people
    std::string unit;                           ///< of `values`, as formatValue() takes it
    std::vector<std::string> texts;             ///< of each plan; "–" where there is none
    std::vector<std::optional<double>> values;  ///< the same; all empty for what is no number
    bool differs = false;
    /// Of a plan, over the first: "+12.3 %", "33.0 times", "+4.00 GB" from nothing; empty for what is no
    /// number.
    [[nodiscard]] std::string difference(std::size_t plan) const;
};

/// Plans side by side.
struct PlanComparison {
    std::vector<std::string> names;
    std::vector<ComparedRow> inputs;   ///< those that differ first
    std::vector<ComparedRow> answers;  ///< memory and step time with their parts, MFU, days, cost
    std::vector<std::vector<std::string>> problems;  ///< of each plan: what it cannot answer, and why
};
/// Errors: BadInput for fewer than two plans or more than three.
[[nodiscard]] Result<PlanComparison> comparePlans(const std::vector<NamedScenario>& plans);

}  // namespace plumb::planner
