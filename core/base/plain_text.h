// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace plumb {

/// Whether a byte of UTF-8 goes on with the character before it.
[[nodiscard]] constexpr bool continuesCharacter(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}
/// Whether a character of Chinese, or of its full-width punctuation, begins with this byte of UTF-8.
[[nodiscard]] constexpr bool isWideLead(char byte) {
    constexpr unsigned char kFirst = 0xE3, kLast = 0xE9, kFullWidth = 0xEF;
    const auto lead = static_cast<unsigned char>(byte);
    return (lead >= kFirst && lead <= kLast) || lead == kFullWidth;
}
[[nodiscard]] constexpr bool endsWide(std::string_view text) {
    constexpr std::size_t kBytes = 3;
    return text.size() >= kBytes && isWideLead(text[text.size() - kBytes]);
}
/// Adds to a text. Blanks stand around what is put into Chinese, but not where that is Chinese itself.
void appendTight(std::string& text, std::string_view more);
/// Returns the whole of the first character of a text in UTF-8, which is not empty.
[[nodiscard]] constexpr std::string_view firstCharacter(std::string_view text) {
    std::size_t end = 1;
    while (end < text.size() && continuesCharacter(text[end])) ++end;
    return text.substr(0, end);
}

/// Returns the beginning of a text in UTF-8: no more than `most` bytes of it, and no half of a character.
[[nodiscard]] constexpr std::string_view beginningOf(std::string_view text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && continuesCharacter(text[most])) --most;
    return text.substr(0, most);
}

/// Text as it may go to a terminal or into a table, whoever wrote it: control characters, and those that turn
/// the direction of text or cannot be seen, stand as "\u001b"; bytes that are not UTF-8 become U+FFFD. Line
/// breaks (also CRLF) and tabs stay. JSON keeps its meaning, since such characters stand in its texts alone.
[[nodiscard]] std::string plainText(std::string_view text);

/// The text with U+FFFD for bytes that are not UTF-8, and nothing else changed: for formats that say how long
/// a text is.
[[nodiscard]] std::string validText(std::string_view text);

/// Text as plainText() has it, in one line of at most `most` characters, an ellipsis for what is cut.
[[nodiscard]] std::string plainLine(std::string_view text, std::size_t most = 300);

}  // namespace plumb
