// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace plumb {

/// "plumbline 0.1.0 (abc1234)".
[[nodiscard]] std::string programVersion();

}  // namespace plumb
