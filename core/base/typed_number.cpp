// SPDX-License-Identifier: Apache-2.0
#include "core/base/typed_number.h"

#include "core/base/ascii.h"

#include <fmt/format.h>

namespace plumb {
namespace {

NumberStyle withDecimal(std::string_view mark) { return {.decimal = std::string(mark)}; }

/// A number with a decimal point as the style writes it, without zeros at its end: "2", "2,5k".
std::string decimalText(const std::string& plain, const NumberStyle& style) {
    std::size_t end = plain.find('.') + 1;
    while (end < plain.size() && isDigit(plain[end])) ++end;
    std::string text = plain.substr(0, end);
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
    return localNumber(text + plain.substr(end), style);
}

/// A number of four to six digits with the style's mark before the last three.
std::string groupedText(const std::string& plain, const NumberStyle& style) {
    constexpr std::size_t kGroup = 3;
    std::size_t end = plain.find_first_of("0123456789");
    while (end < plain.size() && isDigit(plain[end])) ++end;
    std::string text = plain;
    text.insert(end - kGroup, style.groupInProse());
    return localNumber(text, style);
}

/// The number with another fraction, which is none of zeros.
std::string withHalf(std::string plain) {
    std::size_t at = plain.find('.') + 1;
    for (; at < plain.size() && isDigit(plain[at]); ++at) plain[at] = '5';
    return plain;
}

}  // namespace

std::vector<std::string> numberReadings(std::string_view typed, const TakesNumber& isTaken,
                                        const NumberStyle& style) {
    const std::string ofStyle = plainNumber(typed, style);
    const bool isComma = style.decimal == ",";
    const std::string other = plainNumber(typed, withDecimal(isComma ? "." : ","));
    if (ofStyle == other) return {ofStyle};
    const bool isDecimalMark = ofStyle.find('.') != std::string::npos;
    const std::string& decimal = isDecimalMark ? ofStyle : other;
    const std::string& grouped = isDecimalMark ? other : ofStyle;
    if (isTaken(withHalf(decimal))) {
        const bool isPrinted = isDecimalMark || style.group == ".";
        const bool isEither = isComma && !isPrinted && isTaken(decimal) && isTaken(grouped);
        return isEither ? std::vector{decimal, grouped} : std::vector{ofStyle};
    }
    if (!isTaken(grouped)) return {ofStyle};
    const bool isEither = isDecimalMark && isTaken(decimal);
    return isEither ? std::vector{decimal, grouped} : std::vector{grouped};
}

Result<std::string> oneNumber(std::string_view typed, const TakesNumber& isTaken, const NumberStyle& style) {
    const std::vector<std::string> readings = numberReadings(typed, isTaken, style);
    if (readings.size() == 1) return readings.front();
    return badInput(fmt::format("\"{}\" can be read as two numbers", typed),
                    fmt::format("write {} or {}", decimalText(readings.front(), style),
                                groupedText(readings.back(), style)));
}

}  // namespace plumb
