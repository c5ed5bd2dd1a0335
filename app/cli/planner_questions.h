// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/planner/scenario.h"

#include <vector>

namespace plumb::cli {

// The numbers that belong together on the command line.
[[nodiscard]] std::vector<planner::Input> plannerTimeInputs();
[[nodiscard]] std::vector<planner::Input> plannerLayoutInputs();
[[nodiscard]] std::vector<planner::Input> plannerMemoryInputs();
[[nodiscard]] std::vector<planner::Input> plannerStepInputs();

/// Questions about one way to train: time, fit, memory, step, cost, optimal, mfu.
[[nodiscard]] std::vector<CommandSpec> plannerAnswerQuestions();
/// What a model is made of: params.
[[nodiscard]] CommandSpec plannerParamsQuestion();
/// Plans as files: save and compare.
[[nodiscard]] std::vector<CommandSpec> plannerFileQuestions();
/// Questions that try many: batch, shard, devices, solve, sensitivity, map; and the lists.
[[nodiscard]] std::vector<CommandSpec> plannerSearchQuestions();
/// Predictions held against published trainings.
[[nodiscard]] CommandSpec plannerValidation();

}  // namespace plumb::cli
