// SPDX-License-Identifier: Apache-2.0
#include "core/base/ascii.h"
#include "core/base/quantity.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>

namespace plumb {
namespace {

__extension__ using Wide = unsigned __int128;  // 19 digits times 2^60 fit

constexpr Wide kMost = static_cast<Wide>(std::numeric_limits<std::int64_t>::max());
constexpr std::size_t kMostDigits = 19;  // 2^63 - 1 has no more
constexpr int kMostExponent = 1000;

/// digits * 10^exponent, digits without leading or trailing zeros; "" is zero.
struct Decimal {
    std::string digits;
    int exponent = 0;
};

/// Takes the number at the front of `text` and leaves the suffix. Empty when there is no number.
std::optional<Decimal> takeDecimal(std::string_view& text) {
    Decimal decimal;
    bool point = false;
    std::size_t length = 0;
    for (; length < text.size() && (isDigit(text[length]) || (text[length] == '.' && !point)); ++length) {
        if (text[length] == '.') {
            point = true;
            continue;
        }
        decimal.digits += text[length];
        if (point) --decimal.exponent;
    }
    if (decimal.digits.empty()) return std::nullopt;
    text.remove_prefix(length);

    // "1e9" has an exponent; "1E" and "1EiB" have a suffix.
    if (text.size() >= 2 && (text[0] == 'e' || text[0] == 'E')) {
        const std::size_t sign = text[1] == '+' || text[1] == '-' ? 1 : 0;
        if (text.size() > 1 + sign && isDigit(text[1 + sign])) {
            const char* begin = text.data() + (text[1] == '+' ? 2 : 1);
            int exponent = 0;
            const auto [end, error] = std::from_chars(begin, text.data() + text.size(), exponent);
            if (error != std::errc() || exponent > kMostExponent || exponent < -kMostExponent)
                exponent = text[1] == '-' ? -kMostExponent : kMostExponent;
            decimal.exponent += exponent;
            text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        }
    }
    decimal.digits.erase(0, decimal.digits.find_first_not_of('0'));
    while (!decimal.digits.empty() && decimal.digits.back() == '0') {
        decimal.digits.pop_back();
        ++decimal.exponent;
    }
    return decimal;
}

/// Powers of ten and of two that a suffix stands for.
struct Scale {
    int tens = 0;
    int twos = 0;
};

std::optional<Scale> scaleOf(std::string_view suffix) {
    if (!suffix.empty() && suffix.back() == 'B') suffix.remove_suffix(1);
    if (suffix.empty()) return Scale{};
    const std::size_t power = std::string_view("kMGTPE").find(suffix[0] == 'K' ? 'k' : suffix[0]);
    if (power == std::string_view::npos) return std::nullopt;
    const int steps = static_cast<int>(power) + 1;
    if (suffix.size() == 1) return Scale{3 * steps, 0};
    if (suffix.size() == 2 && suffix[1] == 'i') return Scale{0, 10 * steps};
    return std::nullopt;
}

/// The exact value, or empty when it is no whole number of at most 63 bits.
std::optional<std::int64_t> scaled(const Decimal& decimal, Scale scale) {
    if (decimal.digits.empty()) return 0;
    if (decimal.digits.size() > kMostDigits) return std::nullopt;
    Wide value = 0;
    for (const char digit : decimal.digits) value = 10 * value + static_cast<Wide>(digit - '0');
    value <<= static_cast<unsigned>(scale.twos);
    int exponent = decimal.exponent + scale.tens;
    for (; exponent < 0; ++exponent) {
        if (value % 10 != 0) return std::nullopt;
        value /= 10;
    }
    for (; exponent > 0 && value <= kMost; --exponent) value *= 10;
    if (value > kMost) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

}  // namespace

Result<std::int64_t> parseSize(std::string_view text) {
    std::string_view rest = text;
    const std::optional<Decimal> decimal = takeDecimal(rest);
    const std::optional<Scale> scale = scaleOf(rest);
    if (!decimal || !scale)
        return Error{ErrorCode::BadInput, fmt::format("\"{}\" is not a size", text),
                     "write it like 4096, 4k, 4Ki, 1e9, 1.5M, 80GB or 80GiB"};
    const std::optional<std::int64_t> value = scaled(*decimal, *scale);
    if (!value)
        return Error{ErrorCode::BadInput, fmt::format("\"{}\" is not a whole number below 2^63", text),
                     "write a whole number such as 4096, 4k or 4Ki"};
    return *value;
}

}  // namespace plumb
