// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace plumb {

/// Number formats. Tf32 is stored as fp32: it names how a matrix product reads its operands. No training step
/// of ours stores fp4; the Lab and the planner reckon with it.
enum class Dtype : std::uint8_t { Fp64, Fp32, Tf32, Bf16, Fp16, Fp8E4M3, Fp8E5M2, Fp4E2M1 };
inline constexpr std::array kAllDtypes{Dtype::Fp64, Dtype::Fp32,    Dtype::Tf32,    Dtype::Bf16,
                                       Dtype::Fp16, Dtype::Fp8E4M3, Dtype::Fp8E5M2, Dtype::Fp4E2M1};

/// Bits that one stored element takes.
[[nodiscard]] constexpr std::int64_t dtypeBits(Dtype dtype) {
    switch (dtype) {
    case Dtype::Fp64:
        return 64;
    case Dtype::Fp32:
    case Dtype::Tf32:
        return 32;
    case Dtype::Bf16:
    case Dtype::Fp16:
        return 16;
    case Dtype::Fp8E4M3:
    case Dtype::Fp8E5M2:
        return 8;
    case Dtype::Fp4E2M1:
        return 4;
    }
    return 0;
}

/// Bytes that one element takes where it is stored alone.
[[nodiscard]] constexpr std::int64_t dtypeSize(Dtype dtype) { return (dtypeBits(dtype) + 7) / 8; }

/// The name in files and on the command line: "fp64", "fp32", "tf32", "bf16", "fp16", "fp8_e4m3", "fp8_e5m2",
/// "fp4_e2m1".
inline constexpr auto kDtypeNames = enumNames<Dtype>({{Dtype::Fp64, "fp64"},
                                                      {Dtype::Fp32, "fp32"},
                                                      {Dtype::Tf32, "tf32"},
                                                      {Dtype::Bf16, "bf16"},
                                                      {Dtype::Fp16, "fp16"},
                                                      {Dtype::Fp8E4M3, "fp8_e4m3"},
                                                      {Dtype::Fp8E5M2, "fp8_e5m2"},
                                                      {Dtype::Fp4E2M1, "fp4_e2m1"}});
[[nodiscard]] constexpr std::string_view dtypeName(Dtype value) { return kDtypeNames.name(value); }
[[nodiscard]] constexpr std::optional<Dtype> dtypeFromName(std::string_view name) {
    return kDtypeNames.find(name);
}

/// bf16 is the upper half of an fp32. Round to nearest, ties to even; NaN stays NaN.
[[nodiscard]] constexpr std::uint16_t bf16FromFloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>((bits >> 16U) | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);
}
[[nodiscard]] constexpr float floatFromBf16(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

/// What encodeSmall() needs to know about a format of at most 16 bits with a sign, an exponent and a
/// mantissa.
struct SmallFormat {
    std::uint32_t mantissaBits;
    std::uint32_t exponentBias;
    std::uint32_t largestFinite;  ///< its code
    std::uint32_t beyond;         ///< code of finite numbers that round to more than that
    std::uint32_t infinity;       ///< code of what is infinite
    std::uint32_t quietNan;       ///< code of what is not a number
    bool keepsPayload;            ///< the upper bits of a NaN's payload are kept, as F16C does
    std::uint32_t signBit;
};
inline constexpr SmallFormat kFp16Format{10, 15, 0x7bff, 0x7c00, 0x7c00, 0x7e00, true, 0x8000};
inline constexpr SmallFormat kFp8E4M3Format{3, 7, 0x7e, 0x7e, 0x7f, 0x7f, false, 0x80};
inline constexpr SmallFormat kFp8E5M2Format{2, 15, 0x7b, 0x7b, 0x7c, 0x7e, false, 0x80};

/// Rounds to nearest, ties to even, subnormal numbers included. All in integers, so that it can be constexpr.
[[nodiscard]] constexpr std::uint32_t encodeSmall(const SmallFormat& format, float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 31U) != 0 ? format.signBit : 0;
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    const std::uint32_t dropped = 23 - format.mantissaBits;
    if (magnitude > 0x7f800000U)
        return sign | format.quietNan | (format.keepsPayload ? (magnitude & 0x7fffffU) >> dropped : 0);
    if (magnitude == 0x7f800000U) return sign | format.infinity;
    const std::uint32_t leastNormal = (127 - format.exponentBias + 1) << 23U;
    std::uint32_t code = 0;
    if (magnitude >= leastNormal) {
        const std::uint32_t rounded = magnitude + (1U << (dropped - 1)) - 1 + ((magnitude >> dropped) & 1U);
        code = (rounded >> dropped) - ((127 - format.exponentBias) << format.mantissaBits);
    } else {
        // A multiple of the least subnormal: the mantissa with its leading 1, shifted right by so much.
        const std::uint32_t exponent = magnitude >> 23U;
        const std::uint32_t shift = dropped + 1 + (127 - format.exponentBias) - exponent;
        if (exponent != 0 && shift <= 24) {
            const std::uint32_t mantissa = (magnitude & 0x7fffffU) | 0x800000U;
            const std::uint32_t half = 1U << (shift - 1);
            code = (mantissa + half - 1 + ((mantissa >> shift) & 1U)) >> shift;
        }
    }
    return sign | (code > format.largestFinite ? format.beyond : code);
}

