// SPDX-License-Identifier: Apache-2.0
// How each storage type is read and written: compiled for the CPU backend and for devices.
//
// Everything is free of branches, so that the compiler makes vectors of it. The bits are those of
// core/base/dtype.h everywhere.

#pragma once

#include "kernels/common/inline.h"
#include "kernels/common/storage.h"

namespace plumb::common {

inline constexpr std::int32_t kMagnitude = 0x7fffffff;
inline constexpr std::int32_t kInfinity = 0x7f800000;

PLUMB_COMMON bool isFinite(float value) { return __builtin_fabsf(value) < floatOf(kInfinity); }

PLUMB_COMMON float fromBf16(Bf16 bits) {
    return floatOf(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits) << 16U));
}

// Round to nearest even, NaN stays NaN: bf16FromFloat() of core/base/dtype.h without its branch.
PLUMB_COMMON Bf16 toBf16(float value) {
    const auto bits = static_cast<std::uint32_t>(bitsOf(value));
    const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U;
    const std::uint32_t quiet = (bits >> 16U) | 0x40U;
    return static_cast<Bf16>((bits & 0x7fffffffU) > 0x7f800000U ? quiet : rounded);
}

/// A format of at most 16 bits: encodeSmall() of core/base/dtype.h without its branches. A subnormal number
/// is rounded by an addition: the sum's last bit is worth the least subnormal.
template <int kMantissa, int kBias, std::int32_t kLargest, std::int32_t kBeyond, std::int32_t kInfinite,
          std::int32_t kNan, bool kPayload, std::int32_t kSign>
struct SmallFloat {
    static constexpr int kDropped = 23 - kMantissa;
    static constexpr std::int32_t kLeastNormal = (127 - kBias + 1) << 23;
    static constexpr std::int32_t kMagicBits = (127 - kBias + 1 - kMantissa + 23) << 23;

    PLUMB_COMMON static std::int32_t encode(float value) {
        const std::int32_t bits = bitsOf(value);
        const std::int32_t magnitude = bits & kMagnitude;
        // Unsigned, since the magnitude of a NaN may be the largest there is.
        const std::uint32_t half = (1U << (kDropped - 1)) - 1;
        const std::uint32_t odd = (static_cast<std::uint32_t>(magnitude) >> kDropped) & 1U;
        const std::int32_t rounded =
            (static_cast<std::int32_t>(static_cast<std::uint32_t>(magnitude) + half + odd) >> kDropped) -
            ((127 - kBias) << kMantissa);
        const std::int32_t subnormal = bitsOf(floatOf(magnitude) + floatOf(kMagicBits)) - kMagicBits;
        std::int32_t code = magnitude < kLeastNormal ? subnormal : rounded;
        code = code > kLargest ? kBeyond : code;
        if constexpr (kInfinite != kBeyond) code = magnitude == kInfinity ? kInfinite : code;
        code = magnitude > kInfinity ? nan(magnitude) : code;
        return code | (bits < 0 ? kSign : 0);
    }
    /// The same of what is infinite or not a number.
    PLUMB_COMMON static std::int32_t special(float value) {
        const std::int32_t bits = bitsOf(value);
        const std::int32_t magnitude = bits & kMagnitude;
        return (magnitude > kInfinity ? nan(magnitude) : kInfinite) | (bits < 0 ? kSign : 0);
    }

private:
    PLUMB_COMMON static std::int32_t nan(std::int32_t magnitude) {
        return kPayload ? kNan | ((magnitude & 0x7fffff) >> kDropped) : kNan;
    }
};
using Half = SmallFloat<10, 15, 0x7bff, 0x7c00, 0x7c00, 0x7e00, true, 0x8000>;
using E4M3 = SmallFloat<3, 7, 0x7e, 0x7e, 0x7f, 0x7f, false, 0x80>;
using E5M2 = SmallFloat<2, 15, 0x7b, 0x7b, 0x7c, 0x7e, false, 0x80>;

PLUMB_COMMON float fromFp16(std::uint16_t code) {
    const std::int32_t wide = code;
    const std::int32_t magnitude = wide & 0x7fff;
    const std::int32_t normal = (magnitude << 13) + (112 << 23);
    const std::int32_t subnormal = bitsOf(static_cast<float>(magnitude) * 0x1p-24F);
    const std::int32_t special = (magnitude << 13) | kInfinity | (((0x7c00 - magnitude) >> 31) & 0x400000);
    std::int32_t bits = magnitude < 0x400 ? subnormal : normal;
    bits = magnitude < 0x7c00 ? bits : special;
    return floatOf(bits | ((wide & 0x8000) << 16));
}
PLUMB_COMMON float fromE4M3(std::uint8_t code) {
    const std::int32_t wide = code;
    const std::int32_t magnitude = wide & 0x7f;
    const std::int32_t normal = (magnitude << 20) + (120 << 23);
    const std::int32_t subnormal = bitsOf(static_cast<float>(magnitude) * 0x1p-9F);
    std::int32_t bits = magnitude < 8 ? subnormal : normal;
    bits = magnitude == 0x7f ? 0x7fc00000 : bits;
    return floatOf(bits | ((wide & 0x80) << 24));
}
PLUMB_COMMON float toTf32(float value) {
    const std::int32_t bits = bitsOf(value);
    const auto rounded =
        static_cast<std::int32_t>((static_cast<std::uint32_t>(bits) + 0x1000U) & ~std::uint32_t{0x1fff});
    return floatOf((bits & kMagnitude) > kInfinity ? bits | 0x400000 : rounded);
}

