// SPDX-License-Identifier: Apache-2.0
#include "app/cli/module_file.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace plumb::cli {

ModuleFile findModule(const char* file, const char* variable) {
    if (const char* path = std::getenv(variable); path != nullptr && path[0] != '\0')
        return {std::string_view(path) == "none" ? std::string() : std::string(path), true};
    std::error_code problem;
    const std::filesystem::path folder =
        std::filesystem::read_symlink("/proc/self/exe", problem).parent_path();
    if (!folder.is_absolute()) return {};  // nobody knows: the current folder is no place to load code from
    std::vector<std::filesystem::path> places{folder};
    for (const char* library : {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"})
        places.push_back(folder / ".." / library / "plumbline");
    for (const std::filesystem::path& place : places)
        if (std::filesystem::exists(place / file, problem)) return {(place / file).string(), false};
    return {};
}

}  // namespace plumb::cli
