// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <string_view>
#include <unistd.h>

namespace plumb::cli {

/// Writes all of it, however slowly it is read; false when nobody reads any more. SIGPIPE is the caller's.
[[nodiscard]] inline bool writeAll(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace plumb::cli
