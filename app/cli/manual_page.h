// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"

#include <string>
#include <vector>

namespace plumb::cli {

/// plumbline-cli(1) in the language of man pages (man(7)), made of the same lists as --help.
[[nodiscard]] std::string manualPage(const std::vector<CommandSpec>& commands);

}  // namespace plumb::cli
