// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/answer.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::planner {

/// What these answers take for granted without its being asked: how the work is spread, which FLOPs and which
/// parameters count, what a day and a price leave out. Answers that need a verdict (wantsVerdict()) also rest
/// on what that does. Phrases without a full stop, in a fixed order; none for what these answers do not
/// depend on.
[[nodiscard]] std::vector<std::string> conventionsOf(std::span<const Output> outputs,
                                                     const Scenario& scenario);
/// The same as one line: "conventions: A; B"; `where` says at which values ("at 64 devices"). Empty when
/// there are none.
[[nodiscard]] std::string conventionsLine(std::span<const Output> outputs, const Scenario& scenario,
                                          std::string_view where = {});

}  // namespace plumb::planner
