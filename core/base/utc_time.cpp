// SPDX-License-Identifier: Apache-2.0
#include "core/base/utc_time.h"

#include <ctime>

namespace plumb {

std::string nowInUtc() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

}  // namespace plumb
