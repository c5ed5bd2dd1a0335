// SPDX-License-Identifier: Apache-2.0
#include "core/base/number_format.h"

#include "core/base/format_alias.h"
#include "core/base/nearest.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

namespace plumb {
namespace {

constexpr std::array kFormats{
    NumberFormat{"fp64", "fp64", 11, 52, 1023, SpecialCodes::Ieee, Overflow::Infinity, 64},
    NumberFormat{"fp32", "fp32", 8, 23, 127, SpecialCodes::Ieee, Overflow::Infinity, 32},
    NumberFormat{"tf32", "tf32", 8, 10, 127, SpecialCodes::Ieee, Overflow::Infinity, 32},
    NumberFormat{"fp16", "fp16", 5, 10, 15, SpecialCodes::Ieee, Overflow::Infinity, 16},
    NumberFormat{"bf16", "bf16", 8, 7, 127, SpecialCodes::Ieee, Overflow::Infinity, 16},
    NumberFormat{"fp8_e4m3", "fp8 E4M3", 4, 3, 7, SpecialCodes::NanOnly, Overflow::NotANumber, 8},
    NumberFormat{"fp8_e5m2", "fp8 E5M2", 5, 2, 15, SpecialCodes::Ieee, Overflow::Infinity, 8},
    NumberFormat{"fp6_e2m3", "fp6 E2M3", 2, 3, 1, SpecialCodes::None, Overflow::Saturate, 6},
    NumberFormat{"fp6_e3m2", "fp6 E3M2", 3, 2, 3, SpecialCodes::None, Overflow::Saturate, 6},
    NumberFormat{"fp4_e2m1", "fp4 E2M1", 2, 1, 1, SpecialCodes::None, Overflow::Saturate, 4}};

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::uint64_t nanCode(const NumberFormat& format) {
    // IEEE: the quiet bit; NanOnly: all ones, the one there is.
    const std::uint64_t exponent = ((std::uint64_t{1} << format.exponentBits) - 1) << format.mantissaBits;
    if (format.special == SpecialCodes::NanOnly) return format.signBit() - 1;
    return exponent | (std::uint64_t{1} << (format.mantissaBits - 1));
}
std::uint64_t infinityCode(const NumberFormat& format) {
    return ((std::uint64_t{1} << format.exponentBits) - 1) << format.mantissaBits;
}

/// Power of two of the last place among subnormal numbers.
int leastPower(const NumberFormat& format) { return 1 - format.bias - format.mantissaBits; }

/// The code of a finite magnitude, as if exponents went on without end: codes of larger numbers are larger.
std::uint64_t roundedCode(const NumberFormat& format, double magnitude) {
    if (magnitude == 0) return 0;
    int exponent = 0;
    (void)std::frexp(magnitude, &exponent);  // magnitude = f * 2^exponent, f in [0.5, 1)
    const int place = std::max(exponent - 1 - format.mantissaBits, leastPower(format));
    // Below 2^(mantissa + 1), where doubles hold every half: the rounding is exact, to even in the default
    // mode.
    const auto count = static_cast<std::uint64_t>(std::nearbyint(std::ldexp(magnitude, -place)));
    return count + (static_cast<std::uint64_t>(place - leastPower(format)) << format.mantissaBits);
}

Fate fateOf(const NumberFormat& format, double given, double value, bool beyond) {
    if (std::isnan(given)) return Fate::NotANumber;
    if (beyond) return std::isfinite(value) ? Fate::Saturated : Fate::Overflowed;
    if (value == given) return Fate::Exact;
    if (value == 0) return Fate::Underflow;
    return std::abs(value) < format.leastNormal() ? Fate::Subnormal : Fate::Rounded;
}

void addNeighbours(const NumberFormat& format, StoredNumber& stored) {
    if (!std::isfinite(stored.value)) return;
    const std::uint64_t magnitude = stored.code & (format.signBit() - 1);
    const double step = magnitude < format.largestCode() ? valueOf(format, magnitude + 1) : kNan;
    const double inner = magnitude > 0 ? valueOf(format, magnitude - 1) : -format.leastSubnormal();
    const double sign = std::signbit(stored.value) ? -1.0 : 1.0;
    std::optional<double>& outward = sign > 0 ? stored.above : stored.below;
    std::optional<double>& inward = sign > 0 ? stored.below : stored.above;
    if (!std::isnan(step)) outward = sign * step;
    inward = inner == 0 ? 0.0 : sign * inner;
}

}  // namespace

std::uint64_t NumberFormat::largestCode() const {
    switch (special) {
    case SpecialCodes::Ieee:
        return infinityCode(*this) - 1;
    case SpecialCodes::NanOnly:
        return signBit() - 2;
    case SpecialCodes::None:
        break;
    }
    return signBit() - 1;
}
double NumberFormat::largest() const { return valueOf(*this, largestCode()); }
double NumberFormat::leastNormal() const { return std::ldexp(1.0, 1 - bias); }
double NumberFormat::leastSubnormal() const { return std::ldexp(1.0, leastPower(*this)); }
double NumberFormat::epsilon() const { return std::ldexp(1.0, -mantissaBits); }

std::span<const NumberFormat> numberFormats() { return kFormats; }

Result<NumberFormat> findFormat(std::string_view name) {
    std::string known;
    std::vector<std::string> names;
    const std::string canonical = canonicalFormat(name.substr(0, 64));
    for (const NumberFormat& format : kFormats) {
        if (format.name == canonical) return format;
        known += (known.empty() ? "" : ", ") + std::string(format.name);
        names.emplace_back(format.name);
    }
    const std::string nearest = nearestWord(name.substr(0, 64), names);
    return Error{ErrorCode::BadInput, fmt::format("the number format is not known ({})", name.substr(0, 64)),
                 nearest.empty() ? fmt::format("use one of {:s}", known)
                                 : fmt::format("the nearest one is {:s}; known are {:s}", nearest, known)};
}

std::string_view fateName(Fate fate) {
    switch (fate) {
    case Fate::Exact:
        return "exact";
    case Fate::Rounded:
        return "rounded";
    case Fate::Subnormal:
        return "rounded to a subnormal";
    case Fate::Underflow:
        return "underflow to zero";
    case Fate::Overflowed:
        return "overflow";
    case Fate::Saturated:
        return "saturated";
    case Fate::NotANumber:
        return "not a number";
    }
    return {};
}

StoredNumber store(const NumberFormat& format, double number) {
    return store(format, number, format.overflow);
}

StoredNumber store(const NumberFormat& format, double number, Overflow overflow) {
    StoredNumber stored;
    const std::uint64_t sign = std::signbit(number) ? format.signBit() : 0;
    const bool narrow = format.bits() < 32;
    const double through = narrow ? static_cast<double>(static_cast<float>(number)) : number;
    bool beyond = false;
    std::uint64_t magnitude = 0;
    if (std::isnan(number)) {
        // fp6 and fp4 have no way to say it; hardware stores the largest number.
        magnitude = format.special == SpecialCodes::None ? format.largestCode() : nanCode(format);
    } else {
        magnitude = std::isinf(through) ? std::uint64_t{0} : roundedCode(format, std::abs(through));
        const bool infinite = std::isinf(number) && format.special == SpecialCodes::Ieee;
        beyond = !infinite && (std::isinf(through) || magnitude > format.largestCode());
        if (infinite) magnitude = infinityCode(format);
        if (beyond) {
            const bool canBeInfinite = format.special == SpecialCodes::Ieee;
            if (overflow == Overflow::Saturate || format.special == SpecialCodes::None)
                magnitude = format.largestCode();
            else
                magnitude =
                    overflow == Overflow::Infinity && canBeInfinite ? infinityCode(format) : nanCode(format);
        }
    }
    stored.code = sign | magnitude;
    stored.value = valueOf(format, stored.code);
    stored.fate = fateOf(format, number, stored.value, beyond);
    stored.error = stored.value == number ? 0 : stored.value - number;
    if (number != 0 && std::isfinite(number) && std::isfinite(stored.value))
        stored.relativeError = stored.error == 0 ? 0 : stored.error / number;  // never -0
    addNeighbours(format, stored);
    return stored;
}

double valueOf(const NumberFormat& format, std::uint64_t code) {
    const double sign = (code & format.signBit()) != 0 ? -1.0 : 1.0;
    const std::uint64_t magnitude = code & (format.signBit() - 1);
    if (magnitude > format.largestCode()) {
        const bool infinite = format.special == SpecialCodes::Ieee && magnitude == infinityCode(format);
        return infinite ? sign * kInfinity : kNan;
    }
    const std::uint64_t mantissa = magnitude & ((std::uint64_t{1} << format.mantissaBits) - 1);
    const std::uint64_t exponent = magnitude >> format.mantissaBits;
    const std::uint64_t leading = exponent == 0 ? 0 : std::uint64_t{1} << format.mantissaBits;
    const int place = leastPower(format) + (exponent == 0 ? 0 : static_cast<int>(exponent) - 1);
    return sign * std::ldexp(static_cast<double>(leading + mantissa), place);
}

namespace {

enum class Reading : std::uint8_t { Number, NoNumber, OutOfRange };

/// The same in every locale, which is not so of strtod().
Reading readDouble(std::string_view text, double& value) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    if (text.empty() || text.front() == '-') return Reading::NoNumber;
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (hexadecimal) text.remove_prefix(2);
    const char* const last = text.data() + text.size();
    const auto [end, code] = std::from_chars(
        text.data(), last, value, hexadecimal ? std::chars_format::hex : std::chars_format::general);
    if (end != last || code == std::errc::invalid_argument) return Reading::NoNumber;
    if (code == std::errc::result_out_of_range) return Reading::OutOfRange;
    if (negative) value = -value;
    return Reading::Number;
}

}  // namespace

