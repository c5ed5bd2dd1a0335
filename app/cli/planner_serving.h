// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/planner/scenario.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace plumb::cli {

/// Inference: what a server of a model holds, and how fast it answers.
[[nodiscard]] CommandSpec plannerServing();

/// What the training leaves for a server of the model, as a line behind others; empty, and null, for models
/// that cannot be served and where the memory is not known.
[[nodiscard]] std::string besideLine(const planner::Scenario& scenario);
[[nodiscard]] nlohmann::json besideJson(const planner::Scenario& scenario);

}  // namespace plumb::cli
