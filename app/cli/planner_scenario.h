// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/planner/inputs.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace plumb::cli {

/// What a question takes beside numbers.
struct PlannerTopics {
    bool model = true;    ///< --model, --parameters, the deep linear model
    bool recipe = false;  ///< --recipe, --recompute, --dropout, --fused-attention
};

/// The options of a question: its numbers by their keys, with default and meaning, and what `topics` say.
/// Other spellings that people use (--gpus, --tp, ...) are taken as well and left out of --help.
[[nodiscard]] std::vector<OptionSpec> plannerOptions(const PlannerTopics& topics,
                                                     std::vector<planner::Input> inputs);
/// What of a model is trained, without the rank, which is a number.
[[nodiscard]] std::vector<OptionSpec> plannerTrainingOptions();

/// Numbers of several questions in one list, without repeats.
[[nodiscard]] std::vector<planner::Input> joined(std::initializer_list<std::vector<planner::Input>> lists);

/// Everything that was given: the plan of --scenario, and the options on top of it. Errors: BadInput for the
/// option that cannot be used, Io for a plan or a config.json that cannot be read.
[[nodiscard]] Result<planner::Scenario> plannerScenario(const Arguments& arguments);

/// "mfu" by key. Errors: BadInput with the nearest key.
[[nodiscard]] Result<planner::Input> plannerInput(std::string_view key);

}  // namespace plumb::cli
