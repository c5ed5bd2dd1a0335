// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/run_config.h"

#include <optional>

namespace plumb {

/// The loss that the best possible model reaches on synthetic data, noise²; absent for data of files, whose
/// noise nobody knows, for one batch again and again, whose noise can be learned, and without noise.
[[nodiscard]] std::optional<double> noiseFloor(const RunConfig& config);

}  // namespace plumb
