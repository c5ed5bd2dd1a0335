// SPDX-License-Identifier: Apache-2.0
#include "app/cli/out_file.h"

#include "core/io/system_error.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace plumb::cli {

Result<void> checkWritable(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    // Written directly and never replaced, so their folder does not matter.
    if (fs::is_character_file(status) || fs::is_block_file(status) || fs::is_fifo(status)) {
        if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0) return {};
        return Error{ErrorCode::Io, fmt::format("cannot write to {} ({})", path, systemReason(errno)),
                     "give another place"};
    }
    if (path.empty() || (fs::exists(status) && !fs::is_regular_file(status)))
        return Error{ErrorCode::Io, fmt::format("cannot write a file there ({})", path), "give a file name"};
    const fs::path folder = fs::path(path).parent_path();
    std::string probe = ((folder.empty() ? fs::path(".") : folder) / ".plumbline-XXXXXX").string();
    const int descriptor = mkstemp(probe.data());
    if (descriptor < 0)
        return Error{ErrorCode::Io,
                     fmt::format("cannot write to the folder of {} ({})", path, systemReason(errno)),
                     "give a file in a folder that exists and can be written"};
    close(descriptor);
    unlink(probe.c_str());
    return {};
}

Result<void> saveRun(const std::string& path, const Snapshot& snapshot) {
    auto written = writeSnapshot(path, snapshot);
    if (written.has_value()) return written;
    Error error = written.error();
    std::error_code none;
    const auto folder = std::filesystem::temp_directory_path(none);
    if (none) return error;
    const std::string copy = (folder / fmt::format("plumbline-unsaved-{}.plumb", getpid())).string();
    if (writeSnapshot(copy, snapshot).has_value()) error.hint = fmt::format("the run was kept in {}", copy);
    return error;
}

}  // namespace plumb::cli
