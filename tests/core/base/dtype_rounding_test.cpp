// SPDX-License-Identifier: Apache-2.0
// Rounding to fp16, fp8 and tf32: every code, every border between two codes, and random numbers, against
// what NumPy and ml_dtypes make of them (tests/data/dtype/make_dtypes.py).
#include "core/base/dtype.h"
#include "tests/support/reference.h"

#include "test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace plumb {
namespace {

const nlohmann::json& dtypesReference() {
    static const nlohmann::json document = test::referenceFile("dtype/dtypes.json");
    return document;
}

class FnvDigest {
public:
    void add(std::uint32_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) {
            m_state ^= (value >> (8 * i)) & 0xffU;
            m_state *= 0x100000001B3U;
        }
    }
    [[nodiscard]] std::string text() const {
        char room[17];
        std::snprintf(room, sizeof room, "%016llx", static_cast<unsigned long long>(m_state));
        return room;
    }

private:
    std::uint64_t m_state = 0xCBF29CE484222325U;
};

struct Small {
    const char* name;
    int bytes;
    std::uint32_t largest;  ///< code of the largest finite number
    std::uint32_t nan;      ///< the code that stands for all NaN in the reference
    std::uint32_t (*encode)(float);
    float (*decode)(std::uint32_t);
};
const Small kFormats[] = {
    {"fp16", 2, 0x7bff, 0x7e00, [](float v) -> std::uint32_t { return fp16FromFloat(v); },
     [](std::uint32_t c) { return floatFromFp16(static_cast<std::uint16_t>(c)); }},
    {"fp8_e4m3", 1, 0x7e, 0x7f, [](float v) -> std::uint32_t { return fp8E4M3FromFloat(v); },
     [](std::uint32_t c) { return floatFromFp8E4M3(static_cast<std::uint8_t>(c)); }},
    {"fp8_e5m2", 1, 0x7b, 0x7f, [](float v) -> std::uint32_t { return fp8E5M2FromFloat(v); },
     [](std::uint32_t c) { return floatFromFp8E5M2(static_cast<std::uint8_t>(c)); }},
};

class DtypeRounding : public testing::TestWithParam<Small> {
protected:
    /// The code as recorded: one for all that is not a number.
    [[nodiscard]] static std::uint32_t code(const Small& format, float value) {
        const std::uint32_t stored = format.encode(value);
        if (!std::isnan(value)) {
            EXPECT_FALSE(std::isnan(format.decode(stored))) << value;
            return stored;
        }
        EXPECT_TRUE(std::isnan(format.decode(stored))) << format.name << " loses a NaN";
        return format.nan;
    }
};
INSTANTIATE_TEST_SUITE_P(All, DtypeRounding, testing::ValuesIn(kFormats),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

TEST_P(DtypeRounding, EveryCodeMeansWhatTheReferenceSays) {
    const Small& format = GetParam();
    const nlohmann::json& expected = dtypesReference()[format.name];
    FnvDigest digest;
    for (std::uint32_t c = 0; c < (1U << (8 * format.bytes)); ++c) {
        const float value = format.decode(c);
        const auto bits = std::isnan(value) ? 0x7fc00000U : std::bit_cast<std::uint32_t>(value);
        if (format.bytes == 1) {
            EXPECT_EQ(bits, expected["decoded_bits"][c].get<std::uint32_t>()) << c;
        }
        digest.add(bits, 4);
    }
    EXPECT_EQ(digest.text(), expected["decoded_digest"]);
}

TEST_P(DtypeRounding, EveryFiniteCodeReadsBackAsItself) {
    const Small& format = GetParam();
    const std::uint32_t sign = 1U << (8 * format.bytes - 1);
    for (std::uint32_t c = 0; c <= format.largest; ++c) {
        EXPECT_EQ(format.encode(format.decode(c)), c);
        EXPECT_EQ(format.encode(format.decode(c | sign)), c | sign);
    }
}

TEST_P(DtypeRounding, EveryBorderBetweenTwoCodesFallsAsInTheReference) {
    const Small& format = GetParam();
    std::vector<std::uint32_t> around;
    for (std::uint32_t c = 0; c <= format.largest; ++c) {
        const auto here = static_cast<double>(format.decode(c));
        const double next = c < format.largest ? static_cast<double>(format.decode(c + 1))
                                               : 2 * here - static_cast<double>(format.decode(c - 1));
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>((here + next) / 2));
        for (const std::uint32_t step : {bits - 1, bits, bits + 1}) around.push_back(step);
    }
    FnvDigest digest;
    for (const std::uint32_t sign : {0U, 0x80000000U})
        for (const std::uint32_t bits : around)
            digest.add(code(format, std::bit_cast<float>(bits | sign)), format.bytes);
    const nlohmann::json& expected = dtypesReference()[format.name];
    EXPECT_EQ(2 * around.size(), expected["borders"].get<std::size_t>());
    EXPECT_EQ(digest.text(), expected["border_digest"]);
}

