// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plumb {

/// What the elements of an array are.
enum class NpyType : std::uint8_t {
    Fp16,
    Bf16,
    Fp32,
    Fp64,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Bool,
};
[[nodiscard]] std::int64_t npyTypeSize(NpyType type);
[[nodiscard]] std::string_view npyTypeName(NpyType type);  ///< "fp32", "int64", "bool"
/// Integers and booleans, which become fp32: exactly up to 2^24.
[[nodiscard]] bool isInteger(NpyType type);
/// "fp32"; "int64, read as fp32".
[[nodiscard]] std::string npyTypeNote(NpyType type);

/// The element type that a .npy header names: '<f2', '<f4', '<f8', '<i8', '|u1', '|b1', ..., or '<V2' for
/// bf16.
///
/// NumPy has no bf16 of its own. The ml_dtypes package (JAX, TensorFlow) adds one, which numpy.save() writes
/// as '<V2': a byte order stands only before numbers, and no other number of two bytes is written that way.
/// Two raw bytes without meaning are '|V2' and are refused.
/// Errors: BadInput naming the file, what was found and what would do.
[[nodiscard]] Result<NpyType> npyElementType(const std::string& descr, const std::string& path);

/// Converts `count` elements that lie densely at `from` (at any alignment) to fp32; what has more digits is
/// rounded.
void convertToFp32(NpyType type, const std::byte* from, std::int64_t count, float* to);

/// The element at `index`, if it is a finite number that becomes infinite in fp32.
[[nodiscard]] std::optional<double> beyondFp32(NpyType type, const std::byte* elements, std::int64_t index);

/// One row to gather, and its place among the rows of the target.
struct GatheredRow {
    std::int64_t row = 0;
    std::int64_t place = 0;
};

/// A part of a matrix that is stored column by column.
struct ColumnBlock {
    NpyType type = NpyType::Fp32;
    const std::byte* begin = nullptr;  ///< the first element of the first column
    std::int64_t columns = 1;
    std::int64_t rowsPerColumn = 1;  ///< elements between neighbours of one row
};

/// Copies the block's part of these rows as fp32: row r goes to `to` + place * `stride`.
void gatherRows(const ColumnBlock& block, std::span<const GatheredRow> rows, std::int64_t stride, float* to);

}  // namespace plumb
