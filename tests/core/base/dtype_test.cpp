// SPDX-License-Identifier: Apache-2.0
#include "core/base/dtype.h"

#include "core/base/dtype_bytes.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace plumb {
namespace {

TEST(Dtype, EveryNameReadsBackAsItsDtype) {
    for (const Dtype dtype : kAllDtypes) {
        EXPECT_EQ(dtypeFromName(dtypeName(dtype)), dtype) << dtypeName(dtype);
        EXPECT_GT(dtypeSize(dtype), 0);
    }
    EXPECT_EQ(dtypeFromName("fp99"), std::nullopt);
    EXPECT_EQ(dtypeFromName(""), std::nullopt);
}

TEST(Dtype, ElementsSideBySideFillTheirBytes) {
    for (const Dtype dtype : kAllDtypes)
        for (std::int64_t count = 0; count < 40; ++count)
            EXPECT_EQ(bytesOrOverflow(dtype, count), (count * dtypeBits(dtype) + 7) / 8) << dtypeName(dtype);
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(bytesOrOverflow(Dtype::Fp4E2M1, kMost), kMost / 2 + 1);
    EXPECT_EQ(bytesOrOverflow(Dtype::Bf16, kMost), -1);
    EXPECT_EQ(bytesOrOverflow(Dtype::Fp4E2M1, -1), -1);
    EXPECT_EQ(elementSizeText(Dtype::Fp4E2M1), "0.5 B");
    EXPECT_EQ(elementSizeText(Dtype::Fp32), "4 B");
}

TEST(Dtype, Bf16ReadsBackExactlyForEveryPattern) {
    for (std::uint32_t bits = 0; bits <= 0xffffU; ++bits) {
        const float value = floatFromBf16(static_cast<std::uint16_t>(bits));
        if (std::isnan(value))
            EXPECT_TRUE(std::isnan(floatFromBf16(bf16FromFloat(value)))) << bits;
        else
            EXPECT_EQ(bf16FromFloat(value), bits);
    }
}

/// The nearest bf16 by search in double over the two neighbours, ties to the even pattern.
std::uint16_t nearestBf16(float value) {
    const auto below = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16U);
    const auto above = static_cast<std::uint16_t>(below + 1);
    // An infinite neighbour stands for the power of two that would follow.
    const auto distance = [value](std::uint16_t bits) {
        double candidate = floatFromBf16(bits);
        if (std::isinf(candidate)) candidate = std::copysign(std::ldexp(1.0, 128), candidate);
        return std::fabs(candidate - static_cast<double>(value));
    };
    if (distance(below) == distance(above)) return below % 2 == 0 ? below : above;
    return distance(below) < distance(above) ? below : above;
}

TEST(Dtype, Bf16RoundsToNearestEven) {
    std::uint32_t bits = 12345;
    for (int i = 0; i < 20000; ++i) {
        bits = bits * 1664525U + 1013904223U;
        const auto value = std::bit_cast<float>(bits);
        if (std::isfinite(value)) {
            EXPECT_EQ(bf16FromFloat(value), nearestBf16(value)) << value;
        }
    }
    // Ties: exactly half way between two bf16 numbers.
    EXPECT_EQ(bf16FromFloat(std::bit_cast<float>(0x3f808000U)), 0x3f80);
    EXPECT_EQ(bf16FromFloat(std::bit_cast<float>(0x3f818000U)), 0x3f82);
    EXPECT_EQ(bf16FromFloat(std::numeric_limits<float>::max()), 0x7f80);
}

TEST(Dtype, ANanWhosePayloadIsInTheLowerHalfStaysNan) {
    EXPECT_TRUE(std::isnan(floatFromBf16(bf16FromFloat(std::bit_cast<float>(0x7f800001U)))));
    EXPECT_TRUE(std::isnan(floatFromBf16(bf16FromFloat(std::bit_cast<float>(0xffffffffU)))));
}

}  // namespace
}  // namespace plumb
