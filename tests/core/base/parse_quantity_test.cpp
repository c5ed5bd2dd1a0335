// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace plumb {
namespace {

std::optional<double> read(std::string_view text, std::string_view unit) {
    const auto value = parseQuantity(text, unit);
    return value.has_value() ? std::optional(*value) : std::nullopt;
}

TEST(ParseQuantity, TakesNumbersAsPeopleWriteThem) {
    struct Case {
        const char* text;
        const char* unit;
        double value;
    };
    for (const auto& [text, unit, value] : {
             Case{"989.5 TFLOP/s", "FLOP/s", 989.5e12},
             {"989.5TFLOPS", "FLOP/s", 989.5e12},
             {"989.5 tflops", "FLOP/s", 989.5e12},
             {"9.895e14", "FLOP/s", 9.895e14},
             {"3.35 TB/s", "B/s", 3.35e12},
             {"3.35T", "B/s", 3.35e12},
             {"80 GB", "B", 80e9},
             {"80 gb", "B", 80e9},
             {"80GiB", "B", 80 * 0x1p30},
             {"512 mb", "B", 512e6},  // no thousandths of a byte
             {"700 W", "W", 700},
             {"1.2 kW", "W", 1200},
             {"2.5 ms", "s", 2.5e-3},
             {"3 µs", "s", 3e-6},
             {"70B", "", 70e9},  // billions, for counts
             {"70 bn", "", 70e9},
             {"15T", "", 15e12},
             {"15 T tokens", "", 15e12},
             {"1.5e12", "", 1.5e12},
             {"1.5e+3k", "", 1.5e6},
             {"8k", "", 8000},
             {"8Ki", "", 8192},
             {"80 000 000 000", "B", 80e9},
             {"80\u2009000", "B", 80e3},  // as formatExact() writes it
             {" 1.5 e3 ", "", 1500},
             {"50 %", "%", 0.5},
             {"0.5", "%", 0.5},
             {"-2", "", -2},  // bounds are for the caller
         })
        EXPECT_EQ(read(text, unit), value) << text << " of " << unit;
    for (const char* text : {"30m", "30 k", "1M", "1 y", "2 µ"})  // minutes, thousandths, millions, years?
        for (const char* unit : {"s", "d"})
            EXPECT_FALSE(parseQuantity(text, unit).has_value()) << text << unit;
    for (const char* two : {"1e3 4", "80 90", "1 2", "1 0000", "12 34 567", "80\u200990"})
        EXPECT_FALSE(parseQuantity(two, "").has_value()) << two << " is two numbers";
}

TEST(ParseQuantity, RefusesWhatItDoesNotKnowInOneSentence) {
    for (const char* text :
         {"", " ", "abc", "GB", "80 GFLOP", "80 XB", "1..2", "1,5", "inf", "nan", "1e999", "-", "0x10", "80e",
          "1e", "80 GB GB", "\xff\xfe", "1e-400000000000", "70e303Gi"}) {
        const auto value = parseQuantity(text, "B");
        ASSERT_FALSE(value.has_value()) << text;
        EXPECT_EQ(value.error().code, ErrorCode::BadInput);
        EXPECT_EQ(value.error().text().find('\n'), std::string::npos);
        EXPECT_FALSE(value.error().hint.empty());
    }
    EXPECT_FALSE(parseQuantity("80 TiFLOP/s", "FLOP/s").has_value()) << "binary prefixes are for bytes";
    EXPECT_FALSE(parseQuantity("50 W", "%").has_value());
}

TEST(FormatEditable, ShowsThePrefixThatSuits) {
    struct Case {
        double value;
        const char* unit;
        const char* shown;
    };
    for (const auto& [value, unit, shown] : {
             Case{989.5e12, "FLOP/s", "989.5 TFLOP/s"},
             {3.35e12, "B/s", "3.35 TB/s"},
             {80e9, "B", "80 GB"},
             {700, "W", "700 W"},
             {0.5, "%", "50 %"},
             {1.15, "%", "115 %"},
             {1024, "", "1024"},
             {70e9, "", "70 G"},
             {0, "B", "0 B"},
             {2.5e-3, "s", "2.5 ms"},
             {std::nan(""), "B", ""},
         })
        EXPECT_EQ(formatEditable(value, unit), shown);
}

TEST(FormatEditable, IsReadBackAsTheSameNumber) {
    std::mt19937_64 random(7);
    for (const char* unit : {"", "B", "B/s", "FLOP/s", "W", "s", "%"})
        for (int i = 0; i < 2000; ++i) {
            double value = std::pow(10.0, static_cast<double>(random() % 36) - 9) *
                           (1 + static_cast<double>(random() % 100000) / 1000);
            if (i % 3 == 0) value = std::round(value);
            if (i % 5 == 0) value = -value;
            const std::string shown = formatEditable(value, unit);
            EXPECT_EQ(read(shown, unit), value) << shown;
        }
}

TEST(ParseQuantity, SurvivesAnyBytes) {
    std::mt19937 random(3);
    const std::string letters = "0123456789.eE+-kKMGTPiBFLOPs/%µ \xc2\xa0nb";
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (std::uint64_t length = random() % 12; length > 0; --length)
            text += random() % 8 == 0 ? static_cast<char>(random()) : letters[random() % letters.size()];
        for (const char* unit : {"", "B", "s", "%", "FLOP/s"}) {
            const auto value = parseQuantity(text, unit);
            if (value.has_value()) {
                EXPECT_TRUE(std::isfinite(*value)) << text;
            }
        }
    }
}

TEST(ParseQuantity, RefusesWhatNoDoubleHoldsAlsoWithABinaryPrefix) {
    EXPECT_FALSE(parseQuantity("70e303Gi", "").has_value());
    EXPECT_FALSE(parseQuantity("1e308 KiB", "B").has_value());
    EXPECT_FALSE(parseQuantity("1e308 k", "").has_value());
    EXPECT_TRUE(parseQuantity("1e290 Gi", "").has_value());
}

}  // namespace
}  // namespace plumb
