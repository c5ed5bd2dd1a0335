// SPDX-License-Identifier: Apache-2.0
#include "core/lab/format_text.h"

#include "tests/support/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace plumb::lab {
namespace {

NumberFormat formatOf(std::string_view name) { return *findFormat(name); }

TEST(FormatText, BitsStandInThreeGroups) {
    EXPECT_EQ(bitsText(formatOf("fp16"), 0x2E66), "0 01011 1001100110");
    EXPECT_EQ(bitsText(formatOf("fp4_e2m1"), 0xF), "1 11 1");
    EXPECT_EQ(codeText(formatOf("fp16"), 0x2E66), "0x2E66");
    EXPECT_EQ(codeText(formatOf("fp6_e2m3"), 1), "0x01");
}

TEST(FormatText, EveryCodeReadsBackInHexadecimalAndInBinary) {
    for (const NumberFormat& format : numberFormats()) {
        const std::uint64_t codes = format.bits() > 12 ? 4096 : std::uint64_t{1} << format.bits();
        for (std::uint64_t i = 0; i < codes; ++i) {
            const std::uint64_t code = format.bits() > 12 ? i << (format.bits() - 12) : i;
            const auto hex = parseCode(format, codeText(format, code));
            ASSERT_TRUE(hex.has_value());
            EXPECT_EQ(*hex, code);
            const auto binary = parseCode(format, "0b" + bitsText(format, code));
            ASSERT_TRUE(binary.has_value());
            EXPECT_EQ(*binary, code);
        }
    }
}

TEST(FormatText, RefusesWhatIsNoCode) {
    for (const char* text : {"", "0x", "xyz", "0b012", "0x1g", "-1", "1.5"})
        EXPECT_FALSE(parseCode(formatOf("fp16"), text).has_value()) << text;
    EXPECT_FALSE(parseCode(formatOf("fp16"), "0x10000").has_value());
    EXPECT_FALSE(parseCode(formatOf("fp64"), "0x10000000000000000").has_value());
    EXPECT_TRUE(parseCode(formatOf("fp64"), "0xFFFFFFFFFFFFFFFF").has_value());
    EXPECT_FALSE(parseCode(formatOf("fp4_e2m1"), "0b10000").has_value());
}

TEST(FormatText, TheShortestTextReadsBack) {
    for (std::uint64_t i = 1; i < 4000; ++i) {
        const auto number = std::bit_cast<double>(i * 0x9E3779B97F4A7C15ULL);
        if (!std::isfinite(number)) continue;
        EXPECT_EQ(test::numberIn(numberText(number)), number);
    }
    EXPECT_EQ(numberText(std::numeric_limits<double>::infinity()), "∞");
    EXPECT_EQ(numberText(-std::numeric_limits<double>::infinity()), "−∞");
    EXPECT_EQ(numberText(std::nan("")), "NaN");
}

TEST(FormatText, ShowsEveryDigitOfADouble) {
    EXPECT_EQ(exactText(0.1), "0.1000000000000000055511151231257827021181583404541015625");
    EXPECT_EQ(exactText(0.5), "0.5");
    EXPECT_EQ(exactText(70000), "70000");
    EXPECT_EQ(exactText(0), "0");
    EXPECT_EQ(exactText(-0.25), "-0.25");
    EXPECT_EQ(exactText(0.1, 5), "0.10000…");
    EXPECT_EQ(exactText(1e-8, 3), "1.00…e-08");
    EXPECT_EQ(exactText(123456, 3), "1.23e+05…");
}

}  // namespace
}  // namespace plumb::lab
