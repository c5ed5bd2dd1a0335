// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/table.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumb {

/// The table as an Apache Parquet file (format version 1): one row group, every column optional, values
/// PLAIN, definition levels RLE, not compressed. Counts are INT64, numbers DOUBLE, texts BYTE_ARRAY of UTF-8
/// (bytes that are not UTF-8 become U+FFFD), flags BOOLEAN. `notes` are the file's key-value metadata.
///
/// Neither Debian 12 nor Ubuntu 24.04 has the C++ library of Apache Arrow, so the writer is our own; it has
/// no statistics, dictionaries or indexes, which readers do without. Errors: BadInput for a table whose page
/// would exceed the 2 GiB that the format takes.
[[nodiscard]] Result<std::string>
toParquet(const Table& table, const std::vector<std::pair<std::string_view, std::string>>& notes);

}  // namespace plumb
