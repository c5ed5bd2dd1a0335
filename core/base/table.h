// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace plumb {

/// Lines up columns of UTF-8 text, two blanks between them: the first ones, which hold words, to the left,
/// the others to the right. A cell is one plain line (plainLine()).
class Table {
public:
    explicit Table(std::size_t wordColumns = 1) : m_wordColumns(wordColumns) {}
    void add(std::vector<std::string> row);
    [[nodiscard]] std::string text() const;
    /// The same as a table of Markdown, the first row its head.
    [[nodiscard]] std::string markdown() const;

private:
    std::size_t m_wordColumns;
    std::vector<std::vector<std::string>> m_rows;
};

}  // namespace plumb
