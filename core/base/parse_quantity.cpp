// SPDX-License-Identifier: Apache-2.0
#include "core/base/ascii.h"
#include "core/base/byte_units.h"
#include "core/base/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace plumb {
namespace {

struct Prefix {
    std::string_view text;
    int tens = 0;
    int twos = 0;
};
/// The binary ones first, so that "Ki" is not read as "K" and an "i" that nobody knows.
constexpr std::array kPrefixes{
    Prefix{"Ki", 0, 10}, Prefix{"Mi", 0, 20}, Prefix{"Gi", 0, 30}, Prefix{"Ti", 0, 40}, Prefix{"Pi", 0, 50},
    Prefix{"p", -12},    Prefix{"n", -9},     Prefix{"µ", -6},     Prefix{"μ", -6},     Prefix{"u", -6},
    Prefix{"m", -3},     Prefix{"k", 3},      Prefix{"M", 6},      Prefix{"G", 9},      Prefix{"T", 12},
    Prefix{"P", 15},     Prefix{"E", 18},     Prefix{"Z", 21},     Prefix{"Y", 24}};
constexpr int kLargestExponent = 400;

/// Other spellings of a unit that people write.
struct Spelling {
    std::string_view unit;
    std::string_view other;
};
constexpr std::array kSpellings{Spelling{"FLOP/s", "FLOPS"}, Spelling{"FLOP/s", "FLOP/sec"},
                                Spelling{"FLOP", "FLOPs"},   Spelling{"B/s", "Bps"},
                                Spelling{"B/s", "B/sec"},    Spelling{"B", "Byte"},
                                Spelling{"B", "Bytes"},      Spelling{"s", "sec"},
                                Spelling{"W", "watt"},       Spelling{"", "tokens"}};

/// Whether a group of three digits begins here, as one behind a blank has to: "1 024", not "80 90".
bool isGroup(std::string_view text) {
    return text.size() >= 3 && isDigit(text[0]) && isDigit(text[1]) && isDigit(text[2]) &&
           (text.size() == 3 || !isDigit(text[3]));
}

/// Blanks between the groups of a number and around it, as formatExact() writes them, are no part of it. One
/// that parts two numbers stays, so that they are not read as one.
std::string withoutBlanks(std::string_view text) {
    constexpr std::array<std::string_view, 3> kWide{"\u2009", "\u00a0", "\u202f"};
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t length = std::isspace(static_cast<unsigned char>(text[i])) != 0 ? 1 : 0;
        for (const std::string_view blank : kWide)
            if (text.substr(i).starts_with(blank)) length = blank.size();
        const std::string_view next = text.substr(i + length);
        const bool parts = length > 0 && !result.empty() && isDigit(result.back()) && !next.empty() &&
                           isDigit(next.front()) &&
                           (!isGroup(next) || result.find_first_of("eE") != std::string::npos);
        if (length == 0 || parts) result += text[i];
        i += std::max<std::size_t>(length, 1);
    }
    return result;
}

/// "$2.5/h" as "2.5": the sign of money stands before the number.
std::string withoutDollar(std::string text, std::string_view unit) {
    if (!unit.starts_with('$') || !text.starts_with('$')) return text;
    text.erase(0, 1);
    const std::string_view per = unit.substr(1);
    if (!per.empty() && text.ends_with(per)) text.erase(text.size() - per.size());
    return text;
}

bool isUnit(std::string_view text, std::string_view unit) {
    if (text.empty() || sameLetters(text, unit)) return true;
    for (const Spelling& spelling : kSpellings)
        if (spelling.unit == unit && sameLetters(text, spelling.other)) return true;
    return false;
}

/// "mB" is no thousandth of a byte: only seconds and watts come in small parts, and elsewhere people do not
/// mind the case. A lone "e" is an exponent that is not there yet.
bool isPrefix(const Prefix& prefix, std::string_view text, std::string_view unit) {
    const bool small = unit == "s" || unit == "W";
    if (prefix.tens < 0 && !small) return false;
    if (prefix.twos > 0 && !unit.starts_with("B") && !unit.empty()) return false;
    const std::string_view start = text.substr(0, prefix.text.size());
    return start == prefix.text || (start != "e" && !small && sameLetters(start, prefix.text)) ||
           (start == "K" && prefix.text == "k");
}

std::optional<Prefix> prefixOf(std::string_view suffix, std::string_view unit) {
    if (unit == "%") {
        if (suffix == "%") return Prefix{"", -2};
        return suffix.empty() ? std::optional(Prefix{}) : std::nullopt;
    }
    if (unit.empty() && (sameLetters(suffix, "B") || sameLetters(suffix, "bn"))) return Prefix{"", 9};
    if (isUnit(suffix, unit)) return Prefix{};
    // A time of "30m" may be minutes, millions or thousandths: a prefix alone says nothing.
    const bool isTime = unit == "s" || unit == "d";
    for (const Prefix& prefix : kPrefixes)
        if (!(isTime && suffix.size() == prefix.text.size()) && isPrefix(prefix, suffix, unit) &&
            isUnit(suffix.substr(prefix.text.size()), unit))
            return prefix;
    return std::nullopt;
}

