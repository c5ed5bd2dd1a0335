// SPDX-License-Identifier: Apache-2.0
#include "core/base/plain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace plumb {

namespace {

constexpr char32_t kReplacement = 0xfffd;

/// The code point at the front of `text`, which is taken; U+FFFD, and one byte taken, for what is not UTF-8.
char32_t takeCodePoint(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t first = byte(0);
    const std::size_t length = first < 0x80U   ? 1
                               : first < 0xc2U ? 0
                               : first < 0xe0U ? 2
                               : first < 0xf0U ? 3
                               : first < 0xf5U ? 4
                                               : 0;
    char32_t point = length <= 1 ? first : first & (0x7fU >> length);
    bool isGood = length > 0 && length <= text.size();
    for (std::size_t i = 1; isGood && i < length; ++i) {
        isGood = (byte(i) & 0xc0U) == 0x80U;
        point = (point << 6U) | (byte(i) & 0x3fU);
    }
    const bool isOverlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
    isGood = isGood && !isOverlong && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    text.remove_prefix(isGood ? length : 1);
    return isGood ? point : kReplacement;
}

/// Controls of the terminal, of the direction of text, and what has no width.
bool isHidden(char32_t point) {
    return point < 0x20 || (point >= 0x7f && point <= 0x9f) || point == 0xad || point == 0x61c ||
           (point >= 0x200b && point <= 0x200f) || (point >= 0x2028 && point <= 0x202e) ||
           (point >= 0x2060 && point <= 0x206f) || point == 0xfeff;
}

bool isPlainAscii(char c) { return c >= 0x20 && c < 0x7f; }

bool beginsWide(std::string_view text) { return !text.empty() && isWideLead(text.front()); }

}  // namespace

void appendTight(std::string& text, std::string_view more) {
    const bool isBlankBehind =
        text.ends_with(' ') && endsWide(std::string_view(text).substr(0, text.size() - 1));
    if (isBlankBehind && beginsWide(more)) text.pop_back();
    if (more.starts_with(' ') && beginsWide(more.substr(1)) && endsWide(text)) more.remove_prefix(1);
    text += more;
}

std::string plainText(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const auto end = std::ranges::find_if_not(text, isPlainAscii);
        const auto length = static_cast<std::size_t>(end - text.begin());
        result += text.substr(0, length);
        text.remove_prefix(length);
        if (text.empty()) break;
        const std::string_view before = text;
        const char32_t point = takeCodePoint(text);
        const bool breaksLine = point == '\n' || (point == '\r' && text.starts_with('\n'));
        if (isHidden(point) && !breaksLine && point != '\t')
            fmt::format_to(std::back_inserter(result), "\\u{:04x}", static_cast<std::uint32_t>(point));
        else if (point == kReplacement)
            result += "\xef\xbf\xbd";
        else
            result += before.substr(0, before.size() - text.size());
    }
    return result;
}

std::string validText(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::string_view before = text;
        if (takeCodePoint(text) == kReplacement)
            result += "\xef\xbf\xbd";
        else
            result += before.substr(0, before.size() - text.size());
    }
    return result;
}

std::string plainLine(std::string_view text, std::size_t most) {
    std::string result;
    std::size_t count = 0;
    // A character takes 4 bytes at most, so what lies beyond is not looked at.
    std::string plain = plainText(text.substr(0, 4 * (most + 1)));
    for (std::string_view rest = plain; !rest.empty(); ++count) {
        const std::string_view before = rest;
        const char32_t point = takeCodePoint(rest);
        if (count == most) return result + "…";
        if (point == '\n' || point == '\t' || point == '\r')
            result += point == '\n' ? "\\n" : point == '\t' ? "\\t" : "\\r";
        else
            result += before.substr(0, before.size() - rest.size());
    }
    return result;
}

}  // namespace plumb
