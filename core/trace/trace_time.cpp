// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace_time.h"

#include "core/base/ascii.h"
#include "core/base/quantity.h"

#include <algorithm>

namespace plumb::trace {

namespace {

/// Digits with a point and an exponent, times ten to the `shift`, rounded; empty beyond kMostTime.
std::optional<std::int64_t> scaled(std::string_view text, int shift) {
    const bool negative = !text.empty() && text.front() == '-';
    if (negative) text.remove_prefix(1);
    constexpr std::int64_t kRoom = INT64_MAX / 10 - 1;
    std::int64_t digits = 0;  // as many as fit; the others only move the point
    int point = 0;            // places that `digits` has to move to the left
    bool any = false;
    bool fraction = false;
    std::size_t i = 0;
    for (; i < text.size(); ++i) {
        if (text[i] == '.' && !fraction) {
            fraction = true;
        } else if (isDigit(text[i])) {
            any = true;
            if (digits < kRoom) {
                digits = digits * 10 + (text[i] - '0');
                if (fraction) --point;
            } else if (!fraction) {
                ++point;
            }
        } else {
            break;
        }
    }
    if (!any) return std::nullopt;
    if (i < text.size()) {
        if ((text[i] | 0x20) != 'e') return std::nullopt;
        bool down = false;
        int exponent = 0;
        bool known = false;
        for (++i; i < text.size(); ++i) {
            if (!known && (text[i] == '+' || text[i] == '-') && (text[i - 1] | 0x20) == 'e')
                down = text[i] == '-';
            else if (isDigit(text[i])) {
                exponent = std::min(exponent * 10 + (text[i] - '0'), 1000);
                known = true;
            } else
                return std::nullopt;
        }
        if (!known) return std::nullopt;
        point += down ? -exponent : exponent;
    }
    int move = std::clamp(point, -100'000, 100'000) + shift;
    for (; move > 0 && digits != 0; --move) {
        if (digits > kMostTime / 10) return std::nullopt;
        digits *= 10;
    }
    bool roundsUp = false;
    for (; move < 0 && digits != 0; ++move) {
        roundsUp = digits % 10 >= 5;
        digits /= 10;
    }
    if (move < 0) roundsUp = false;  // further digits are all 0
    digits += roundsUp ? 1 : 0;
    if (digits > kMostTime) return std::nullopt;
    return negative ? -digits : digits;
}

}  // namespace

std::optional<Nanoseconds> nanosecondsOf(std::string_view microseconds) { return scaled(microseconds, 3); }

std::string timeText(Nanoseconds time) { return formatQuantity(secondsOf(time), "s"); }

std::optional<Nanoseconds> typedTime(std::string_view text) {
    struct Unit {
        std::string_view name;
        int shift;
    };
    // The longer ones first: what ends with "ms" ends with "s" too.
    static constexpr Unit kUnits[]{{"ns", 0}, {"us", 3}, {"\u00B5s", 3}, {"\u03BCs", 3}, {"ms", 6}, {"s", 9}};
    text = trimmed(text);
    for (const Unit& unit : kUnits)
        if (text.ends_with(unit.name))
            return scaled(trimmed(text.substr(0, text.size() - unit.name.size())), unit.shift);
    return scaled(text, 3);
}

std::optional<std::int64_t> wholeOf(std::string_view digits) {
    const bool negative = !digits.empty() && digits.front() == '-';
    std::uint64_t value = 0;
    std::size_t i = negative ? 1 : 0;
    const std::size_t first = i;
    for (; i < digits.size() && isDigit(digits[i]); ++i) {
        if (value > (UINT64_MAX - 9) / 10) return std::nullopt;
        value = value * 10 + static_cast<std::uint64_t>(digits[i] - '0');
    }
    if (i == first || value > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    if (i < digits.size() && digits[i] != '.') return std::nullopt;
    return negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
}

}  // namespace plumb::trace
