// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumb::test {

/// Bytes as hexadecimal digits, as tests have the files that they expect.
[[nodiscard]] inline std::string hex(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const char byte : bytes) {
        text += kDigits[static_cast<std::uint8_t>(byte) >> 4U];
        text += kDigits[static_cast<std::uint8_t>(byte) & 15U];
    }
    return text;
}

}  // namespace plumb::test
