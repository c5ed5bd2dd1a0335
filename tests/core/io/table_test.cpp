// SPDX-License-Identifier: Apache-2.0
#include "core/io/table.h"

#include "core/io/npy_header.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <span>

namespace plumb {
namespace {

Table smallTable() {
    Table table;
    table.addCounts("whole", {1, -2, 9'007'199'254'740'993});
    table.addCounts("gaps", {7, std::nullopt, 9});
    table.addNumbers("share", {0.1 + 0.2, std::numeric_limits<double>::infinity(), std::nullopt});
    table.addTexts("name", {"a \"b\",\n", std::nullopt, "ä"});
    table.addFlags("is", {true, false, std::nullopt});
    return table;
}

TEST(TableCsv, HasAHeadingAndEmptyCellsForWhatIsNotKnown) {
    EXPECT_EQ(toCsv(smallTable()), "whole,gaps,share,name,is\r\n"
                                   "1,7,0.30000000000000004,\"a \"\"b\"\",\n\",true\r\n"
                                   "-2,,,,false\r\n"
                                   "9007199254740993,9,,ä,\r\n");
}

TEST(TableNpy, HasTheNumbersAsRecordsAndNoTexts) {
    const std::string file = toNpy(smallTable());
    const auto header = parseNpyHeader(std::as_bytes(std::span(file)), "it");
    ASSERT_TRUE(header.has_value()) << header.error().text();
    EXPECT_EQ(header->descr, "structured");
    EXPECT_EQ(header->shape, std::vector<std::int64_t>{3});
    EXPECT_EQ(header->dataOffset % 64, 0U);
    EXPECT_NE(file.find("[('whole', '<i8'), ('gaps', '<f8'), ('share', '<f8'), ]"), std::string::npos);
    ASSERT_EQ(file.size(), header->dataOffset + 3 * 24);
    std::int64_t whole = 0;
    double gap = 0;
    std::memcpy(&whole, file.data() + header->dataOffset + 2 * 24, 8);
    std::memcpy(&gap, file.data() + header->dataOffset + 24 + 8, 8);
    EXPECT_EQ(whole, 9'007'199'254'740'993);
    EXPECT_TRUE(std::isnan(gap));
}

TEST(TableNpy, HoldsNoRowsToo) {
    Table table;
    table.addNumbers("x", {});
    const std::string file = toNpy(table);
    const auto header = parseNpyHeader(std::as_bytes(std::span(file)), "it");
    ASSERT_TRUE(header.has_value());
    EXPECT_EQ(header->dataOffset, file.size());
}

}  // namespace
}  // namespace plumb
