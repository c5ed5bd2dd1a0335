// SPDX-License-Identifier: Apache-2.0
#include "core/base/number_format.h"

#include "core/base/dtype.h"
#include "core/io/file.h"
#include "core/lab/block_format.h"
#include "tests/support/comma_locale.h"
#include "tests/support/reference.h"

#include "test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>

namespace plumb::lab {
namespace {

NumberFormat formatNamed(std::string_view name) {
    const auto format = findFormat(name);
    EXPECT_TRUE(format.has_value()) << name;
    return format.has_value() ? *format : NumberFormat{};
}

std::uint64_t splitmix(std::uint64_t index) {
    std::uint64_t z = (index + 1) * 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
}

/// As tests/data/lab/make_formats.py makes it.
class SplitmixDigest {
public:
    void add(std::uint64_t code) { m_sum += (code + 1) * splitmix(m_index++); }
    [[nodiscard]] std::string text() const {
        char buffer[17];
        std::snprintf(buffer, sizeof buffer, "%016llx", static_cast<unsigned long long>(m_sum));
        return buffer;
    }

private:
    std::uint64_t m_sum = 0;
    std::uint64_t m_index = 0;
};

std::uint64_t comparable(const NumberFormat& format, const StoredNumber& stored) {
    return std::isnan(stored.value) ? (std::uint64_t{1} << format.bits()) - 1 : stored.code;
}

const nlohmann::json& formatsReference() {
    static const nlohmann::json document = test::referenceFile("lab/formats.json");
    return document;
}

constexpr const char* kReference[] = {"fp16",     "bf16",     "fp8_e4m3", "fp8_e5m2",
                                      "fp6_e2m3", "fp6_e3m2", "fp4_e2m1"};

TEST(NumberFormat, EveryCodeMeansWhatItMeansToMlDtypes) {
    for (const char* name : kReference) {
        const NumberFormat format = formatNamed(name);
        SplitmixDigest digest;
        for (std::uint64_t code = 0; code < std::uint64_t{1} << format.bits(); ++code) {
            const auto value = static_cast<float>(valueOf(format, code));
            const std::uint32_t pattern =
                std::isnan(value) ? 0x7fc00000U : std::bit_cast<std::uint32_t>(value);
            digest.add(pattern);
            if (format.bits() <= 8) {
                EXPECT_EQ(pattern, formatsReference()[name]["decoded"][code].get<std::uint32_t>())
                    << name << code;
            }
        }
        EXPECT_EQ(digest.text(), formatsReference()[name]["decoded_digest"]) << name;
    }
}

TEST(NumberFormat, EveryTieAndItsNeighboursRoundAsInMlDtypes) {
    for (const char* name : kReference) {
        const NumberFormat format = formatNamed(name);
        std::vector<float> middles;
        for (std::uint64_t code = 0; code < format.largestCode(); ++code)
            middles.push_back(static_cast<float>((valueOf(format, code) + valueOf(format, code + 1)) / 2));
        std::vector<float> borders = middles;
        for (const float middle : middles) borders.push_back(std::nextafter(middle, 0.0F));
        for (const float middle : middles)
            borders.push_back(std::nextafter(middle, std::numeric_limits<float>::infinity()));
        const std::size_t positive = borders.size();
        for (std::size_t i = 0; i < positive; ++i) borders.push_back(-borders[i]);
        ASSERT_EQ(borders.size(), formatsReference()[name]["borders"].get<std::size_t>()) << name;
        SplitmixDigest digest;
        for (const float border : borders)
            digest.add(comparable(format, store(format, static_cast<double>(border))));
        EXPECT_EQ(digest.text(), formatsReference()[name]["border_digest"]) << name;
    }
}

TEST(NumberFormat, TwoMillionRandomNumbersRoundAsInMlDtypes) {
    for (const char* name : kReference) {
        const NumberFormat format = formatNamed(name);
        SplitmixDigest digest;
        for (std::uint64_t i = 0; i < 2'000'000; ++i) {
            auto value = std::bit_cast<float>(static_cast<std::uint32_t>(splitmix(i)));
            if (std::isnan(value)) value = 1;
            digest.add(comparable(format, store(format, static_cast<double>(value))));
        }
        EXPECT_EQ(digest.text(), formatsReference()[name]["random_digest"]) << name;
    }
}

TEST(NumberFormat, Fp32AndFp64AreThoseOfTheMachine) {
    for (std::uint64_t i = 0; i < 200'000; ++i) {
        const double value = std::bit_cast<double>(splitmix(i));
        if (std::isnan(value)) continue;
        EXPECT_EQ(store(formatNamed("fp64"), value).code, std::bit_cast<std::uint64_t>(value));
        // Half of the random doubles are beyond fp32; bring the exponents near.
        const double near = std::ldexp(std::frexp(value, std::array<int, 1>{}.data()),
                                       static_cast<int>(splitmix(~i) % 300) - 160);
        EXPECT_EQ(store(formatNamed("fp32"), near).code,
                  std::bit_cast<std::uint32_t>(static_cast<float>(near)))
            << near;
    }
}

TEST(NumberFormat, TheTrainersConversionsAreTheSame) {
    for (std::uint64_t i = 0; i < 300'000; ++i) {
        const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(splitmix(i)));
        if (!std::isfinite(value)) continue;
        const auto number = static_cast<double>(value);
        EXPECT_EQ(store(formatNamed("fp16"), number).code, fp16FromFloat(value));
        EXPECT_EQ(store(formatNamed("bf16"), number).code, bf16FromFloat(value));
        EXPECT_EQ(store(formatNamed("fp8_e4m3"), number, Overflow::Saturate).code, fp8E4M3FromFloat(value));
        EXPECT_EQ(store(formatNamed("fp8_e5m2"), number, Overflow::Saturate).code, fp8E5M2FromFloat(value));
    }
}

TEST(NumberFormat, HasTheLimitsOfItsStandard) {
    const auto expect = [](const char* name, double largest, double normal, double subnormal) {
        const NumberFormat format = formatNamed(name);
        EXPECT_EQ(format.largest(), largest) << name;
        EXPECT_EQ(format.leastNormal(), normal) << name;
        EXPECT_EQ(format.leastSubnormal(), subnormal) << name;
    };
    expect("fp64", std::numeric_limits<double>::max(), 0x1p-1022, 0x1p-1074);
    expect("fp32", static_cast<double>(std::numeric_limits<float>::max()), 0x1p-126, 0x1p-149);
    expect("tf32", 3.4011621342146535e38, 0x1p-126, 0x1p-136);
    expect("fp16", 65504, 0x1p-14, 0x1p-24);
    expect("bf16", 3.3895313892515355e38, 0x1p-126, 0x1p-133);
    expect("fp8_e4m3", 448, 0x1p-6, 0x1p-9);
    expect("fp8_e5m2", 57344, 0x1p-14, 0x1p-16);
    expect("fp6_e2m3", 7.5, 1, 0.125);
    expect("fp6_e3m2", 28, 0.25, 0.0625);
    expect("fp4_e2m1", 6, 1, 0.5);
}

TEST(NumberFormat, SaysWhatBecameOfANumber) {
    EXPECT_EQ(store(formatNamed("fp16"), 1e-8).fate, Fate::Underflow);
    EXPECT_EQ(store(formatNamed("bf16"), 1e-8).code, 0x322CU);
    EXPECT_EQ(store(formatNamed("bf16"), 1e-8).fate, Fate::Rounded);
    EXPECT_NEAR(*store(formatNamed("bf16"), 1e-8).relativeError, 1.17e-3, 1e-5);
    EXPECT_EQ(store(formatNamed("fp16"), 70000).fate, Fate::Overflowed);
    EXPECT_EQ(store(formatNamed("fp16"), 70000).code, 0x7C00U);
    EXPECT_EQ(store(formatNamed("fp16"), 70000, Overflow::Saturate).value, 65504);
    EXPECT_EQ(store(formatNamed("fp16"), 70000, Overflow::Saturate).fate, Fate::Saturated);
    EXPECT_EQ(store(formatNamed("fp16"), 6e-8).fate, Fate::Subnormal);
    EXPECT_EQ(store(formatNamed("tf32"), 70000).value, 70016);
    EXPECT_EQ(store(formatNamed("tf32"), 1e-8).value, 9.9971657618880272e-09);
    EXPECT_EQ(store(formatNamed("fp8_e4m3"), 464).value, 448);
    EXPECT_EQ(store(formatNamed("fp8_e4m3"), 464).fate, Fate::Rounded);
    EXPECT_TRUE(std::isnan(store(formatNamed("fp8_e4m3"), 465).value));
    EXPECT_EQ(store(formatNamed("fp4_e2m1"), 5).value, 4);
    EXPECT_EQ(store(formatNamed("fp4_e2m1"), 1e9).fate, Fate::Saturated);
    EXPECT_EQ(store(formatNamed("fp32"), 0.5).fate, Fate::Exact);
    EXPECT_EQ(store(formatNamed("fp16"), std::nan("")).fate, Fate::NotANumber);
    EXPECT_EQ(store(formatNamed("fp16"), -std::numeric_limits<double>::infinity()).code, 0xFC00U);
    EXPECT_EQ(store(formatNamed("fp16"), -std::numeric_limits<double>::infinity()).fate, Fate::Exact);
}

TEST(NumberFormat, NeighboursAreTheNextCodes) {
    const StoredNumber tenth = store(formatNamed("bf16"), 1e-8);
    EXPECT_EQ(*tenth.below, valueOf(formatNamed("bf16"), 0x322B));
    EXPECT_EQ(*tenth.above, valueOf(formatNamed("bf16"), 0x322D));
    const StoredNumber negative = store(formatNamed("fp8_e4m3"), -448);
    EXPECT_EQ(*negative.above, -416);
    EXPECT_FALSE(negative.below.has_value());
    const StoredNumber zero = store(formatNamed("fp4_e2m1"), 0);
    EXPECT_EQ(*zero.below, -0.5);
    EXPECT_EQ(*zero.above, 0.5);
}

TEST(NumberFormat, ReadsNumbersAsPeopleTypeThem) {
    EXPECT_EQ(*parseNumber("1e-8"), 1e-8);
    EXPECT_EQ(*parseNumber("0x1p-3"), 0.125);
    EXPECT_EQ(*parseNumber("1/3"), 1.0 / 3);
    EXPECT_TRUE(std::isinf(*parseNumber("-inf")));
    for (const char* text : {"", " 1", "1 ", "one", "1/", "/2", "1e", "0x"})
        EXPECT_FALSE(parseNumber(text).has_value()) << text;
    EXPECT_EQ(*parseNumber("2^-24"), 0x1p-24);
    EXPECT_EQ(*parseNumber("-2^2"), -4);
    EXPECT_EQ(*parseNumber("+5e-324"), 5e-324);
    EXPECT_EQ(*parseNumber("0X1.8P+3"), 12);
    EXPECT_EQ(*parseNumber("0/5"), 0);
    EXPECT_TRUE(std::isnan(*parseNumber("-nan")));
    for (const char* text : {"2^", "^2", "++1", "-+1", "1,5", "1e5f", "0b1"})
        EXPECT_FALSE(parseNumber(text).has_value()) << text;
    EXPECT_EQ(findFormat("fp12").error().code, ErrorCode::BadInput);
}

TEST(NumberFormat, RefusesNumbersThatEvenTheWidestFormatDoesNotHold) {
    // As infinity or 0 they would be called exact.
    for (const char* text : {"1e400", "-1e400", "1e-400", "1/0", "2^1e9", "2^-5000", "1e-300/1e300"}) {
        const auto number = parseNumber(text);
        ASSERT_FALSE(number.has_value()) << text << ' ' << *number;
        EXPECT_EQ(number.error().message, std::string("fp64 does not hold this number (") + text + ")");
    }
}

TEST(NumberFormat, ReadsTheSameNumbersInEveryLocale) {
    // Qt takes over the locale of the desktop, in which strtod() may want a comma.
    const test::CommaLocale comma;
    EXPECT_EQ(*parseNumber("0.5"), 0.5);
    EXPECT_FALSE(parseNumber("0,5").has_value());
}

std::vector<double> valuesOf(const char* name, std::vector<double> numbers, double tensorScale = 1) {
    for (const BlockFormat& format : blockFormats())
        if (format.name == name) return storeBlock(format, numbers, tensorScale).values;
    ADD_FAILURE() << name;
    return {};
}

TEST(BlockFormat, StoresTheWorkedExamples) {
    const std::vector<double> numbers{0.1, 0.02, -0.07, 0.003};
    using Values = std::vector<double>;
    EXPECT_EQ(valuesOf("mxfp8_e4m3", numbers), (Values{0.1015625, 0.01953125, -0.0703125, 0.0029296875}));
    EXPECT_EQ(valuesOf("mxfp8_e5m2", numbers), (Values{0.09375, 0.01953125, -0.0625, 0.0029296875}));
    EXPECT_EQ(valuesOf("mxfp6_e2m3", numbers), (Values{0.1015625, 0.01953125, -0.0703125, 0.00390625}));
    EXPECT_EQ(valuesOf("mxfp6_e3m2", numbers), (Values{0.09375, 0.01953125, -0.0625, 0.0029296875}));
    EXPECT_EQ(valuesOf("mxfp4", numbers), (Values{0.09375, 0.0234375, -0.0625, 0}));
    EXPECT_EQ(valuesOf("nvfp4", numbers), (Values{0.10546875, 0.017578125, -0.0703125, 0}));
    const Values scaled = valuesOf("nvfp4", numbers, nvfp4TensorScale(0.1));
    EXPECT_NEAR(scaled[0], 0.1, 1e-7);
    EXPECT_NEAR(scaled[1], 0.0166667, 1e-7);
    const Values wide = valuesOf("nvfp4", numbers, nvfp4TensorScale(1.0));
    EXPECT_NEAR(wide[0], 0.0982143, 1e-7);
    EXPECT_NEAR(wide[2], -0.0654762, 1e-7);
}

TEST(BlockFormat, ZerosStayZerosAndPayloadsAreThoseOfTheFormats) {
    for (const BlockFormat& format : blockFormats()) {
        const StoredBlock block = storeBlock(format, std::vector<double>(4, 0.0));
        for (const double value : block.values) EXPECT_EQ(value, 0) << format.name;
    }
    const auto bits = [](const char* name) {
        for (const BlockFormat& format : blockFormats())
            if (format.name == name) return format.bitsPerElement();
        return 0.0;
    };
    EXPECT_EQ(bits("mxfp8_e4m3"), 8.25);
    EXPECT_EQ(bits("mxfp6_e2m3"), 6.25);
    EXPECT_EQ(bits("mxfp4"), 4.25);
    EXPECT_EQ(bits("nvfp4"), 4.5);
}

}  // namespace
}  // namespace plumb::lab
