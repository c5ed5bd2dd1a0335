// SPDX-License-Identifier: Apache-2.0
#include "core/io/watched_json.h"

#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace plumb {
namespace {

/// A list of numbers of some megabytes.
std::string largeDocument() {
    std::string text = "[0";
    for (int i = 1; i < 700'000; ++i) text += "," + std::to_string(i);
    return text + "]";
}

struct Told {
    std::vector<double> shares;
    std::stop_source stop;
    double stopsAt = 2;

    ReadControl control() {
        return {stop.get_token(), [this](double share) {
                    shares.push_back(share);
                    if (share >= stopsAt) stop.request_stop();
                }};
    }
};

TEST(WatchedJson, ReadsWhatAParserReadsAndTellsHowFarItIs) {
    const std::string text = largeDocument();
    Told told;
    JsonInspector inspector("it", 1 << 30);
    const auto document = parseJson(text, "it", inspector, told.control());
    ASSERT_TRUE(document.has_value()) << document.error().text();
    EXPECT_EQ(*document, nlohmann::json::parse(text));
    ASSERT_GT(told.shares.size(), 4U) << "for each megabyte";
    EXPECT_TRUE(std::ranges::is_sorted(told.shares));
    EXPECT_EQ(told.shares.front(), 0);
    EXPECT_EQ(told.shares.back(), 1);
}

TEST(WatchedJson, StopsWhereItIs) {
    const std::string text = largeDocument();
    for (const double share : {0.2, 0.7}) {
        Told told;
        told.stopsAt = share;
        JsonInspector inspector("a.plumb", 1 << 30);
        const auto document = parseJson(text, "a.plumb", inspector, told.control());
        ASSERT_FALSE(document.has_value());
        EXPECT_EQ(document.error().code, ErrorCode::RunFailed);
        EXPECT_NE(document.error().text().find("a.plumb"), std::string::npos);
        EXPECT_LE(told.shares.back(), share + 0.25) << "no more was read than to the next megabyte";
    }
}

TEST(WatchedJson, BuildsEveryKindOfValueAsAParserDoes) {
    for (const char* const text :
         {R"({"z": null, "a": [true, false, [], {}, [[{"b": [1]}], "x"]], "n": [0, -7, 1.5e300, -0.0]})",
          R"({"u": 18446744073709551615, "i": -9223372036854775808, "t": "\u00e9\n\"", "": {"": ""}})",
          R"({"twice": 1, "twice": {"last": [2]}})", R"([[1, 2], [3, [4, {"a": {"b": {}}}]], 5])", "7",
          "\"text\"", "null"}) {
        JsonInspector inspector("it", 1 << 20);
        const auto document = parseJson(text, "it", inspector, {});
        ASSERT_TRUE(document.has_value()) << document.error().text();
        EXPECT_EQ(document->dump(), nlohmann::json::parse(text).dump()) << text;
    }
}

TEST(WatchedJson, RefusesWhatWouldTakeMoreMemoryThanItMay) {
    std::string text = "[0";
    for (int i = 0; i < 1000; ++i) text += ",0";
    text += "]";
    JsonInspector small("it", 10'000), large("it", 1 << 20);
    const auto refused = parseJson(text, "it", small, {});
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find("10.0 kB of memory"), std::string::npos) << refused.error().text();
    EXPECT_TRUE(parseJson(text, "it", large, {}).has_value());
}

TEST(WatchedJson, SaysOfDamagedTextWhatAnInspectorSays) {
    const std::string whole = R"({"a": [1, 2, {"b": "c"}], "d": 1.5})";
    for (std::size_t end = 0; end < whole.size(); ++end) {
        JsonInspector watched("it", 1 << 20), plain("it", 1 << 20);
        const auto document = parseJson(whole.substr(0, end), "it", watched, {});
        const auto sound = plain.inspect(whole.substr(0, end));
        ASSERT_FALSE(document.has_value());
        EXPECT_EQ(document.error().text(), sound.error().text()) << end;
    }
}

TEST(WatchedFile, IsReadWholeAndGivenUpMidway) {
    const TemporaryFolder folder;
    const std::string path = folder.file("large");
    std::string content = largeDocument() + largeDocument();
    putFile(path, content);
    Told told;
    EXPECT_EQ(readFile(path, 1 << 30, told.control()).value(), content);
    EXPECT_EQ(told.shares.back(), 1);
    Told stopped;
    stopped.stopsAt = 0.3;
    EXPECT_EQ(readFile(path, 1 << 30, stopped.control()).error().code, ErrorCode::RunFailed);
    EXPECT_EQ(readFile(path, 1 << 20, {}).error().code, ErrorCode::BadInput) << "too large";
}

}  // namespace
}  // namespace plumb