TEST_P(DtypeRounding, RandomNumbersRoundAsInTheReference) {
    const Small& format = GetParam();
    FnvDigest digest;
    std::uint32_t bits = 12345;
    for (int i = 0; i < 200000; ++i) {
        bits = bits * 1664525U + 1013904223U;
        digest.add(code(format, std::bit_cast<float>(bits)), format.bytes);
    }
    EXPECT_EQ(digest.text(), dtypesReference()[format.name]["random_digest"]);
}

TEST(DtypeRounding, FiniteNumbersSaturateInFp8AndOverflowInFp16AndInfinityIsNeverFinite) {
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(fp16FromFloat(65519.99F), 0x7bff);
    EXPECT_EQ(fp16FromFloat(65520.0F), 0x7c00);
    EXPECT_EQ(fp16FromFloat(-infinity), 0xfc00);
    EXPECT_EQ(floatFromFp8E4M3(fp8E4M3FromFloat(1e9F)), largestFinite(Dtype::Fp8E4M3));
    EXPECT_EQ(floatFromFp8E4M3(fp8E4M3FromFloat(-0x1.fffffep127F)), -448.0F);
    EXPECT_EQ(floatFromFp8E5M2(fp8E5M2FromFloat(0x1.fffffep127F)), largestFinite(Dtype::Fp8E5M2));
    EXPECT_EQ(fp16FromFloat(infinity), 0x7c00);
    EXPECT_TRUE(std::isnan(floatFromFp8E4M3(fp8E4M3FromFloat(infinity))));
    EXPECT_TRUE(std::isnan(floatFromFp8E4M3(fp8E4M3FromFloat(-infinity))));
    EXPECT_EQ(floatFromFp8E5M2(fp8E5M2FromFloat(infinity)), infinity);
    EXPECT_EQ(floatFromFp8E5M2(fp8E5M2FromFloat(-infinity)), -infinity);
    EXPECT_EQ(floatFromFp16(0x7bff), largestFinite(Dtype::Fp16));
}

TEST(DtypeRounding, TheConversionsAreConstantExpressions) {
    static_assert(fp16FromFloat(1.0F) == 0x3c00 && floatFromFp16(0x0001) == 0x1p-24F);
    static_assert(fp8E4M3FromFloat(448.0F) == 0x7e && floatFromFp8E4M3(0x01) == 0x1p-9F);
    static_assert(fp8E5M2FromFloat(-0x1p-16F) == 0x81 && floatFromFp8E5M2(0x7b) == 57344.0F);
    static_assert(tf32FromFloat(1.0F) == 1.0F);
}

TEST(DtypeRounding, Tf32RoundsToTenBitsWithTiesAwayFromZero) {
    for (const nlohmann::json& pair : dtypesReference()["tf32"]) {
        const float value = std::bit_cast<float>(pair[0].get<std::uint32_t>());
        EXPECT_EQ(std::bit_cast<std::uint32_t>(tf32FromFloat(value)), pair[1].get<std::uint32_t>()) << value;
    }
    EXPECT_TRUE(std::isnan(tf32FromFloat(std::bit_cast<float>(0x7f800001U))));
    EXPECT_TRUE(std::isnan(tf32FromFloat(std::bit_cast<float>(0xffffffffU))));
}

}  // namespace
}  // namespace plumb