/// digits * 10^tens * 2^twos, rounded once: 3.35 T is the double nearest to 3.35e12, which a product need not
/// be. Empty when no double holds it.
std::optional<double> scaled(std::string_view number, const Prefix& prefix) {
    const std::size_t mark = number.find_first_of("eE");
    int exponent = 0;
    if (mark != std::string_view::npos) {
        const char* from = number.data() + mark + 1 + (number[mark + 1] == '+' ? 1 : 0);
        const auto [rest, problem] = std::from_chars(from, number.data() + number.size(), exponent);
        if (problem != std::errc() || std::abs(exponent) > kLargestExponent) return std::nullopt;
    }
    const std::string whole = fmt::format("{}e{}", number.substr(0, mark), exponent + prefix.tens);
    double value = 0;
    const auto [rest, problem] = std::from_chars(whole.data(), whole.data() + whole.size(), value);
    value = std::ldexp(value, prefix.twos);
    return problem == std::errc() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string exampleOf(std::string_view unit) {
    if (unit == "%") return "50 % or 0.5";
    if (unit.empty()) return "1024, 70e9 or 15T";
    if (unit == "$") return "80, $80 or $1.5 M";
    if (unit.starts_with('$')) return fmt::format("2.5 or $2.5{}", unit.substr(1));
    if (unit == "s") return "80, 80 s, 2.5 ms or 3 µs";
    if (unit == "d") return "80, 1.5e9 or 80 d";
    return fmt::format("80, 1.5e9 or 3.35 T{}", unit);
}

}  // namespace

Result<double> parseQuantity(std::string_view text, std::string_view unit) {
    const std::string plain = withoutDollar(withoutBlanks(text), unit);
    double value = 0;
    const char* begin = plain.data() + (plain.starts_with('+') ? 1 : 0);
    const char* end = plain.data() + plain.size();
    const auto [rest, problem] = std::from_chars(begin, end, value);
    const bool isNumber = problem == std::errc() && (isDigit(rest[-1]) || rest[-1] == '.');
    const auto prefix =
        isNumber ? prefixOf({rest, static_cast<std::size_t>(end - rest)}, unit) : std::nullopt;
    const auto result =
        prefix ? scaled({begin, static_cast<std::size_t>(rest - begin)}, *prefix) : std::nullopt;
    if (!result)
        return Error{ErrorCode::BadInput,
                     unit.empty() ? fmt::format("\"{}\" is not a number", text)
                                  : fmt::format("\"{}\" is not a number in {}", text, unit),
                     fmt::format("write it like {}", exampleOf(unit))};
    return *result;
}

std::string formatEditable(double value, std::string_view unit) {
    if (!std::isfinite(value)) return {};
    if (unit == "%") {
        const std::string share = fmt::format("{:.12g} %", value * 100);
        const auto again = parseQuantity(share, unit);
        return again.has_value() && *again == value ? share : fmt::format("{}", value);
    }
    if (unit.starts_with('$'))
        return fmt::format("${}{}", formatEditable(value, std::string_view()), unit.substr(1));
    const double size = std::fabs(value);
    std::string best = fmt::format("{}", value);
    if (!unit.empty()) best += fmt::format(" {}", unit);
    // Small numbers of anything but time, and counts below 10 000, read better as they are.
    if (size == 0 || (size < 1 && unit != "s") || (size >= 1 && size < (unit.empty() ? 1e4 : 1e3)))
        return best;
    if (takesBinaryPrefixes(unit)) {
        // Only where it is as short: 80 GB has eighteen digits in GiB.
        for (std::size_t at = kBinaryPrefixes.size() - 1; at > 0; --at) {
            const double factor = std::pow(kBinaryStep, static_cast<double>(at));
            if (size < factor) continue;
            const std::string shown = fmt::format("{:.6g} {}{}", value / factor, kBinaryPrefixes[at], unit);
            const auto again = parseQuantity(shown, unit);
            if (again.has_value() && *again == value) return shown;
            break;
        }
    }
    for (auto prefix = kPrefixes.rbegin(); prefix != kPrefixes.rend(); ++prefix) {
        if (prefix->twos > 0 || prefix->text == "μ" || prefix->text == "u") continue;
        const double factor = std::pow(10.0, prefix->tens);
        if (size < factor) continue;
        const std::string shown = fmt::format("{:.15g} {}{}", value / factor, prefix->text, unit);
        const auto again = parseQuantity(shown, unit);
        return again.has_value() && *again == value ? shown : best;
    }
    return best;
}

}  // namespace plumb
