// SPDX-License-Identifier: Apache-2.0
#include "core/io/npy.h"

#include "core/io/npy_header.h"
#include "tests/support/temporary_folder.h"

#include "test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

namespace plumb {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string fixture(const std::string& name) { return PLUMB_TEST_DATA "/npy/" + name + ".npy"; }

std::string openError(const std::string& path) {
    const auto array = NpyArray::open(path);
    if (array.has_value()) return "no error";
    EXPECT_EQ(array.error().code, ErrorCode::BadInput);
    EXPECT_THAT(array.error().message, HasSubstr(path));
    EXPECT_FALSE(array.error().hint.empty());
    return array.error().text();
}

/// A version 1.0 file with the header and as many zero bytes as asked for.
std::string npyBytes(const std::string& header, std::size_t dataBytes) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 0xffU);
    bytes += static_cast<char>(header.size() >> 8U);
    return bytes + header + std::string(dataBytes, '\0');
}

std::string errorOfBytes(const std::string& bytes) {
    const TemporaryFolder folder;
    putFile(folder.file("x.npy"), bytes);
    return openError(folder.file("x.npy"));
}

class ReadableNpy : public testing::TestWithParam<const char*> {};

TEST_P(ReadableNpy, HoldsTheNumbersThatNumPyWrote) {
    const auto array = NpyArray::open(fixture(GetParam()));
    ASSERT_TRUE(array.has_value()) << array.error().text();
    ASSERT_EQ(array->rows(), 5);
    ASSERT_EQ(array->columns(), 3);
    std::vector<float> row(3);
    for (std::int64_t r = 4; r >= 0; --r) {
        ASSERT_TRUE(array->copyRows({&r, 1}, row).has_value());
        for (int c = 0; c < 3; ++c)
            EXPECT_EQ(row[static_cast<std::size_t>(c)], static_cast<float>(r) + static_cast<float>(c) / 8);
    }
}
INSTANTIATE_TEST_SUITE_P(Versions, ReadableNpy,
                         testing::Values("fp32", "fp64", "fp16", "bf16", "version2", "version3", "fortran",
                                         "fortran_fp16", "fortran_bf16", "fortran_fp64"));

TEST(Npy, CopiesRowsInTheOrderAskedForAsOftenAsAskedFor) {
    const std::vector<std::int64_t> rows{4, 0, 4, 2, 1, 1};
    for (const char* name : {"fp32", "fp16", "fortran", "fortran_fp64"}) {
        const auto array = NpyArray::open(fixture(name));
        ASSERT_TRUE(array.has_value());
        std::vector<float> copied(rows.size() * 3);
        ASSERT_TRUE(array->copyRows(rows, copied).has_value());
        for (std::size_t i = 0; i < copied.size(); ++i)
            EXPECT_EQ(copied[i], static_cast<float>(rows[i / 3]) + static_cast<float>(i % 3) / 8) << name;
    }
}

TEST(Npy, TellsTheElementType) {
    EXPECT_EQ(NpyArray::open(fixture("fp16"))->type(), NpyType::Fp16);
    EXPECT_EQ(NpyArray::open(fixture("bf16"))->type(), NpyType::Bf16);
    EXPECT_EQ(NpyArray::open(fixture("fortran_fp64"))->type(), NpyType::Fp64);
}

TEST(Npy, ConvertsEveryHalfByTheDefinition) {
    const TemporaryFolder folder;
    std::string bytes = npyBytes("{'descr': '<f2', 'fortran_order': False, 'shape': (65536,)}", 131072);
    for (std::size_t half = 0; half < 65536; ++half) {
        const auto stored = static_cast<std::uint16_t>(half);
        std::memcpy(bytes.data() + bytes.size() - 131072 + 2 * half, &stored, 2);
    }
    putFile(folder.file("x.npy"), bytes);
    const auto array = NpyArray::open(folder.file("x.npy"));
    ASSERT_TRUE(array.has_value());
    std::vector<std::int64_t> rows(65536);
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<float> values(65536);
    ASSERT_TRUE(array->copyRows(rows, values).has_value());
    for (unsigned half = 0; half < 65536; ++half) {
        const int exponent = static_cast<int>((half >> 10U) & 31U);
        const int fraction = static_cast<int>(half & 1023U);
        const float value = values[half];
        ASSERT_EQ(std::signbit(value), half >= 0x8000U) << half;
        if (exponent == 31)
            ASSERT_TRUE(fraction == 0 ? std::isinf(value) : std::isnan(value)) << half;
        else
            ASSERT_EQ(std::abs(value), exponent == 0
                                           ? std::ldexp(static_cast<float>(fraction), -24)
                                           : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25))
                << half;
    }
}

