// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/inputs.h"

#include <optional>

namespace plumb::planner {

/// Model FLOPs utilisation where nobody gave one: what the step model finds for this very layout, where that
/// fits its devices; otherwise what published trainings like this one reached. Empty for the deep linear
/// model, and where the device is not known.
[[nodiscard]] std::optional<double> defaultMfu(const Scenario& scenario);

/// The same with its ends, and where it is from.
[[nodiscard]] std::optional<InputValue> defaultMfuValue(const Scenario& scenario);

}  // namespace plumb::planner
