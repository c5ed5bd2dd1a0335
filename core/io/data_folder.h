// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_lock.h"

#include <string>
#include <string_view>

namespace plumb {

/// Where this user's calibrations and own data sheets are kept: $XDG_DATA_HOME/plumbline, or
/// ~/.local/share/plumbline. Empty when neither the environment nor the user database names a home.
[[nodiscard]] std::string dataFolder();

/// Makes the folder of `path`, a file inside the data folder. `what` is for the message when there is no
/// home: "the calibration". Errors: Io.
[[nodiscard]] Result<void> makeDataFolder(const std::string& path, std::string_view what);

/// A lock to hold from the reading of the file `path` inside the data folder until its changed content is
/// written, so that of two programs that change it none undoes what the other did. Errors: as
/// makeDataFolder(), and those of FileLock.
[[nodiscard]] Result<FileLock> lockInDataFolder(const std::string& path, std::string_view what);

/// Writes `content` to the file `path` inside the data folder, which is made when it is not there; the file
/// appears whole or not at all. Errors: Io, as makeDataFolder().
[[nodiscard]] Result<void> keepInDataFolder(const std::string& path, std::string_view content,
                                            std::string_view what);

}  // namespace plumb
