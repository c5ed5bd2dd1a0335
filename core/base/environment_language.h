// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace plumb {

/// What the environment asks programs to speak (LC_ALL, LC_MESSAGES, LANG), without its character set:
/// "zh_CN", "C"; empty where it asks for nothing.
[[nodiscard]] std::string_view languageOfEnvironment();

}  // namespace plumb
