// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"

#include "core/base/byte_units.h"
#include "tests/support/comma_locale.h"
#include "tests/support/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plumb {
namespace {

struct Shown {
    double value;
    const char* unit;
    const char* text;
};
void expectShown(std::initializer_list<Shown> all) {
    for (const auto& [value, unit, text] : all) EXPECT_EQ(formatQuantity(value, unit), text);
}

TEST(FormatQuantity, ShowsThreeDigitsAndAPrefix) {
    expectShown({{15.8e9, "B", "15.8 GB"},
                 {8.8e12, "FLOP", "8.80 TFLOP"},
                 {3.4e-6, "s", "3.40 µs"},
                 {34.6e-3, "s", "34.6 ms"},
                 {999, "B", "999 B"},
                 {1000, "B", "1.00 kB"},
                 {1, "s", "1.00 s"},
                 {228000, "/s", "228 k/s"},
                 {989e12, "FLOP/s", "989 TFLOP/s"},
                 {-1234, "B", "-1.23 kB"}});
}

TEST(FormatQuantity, RoundingCarriesIntoTheNextPrefix) {
    expectShown({{999.6, "B", "1.00 kB"},
                 {999499, "B", "999 kB"},
                 {999500, "B", "1.00 MB"},
                 {9.996e9, "B", "10.0 GB"},
                 {99.96e9, "B", "100 GB"},
                 {999.7e-6, "s", "1.00 ms"},
                 {0.9996, "s", "1.00 s"}});
}

TEST(FormatQuantity, WholeCountsBelowAThousandHaveNoDecimals) {
    expectShown(
        {{0, "B", "0 B"}, {5, "B", "5 B"}, {12, "", "12"}, {2.5, "B", "2.50 B"}, {219000, "", "219 k"}});
}

TEST(FormatQuantity, OnlyTimesHavePrefixesBelowOne) {
    expectShown({{0.62, "FLOP/B", "0.620 FLOP/B"},
                 {0.0132, "", "0.0132"},
                 {1.5e-7, "FLOP/B", "1.50e-07 FLOP/B"},
                 {2e-12, "s", "2.00 ps"},
                 {2e-20, "s", "2.00e-20 s"}});
}

TEST(FormatQuantity, WhatIsNoNumberIsADash) {
    EXPECT_EQ(formatQuantity(std::numeric_limits<double>::quiet_NaN(), "B"), "–");
    EXPECT_EQ(formatQuantity(std::numeric_limits<double>::infinity(), "B"), "–");
}

TEST(FormatQuantity, ReadsBackWithinHalfOfTheThirdDigitOverTheWholeRange) {
    constexpr std::string_view kPrefixes = " kMGTPEZY";
    for (double value = 1.0; value < 1e26; value *= 1.0371) {
        const std::string text = formatQuantity(value, "FLOP/s");
        const double number = test::numberIn(std::string_view(text).substr(0, text.find(' ')));
        EXPECT_GE(number, 1.0) << text;
        EXPECT_LT(number, 1000.0) << text;
        const char prefix = text[text.find(' ') + 1];
        const double scale =
            prefix == 'F' ? 1.0 : std::pow(1000.0, static_cast<double>(kPrefixes.find(prefix)));
        EXPECT_NEAR(number * scale / value, 1.0, 0.0051) << text;
    }
}

TEST(FormatQuantity, WritesTheSameUnderADecimalComma) {
    const test::CommaLocale comma;
    EXPECT_EQ(formatQuantity(38.8e6, "B"), "38.8 MB");
    EXPECT_EQ(formatQuantity(25.3e9, "B"), "25.3 GB");
    EXPECT_EQ(formatQuantity(3.4e-6, "s"), "3.40 µs");
}

TEST(FormatExact, GroupsDigitsByThree) {
    EXPECT_EQ(formatExact(0, "B"), "0 B");
    EXPECT_EQ(formatExact(999, "B"), "999 B");
    EXPECT_EQ(formatExact(1000, "B"), "1\u2009000 B");
    EXPECT_EQ(formatExact(15800123456, "B"), "15\u2009800\u2009123\u2009456 B");
    EXPECT_EQ(formatExact(-123456, ""), "-123\u2009456");
    EXPECT_EQ(formatExact(std::numeric_limits<std::int64_t>::min(), ""),
              "-9\u2009223\u2009372\u2009036\u2009854\u2009775\u2009808");
}

TEST(ParseSize, TakesWhatTheCommandLineDocuments) {
    const std::pair<const char*, std::int64_t> cases[] = {{"4096", 4096},
                                                          {"4k", 4000},
                                                          {"4K", 4000},
                                                          {"4Ki", 4096},
                                                          {"1e9", 1000000000},
                                                          {"80GB", 80000000000},
                                                          {"80GiB", 85899345920},
                                                          {"1.5M", 1500000},
                                                          {"0", 0},
                                                          {"0.5k", 500},
                                                          {"1.50e1", 15},
                                                          {"1.5Ki", 1536},
                                                          {"1E", 1000000000000000000},
                                                          {"1Ei", 1152921504606846976},
                                                          {"1e3k", 1000000},
                                                          {"12B", 12},
                                                          {"25e-1k", 2500},
                                                          {"1000000e-6", 1},
                                                          {"1e+3", 1000},
                                                          {"9223372036854775807", INT64_MAX},
                                                          {"0e999999", 0},
                                                          {"007", 7}};
    for (const auto& [text, value] : cases) {
        const Result<std::int64_t> size = parseSize(text);
        ASSERT_TRUE(size.has_value()) << text << ": " << size.error().text();
        EXPECT_EQ(*size, value) << text;
    }
}

TEST(ParseSize, RefusesWhatIsNotOneWholeNumberOf63Bits) {
    for (const char* text : {"",
                             " ",
                             "-5",
                             "+5",
                             "4 k",
                             " 4",
                             "4k ",
                             "abc",
                             "4x",
                             "4kk",
                             "4KiBB",
                             "4iB",
                             "0x10",
                             "1.5",
                             "1.0001k",
                             "e9",
                             ".",
                             "1e",
                             "1e-1",
                             "9223372036854775808",
                             "8Ei",
                             "9.3E",
                             "1e19",
                             "1e999999999999",
                             "99999999999999999999",
                             "1.5.2",
                             "nan",
                             "inf",
                             "1_000",
                             "0.3Ki",
                             "4\xc2\xb5"}) {
        const Result<std::int64_t> size = parseSize(text);
        ASSERT_FALSE(size.has_value()) << text << " gave " << *size;
        EXPECT_EQ(size.error().code, ErrorCode::BadInput);
        EXPECT_NE(size.error().message.find(text), std::string::npos);
        EXPECT_FALSE(size.error().hint.empty());
    }
}

/// While it lives, sizes have the prefixes of 1024.
struct InBinary {
    InBinary() { setByteUnits(ByteUnits::Binary); }
    ~InBinary() { setByteUnits(ByteUnits::Si); }
    InBinary(const InBinary&) = delete;
    InBinary& operator=(const InBinary&) = delete;
};

TEST(ByteUnits, AreOfSizesAloneAndOfTheWholeProcess) {
    {
        const InBinary binary;
        expectShown({{0, "B", "0 B"},
                     {1023, "B", "1.02 kB"},
                     {1024, "B", "1.00 KiB"},
                     {1047552, "B", "1023 KiB"},
                     {1048064, "B", "1.00 MiB"},
                     {-1.5 * 1048576, "B", "-1.50 MiB"},
                     {15.8e9, "B", "14.7 GiB"},
                     {80.0 * (1 << 30), "B", "80.0 GiB"},
                     {0x1p90, "B", "1024 YiB"},
                     {1.5, "B", "1.50 B"},
                     {15.8e9, "B/s", "15.8 GB/s"},
                     {15.8e9, "FLOP", "15.8 GFLOP"},
                     {1e6, "", "1.00 M"}});
    }
    expectShown({{15.8e9, "B", "15.8 GB"}});
}

TEST(ByteUnits, AreInFieldsThatAreEditedWhereTheyAreAsShort) {
    const InBinary binary;
    EXPECT_EQ(formatEditable(80.0 * (1 << 30), "B"), "80 GiB");
    EXPECT_EQ(formatEditable(1536, "B"), "1.5 KiB");
    EXPECT_EQ(formatEditable(80e9, "B"), "80 GB");
    EXPECT_EQ(formatEditable(3.35e12, "B/s"), "3.35 TB/s");
}

TEST(CheckedArithmetic, KeepsAnOverflowOnceItHappened) {
    EXPECT_EQ(mulOrOverflow(1LL << 31, 1LL << 31), 1LL << 62);
    EXPECT_EQ(mulOrOverflow(1LL << 32, 1LL << 31), -1);
    EXPECT_EQ(mulOrOverflow(-1, 0), -1);
    EXPECT_EQ(addOrOverflow(INT64_MAX, 1), -1);
    EXPECT_EQ(addOrOverflow(-1, 5), -1);
}

}  // namespace
}  // namespace plumb
