// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/formula.h"

namespace plumb::planner {

/// An answer's value, and how it came about where `out` is given: for answers that are made of others.
[[nodiscard]] Result<double> explained(Output output, const Scenario& scenario, Explanation* out);
/// Another answer as a factor; its own formula is its source.
[[nodiscard]] Result<void> timesAnswer(Formula& formula, Output output, std::string_view symbol,
                                       const Scenario& scenario, bool top = true);

}  // namespace plumb::planner
