// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <array>
#include <string>
#include <string_view>

namespace plumb::test {

/// Why an error is not what people can read and act upon, as core/base/result.h promises it; empty: it is.
/// Whoever shows it makes the first letter a capital and puts the full stop, so that neither may be there.
[[nodiscard]] inline std::string faultOf(const Error& error) {
    if (error.message.empty()) return "says nothing";
    if (error.hint.empty()) return "names no remedy";
    constexpr std::string_view kSpace = " \t\n";
    for (const std::string_view part : {std::string_view(error.message), std::string_view(error.hint)}) {
        const bool isEllipsis = part.ends_with("...");  // a value of expressions
        if (!isEllipsis && std::string_view(".:;,").find(part.back()) != std::string_view::npos)
            return "ends with a stop";
        if (kSpace.find(part.front()) != std::string_view::npos ||
            kSpace.find(part.back()) != std::string_view::npos)
            return "begins or ends with space";
    }
    // A library's own words, and what only its authors can read.
    constexpr std::array<std::string_view, 4> kForeign{"exception.", "bad_alloc",
                                                       "basic_string::", "what():"};
    for (const std::string_view word : kForeign)
        if (error.text().find(word) != std::string::npos) return "speaks of " + std::string(word);
    return {};
}

}  // namespace plumb::test
