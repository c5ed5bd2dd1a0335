// SPDX-License-Identifier: Apache-2.0
#include "core/lab/format_text.h"

#include <fmt/format.h>

#include <cmath>

namespace plumb::lab {
namespace {

constexpr int kMostDoubleDigits = 767;  // of the longest decimal expansion that a double has

int digitOf(char c, int base) {
    int digit = -1;
    if (c >= '0' && c <= '9') digit = c - '0';
    if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
    return digit < base ? digit : -1;
}

}  // namespace

std::string bitsText(const NumberFormat& format, std::uint64_t code) {
    std::string text;
    for (int bit = format.bits() - 1; bit >= 0; --bit) {
        text += (code >> static_cast<unsigned>(bit)) & 1U ? '1' : '0';
        const bool afterSign = bit == format.bits() - 1;
        if (bit > 0 && (afterSign || bit == format.mantissaBits)) text += ' ';
    }
    return text;
}

std::string codeText(const NumberFormat& format, std::uint64_t code) {
    return fmt::format("0x{:0{}X}", code, (format.bits() + 3) / 4);
}

Result<std::uint64_t> parseCode(const NumberFormat& format, std::string_view text) {
    std::string_view rest = text;
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    int base = 16;
    if (rest.size() > 2 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'X')) rest.remove_prefix(2);
    // "0b01" could be hexadecimal as well; nobody writes a leading zero before a hexadecimal b.
    else if (rest.size() > 2 && rest[0] == '0' && (rest[1] == 'b' || rest[1] == 'B')) {
        base = 2;
        rest.remove_prefix(2);
    }
    std::uint64_t code = 0;
    bool any = false;
    for (const char c : rest) {
        if (c == ' ' || c == '_') continue;
        const int digit = digitOf(c, base);
        if (digit < 0)
            return Error{ErrorCode::BadInput, fmt::format("not a code of {} ({})", format.label, text),
                         fmt::format("write it like {} or 0b0101", codeText(format, format.largestCode()))};
        any = true;
        const bool lost = code > (~std::uint64_t{0} >> (base == 16 ? 4U : 1U));
        code = code * static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(digit);
        if (lost || (format.bits() < 64 && (code >> static_cast<unsigned>(format.bits())) != 0))
            return Error{ErrorCode::BadInput, fmt::format("too many bits for {} ({})", format.label, text),
                         fmt::format("it has {}", format.bits())};
    }
    if (!any)
        return Error{ErrorCode::BadInput, fmt::format("not a code of {} ({})", format.label, text),
                     fmt::format("write it like {} or 0b0101", codeText(format, format.largestCode()))};
    return code;
}

std::string numberText(double number) {
    if (std::isnan(number)) return "NaN";
    if (std::isinf(number)) return number > 0 ? "∞" : "−∞";
    return fmt::format("{}", number);
}

std::string exactText(double number, int mostDigits) {
    if (!std::isfinite(number)) return numberText(number);
    std::string text = fmt::format("{:.{}g}", number, kMostDoubleDigits);
    std::size_t exponent = text.find('e');
    if (exponent == std::string::npos) exponent = text.size();
    int digits = 0;
    bool leading = true;
    for (std::size_t i = 0; i < exponent; ++i) {
        if (text[i] < '0' || text[i] > '9') continue;
        leading = leading && text[i] == '0';
        if (!leading && ++digits > mostDigits) {
            if (text.find('.') > i) return fmt::format("{:.{}e}…", number, mostDigits - 1);
            return text.substr(0, i) + "…" + text.substr(exponent);
        }
    }
    return text;
}

}  // namespace plumb::lab
