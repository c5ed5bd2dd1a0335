// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace plumb {

/// Number formats. Tf32 is stored as fp32: it names how a matrix product reads its operands.
enum class Dtype : std::uint8_t { Fp64, Fp32, Tf32, Bf16, Fp16, Fp8E4M3, Fp8E5M2 };
inline constexpr std::array kAllDtypes{Dtype::Fp64, Dtype::Fp32,    Dtype::Tf32,   Dtype::Bf16,
                                       Dtype::Fp16, Dtype::Fp8E4M3, Dtype::Fp8E5M2};

/// Bytes that one stored element takes.
[[nodiscard]] constexpr std::int64_t dtypeSize(Dtype dtype) {
    switch (dtype) {
    case Dtype::Fp64:
        return 8;
    case Dtype::Fp32:
    case Dtype::Tf32:
        return 4;
    case Dtype::Bf16:
    case Dtype::Fp16:
        return 2;
    case Dtype::Fp8E4M3:
    case Dtype::Fp8E5M2:
        return 1;
    }
    return 0;
}

/// The name in files and on the command line: "fp64", "fp32", "tf32", "bf16", "fp16", "fp8_e4m3", "fp8_e5m2".
[[nodiscard]] std::string_view dtypeName(Dtype dtype);
[[nodiscard]] std::optional<Dtype> dtypeFromName(std::string_view name);

/// bf16 is the upper half of an fp32. Round to nearest, ties to even; NaN stays NaN.
[[nodiscard]] constexpr std::uint16_t bf16FromFloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>((bits >> 16U) | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);
}
[[nodiscard]] constexpr float floatFromBf16(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

}  // namespace plumb
