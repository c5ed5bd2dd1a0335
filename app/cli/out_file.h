// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/base/result.h"
#include "core/snapshot/snapshot.h"

#include <string>
#include <vector>

namespace plumb::cli {

/// Refuses now what would fail after hours of training: a missing or read-only folder, a path that is a
/// folder or a socket, a device or pipe without permission. Touches only a temporary file beside
/// `path`, which is removed. Errors: Io with the path, the reason and the remedy.
[[nodiscard]] Result<void> checkWritable(const std::string& path);

/// A file that a command reads or writes, and the option that names it.
struct NamedFile {
    std::string option;
    std::string path;
};
/// What a RUN reads beside its options: --config, --data, --targets.
[[nodiscard]] std::vector<NamedFile> filesOf(const Arguments& arguments, const RunConfig& config);
/// checkWritable() of what `output` names. Errors: also BadInput where it is one of `others`, by whatever
/// path or link: it would be gone.
[[nodiscard]] Result<void> checkOutput(const NamedFile& output, const std::vector<NamedFile>& others);

/// Writes a finished run. When `path` fails, a copy goes into a new folder of this user's among the
/// temporary files, so that the run is not lost, and the Io error names the copy.
[[nodiscard]] Result<void> saveRun(const std::string& path, const Snapshot& snapshot);

}  // namespace plumb::cli