TEST(Npy, BothOrdersGiveTheSameRowsOfAnySize) {
    const TemporaryFolder folder;
    for (const std::size_t columns : {2U, 15U, 16U, 17U, 50U}) {
        constexpr std::size_t kRows = 37;
        std::vector<float> byRow(kRows * columns), byColumn(kRows * columns);
        for (std::size_t r = 0; r < kRows; ++r)
            for (std::size_t c = 0; c < columns; ++c)
                byRow[r * columns + c] = byColumn[c * kRows + r] = static_cast<float>(1000 * r + c);
        const auto write = [&](const char* name, const char* fortran, const std::vector<float>& data) {
            const std::string shape = "(37, " + std::to_string(columns) + ")";
            std::string bytes = npyBytes("{'descr': '<f4', 'fortran_order': " + std::string(fortran) +
                                             ", 'shape': " + shape + "}",
                                         data.size() * 4);
            std::memcpy(bytes.data() + bytes.size() - data.size() * 4, data.data(), data.size() * 4);
            putFile(folder.file(name), bytes);
            return NpyArray::open(folder.file(name));
        };
        const auto c = write("c.npy", "False", byRow);
        const auto f = write("f.npy", "True", byColumn);
        ASSERT_TRUE(c.has_value() && f.has_value());
        std::vector<std::int64_t> rows;
        for (std::int64_t i = 0; i < 80; ++i) rows.push_back(i * 23 % 37);
        std::vector<float> fromC(rows.size() * columns), fromF(fromC.size());
        ASSERT_TRUE(c->copyRows(rows, fromC).has_value());
        ASSERT_TRUE(f->copyRows(rows, fromF).has_value());
        EXPECT_EQ(fromC, fromF) << columns;
        EXPECT_EQ(fromC[columns + 1], 23 * 1000 + 1);
    }
}

TEST(Npy, ReadsOneDimensionAsAColumn) {
    const auto array = NpyArray::open(fixture("one_dimension"));
    ASSERT_TRUE(array.has_value());
    EXPECT_EQ(array->rows(), 5);
    EXPECT_EQ(array->columns(), 1);
    float value = 0;
    const std::int64_t third = 3;
    ASSERT_TRUE(array->copyRows({&third, 1}, {&value, 1}).has_value());
    EXPECT_EQ(value, 3.0F);
}

TEST(Npy, ReadsTheDigits) {
    const auto features = NpyArray::open(PLUMB_RESOURCES "/samples/digits/features.npy");
    const auto targets = NpyArray::open(PLUMB_RESOURCES "/samples/digits/targets.npy");
    ASSERT_TRUE(features.has_value());
    ASSERT_TRUE(targets.has_value());
    EXPECT_EQ(features->rows(), 1797);
    EXPECT_EQ(features->columns(), 64);
    EXPECT_EQ(targets->rows(), 1797);
    EXPECT_EQ(targets->columns(), 1);
    std::vector<float> row(64);
    std::set<float> seen;
    double sum = 0, squares = 0;
    for (std::int64_t r = 0; r < 1797; ++r) {
        ASSERT_TRUE(features->copyRows({&r, 1}, row).has_value());
        for (const float pixel : row) ASSERT_TRUE(pixel >= 0 && pixel <= 1);
        float digit = 0;
        ASSERT_TRUE(targets->copyRows({&r, 1}, {&digit, 1}).has_value());
        seen.insert(digit);
        sum += digit;
        squares += static_cast<double>(digit) * digit;
    }
    EXPECT_EQ(seen.size(), 10U);
    EXPECT_NEAR(squares / 1797 - std::pow(sum / 1797, 2), 8.2054, 1e-4);  // the README's figure
}