/// One storage type: `Type` in memory; `Mask` the type of the activation that masks a gradient stored so;
/// kScaled: a per-tensor scale goes with it; kOverflow, kUnderflow: magnitudes of the scaled number, as fp32
/// bits, from which on it does not fit, and up to which it becomes 0. kCounts: whether those are counted;
/// fp8: `Code` encodes.
template <Storage kStorage>
struct Format;

struct PlainFloat {
    using Type = float;
    static constexpr bool kScaled = false;
    static constexpr bool kCounts = false;
    static constexpr std::int32_t kOverflow = kMagnitude;
    static constexpr std::int32_t kUnderflow = 0;
    PLUMB_COMMON static void store(float* p, float value) { *p = value; }
    PLUMB_COMMON static bool positive(float h) { return h > 0; }
};
template <>
struct Format<Storage::Fp32> : PlainFloat {
    static constexpr Storage kMask = Storage::Fp32;
    PLUMB_COMMON static float load(const float* p) { return *p; }
};
template <>
struct Format<Storage::Tf32> : PlainFloat {
    static constexpr Storage kMask = Storage::Tf32;
    PLUMB_COMMON static float load(const float* p) { return toTf32(*p); }
};
template <>
struct Format<Storage::Bf16> {
    using Type = Bf16;
    static constexpr Storage kMask = Storage::Bf16;
    static constexpr bool kScaled = false;
    static constexpr bool kCounts = false;
    static constexpr std::int32_t kOverflow = kMagnitude;
    static constexpr std::int32_t kUnderflow = 0;
    PLUMB_COMMON static float load(const Bf16* p) { return fromBf16(*p); }
    PLUMB_COMMON static void store(Bf16* p, float value) { *p = toBf16(value); }
    PLUMB_COMMON static bool positive(Bf16 h) { return fromBf16(h) > 0; }
};
template <>
struct Format<Storage::Fp16> {
    using Type = std::uint16_t;
    static constexpr Storage kMask = Storage::Fp16;
    static constexpr bool kScaled = false;
    static constexpr bool kCounts = true;
    static constexpr std::int32_t kOverflow = 0x477ff000;  // 65520
    static constexpr std::int32_t kUnderflow = 102 << 23;  // 2^-25: the tie goes to 0
    PLUMB_COMMON static float load(const std::uint16_t* p) { return fromFp16(*p); }
    PLUMB_COMMON static void store(std::uint16_t* p, float value) {
        *p = static_cast<std::uint16_t>(Half::encode(value));
    }
    PLUMB_COMMON static bool positive(std::uint16_t h) {
        const auto code = static_cast<std::int16_t>(h);
        return (code > 0) & (code <= 0x7c00);
    }
};
template <>
struct Format<Storage::Fp8E4M3> {
    using Type = std::uint8_t;
    using Code = E4M3;
    static constexpr Storage kMask = Storage::Fp8E4M3;
    static constexpr bool kScaled = true;
    static constexpr bool kCounts = true;
    static constexpr std::int32_t kOverflow = 0x43e80001;  // above 464: the tie goes to 448
    static constexpr std::int32_t kUnderflow = 117 << 23;  // 2^-10
    PLUMB_COMMON static float load(const std::uint8_t* p) { return fromE4M3(*p); }
    PLUMB_COMMON static void store(std::uint8_t* p, float value) {
        *p = static_cast<std::uint8_t>(Code::encode(value));
    }
    PLUMB_COMMON static bool positive(std::uint8_t h) {
        const auto code = static_cast<std::int8_t>(h);
        return (code > 0) & (code < 0x7f);
    }
};
template <>
struct Format<Storage::Fp8E5M2> {
    using Type = std::uint8_t;
    using Code = E5M2;
    static constexpr Storage kMask = Storage::Fp8E4M3;  // the activations of the recipe
    static constexpr bool kScaled = true;
    static constexpr bool kCounts = true;
    static constexpr std::int32_t kOverflow = 0x47700000;  // 61440
    static constexpr std::int32_t kUnderflow = 110 << 23;  // 2^-17
    PLUMB_COMMON static float load(const std::uint8_t* p) {
        return fromFp16(static_cast<std::uint16_t>(*p << 8));
    }
    PLUMB_COMMON static void store(std::uint8_t* p, float value) {
        *p = static_cast<std::uint8_t>(Code::encode(value));
    }
    PLUMB_COMMON static bool positive(std::uint8_t h) {
        const auto code = static_cast<std::int8_t>(h);
        return (code > 0) & (code <= 0x7c);
    }
};

}  // namespace plumb::common
