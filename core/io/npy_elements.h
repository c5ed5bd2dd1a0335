// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace plumb {

/// The element type that a .npy header names: '<f2', '<f4', '<f8', or '<V2' for bf16.
///
/// NumPy has no bf16 of its own. The ml_dtypes package (JAX, TensorFlow) adds one, which numpy.save() writes
/// as '<V2': a byte order stands only before numbers, and no other number of two bytes is written that way.
/// Two raw bytes without meaning are '|V2' and are refused, as is '<u2', which is what it says: integers.
/// Errors: BadInput naming the file, what was found and what would do.
[[nodiscard]] Result<Dtype> npyElementType(const std::string& descr, const std::string& path);

/// Converts `count` elements that lie densely at `from` (at any alignment) to fp32; fp64 is rounded.
void convertToFp32(Dtype type, const std::byte* from, std::int64_t count, float* to);

/// One row to gather, and its place among the rows of the target.
struct GatheredRow {
    std::int64_t row = 0;
    std::int64_t place = 0;
};

/// A part of a matrix that is stored column by column.
struct ColumnBlock {
    Dtype type = Dtype::Fp32;
    const std::byte* begin = nullptr;  ///< the first element of the first column
    std::int64_t columns = 1;
    std::int64_t rowsPerColumn = 1;  ///< elements between neighbours of one row
};

/// Copies the block's part of these rows as fp32: row r goes to `to` + place * `stride`.
void gatherRows(const ColumnBlock& block, std::span<const GatheredRow> rows, std::int64_t stride, float* to);

}  // namespace plumb
