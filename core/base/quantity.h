// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace plumb {

using Bytes = std::int64_t;  ///< bytes; GB is 1e9 and GiB is 2^30, never mixed
using Flops = std::int64_t;  ///< floating-point operations; one fused multiply-add is two
using Seconds = double;

/// A number as people read it: SI prefix and three significant digits, "15.8 GB", "8.80 TFLOP", "3.40 µs", "0
/// B". `unit` is "B", "FLOP", "FLOP/s", "B/s", "s", "FLOP/B", "/s" or empty. Not a number gives "–".
[[nodiscard]] std::string formatQuantity(double value, std::string_view unit);
[[nodiscard]] inline std::string bytesText(double bytes) { return formatQuantity(bytes, "B"); }
[[nodiscard]] inline std::string bytesText(Bytes bytes) { return bytesText(static_cast<double>(bytes)); }

/// The same value exactly, digits grouped by a thin space: "15 800 123 456 B".
[[nodiscard]] std::string formatExact(std::int64_t value, std::string_view unit);

/// Parses a size as the command line takes it: 4096, 4k (4000), 4Ki (4096), 1e9, 80GB, 80GiB, 1.5M.
/// Errors: BadInput for anything that is not one whole number that fits in 63 bits after scaling.
[[nodiscard]] Result<std::int64_t> parseSize(std::string_view text);

/// A number as people write it, in units of `unit`: "989.5 TFLOP/s", "3.35TB/s", "80 GB", "80 GiB", "1.4e12",
/// "2.5 ms", "50 %". The unit may be left out, its case does not matter, and "FLOPS" is FLOP/s; prefixes are
/// p n µ m k M G T P E Z Y, for bytes also Ki Mi Gi Ti Pi. A count (empty unit) also takes "70B" and "70 bn"
/// for billions; for "%" the value is the share: "50 %" and "0.5" are 0.5.
/// Errors: BadInput for anything else, another unit, or a number that is not finite.
[[nodiscard]] Result<double> parseQuantity(std::string_view text, std::string_view unit);

/// The shortest text that parseQuantity() reads as this very number, with the prefix that suits it: "989.5
/// TFLOP/s", "50 %"; for fields that are edited.
[[nodiscard]] std::string formatEditable(double value, std::string_view unit);

/// a * b and a + b for counts that are >= 0; empty result in the form of -1 when 63 bits do not hold it.
[[nodiscard]] constexpr std::int64_t mulOrOverflow(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &result)) ? -1 : result;
}
[[nodiscard]] constexpr std::int64_t addOrOverflow(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return (a < 0 || b < 0 || __builtin_add_overflow(a, b, &result)) ? -1 : result;
}

}  // namespace plumb
