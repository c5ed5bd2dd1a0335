// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"

#include <string>
#include <vector>

namespace plumb::cli {

/// What bash completes behind "plumbline-cli", as a script that needs nothing but bash.
[[nodiscard]] std::string bashCompletion(const std::vector<CommandSpec>& commands);

/// The same for zsh, as a file _plumbline-cli among its functions.
[[nodiscard]] std::string zshCompletion(const std::vector<CommandSpec>& commands);

}  // namespace plumb::cli