Result<double> parseNumber(std::string_view text) {
    constexpr std::size_t kShown = 64;
    const auto shown = text.size() <= kShown ? std::string(text) : std::string(text.substr(0, kShown)) + "…";
    const std::size_t sign = text.find_first_of("/^");
    double first = 0, second = 1;
    Reading reading = readDouble(text.substr(0, sign), first);
    if (reading == Reading::Number && sign != std::string_view::npos)
        reading = readDouble(text.substr(sign + 1), second);
    const double value = sign == std::string_view::npos ? first
                         : text[sign] == '/'
                             ? first / second
                             : std::copysign(std::pow(std::abs(first), second), first);  // -2^2 is -4
    const bool finite = std::isfinite(first) && std::isfinite(second);
    if (reading == Reading::Number && finite && sign != std::string_view::npos &&
        (!std::isfinite(value) || (value == 0 && first != 0)))
        reading = Reading::OutOfRange;
    if (reading == Reading::OutOfRange)
        return Error{ErrorCode::BadInput, fmt::format("fp64 does not hold this number ({})", shown),
                     "give 0, inf, or a magnitude from 4.95e-324 to 1.79e308"};
    if (reading == Reading::NoNumber)
        return Error{ErrorCode::BadInput, fmt::format("this is not a number ({})", shown),
                     "write it like 0.1, 1e-8, 0x1p-3, 2^-24, 1/3 or inf"};
    return value;
}

}  // namespace plumb
