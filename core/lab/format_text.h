// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/number_format.h"

#include <string>

namespace plumb::lab {

/// A code as bits, sign, exponent and mantissa apart: "0 01011 1001100110".
[[nodiscard]] std::string bitsText(const NumberFormat& format, std::uint64_t code);
/// "0x2E66", with as many digits as the format has bits for.
[[nodiscard]] std::string codeText(const NumberFormat& format, std::uint64_t code);
/// Reads a code as people write it: 0x2E66, 2e66, 0b0011; blanks and underscores are skipped. Errors:
/// BadInput with the text for anything else and for more bits than the format has.
[[nodiscard]] Result<std::uint64_t> parseCode(const NumberFormat& format, std::string_view text);
/// The shortest text that reads back as this number: "0.1", "5e-324", "∞", "−∞", "NaN".
[[nodiscard]] std::string numberText(double number);
/// Every digit of a finite number, all of which a double has: "0.1000000000000000055511151231257827...".
/// Beyond `mostDigits` significant digits the rest becomes "…".
[[nodiscard]] std::string exactText(double number, int mostDigits = 60);

}  // namespace plumb::lab
