// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/opening/file_kind.h"

#include <cstdint>
#include <string>
#include <vector>

namespace plumb::cli {

/// What `open` was asked for.
struct OpenRequest {
    std::string file;
    bool json = false;
    std::int64_t top = 10;  ///< rows of each list
};

/// A kind of file that `open` reads.
struct OpenFormat {
    FileKind kind{};
    Result<void> (*open)(const OpenRequest&);  ///< reads the file and prints what is in it
};

/// How to open a file of this kind.
[[nodiscard]] const OpenFormat& openFormat(FileKind kind);

[[nodiscard]] Result<void> openMemorySnapshot(const OpenRequest& request);
[[nodiscard]] Result<void> openStepFile(const OpenRequest& request);
[[nodiscard]] Result<void> openSnapshot(const OpenRequest& request);
[[nodiscard]] Result<void> openKernelReport(const OpenRequest& request);
[[nodiscard]] Result<void> openNsysTrace(const OpenRequest& request);
[[nodiscard]] Result<void> openTrace(const OpenRequest& request);
/// Traces of the ranks of one job; `request.file` is not used.
[[nodiscard]] Result<void> openRanks(const std::vector<std::string>& files, const OpenRequest& request);

}  // namespace plumb::cli
