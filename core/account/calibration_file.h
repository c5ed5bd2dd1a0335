// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/account/machine.h"

#include <optional>

namespace plumb {

/// The ceilings kept for `machine`; absent when none were kept or when they are of another processor (model,
/// cores or instruction sets differ), since those would be wrong here.
/// Errors: BadInput for a file that is damaged or of a newer version; Io when it cannot be read.
[[nodiscard]] Result<std::optional<Machine>> loadCalibration(const Machine& machine);

}  // namespace plumb
