// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plumb::trace {

using Nanoseconds = std::int64_t;

/// Beginnings lie from -kMostTime / 2 to kMostTime and durations up to kMostDuration, so that no end and no
/// difference of two overflows. The first is the year 2096 of absolute times, the second eleven days.
inline constexpr Nanoseconds kMostTime = 4'000'000'000'000'000'000;
inline constexpr Nanoseconds kMostDuration = 1'000'000'000'000'000;

/// The digits of a number of microseconds, "4458676983543.183", as nanoseconds, rounded to the nearest; never
/// through a double, which errs by 0.25 us at absolute times. Empty for what is no finite number or lies
/// beyond
/// +-kMostTime.
[[nodiscard]] std::optional<Nanoseconds> nanosecondsOf(std::string_view microseconds);
[[nodiscard]] constexpr double secondsOf(Nanoseconds time) { return static_cast<double>(time) * 1e-9; }
/// "1.5 ms", as formatQuantity() writes seconds.
[[nodiscard]] std::string timeText(Nanoseconds time);
/// A time as people write it: "1.5ms", "50 us", "3"; of microseconds where it has no unit (ns, us or µs, ms,
/// s). Empty for what is none.
[[nodiscard]] std::optional<Nanoseconds> typedTime(std::string_view text);
/// A whole number; one with a fraction is cut ("12.0"). Empty for anything else and for what 63 bits do not
/// hold.
[[nodiscard]] std::optional<std::int64_t> wholeOf(std::string_view digits);
/// The sum, or the nearest number that 63 bits hold: sums of times that a file made up do not wrap.
[[nodiscard]] constexpr std::int64_t saturated(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return a < 0 ? INT64_MIN : INT64_MAX;
}

}  // namespace plumb::trace