/// One element of each integer type: 200, or -2 where that is signed.
std::string integerNpy(const char* descr, std::size_t size, std::int64_t value) {
    std::string bytes =
        npyBytes("{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (1,)}", size);
    std::memcpy(bytes.data() + bytes.size() - size, &value, size);
    return bytes;
}

TEST(Npy, ReadsIntegersAndBooleansAsNumbersAndSaysSo) {
    const TemporaryFolder folder;
    struct Case {
        const char* descr;
        std::size_t size;
        std::int64_t value;
        float expected;
        const char* note;
    };
    for (const Case& each :
         {Case{"|i1", 1, -2, -2, "int8, read as fp32"}, Case{"<i1", 1, -2, -2, "int8, read as fp32"},
          Case{"<i2", 2, -300, -300, "int16, read as fp32"},
          Case{"<i4", 4, -70000, -70000, "int32, read as fp32"}, Case{"<i8", 8, 9, 9, "int64, read as fp32"},
          Case{"<i8", 8, (1LL << 24) + 1, 16777216, "int64, read as fp32"},
          Case{"|u1", 1, 200, 200, "uint8, read as fp32"},
          Case{"<u2", 2, 60000, 60000, "uint16, read as fp32"},
          Case{"<u4", 4, 4000000000LL, 4e9F, "uint32, read as fp32"},
          Case{"<u8", 8, 7, 7, "uint64, read as fp32"}, Case{"|b1", 1, 1, 1, "bool, read as fp32"},
          Case{"|b1", 1, 0, 0, "bool, read as fp32"}}) {
        putFile(folder.file("x.npy"), integerNpy(each.descr, each.size, each.value));
        const auto array = NpyArray::open(folder.file("x.npy"));
        ASSERT_TRUE(array.has_value()) << each.descr << array.error().text();
        const std::int64_t first = 0;
        float value = -1;
        ASSERT_TRUE(array->copyRows({&first, 1}, {&value, 1}).has_value());
        EXPECT_EQ(value, each.expected) << each.descr;
        EXPECT_EQ(npyTypeNote(array->type()), each.note);
    }
    EXPECT_EQ(npyTypeNote(NpyType::Fp64), "fp64");
    EXPECT_THAT(errorOfBytes(integerNpy(">i8", 8, 1)), HasSubstr("big-endian"));
}

TEST(Npy, NamesTheDtypeAndTheConversion) {
    EXPECT_THAT(openError(fixture("big_endian")), AllOf(HasSubstr("big-endian"), HasSubstr("astype('<f4')")));
    EXPECT_THAT(openError(fixture("big_endian_fp16")), HasSubstr("astype('<f2')"));
    EXPECT_THAT(openError(fixture("raw_bytes")), AllOf(HasSubstr("'|V2'"), HasSubstr("raw bytes")));
    EXPECT_THAT(openError(fixture("complex")), HasSubstr("complex"));
    EXPECT_THAT(openError(fixture("structured")), HasSubstr("structured"));
}

TEST(Npy, NamesTheShape) {
    EXPECT_THAT(openError(fixture("rank3")),
                AllOf(HasSubstr("[2, 3, 4]"), HasSubstr("reshape(len(array), -1)")));
    EXPECT_THAT(openError(fixture("scalar")), HasSubstr("0-dimensional"));
    EXPECT_THAT(openError(fixture("no_rows")), HasSubstr("[0, 3]"));
    EXPECT_THAT(openError(fixture("no_columns")), HasSubstr("[3, 0]"));
}

