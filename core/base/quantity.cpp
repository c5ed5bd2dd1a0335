// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"

#include "core/base/byte_units.h"
#include "core/base/entry_at.h"
#include "core/base/number_style.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace plumb {
namespace {

constexpr std::string_view kUnknown = "–";
constexpr int kSmallestPrefix = -4;
constexpr std::array<std::string_view, 13> kPrefixNames{"p", "n", "µ", "m", "",  "k", "M",
                                                        "G", "T", "P", "E", "Z", "Y"};

/// Things that are counted: a whole number below 1000 is shown without decimals.
bool isCount(std::string_view unit) { return unit.empty() || unit == "B" || unit == "FLOP"; }

std::string join(std::string_view number, std::string_view prefixAndUnit) {
    std::string text = localNumber(number);
    return prefixAndUnit.empty() ? text : fmt::format("{} {}", text, prefixAndUnit);
}

/// Three significant digits; up to four before the point, since 1023 KiB is no MiB yet.
std::string binaryQuantity(double value, std::string_view unit) {
    double shown = value;
    std::size_t prefix = 0;
    // What would round to 1024 has the next prefix.
    while (std::fabs(shown) >= kBinaryStep - 0.5 && prefix + 1 < kBinaryPrefixes.size()) {
        shown /= kBinaryStep;
        ++prefix;
    }
    const double size = std::fabs(shown);
    const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    return join(fmt::format("{:.{}f}", shown, decimals),
                fmt::format("{}{}", entryAt(kBinaryPrefixes, prefix), unit));
}

}  // namespace

std::string formatQuantity(double value, std::string_view unit) {
    if (!std::isfinite(value)) return std::string(kUnknown);
    if (value == 0) return join("0", unit);
    if (isCount(unit) && std::fabs(value) < 1000 && value == std::trunc(value))
        return join(fmt::format("{:.0f}", value), unit);
    if (takesBinaryPrefixes(unit) && std::fabs(value) >= kBinaryStep - 0.5)
        return binaryQuantity(value, unit);

    // Rounded to three digits first, so that 999.6 is seen as 1.00e+03 before a prefix is chosen.
    const std::string rounded = fmt::format("{:.2e}", value);
    const char* const end = rounded.data() + rounded.size();
    double digits = 0;
    int exponent = 0;
    const char* power = std::from_chars(rounded.data(), end, digits, std::chars_format::fixed).ptr + 1;
    std::from_chars(*power == '+' ? power + 1 : power, end, exponent);
    int prefix = exponent >= 0 ? exponent / 3 : -((2 - exponent) / 3);
    // Only times read well in thousandths; a ratio of 0.62 stays 0.62.
    if (unit != "s" && prefix < 0) {
        if (exponent < -3) return join(rounded, unit);
        return join(fmt::format("{:.{}f}", value, 2 - exponent), unit);
    }
    const int index = prefix - kSmallestPrefix;
    if (index < 0 || index >= static_cast<int>(kPrefixNames.size())) return join(rounded, unit);
    const int shift = exponent - 3 * prefix;
    const double shown = digits * (shift == 2 ? 100 : shift == 1 ? 10 : 1);
    return join(fmt::format("{:.{}f}", shown, 2 - shift),
                fmt::format("{}{}", entryAt(kPrefixNames, index), unit));
}

std::string formatExact(std::int64_t value, std::string_view unit) {
    const std::string digits = fmt::format("{}", value);
    const std::size_t first = value < 0 ? 1 : 0;
    const NumberStyle& style = numberStyle();
    std::string grouped = value < 0 ? style.minus : "";
    for (std::size_t i = first; i < digits.size(); ++i) {
        if (i > first && (digits.size() - i) % 3 == 0) grouped += style.groupInProse();
        grouped += digits[i];
    }
    return unit.empty() ? grouped : fmt::format("{} {}", grouped, unit);
}

}  // namespace plumb
