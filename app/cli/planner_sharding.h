// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/planner/explore.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace plumb::cli {

/// Whether several numbers of devices are asked about (`--devices 8..64:x2`), and the options with the first
/// of them, which a scenario can have.
[[nodiscard]] bool sweepsDevices(const Arguments& arguments);
[[nodiscard]] Arguments withFirstDevices(Arguments arguments);
/// One way to spread the work. `available`: bytes of a device.
[[nodiscard]] nlohmann::json layoutJson(const planner::ShardingOption& option, double available);

/// Tries the ways to spread the work, with progress; --keep says how many are kept. Errors: those of
/// searchShardings(); RunFailed when Ctrl-C ended it.
[[nodiscard]] Result<planner::ShardingSearch> searchForReply(const Arguments& arguments,
                                                             const planner::Scenario& scenario);
/// The plans in a table, with why each of the others is not the one to take, and those that would be faster
/// if they fitted.
[[nodiscard]] std::string shardingText(const planner::ShardingSearch& search);
/// "fits", "batch", "tried", "available_bytes", "plans", "too_large", "front".
[[nodiscard]] nlohmann::json shardingJson(const planner::ShardingSearch& search);

/// The whole answer to a search.
[[nodiscard]] Result<void> replyWithSearch(const Arguments& arguments, std::string_view question,
                                           const planner::Scenario& scenario);

}  // namespace plumb::cli
