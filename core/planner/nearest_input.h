// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/answer.h"

#include <optional>
#include <string_view>

namespace plumb::planner {

/// The number nearest to what was given for `input`, as setInput() reads it, that the scenario takes; empty
/// where it takes none, where `text` is no number, and where a near one is no remedy: a utilisation above
/// all was measured wrongly.
[[nodiscard]] std::optional<double> nearestTaken(const Scenario& scenario, Input input,
                                                 std::string_view text);

/// The whole number nearest to the one that `input` has, with which the scenario answers `output`; of two
/// that are as near the smaller one. Empty where it has none, where it answers already, and where no number
/// near it does.
[[nodiscard]] std::optional<double> nearestAnswered(const Scenario& scenario, Input input, Output output);

}  // namespace plumb::planner
