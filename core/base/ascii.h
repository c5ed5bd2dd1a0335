// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace plumb {

// Letters and digits of ASCII, whatever the locale: ids, keywords and numbers of files are written in them.

[[nodiscard]] constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// What a name in code is made of.
[[nodiscard]] constexpr bool isNameCharacter(char c) { return isLetter(c) || isDigit(c) || c == '_'; }
[[nodiscard]] constexpr char lowerCase(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] inline std::string lowerCase(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = lowerCase(c);
    return lower;
}

/// Whether both are the same text but for upper and lower case.
[[nodiscard]] inline bool sameLetters(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lowerCase(x) == lowerCase(y); });
}

/// Returns the text without the blanks at both ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n") {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Returns the id of a name: its letters and digits in lower case, a hyphen between its words.
[[nodiscard]] inline std::string idOfName(std::string_view name) {
    std::string id;
    for (const char c : name) {
        if (isLetter(c) || isDigit(c))
            id += lowerCase(c);
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    while (id.ends_with('-')) id.pop_back();
    return id;
}

}  // namespace plumb