/// IEEE 754 binary16. Round to nearest, ties to even; what is too large becomes infinite; NaN stays NaN.
[[nodiscard]] constexpr std::uint16_t fp16FromFloat(float value) {
    return static_cast<std::uint16_t>(encodeSmall(kFp16Format, value));
}
/// OCP 8-bit floating point, E4M3: no infinities, largest 448. Round to nearest, ties to even; a finite
/// number that is too large becomes the largest finite one. NaN stays NaN, and so does infinity become one:
/// saturated it would look like a number, and nobody would learn of it.
[[nodiscard]] constexpr std::uint8_t fp8E4M3FromFloat(float value) {
    return static_cast<std::uint8_t>(encodeSmall(kFp8E4M3Format, value));
}
/// OCP 8-bit floating point, E5M2: largest 57344. What is finite saturates like in fp8E4M3FromFloat(), though
/// the format has infinities: a training step would rather lose a little of one gradient than the whole of
/// it. Infinity and NaN stay what they are.
[[nodiscard]] constexpr std::uint8_t fp8E5M2FromFloat(float value) {
    return static_cast<std::uint8_t>(encodeSmall(kFp8E5M2Format, value));
}

/// Exact; a NaN becomes quiet.
[[nodiscard]] constexpr float floatFromFp16(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000U) << 16U;
    const std::uint32_t magnitude = bits & 0x7fffU;
    if (magnitude >= 0x7c00U)
        return std::bit_cast<float>(sign | 0x7f800000U | (magnitude << 13U) |
                                    (magnitude > 0x7c00U ? 0x400000U : 0));
    if (magnitude >= 0x400U) return std::bit_cast<float>(sign | ((magnitude << 13U) + (112U << 23U)));
    const float subnormal = static_cast<float>(magnitude) * 0x1p-24F;
    return sign != 0 ? -subnormal : subnormal;
}
/// Exact.
[[nodiscard]] constexpr float floatFromFp8E4M3(std::uint8_t bits) {
    const std::uint32_t sign = (bits & 0x80U) << 24U;
    const std::uint32_t magnitude = bits & 0x7fU;
    if (magnitude == 0x7fU) return std::bit_cast<float>(sign | 0x7fc00000U);
    if (magnitude >= 8) return std::bit_cast<float>(sign | ((magnitude << 20U) + (120U << 23U)));
    const float subnormal = static_cast<float>(magnitude) * 0x1p-9F;
    return sign != 0 ? -subnormal : subnormal;
}
/// Exact: E5M2 is the upper half of an fp16.
[[nodiscard]] constexpr float floatFromFp8E5M2(std::uint8_t bits) {
    return floatFromFp16(static_cast<std::uint16_t>(bits << 8U));
}

/// What a tensor core reads of an fp32 as tf32: 10 bits of mantissa, to nearest, ties away from 0, as PTX's
/// cvt.rna.tf32.f32. NaN stays NaN.
[[nodiscard]] constexpr float tf32FromFloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffU) > 0x7f800000U) return std::bit_cast<float>(bits | 0x400000U);
    return std::bit_cast<float>((bits + 0x1000U) & ~0x1fffU);
}

/// The largest finite number of a dtype that a recipe stores tensors in.
[[nodiscard]] constexpr float largestFinite(Dtype dtype) {
    switch (dtype) {
    case Dtype::Fp16:
        return 65504.0F;
    case Dtype::Fp8E4M3:
        return 448.0F;
    case Dtype::Fp8E5M2:
        return 57344.0F;
    case Dtype::Bf16:
        return floatFromBf16(0x7f7f);
    case Dtype::Fp4E2M1:
        return 6.0F;
    case Dtype::Fp64:  // beyond what a float can say; no recipe stores parameters or activations in it
    case Dtype::Fp32:
    case Dtype::Tf32:
        break;
    }
    return 0x1.fffffep127F;
}

}  // namespace plumb
