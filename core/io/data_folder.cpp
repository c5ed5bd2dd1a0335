// SPDX-License-Identifier: Apache-2.0
#include "core/io/data_folder.h"

#include "core/io/file.h"
#include "core/io/system_error.h"

#include <cstdlib>
#include <filesystem>
#include <pwd.h>
#include <unistd.h>

namespace plumb {

std::string dataFolder() {
    // The specification asks to ignore a relative path.
    if (const char* set = std::getenv("XDG_DATA_HOME"); set != nullptr && set[0] == '/')
        return std::string(set) + "/plumbline";
    const char* home = std::getenv("HOME");
    if (home == nullptr || home[0] == '\0') {
        const passwd* user = ::getpwuid(::getuid());
        home = user != nullptr ? user->pw_dir : nullptr;
    }
    return home != nullptr && home[0] != '\0' ? std::string(home) + "/.local/share/plumbline" : std::string();
}

Result<void> makeDataFolder(const std::string& path, std::string_view what) {
    if (path.empty())
        return Error{ErrorCode::Io, "there is no folder to keep " + std::string(what) + " in",
                     "set HOME or XDG_DATA_HOME"};
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem) return systemError("create the folder", folder.string(), problem.value());
    return {};
}

Result<FileLock> lockInDataFolder(const std::string& path, std::string_view what) {
    PLUMB_CHECK(makeDataFolder(path, what));
    return FileLock::acquire(path + ".lock");
}

Result<void> keepInDataFolder(const std::string& path, std::string_view content, std::string_view what) {
    PLUMB_CHECK(makeDataFolder(path, what));
    return writeFileAtomically(path, content);
}

}  // namespace plumb
