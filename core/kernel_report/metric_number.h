// SPDX-License-Identifier: Apache-2.0
// Numbers as Nsight Compute prints them: grouped, in the language of the machine, and in scaled units.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace plumb {

/// Which character ends the whole part of a number; the other one groups its digits.
enum class DecimalSign : std::uint8_t { Unknown, Point, Comma };

/// What a number says of it: "1.234,5" comma, "12.25" point, "1,234" nothing, as it may be either.
[[nodiscard]] DecimalSign decimalSignOf(std::string_view number);

/// Digits, a sign, groups and a fraction; empty for anything else, for what is not finite, and for groups
/// that are not of three digits.
[[nodiscard]] std::optional<double> metricNumber(std::string_view number, DecimalSign decimal);

/// What a unit has to be multiplied with to be in bytes, seconds, Hz or counts: "Kbyte" 1000, "usecond" and
/// "us" 1e-6, "Gbyte/second" 1e9. Empty for one that is not known. `base` becomes what it measures: "byte",
/// "second", "byte/second", "hz", "" for counts.
[[nodiscard]] std::optional<double> unitScale(std::string_view unit, std::string_view& base);

}  // namespace plumb
