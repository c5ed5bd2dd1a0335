// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace plumb::cli {

/// What `open` was asked for.
struct OpenRequest {
    std::string file;
    bool json = false;
    std::int64_t top = 10;  ///< rows of each list
};

/// A kind of file that `open` reads.
struct OpenFormat {
    std::string_view what;                     ///< "a trace of PyTorch's profiler ...", for messages
    bool (*begins)(std::string_view start);    ///< whether a file that begins so is of this kind
    Result<void> (*open)(const OpenRequest&);  ///< reads the file and prints what is in it
};

/// How much of a file `begins` sees.
inline constexpr std::size_t kOpenStartBytes = 65'536;

/// All kinds; of two that know a file the first opens it.
[[nodiscard]] std::span<const OpenFormat> openFormats();

[[nodiscard]] Result<void> openMemorySnapshot(const OpenRequest& request);
[[nodiscard]] bool looksLikeSnapshot(std::string_view start);
[[nodiscard]] Result<void> openStepFile(const OpenRequest& request);
[[nodiscard]] Result<void> openSnapshot(const OpenRequest& request);
[[nodiscard]] Result<void> openKernelReport(const OpenRequest& request);
[[nodiscard]] Result<void> openNsysTrace(const OpenRequest& request);
[[nodiscard]] Result<void> openTrace(const OpenRequest& request);

}  // namespace plumb::cli
