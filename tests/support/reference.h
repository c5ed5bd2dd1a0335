// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace plumb::test {

/// Returns a committed file of tests/data, "torch/losses.json", which an oracle wrote. Throws when it is
/// damaged.
[[nodiscard]] nlohmann::json referenceFile(const std::string& name);

}  // namespace plumb::test
