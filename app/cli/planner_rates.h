// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/planner/counted_rate.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace plumb::cli {

/// A measured rate as people give it, in TFLOP/s of one device.
[[nodiscard]] OptionSpec rateOfDeviceOption();
[[nodiscard]] Result<void> setRateOfDevice(const Arguments& arguments, planner::Scenario& scenario);

/// What a rate is by each way of counting FLOPs.
[[nodiscard]] std::string countedText(const std::vector<planner::CountedRate>& rates);
[[nodiscard]] nlohmann::json countedJson(const std::vector<planner::CountedRate>& rates);

}  // namespace plumb::cli
