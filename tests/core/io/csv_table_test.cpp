// SPDX-License-Identifier: Apache-2.0
#include "core/io/csv_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumb {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

CsvTable tableOf(std::string_view text) {
    auto table = parseCsvTable(text, "t.csv");
    EXPECT_TRUE(table.has_value()) << table.error().text();
    return table.has_value() ? *std::move(table) : CsvTable{};
}
std::string errorOf(std::string_view text) {
    const auto table = parseCsvTable(text, "t.csv");
    return table.has_value() ? "no error" : table.error().text();
}

TEST(CsvTable, AFirstRowThatHoldsNoNumbersNamesTheColumns) {
    const CsvTable table = tableOf("rooms,area\n1,2.5\n-3e1,+4\n");
    EXPECT_THAT(table.names, ElementsAre("rooms", "area"));
    EXPECT_EQ(table.rows, 2);
    EXPECT_THAT(table.values, ElementsAre(1, 2.5F, -30, 4));
}

TEST(CsvTable, WithoutAHeaderColumnsHaveNumbers) {
    const CsvTable table = tableOf("1,2\n3,4");
    EXPECT_THAT(table.names, ElementsAre("1", "2"));
    EXPECT_EQ(table.rows, 2);
}

TEST(CsvTable, TakesSemicolonsTabsQuotesLineEndsAndAByteOrderMark) {
    for (const char* text : {"a;b\n1;2\n", "a\tb\r\n1\t2\r\n", "\xEF\xBB\xBF\"a\",\"b\"\n\"1\", 2 \n\n\n"}) {
        const CsvTable table = tableOf(text);
        EXPECT_THAT(table.names, ElementsAre("a", "b")) << text;
        EXPECT_THAT(table.values, ElementsAre(1, 2)) << text;
    }
    EXPECT_THAT(tableOf("\"a \"\"x\"\", b\",c\n1,2\n").names, ElementsAre("a \"x\", b", "c"));
}

TEST(CsvTable, ABadCellIsNamedByRowAndColumn) {
    EXPECT_THAT(errorOf("a,b\n1,2\n3,four\n"),
                AllOf(HasSubstr("row 3, column b (four)"), HasSubstr("t.csv")));
    EXPECT_THAT(errorOf("a,b\n1,\n"), HasSubstr("nothing in row 2, column b"));
    EXPECT_THAT(errorOf("a,b\n1,2,3\n"), HasSubstr("3 cells in row 2, and 2"));
    EXPECT_THAT(errorOf("a;b\n1;2,5\n"), HasSubstr("row 2, column b (2,5)"));
    EXPECT_THAT(errorOf(""), HasSubstr("no rows"));
    EXPECT_THAT(errorOf("a,b\n"), HasSubstr("no rows"));
    EXPECT_THAT(errorOf("a,b\n\"1,2\n3"), HasSubstr("1 cells in row 2"));
    EXPECT_LT(errorOf("a\n1\n" + std::string(100'000, 'x')).size(), 300U);
}

}  // namespace
}  // namespace plumb
