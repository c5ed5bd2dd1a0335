// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/planner/answer.h"

#include <string_view>
#include <vector>

namespace plumb::cli {

/// The options of a question whose answers can be asked for over one of its numbers: --sweep and --csv too.
[[nodiscard]] std::vector<OptionSpec> withSweep(std::vector<OptionSpec> options);

/// The answers over the values of --sweep: a table, CSV or JSON. Ctrl-C ends it early; what is done is
/// printed. Errors: BadInput for an input or values that cannot be swept; RunFailed when it was stopped.
[[nodiscard]] Result<void> runSweep(const Arguments& arguments, std::string_view question,
                                    const planner::Scenario& scenario, std::vector<planner::Output> outputs);

}  // namespace plumb::cli
