// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/planner/scenario.h"

namespace plumb::cli {

/// Which of some clusters to train on.
[[nodiscard]] OptionSpec candidatesOption();
[[nodiscard]] Result<void> runDeviceChoice(const Arguments& arguments, const planner::Scenario& scenario);

}  // namespace plumb::cli
