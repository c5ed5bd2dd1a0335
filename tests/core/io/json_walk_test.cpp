// SPDX-License-Identifier: Apache-2.0
// The fast walk against the slow parser: the same documents, the same refusals, over what people and damaged
// disks write.
#include "core/io/json_fields.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {
namespace {

using nlohmann::json;

/// Where the slow parser finds `text` wrong, and what it says; empty of sound text.
std::string complaintOf(const std::string& text) {
    try {
        return json::parse(text).is_discarded() ? "discarded" : "";
    } catch (const json::parse_error& problem) {
        return jsonError(problem, problem.byte, text.size(), "it").text();
    } catch (const json::out_of_range&) {
        return "it holds a number that is out of range";
    }
}

void expectSame(const std::string& text) {
    SCOPED_TRACE(text);
    const auto walked = parseJson(text, "it");
    const std::string complaint = complaintOf(text);
    ASSERT_EQ(walked.has_value(), complaint.empty()) << complaint;
    if (!complaint.empty())
        EXPECT_TRUE(walked.error().text().starts_with(complaint)) << walked.error().text() << "\n"
                                                                  << complaint;
    else
        EXPECT_EQ(dumpJson(*walked), dumpJson(json::parse(text)));
}

TEST(JsonWalk, ReadsNumbersToTheLastBit) {
    for (const char* const text : {"0",
                                   "-0",
                                   "-0.0",
                                   "0.0",
                                   "1E5",
                                   "1e-5",
                                   "0.1",
                                   "123456789012345678901234567890",
                                   "-9223372036854775808",
                                   "-9223372036854775809",
                                   "18446744073709551615",
                                   "18446744073709551616",
                                   "1.7976931348623157e308",
                                   "1.7976931348623159e308",
                                   "1e309",
                                   "-1e309",
                                   "4.9e-324",
                                   "2.4e-324",
                                   "2.5e-324",
                                   "1e-400",
                                   "-1e-400",
                                   "2.2250738585072011e-308",
                                   "9007199254740993",
                                   "9007199254740993.0",
                                   "0.500000000000000166533453694",
                                   "6.9294956446009195e15",
                                   "1.00000000000000011102230246251565404",
                                   "01",
                                   "1.",
                                   ".5",
                                   "+1",
                                   "1e",
                                   "1e+",
                                   "-",
                                   "--1",
                                   "0x10",
                                   "1_000",
                                   "NaN",
                                   "Infinity",
                                   "1 2"})
        expectSame(text);
    std::mt19937_64 random(1);
    for (int i = 0; i < 3000; ++i) {
        const std::uint64_t bits = random();
        double value = 0;
        static_assert(sizeof value == sizeof bits);
        std::memcpy(&value, &bits, sizeof value);
        if (std::isfinite(value)) expectSame(json(value).dump());
    }
}

TEST(JsonWalk, ReadsTextAsUtf8AndNothingElse) {
    for (const char* const text : {R"("\u00e9\u0416\u4e2d")",
                                   R"("\ud83d\ude00")",
                                   R"("\ud83d")",
                                   R"("\ude00")",
                                   R"("\ud83dx")",
                                   R"("\ude00\ud83d")",
                                   R"("\ud83d\u0041")",
                                   R"("\u0000")",
                                   R"("\u00")",
                                   R"("\x")",
                                   R"("\b\f\n\r\t\/\\\"")",
                                   "\"\xc3\xa9\"",
                                   "\"\xed\x95\x9c\"",
                                   "\"\xed\xa0\x80\"",
                                   "\"\xed\xb0\x80\"",
                                   "\"\xc0\x80\"",
                                   "\"\xe0\x80\x80\"",
                                   "\"\xf4\x90\x80\x80\"",
                                   "\"\xf0\x9f\x98\x80\"",
                                   "\"\xff\"",
                                   "\"\xc3\"",
                                   "\"\x7f\"",
                                   "\"\x1f\"",
                                   "\"\n\"",
                                   "\"",
                                   "\"\\",
                                   "\xef\xbb\xbf[1]",
                                   "\xef\xbb[1]",
                                   "\xef\xbb\xbf",
                                   "[\xef\xbb\xbf 1]",
                                   "",
                                   " ",
                                   "\t\r\n[ ]\n",
                                   "\v[]",
                                   "[1] // why",
                                   "/* why */ 1"})
        expectSame(text);
}

TEST(JsonWalk, RefusesDamageWhereTheSlowParserDoes) {
    const std::string sound =
        R"({"a": [1, -2.5e-3, {"b": "c\u00e9\n"}, [], {}], "": null, "d": [true, false], "é": {"x": [[0]]}})";
    const std::string_view bytes = "{}[]\",:0123456789-+.eE tfnu\\/\x01\x80\xc3\xed";
    std::mt19937 random(2);
    const auto below = [&random](std::size_t end) { return random() % end; };
    for (int i = 0; i < 20'000; ++i) {
        std::string text = sound;
        for (std::size_t changes = 1 + below(3); changes > 0 && !text.empty(); --changes) {
            const std::size_t at = below(text.size());
            const char byte = bytes[below(bytes.size())];
            switch (below(4)) {
            case 0:
                text[at] = byte;
                break;
            case 1:
                text.insert(at, 1, byte);
                break;
            case 2:
                text.erase(at, 1 + below(3));
                break;
            default:
                text.resize(at + 1);
            }
        }
        expectSame(text);
        if (testing::Test::HasFailure()) return;
    }
}

TEST(JsonWalk, TakesAnExponentBeyondAllForOutOfRangeWhateverItScales) {
    const auto walked = parseJson("[0e999]", "it");
    ASSERT_FALSE(walked.has_value());
    EXPECT_NE(walked.error().text().find("out of range"), std::string::npos) << walked.error().text();
}

}  // namespace
}  // namespace plumb
