// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace plumb {

/// The lines of a text that are not empty, such as the values of an option that was given several times.
[[nodiscard]] inline std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (end > begin) lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

}  // namespace plumb
