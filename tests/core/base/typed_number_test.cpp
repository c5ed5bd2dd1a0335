// SPDX-License-Identifier: Apache-2.0
#include "core/base/typed_number.h"

#include "core/base/quantity.h"

#include <gtest/gtest.h>

#include <string>

namespace plumb {
namespace {

using Readings = std::vector<std::string>;

/// As the window writes in English and Chinese, and in German and French.
const NumberStyle kEnglish{".", "\u2009", "\u2212", true};
const NumberStyle kGerman{",", "\u2009", "\u2212", true};

Readings whole(std::string_view typed, const NumberStyle& style) {
    return numberReadings(
        typed, [](const std::string& plain) { return parseSize(plain).has_value(); }, style);
}
Readings real(std::string_view typed, const NumberStyle& style) {
    return numberReadings(
        typed, [](const std::string& plain) { return parseQuantity(plain, "B").has_value(); }, style);
}

TEST(TypedNumber, AFieldOfWholeNumbersTakesGroupsByEitherMark) {
    for (const NumberStyle& style : {kEnglish, kGerman})
        for (const char* typed : {"2,048", "2.048", "2 048", "2\u2009048"})
            EXPECT_EQ(whole(typed, style), Readings{"2048"}) << typed << style.decimal;
    EXPECT_EQ(whole("2,000", kEnglish), Readings{"2000"});
    EXPECT_EQ(whole("2.000", kGerman), Readings{"2000"});
    EXPECT_EQ(whole("1,234,567", kGerman), Readings{"1234567"});
}

TEST(TypedNumber, AnyOtherFieldTakesTheDecimalMarkOfTheStyle) {
    EXPECT_EQ(real("2,048", kGerman), Readings{"2.048"}) << "the window writes it so";
    EXPECT_EQ(real("2.048", kEnglish), Readings{"2.048"});
    EXPECT_EQ(real("2.000", kEnglish), Readings{"2.000"});
    EXPECT_EQ(real("2,048", kEnglish), Readings{"2048"});
    for (const NumberStyle& style : {kEnglish, kGerman}) {
        EXPECT_EQ(real("0,005", style), Readings{"0.005"});
        EXPECT_EQ(real("0.005", style), Readings{"0.005"});
        EXPECT_EQ(real("1.5k", style), Readings{"1.5k"});
        EXPECT_EQ(real("1,5k", style), Readings{"1.5k"});
        EXPECT_EQ(whole("1.5k", style), Readings{"1.5k"});
    }
    EXPECT_EQ(whole("1,500k", kGerman), Readings{"1.500k"}) << "1 500 000 or 1500: the mark says it";
    const NumberStyle points{",", ".", "-", false};
    EXPECT_EQ(real("2.048", points), Readings{"2048"}) << "the window writes it so";
}

TEST(TypedNumber, NamesBothNumbersThatATextMayBe) {
    EXPECT_EQ(real("2.048", kGerman), (Readings{"2.048", "2048"}));
    EXPECT_EQ(real("2.048 MB", kGerman), (Readings{"2.048MB", "2048MB"}));
    EXPECT_EQ(whole("2,000", kGerman), (Readings{"2.000", "2000"}));
    EXPECT_EQ(whole("2.000", kEnglish), (Readings{"2.000", "2000"}));
    EXPECT_EQ(whole("1.500k", kGerman), (Readings{"1.500k", "1500k"}));
    const auto refusal = [](std::string_view typed, const NumberStyle& style) {
        const auto read = oneNumber(
            typed, [](const std::string&) { return true; }, style);
        return read.has_value() ? "taken: " + *read : read.error().text();
    };
    EXPECT_EQ(refusal("2.048", kGerman), "\"2.048\" can be read as two numbers: write 2,048 or 2\u2009048");
    EXPECT_EQ(refusal("-12.500 k", kGerman),
              "\"-12.500 k\" can be read as two numbers: write \u221212,5k or \u221212\u2009500k");
    // Either of them is taken then.
    EXPECT_EQ(real("2,048", kGerman).size(), 1U);
    EXPECT_EQ(real("2\u2009048", kGerman).size(), 1U);
}

TEST(TypedNumber, TellsOfWhatWasTypedWhatItsReaderSays) {
    const auto read = parseTyped("2,5", [](const std::string& plain) { return parseSize(plain); });
    ASSERT_FALSE(read.has_value());
    EXPECT_TRUE(read.error().message.starts_with("\"2,5\" ")) << read.error().message;
    const auto taken = parseTyped("2.048", [](const std::string& plain) { return parseSize(plain); });
    ASSERT_TRUE(taken.has_value());
    EXPECT_EQ(*taken, 2048);
}

}  // namespace
}  // namespace plumb
