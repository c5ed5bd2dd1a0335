// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_report/metric_number.h"

#include "core/base/ascii.h"

#include <charconv>
#include <cmath>
#include <string>
#include <utility>

namespace plumb {

namespace {

constexpr std::size_t kLongestNumber = 64;

/// Blanks (also the narrow and the fixed one) and apostrophes group digits in some languages.
std::string withoutBlanks(std::string_view number) {
    std::string digits;
    for (std::size_t i = 0; i < number.size(); ++i) {
        const std::string_view rest = number.substr(i);
        if (rest.starts_with("\xC2\xA0")) {
            i += 1;
        } else if (rest.starts_with("\xE2\x80\xAF") || rest.starts_with("\xE2\x80\x99")) {
            i += 2;
        } else if (number[i] != ' ' && number[i] != '\'') {
            digits += number[i];
        }
    }
    return digits;
}

bool areDigits(std::string_view text) {
    for (const char c : text)
        if (!isDigit(c)) return false;
    return !text.empty();
}

/// "1,234,567" by groups of three; the first has one to three digits.
bool areGroups(std::string_view whole, char between) {
    std::size_t at = whole.find(between);
    if (at == std::string_view::npos) return areDigits(whole);
    if (at > 3 || !areDigits(whole.substr(0, at))) return false;
    while (at < whole.size()) {
        if (whole[at] != between || !areDigits(whole.substr(at + 1, 3)) || whole.size() < at + 4)
            return false;
        at += 4;
    }
    return true;
}

struct Prefix {
    std::string_view text;
    double scale;
};
constexpr Prefix kPrefixes[]{{"n", 1e-9}, {"u", 1e-6}, {"m", 1e-3}, {"", 1},
                             {"K", 1e3},  {"M", 1e6},  {"G", 1e9},  {"T", 1e12}};

std::optional<double> partScale(std::string_view unit, std::string_view& base) {
    constexpr std::pair<std::string_view, std::string_view> kBases[]{
        {"byte", "byte"}, {"B", "byte"},  {"second", "second"}, {"s", "second"}, {"hz", "hz"}, {"Hz", "hz"},
        {"inst", ""},     {"sector", ""}, {"cycle", "cycle"},   {"warp", ""},    {"", ""}};
    for (const auto& [text, measures] : kBases)
        for (const Prefix& prefix : kPrefixes) {
            if (unit.size() != prefix.text.size() + text.size() || !unit.starts_with(prefix.text) ||
                !unit.ends_with(text))
                continue;
            base = measures;
            return prefix.scale;
        }
    return std::nullopt;
}

}  // namespace

DecimalSign decimalSignOf(std::string_view number) {
    const std::string text = withoutBlanks(number);
    const std::size_t point = text.rfind('.');
    const std::size_t comma = text.rfind(',');
    if (point != std::string::npos && comma != std::string::npos)
        return point > comma ? DecimalSign::Point : DecimalSign::Comma;
    const std::size_t only = point != std::string::npos ? point : comma;
    if (only == std::string::npos) return DecimalSign::Unknown;
    const DecimalSign itself = text[only] == '.' ? DecimalSign::Point : DecimalSign::Comma;
    const DecimalSign other = text[only] == '.' ? DecimalSign::Comma : DecimalSign::Point;
    if (text.find(text[only]) != only) return other;  // there are two of it: they group
    const std::string_view whole = std::string_view(text).substr(0, only);
    const bool mayGroup =
        text.size() - only == 4 && !whole.empty() && whole.size() <= 3 && whole != "0" && whole != "-0";
    return mayGroup ? DecimalSign::Unknown : itself;
}

std::optional<double> metricNumber(std::string_view number, DecimalSign decimal) {
    if (number.size() > kLongestNumber) return std::nullopt;
    std::string text = withoutBlanks(trimmed(number));
    const bool isNegative = text.starts_with('-');
    if (isNegative) text.erase(0, 1);
    const char sign = decimal == DecimalSign::Comma ? ',' : '.';
    const char group = decimal == DecimalSign::Comma ? '.' : ',';
    std::size_t power = text.find_first_of("eE");
    if (power == std::string::npos) power = text.size();
    const std::size_t end = std::min(text.find(sign), power);
    if (!areGroups(std::string_view(text).substr(0, end), group)) return std::nullopt;
    std::string plain;
    for (const char c : std::string_view(text).substr(0, end))
        if (c != group) plain += c;
    if (end < text.size()) plain += text.substr(end);
    if (end < power) plain[plain.size() - (text.size() - end)] = '.';
    double value = 0;
    const auto [stop, problem] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    if (problem != std::errc() || stop != plain.data() + plain.size() || !std::isfinite(value))
        return std::nullopt;
    return isNegative ? -value : value;
}

std::optional<double> unitScale(std::string_view unit, std::string_view& base) {
    const std::size_t slash = unit.find('/');
    const auto above = partScale(unit.substr(0, slash), base);
    if (slash == std::string_view::npos || !above) return above;
    const std::string_view what = base;
    std::string_view per;
    const auto below = partScale(unit.substr(slash + 1), per);
    if (!below) return std::nullopt;
    if (per == "second")
        base = what == "byte" ? "byte/second" : what == "cycle" ? "hz" : "1/second";
    else
        base = per == "cycle" ? "1/cycle" : "other";
    return *above / *below;
}

}  // namespace plumb
