// SPDX-License-Identifier: Apache-2.0
// That Apache Arrow reads these files is tested with pyarrow (tests/cli/check_export_client.py).
#include "core/io/parquet.h"

#include "core/io/thrift.h"
#include "tests/support/hex.h"

#include <gtest/gtest.h>

#include <cstring>

namespace plumb {
namespace {

std::uint32_t lengthAt(const std::string& file, std::size_t at) {
    std::uint32_t length = 0;
    std::memcpy(&length, file.data() + at, 4);
    return length;
}

TEST(Thrift, WritesTheCompactProtocol) {
    ThriftWriter writer;
    writer.i32(1, -1);   // delta 1, i32, zigzag 1
    writer.i64(3, 300);  // delta 2, i64, zigzag 600 as varint
    writer.text(4, "ab");
    writer.structures(5, 1);  // a list of one structure
    writer.element();
    writer.i32(1, 2);
    writer.end();
    writer.i32s(6, std::vector<std::int32_t>(15, 0));  // long lists have their length behind
    EXPECT_EQ(test::hex(writer.take()), "1501"
                                        "26d804"
                                        "18026162"
                                        "191c"
                                        "150400"
                                        "19f50f000000000000000000000000000000"
                                        "00");
}

Table tableOfEveryKind() {
    Table table;
    table.addCounts("n", {1, std::nullopt, -3});
    table.addNumbers("x", {0.5, 2.0, std::nullopt});
    table.addTexts("s", {std::nullopt, "ä\x01\"", "\xff"});
    table.addFlags("b", {true, false, true});
    return table;
}

TEST(Parquet, IsByteForByteAFileThatPyarrowReads) {
    const auto file = toParquet(tableOfEveryKind(), {{"k", "v"}});
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(
        test::hex(*file),
        "504152311500153415342c15061500150615060000060000000201020002010100000000000000fdffffffffffffff15"
        "00153015302c150615001506150600000400000004010200000000000000e03f00000000000000401500152e152e2c15"
        "061500150615060000040000000200040104000000c3a4012203000000efbfbd1500150e150e2c150615001506150600"
        "00020000000601051502195c4806736368656d611508001504250218016e00150a250218017800150c25021801732500"
        "4c1c00000015002502180162001606191c194c26081c1504192500061918016e150016061656165626080000265e1c15"
        "0a19250006191801781500160616521652265e000026b0011c150c1925000619180173150016061650165026b0010000"
        "2680021c150019250006191801621500160616301630268002000016a802160600191c18016b180176001809706c756d"
        "626c696e6500be00000050415231");
}

TEST(Parquet, EndsWithItsFooterAndItsLength) {
    const auto file = toParquet(tableOfEveryKind(), {});
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(file->substr(0, 4), "PAR1");
    EXPECT_EQ(file->substr(file->size() - 4), "PAR1");
    EXPECT_LT(lengthAt(*file, file->size() - 8), file->size() - 12);
}

TEST(Parquet, HoldsNoRowsToo) {
    Table table;
    table.addTexts("s", {});
    const auto file = toParquet(table, {});
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(lengthAt(*file, file->size() - 8) + 12, file->size()) << "nothing but a footer";
}

}  // namespace
}  // namespace plumb
