// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace plumb::cli {

struct ModuleFile {
    std::string path;      ///< empty: it is nowhere
    bool isNamed = false;  ///< by the environment
};

/// Where a module of this program is: where the environment variable says ("none": nowhere), or else beside
/// the program and in ../lib*/plumbline.
[[nodiscard]] ModuleFile findModule(const char* file, const char* variable);

}  // namespace plumb::cli
