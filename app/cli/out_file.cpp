// SPDX-License-Identifier: Apache-2.0
#include "app/cli/out_file.h"

#include "core/io/file.h"
#include "core/io/system_error.h"
#include "core/model/data_path.h"

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
        return Error{ErrorCode::Io, fmt::format("cannot write to {:s} ({})", path, systemReason(errno)),
                     "give another place"};
    }
    if (path.empty() || (fs::exists(status) && !fs::is_regular_file(status)))
        return Error{ErrorCode::Io, fmt::format("cannot write a file there ({:s})", path),
                     "give a file name"};
    // What is not committed leaves nothing behind.
    PLUMB_TRY(const AtomicFile probe, AtomicFile::create(path));
    return {};
}

std::vector<NamedFile> filesOf(const Arguments& arguments, const RunConfig& config) {
    std::vector<NamedFile> files;
    if (arguments.has("config")) files.push_back({"--config", arguments.text("config")});
    if (config.readsFiles()) {
        files.push_back({"--data", parseDataPath(config.data).file});
        files.push_back({"--targets", parseDataPath(config.targets).file});
    }
    return files;
}

Result<void> checkOutput(const NamedFile& output, const std::vector<NamedFile>& others) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::file_status status = fs::status(output.path, ignored);
    if (!fs::exists(status) || fs::is_regular_file(status))  // a device or a pipe holds nothing to lose
        for (const NamedFile& other : others) {
            if (other.path.empty()) continue;
            if (fs::equivalent(output.path, other.path, ignored) ||
                fs::weakly_canonical(output.path, ignored) == fs::weakly_canonical(other.path, ignored))
                return Error{ErrorCode::BadInput,
                             fmt::format("{:s} would replace the file of {} ({:s})", output.option,
                                         other.option, output.path),
                             "give another name"};
        }
    return checkWritable(output.path);
}

namespace {

/// In a new folder that nobody else can enter: names in a folder that all may write can be guessed, and a
/// link that somebody put there first would be followed.
Result<std::string> keepCopy(const Snapshot& snapshot) {
    namespace fs = std::filesystem;
    std::error_code problem;
    const fs::path temporary = fs::temp_directory_path(problem);
    if (problem) return Error{ErrorCode::Io, "there is no folder for temporary files", "set TMPDIR"};
    std::string folder = (temporary / "plumbline-unsaved-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) return systemError("make the folder", folder, errno);
    const std::string copy = (fs::path(folder) / "run.plumb").string();
    const auto written = writeSnapshot(copy, snapshot);
    if (written.has_value()) return copy;
    fs::remove(folder, problem);
    return written.error();
}

}  // namespace

Result<void> saveRun(const std::string& path, const Snapshot& snapshot) {
    auto written = writeSnapshot(path, snapshot);
    if (written.has_value()) return written;
    Error error = written.error();
    if (const auto copy = keepCopy(snapshot); copy.has_value())
        error.hint = fmt::format("the run was kept in {:s}", *copy);
    return error;
}

}  // namespace plumb::cli
