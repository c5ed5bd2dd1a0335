// SPDX-License-Identifier: Apache-2.0
#include "core/base/number_style.h"

#include "core/base/quantity.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>

namespace plumb {
namespace {

/// As the window writes in English and Chinese, and in German and French.
const NumberStyle kPoint{".", "\u2009", "\u2212", true};
const NumberStyle kComma{",", "\u2009", "\u2212", true};
/// Others that people type in, or set.
const NumberStyle kEnglishCommas{".", ",", "-", false};
const NumberStyle kGermanPoints{",", ".", "-", false};
const NumberStyle kFrenchSpaces{",", "\u202f", "\u2212", true};
const NumberStyle kSwissApostrophes{".", "\u2019", "\u2212", true};
const NumberStyle kNoGroups{",", "", "\u2212", true};
const std::array kStyles{NumberStyle{},     kPoint,   kComma, kEnglishCommas, kGermanPoints, kFrenchSpaces,
                         kSwissApostrophes, kNoGroups};

/// While it lives the process writes in a style.
class InStyle final {
public:
    explicit InStyle(const NumberStyle& style) { setNumberStyle(style); }
    ~InStyle() { setNumberStyle(NumberStyle{}); }
    InStyle(const InStyle&) = delete;
    InStyle& operator=(const InStyle&) = delete;
};

TEST(NumberStyleTest, WritesAsTheCommandLineUntilItIsToldOtherwise) {
    EXPECT_EQ(formatQuantity(-1.5e-7, ""), "-1.50e-07");
    EXPECT_EQ(formatExact(-61859, "B"), "-61\u2009859 B");
    EXPECT_EQ(localNumber("-1.5e-07 MB"), "-1.5e-07 MB");
}

TEST(NumberStyleTest, WritesTheDecimalMarkTheMinusSignAndShortExponents) {
    EXPECT_EQ(localNumber("-1.5e-07 MB", kComma), "\u22121,5e\u22127 MB");
    EXPECT_EQ(localNumber("2.00e+03", kPoint), "2.00e3");
    EXPECT_EQ(localNumber("+0.5 %", kComma), "+0,5 %");
    EXPECT_EQ(localNumber("1e-00", kPoint), "1e\u22120");
}

TEST(NumberStyleTest, LeavesWhatIsNoNumberAlone) {
    for (const char* text : {"inf", "-inf", "nan", "", "-", "layer 0.5", "–"})
        EXPECT_EQ(localNumber(text, kComma), text);
    EXPECT_EQ(localNumber("3.5 TB/s, e.g.", kComma), "3,5 TB/s, e.g.");
    EXPECT_EQ(localNumber("5 exa", kComma), "5 exa");
}

TEST(NumberStyleTest, WritesTheNumbersOfASentenceAndLeavesNamesAlone) {
    const NumberStyle comma{.decimal = ",", .minus = "\u2212", .shortExponents = true};
    const auto prose = [&](std::string_view text) { return localProse(text, comma); };
    EXPECT_EQ(prose("slower by 0.3 %: 47 ms more"), "slower by 0,3 %: 47 ms more");
    EXPECT_EQ(prose("without them MFU is 41.7 %. MFU 3.5 % of 1.5."),
              "without them MFU is 41,7 %. MFU 3,5 % of 1,5.");
    EXPECT_EQ(prose("1.8172 + 482.01/N^0.3478, 4 B · 8.03e+09 / 8"),
              "1,8172 + 482,01/N^0,3478, 4 B · 8,03e9 / 8");
    EXPECT_EQ(prose("over NVLink, 1.9 for small messages"), "over NVLink, 1,9 for small messages");
    EXPECT_EQ(prose("(1e-08, 0.5 to 2)"), "(1e\u22128, 0,5 to 2)");
    for (const std::string_view name :
         {"Llama 3.1 8B", "arXiv 2005.14165, table 2.x", "torch 2.4.1", "torch 2.4", "PCIe 3.0 x16",
          "give --lr 0.001", "a/0.5/b", "layer0.5x", "10.0.0.1:22", "Python 3.11 of 12"})
        EXPECT_EQ(prose(name), name);
    EXPECT_EQ(localProse("by 0.3 %", NumberStyle{}), "by 0.3 %");
}

TEST(NumberStyleTest, PartsGroupsByTheMarkOfTheStyle) {
    const auto written = [](const NumberStyle& style) {
        const InStyle in(style);
        return localGroups(formatExact(-1234567, "B"));
    };
    EXPECT_EQ(written(kPoint), "\u22121\u2009234\u2009567 B");
    EXPECT_EQ(written(kEnglishCommas), "-1,234,567 B");
    EXPECT_EQ(written(kGermanPoints), "-1.234.567 B");
    EXPECT_EQ(written(kSwissApostrophes), "\u22121\u2019234\u2019567 B");
    EXPECT_EQ(written(kNoGroups), "\u22121234567 B");
    // In a sentence of the core a group is no fraction, and what stands beside it stays.
    const InStyle in(kGermanPoints);
    const std::string sentence = "a batch of " + formatExact(2048, "") + " takes 1.234 s, or 0.5 of\u2009it";
    EXPECT_EQ(localProse(sentence), "a batch of 2.048 takes 1,234 s, or 0,5 of\u2009it");
    EXPECT_EQ(localProse("12\u200934 and 1\u20092345"), "12\u200934 and 1\u20092345");
}

TEST(NumberStyleTest, ReadsWhatPeopleType) {
    const auto both = [](const char* typed, const char* point, const char* comma) {
        EXPECT_EQ(plainNumber(typed, kPoint), point) << typed;
        EXPECT_EQ(plainNumber(typed, kComma), comma) << typed;
    };
    both("2,048", "2048", "2.048");
    both("2.048", "2.048", "2048");
    both("2 048", "2048", "2048");
    both("2\u2009048\u2009000", "2048000", "2048000");
    both("2'048", "2048", "2048");
    both("0,005", "0.005", "0.005");
    both("0.005", "0.005", "0.005");
    both("1,5", "1.5", "1.5");
    both("1.5k", "1.5k", "1.5k");
    both("1,5 k", "1.5k", "1.5k");
    both("\u22123", "-3", "-3");
    both(" - 3", "-3", "-3");
    both("1.234.567,8", "1234567.8", "1234567.8");
    both("1,234,567.8 MB", "1234567.8MB", "1234567.8MB");
    both("1,234,567", "1234567", "1234567");
    both("1,5e\u22127", "1.5e-7", "1.5e-7");
    both("\uff11\uff10\uff2d\uff22", "10MB", "10MB");
    both("\uff11\uff12\uff0c\uff10\uff10\uff10", "12000", "12.000");
    both("50\uff05", "50%", "50%");
}

TEST(NumberStyleTest, LeavesWhatIsNotOneNumberToItsReader) {
    for (const char* typed : {"80 90", "1,23,456", "1.2.3", "1,2,3", "12 34 567", "abc", "", "-", "1 2048"})
        EXPECT_EQ(plainNumber(typed, kPoint), typed);
    EXPECT_FALSE(parseQuantity(plainNumber("80 90", kComma), "").has_value());
    EXPECT_FALSE(parseQuantity(plainNumber("1.2.3", kComma), "").has_value());
}

TEST(NumberStyleTest, ReadsWhateverItWrites) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> exponent(-20, 20);
    std::uniform_int_distribution<std::int64_t> whole(-4'000'000'000'000, 4'000'000'000'000);
    for (const NumberStyle& style : kStyles) {
        const InStyle in(style);
        for (int i = 0; i < 4000; ++i) {
            const double value = std::pow(10.0, exponent(random)) * (random() % 2 == 0 ? 1 : -1);
            for (const char* unit : {"", "B", "s", "FLOP/s"}) {
                const std::string text = formatQuantity(value, unit);
                const auto read = parseQuantity(plainNumber(text), unit);
                ASSERT_TRUE(read.has_value()) << text;
                // Three digits, of which the last may be rounded.
                ASSERT_NEAR(*read, value, 0.00501 * std::fabs(value)) << text;
            }
            const std::string editable = localNumber(formatEditable(value, "B"));
            const auto read = parseQuantity(plainNumber(editable), "B");
            ASSERT_TRUE(read.has_value()) << editable;
            ASSERT_EQ(*read, value) << editable;
            const std::int64_t count = whole(random) >> (random() % 40);
            const std::string exact = localGroups(formatExact(count, ""));
            const auto again = parseQuantity(plainNumber(exact), "");
            ASSERT_TRUE(again.has_value()) << exact;
            ASSERT_EQ(static_cast<std::int64_t>(*again), count) << exact;
            const auto size = parseSize(plainNumber(exact));
            ASSERT_EQ(size.has_value(), count >= 0) << exact;
            if (size.has_value()) {
                ASSERT_EQ(*size, count) << exact;
            }
        }
    }
}

}  // namespace
}  // namespace plumb
