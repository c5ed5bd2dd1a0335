// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/planner/answer.h"
#include "core/planner/step_time.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::cli {

/// Adds to the document of --json, and text behind the answers.
using ReplyExtra = std::function<Result<std::string>(const planner::Scenario&, nlohmann::json*)>;

/// What a question is answered with.
struct Asked {
    std::string_view question;
    std::vector<planner::Output> outputs;
    /// Those that may lack a number, such as the power of a device: left out then, with the reason.
    std::vector<planner::Output> ifKnown = {};
    ReplyExtra extra = {};
};

/// Prints the answers, or the table of --sweep over them.
[[nodiscard]] Result<void> reply(const Arguments& arguments, const planner::Scenario& scenario,
                                 const Asked& asked);

[[nodiscard]] nlohmann::json timedOpsJson(const std::vector<planner::TimedOp>& ops);

}  // namespace plumb::cli
