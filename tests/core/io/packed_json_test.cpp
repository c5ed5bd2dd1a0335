// SPDX-License-Identifier: Apache-2.0
#include "core/io/packed_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace plumb {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::vector<std::int64_t> unpacked(const json& document, std::size_t count, std::string* error = nullptr) {
    JsonField::Problem problem;
    const JsonField field(document, "column", problem);
    std::vector<std::int64_t> values = readPacked(field, count);
    if (error != nullptr) *error = problem ? problem->message : "";
    if (error == nullptr && problem) ADD_FAILURE() << problem->message;
    return values;
}

TEST(PackedJson, SaysRepeatsOnce) {
    EXPECT_EQ(packedJson(std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}).dump(), "[0,1,[1,4]]");
    EXPECT_EQ(packedJson(std::vector<std::int64_t>{7, 7, 7, 7, 7, 7}).dump(), "[7,0,[1,4]]");
    EXPECT_EQ(packedJson({}).dump(), "[]");
    // Down by 5 at every second op, as memory goes in the backward pass.
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < 100'000; ++i) values.push_back(1'000'000 - i / 2 * 5);
    EXPECT_LT(packedJson(values).dump().size(), 40U);
    EXPECT_EQ(unpacked(packedJson(values), values.size()), values);
}

TEST(PackedJson, GivesAnyColumnBack) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 500; ++round) {
        std::vector<std::int64_t> values(random() % 60);
        const std::uint64_t most = round % 3 == 0 ? 3 : round % 3 == 1 ? 1000 : INT64_MAX;
        for (std::int64_t& value : values) value = static_cast<std::int64_t>(random() % most);
        if (round % 5 == 0)
            for (std::size_t i = 6; i < values.size(); ++i) values[i] = values[i - 6];
        ASSERT_EQ(unpacked(packedJson(values), values.size()), values) << round;
    }
}

TEST(PackedJson, RefusesWhatIsNoColumnOfThatLength) {
    const auto errorOf = [](const char* text, std::size_t count) {
        std::string error;
        const auto values = unpacked(json::parse(text), count, &error);
        EXPECT_EQ(values.size(), count);
        return error;
    };
    EXPECT_THAT(errorOf("[1, 2]", 3), HasSubstr("has 2 values, and 3 are needed"));
    EXPECT_THAT(errorOf("[1, 2, 3]", 2), HasSubstr("beyond the 2 values"));
    EXPECT_THAT(errorOf("[0, [1, 9223372036854775807]]", 10), HasSubstr("1 to 9 is possible"));
    EXPECT_THAT(errorOf("[[1, 3]]", 3), HasSubstr("is possible")) << "nothing to repeat yet";
    EXPECT_THAT(errorOf("[0, [2, 3]]", 4), HasSubstr("1 to 1 is possible"));
    EXPECT_THAT(errorOf("[5, -6]", 2), HasSubstr("negative"));
    EXPECT_THAT(errorOf("[9223372036854775807, 1]", 2), HasSubstr("negative"));
    EXPECT_THAT(errorOf("[1.5]", 1), HasSubstr("not a whole number"));
    EXPECT_THAT(errorOf("{}", 1), HasSubstr("not a list"));
}

TEST(PackedJson, ColumnsOfFewValuesNameThemOnce) {
    const std::vector<json> cells{nullptr, 2.5, nullptr, 2.5, nullptr, 2.5, nullptr, 2.5};
    const json column = columnJson(cells);
    EXPECT_EQ(column["values"].size(), 2U);
    JsonField::Problem problem;
    const JsonField field(column, "seconds", problem);
    std::vector<json> read(cells.size());
    readColumn(field, cells.size(), [&](std::size_t i, const JsonField& cell) { read[i] = *cell.json(); });
    EXPECT_FALSE(problem.has_value());
    EXPECT_EQ(read, cells);
    EXPECT_TRUE(columnJson({1, 2, 3, 4}).is_array());
}

}  // namespace
}  // namespace plumb
