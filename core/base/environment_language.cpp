// SPDX-License-Identifier: Apache-2.0
#include "core/base/environment_language.h"

#include <cstdlib>

namespace plumb {

std::string_view languageOfEnvironment() {
    for (const char* const name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const char* const value = getenv(name);
        if (value == nullptr || *value == '\0') continue;
        const std::string_view asked = value;
        return asked.substr(0, asked.find_first_of(".@"));
    }
    return {};
}

}  // namespace plumb
