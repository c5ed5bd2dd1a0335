// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/snapshot.h"

#include <string>

namespace plumb::cli {

/// Refuses now what would fail after hours of training: a missing or read-only folder, a path that is a
/// folder or a socket, a device or pipe without permission. Touches nothing but a temporary file beside
/// `path`, which is removed. Errors: Io with the path, the reason and the remedy.
[[nodiscard]] Result<void> checkWritable(const std::string& path);

/// Writes a finished run. When `path` fails, a copy goes into a new folder of this user's among the
/// temporary files, so that the run is not lost, and the Io error names the copy.
[[nodiscard]] Result<void> saveRun(const std::string& path, const Snapshot& snapshot);

}  // namespace plumb::cli
