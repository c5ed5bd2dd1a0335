// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace plumb {

/// Where this user's calibrations and device records are kept: $XDG_DATA_HOME/plumbline, or
/// ~/.local/share/plumbline. Empty when neither the environment nor the user database names a home.
[[nodiscard]] std::string dataFolder();

/// Writes `content` to the file `path` inside the data folder, which is made when it is not there; the file
/// appears whole or not at all. `what` is for the message when there is no home: "the calibration".
/// Errors: Io.
[[nodiscard]] Result<void> keepInDataFolder(const std::string& path, std::string_view content,
                                            std::string_view what);

}  // namespace plumb
