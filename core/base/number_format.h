// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plumb {

/// What a code with the largest exponent means.
enum class SpecialCodes : std::uint8_t {
    Ieee,     ///< infinities and NaN take the largest exponent
    NanOnly,  ///< E4M3 "fn": no infinity, one NaN per sign, all other codes are numbers
    None,     ///< fp6 and fp4: every code is a number
};
/// What becomes of a number beyond the largest finite one.
enum class Overflow : std::uint8_t { Infinity, NotANumber, Saturate };

/// A binary floating-point format: a sign, an exponent and a mantissa, from the highest bit down.
/// Layouts: IEEE 754 (fp16, fp32, fp64), OCP 8-bit floating point, OCP microscaling (fp6, fp4).
struct NumberFormat {
    std::string_view name;   ///< "fp8_e4m3"
    std::string_view label;  ///< "fp8 E4M3"
    int exponentBits = 0;
    int mantissaBits = 0;
    int bias = 0;
    SpecialCodes special = SpecialCodes::Ieee;
    Overflow overflow = Overflow::Infinity;  ///< as array libraries convert
    int storedBits = 0;  ///< in memory; more than bits() for tf32, which is stored as fp32

    [[nodiscard]] int bits() const { return 1 + exponentBits + mantissaBits; }
    [[nodiscard]] std::uint64_t signBit() const { return std::uint64_t{1} << (bits() - 1); }
    [[nodiscard]] std::uint64_t largestCode() const;  ///< code of the largest finite number
    [[nodiscard]] double largest() const;
    [[nodiscard]] double leastNormal() const;
    [[nodiscard]] double leastSubnormal() const;
    /// Distance from 1 to the next larger number.
    [[nodiscard]] double epsilon() const;
};

/// fp64, fp32, tf32, fp16, bf16, fp8_e4m3, fp8_e5m2, fp6_e2m3, fp6_e3m2, fp4_e2m1.
[[nodiscard]] std::span<const NumberFormat> numberFormats();
/// The format of this name, its own or what others call it, see canonicalFormat(). Errors: BadInput with the
/// known names.
[[nodiscard]] Result<NumberFormat> findFormat(std::string_view name);

/// What storing a number did to it.
enum class Fate : std::uint8_t {
    Exact,
    Rounded,
    Subnormal,   ///< rounded, and below the least normal number: fewer bits are kept
    Underflow,   ///< was not 0 and became 0
    Overflowed,  ///< was finite and became infinite or not a number
    Saturated,   ///< became the largest finite number
    NotANumber,  ///< was none before
};
[[nodiscard]] std::string_view fateName(Fate fate);

/// A number as a format stores it.
struct StoredNumber {
    std::uint64_t code = 0;
    double value = 0;
    Fate fate = Fate::Exact;
    double error = 0;                     ///< value - given; infinite after an overflow
    std::optional<double> relativeError;  ///< error / given; absent for 0 and what is not finite
    std::optional<double> below, above;   ///< the neighbouring numbers; absent at the ends and for NaN
};

/// Rounds to nearest, ties to even, subnormal numbers kept. Formats narrower than fp32 are reached through
/// fp32, as frameworks do; that differs from one rounding only for numbers that fp32 cannot hold.
[[nodiscard]] StoredNumber store(const NumberFormat& format, double number);
/// The same with another behaviour beyond the largest finite number. Infinity counts as NotANumber where the
/// format has none.
[[nodiscard]] StoredNumber store(const NumberFormat& format, double number, Overflow overflow);

/// What `code` means. Bits above bits() are ignored.
[[nodiscard]] double valueOf(const NumberFormat& format, std::uint64_t code);

/// Reads a number as people type it: 1e-8, 0x1p-3, 2^-24, inf, -nan, 1/3; the same in every locale.
/// Errors: BadInput with the text, also for what fp64 would make infinite or 0.
[[nodiscard]] Result<double> parseNumber(std::string_view text);

}  // namespace plumb
