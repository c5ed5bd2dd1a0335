// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// Numbers of a text table: RFC 4180, with comma, semicolon or tab between the cells. The first row is a
/// header when one of its cells is no number; without a header columns are called "1", "2", ...
struct CsvTable {
    std::vector<std::string> names;
    std::int64_t rows = 0;
    std::int64_t firstRow = 1;  ///< row of the first numbers, as messages count rows: 2 below a header
    std::vector<float> values;  ///< [rows, names.size()]
};

/// Errors: BadInput for no rows, rows of different lengths, and a cell that is no number or one that
/// fp32 cannot hold, each with row (from 1, the header counted) and column; Io and the limit of size of
/// readFile().
[[nodiscard]] Result<CsvTable> readCsvTable(const std::string& path);
[[nodiscard]] Result<CsvTable> parseCsvTable(std::string_view text, const std::string& path);

/// The cells of one line, between commas. Quotes are taken off. What is no line, or several, is one cell.
[[nodiscard]] std::vector<std::string> csvCells(std::string_view line);
/// A cell as csvCells() reads it: in quotes where it holds a comma, a quote or a line break.
[[nodiscard]] std::string csvCell(std::string_view text);

}  // namespace plumb