TEST(Npy, TellsOtherFilesFromTruncatedOnes) {
    EXPECT_THAT(errorOfBytes(""), HasSubstr("empty"));
    EXPECT_THAT(errorOfBytes("PK\x03\x04 a zip file"), HasSubstr("is not a .npy file"));
    EXPECT_THAT(errorOfBytes("\x93NUM"), HasSubstr("ends within its .npy header"));
    EXPECT_THAT(errorOfBytes(std::string("\x93NUMPY\x07\x00\x10\x00", 10)), HasSubstr("format 7.0"));
    EXPECT_THAT(errorOfBytes(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)), HasSubstr("4294967295"));
}

TEST(Npy, EveryTruncationOfAFileIsRefusedAndTheWholeFileIsNot) {
    const std::string whole = getFile(fixture("fp32"));
    ASSERT_EQ(whole.size(), 128U + 60U);
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_NE(errorOfBytes(whole.substr(0, size)), "no error") << size;
    EXPECT_EQ(errorOfBytes(whole), "no error");
    EXPECT_THAT(errorOfBytes(whole.substr(0, 180)), AllOf(HasSubstr("60 bytes"), HasSubstr("52 are there")));
}

TEST(Npy, AFileThatShrinksWhileItIsReadEndsNothing) {
    const TemporaryFolder folder;
    std::filesystem::copy_file(PLUMB_RESOURCES "/samples/digits/features.npy", folder.file("x.npy"));
    const auto array = NpyArray::open(folder.file("x.npy"));
    ASSERT_TRUE(array.has_value()) << array.error().text();
    std::vector<std::int64_t> rows(static_cast<std::size_t>(array->rows()));
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<float> before(rows.size() * static_cast<std::size_t>(array->columns())), after(before.size());
    ASSERT_TRUE(array->copyRows(rows, before).has_value());
    std::filesystem::resize_file(folder.file("x.npy"), 100);
    ASSERT_TRUE(array->copyRows(rows, after).has_value());
    EXPECT_EQ(after, before);
}

TEST(Npy, ReadsElementsThatAreNotAligned) {
    const TemporaryFolder folder;
    std::string bytes = npyBytes("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", 4);
    ASSERT_NE((bytes.size() - 4) % 4, 0U);
    const float value = 2.5F;
    std::memcpy(bytes.data() + bytes.size() - 4, &value, 4);
    putFile(folder.file("x.npy"), bytes);
    const auto array = NpyArray::open(folder.file("x.npy"));
    ASSERT_TRUE(array.has_value());
    float read = 0;
    const std::int64_t first = 0;
    ASSERT_TRUE(array->copyRows({&first, 1}, {&read, 1}).has_value());
    EXPECT_EQ(read, value);
}

TEST(Npy, RefusesAHeaderThatIsNotTheDictionary) {
    const std::vector<std::string> headers{
        "",
        "{}",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'extra': 1}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': [1]}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} more",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}",
        "{'descr': [('a', '<f4', 'fortran_order': False, 'shape': (1,)}",
        "__import__('os').system('true')",
        std::string(60'000, '['),
    };
    for (const std::string& header : headers)
        EXPECT_THAT(errorOfBytes(npyBytes(header, 64)), HasSubstr("dictionary")) << header.substr(0, 80);
}

TEST(Npy, RefusesAShapeThatOverflows) {
    EXPECT_THAT(errorOfBytes(npyBytes(
                    "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4)}", 64)),
                HasSubstr("63 bits"));
}

TEST(Npy, AcceptsTheLongIntegersOfPython2AndASingleColumnInFortranOrder) {
    EXPECT_EQ(errorOfBytes(npyBytes("{'shape': (2L, 3L), 'fortran_order': False, 'descr': '<f4', }", 24)),
              "no error");
    EXPECT_EQ(errorOfBytes(npyBytes("{'shape': (6, 1), 'fortran_order': True, 'descr': '<f4', }", 24)),
              "no error");
}

TEST(Npy, AMissingFileIsAnIoError) {
    const auto array = NpyArray::open(fixture("none"));
    ASSERT_FALSE(array.has_value());
    EXPECT_EQ(array.error().code, ErrorCode::Io);
}

}  // namespace
}  // namespace plumb
