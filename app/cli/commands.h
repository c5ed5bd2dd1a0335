// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"

#include <vector>

namespace plumb::cli {

[[nodiscard]] CommandSpec devicesCommand();
[[nodiscard]] CommandSpec deviceCommand();
[[nodiscard]] CommandSpec predictCommand();
[[nodiscard]] CommandSpec profileCommand();
[[nodiscard]] CommandSpec proveCommand();
[[nodiscard]] CommandSpec trainCommand();
[[nodiscard]] CommandSpec calibrateCommand();
[[nodiscard]] CommandSpec checkPredictionCommand();
[[nodiscard]] CommandSpec openCommand();
[[nodiscard]] CommandSpec exportCommand();
[[nodiscard]] CommandSpec importCommand();
[[nodiscard]] CommandSpec compareCommand();
[[nodiscard]] CommandSpec checkCommand();
[[nodiscard]] CommandSpec findingsCommand();
[[nodiscard]] CommandSpec dtypeCommand();
[[nodiscard]] CommandSpec einsumCommand();
[[nodiscard]] CommandSpec tensorCommand();
[[nodiscard]] CommandSpec planCommand();
[[nodiscard]] CommandSpec countersCommand();
[[nodiscard]] CommandSpec engineCommand();
[[nodiscard]] CommandSpec thumbnailCommand();
[[nodiscard]] CommandSpec interfaceCommand();

/// All of them, in the order of --help.
[[nodiscard]] std::vector<CommandSpec> allCommands();

}  // namespace plumb::cli
