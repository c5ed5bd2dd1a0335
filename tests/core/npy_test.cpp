// SPDX-License-Identifier: Apache-2.0
#include "core/io/npy.h"

#include "core/io/npy_header.h"
#include "tests/core/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

namespace plumb {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string fixture(const std::string& name) { return PLUMB_TEST_DATA "/npy/" + name + ".npy"; }

std::string errorOf(const std::string& path) {
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
    return errorOf(folder.file("x.npy"));
}

class ReadableNpy : public testing::TestWithParam<const char*> {};

TEST_P(ReadableNpy, HoldsTheNumbersThatNumPyWrote) {
    const auto array = NpyArray::open(fixture(GetParam()));
    ASSERT_TRUE(array.has_value()) << array.error().text();
    ASSERT_EQ(array->rows(), 5);
    ASSERT_EQ(array->columns(), 3);
    std::vector<float> row(3);
    for (std::int64_t r = 4; r >= 0; --r) {
        array->copyRow(r, row);
        for (int c = 0; c < 3; ++c)
            EXPECT_EQ(row[static_cast<std::size_t>(c)], static_cast<float>(r) + static_cast<float>(c) / 8);
    }
}
INSTANTIATE_TEST_SUITE_P(Versions, ReadableNpy, testing::Values("fp32", "fp64", "version2", "version3"));

TEST(Npy, ReadsOneDimensionAsAColumn) {
    const auto array = NpyArray::open(fixture("one_dimension"));
    ASSERT_TRUE(array.has_value());
    EXPECT_EQ(array->rows(), 5);
    EXPECT_EQ(array->columns(), 1);
    float value = 0;
    array->copyRow(3, {&value, 1});
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
        features->copyRow(r, row);
        for (const float pixel : row) ASSERT_TRUE(pixel >= 0 && pixel <= 1);
        float digit = 0;
        targets->copyRow(r, {&digit, 1});
        seen.insert(digit);
        sum += digit;
        squares += static_cast<double>(digit) * digit;
    }
    EXPECT_EQ(seen.size(), 10U);
    EXPECT_NEAR(squares / 1797 - std::pow(sum / 1797, 2), 8.2054, 1e-4);  // the README's figure
}

TEST(Npy, NamesTheDtypeAndTheConversion) {
    EXPECT_THAT(errorOf(fixture("big_endian")), AllOf(HasSubstr("big-endian"), HasSubstr("astype('<f4')")));
    EXPECT_THAT(errorOf(fixture("int64")),
                AllOf(HasSubstr("'<i8'"), HasSubstr("integers"), HasSubstr("astype('float32')")));
    EXPECT_THAT(errorOf(fixture("fp16")), AllOf(HasSubstr("'<f2'"), HasSubstr("astype('float32')")));
    EXPECT_THAT(errorOf(fixture("bool")), HasSubstr("booleans"));
    EXPECT_THAT(errorOf(fixture("complex")), HasSubstr("complex"));
    EXPECT_THAT(errorOf(fixture("structured")), HasSubstr("structured"));
}

TEST(Npy, NamesTheShapeOrTheOrder) {
    EXPECT_THAT(errorOf(fixture("fortran")),
                AllOf(HasSubstr("fortran_order"), HasSubstr("ascontiguousarray")));
    EXPECT_THAT(errorOf(fixture("rank3")),
                AllOf(HasSubstr("[2, 3, 4]"), HasSubstr("reshape(len(array), -1)")));
    EXPECT_THAT(errorOf(fixture("scalar")), HasSubstr("0-dimensional"));
    EXPECT_THAT(errorOf(fixture("no_rows")), HasSubstr("[0, 3]"));
    EXPECT_THAT(errorOf(fixture("no_columns")), HasSubstr("[3, 0]"));
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
    array->copyRow(0, {&read, 1});
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
