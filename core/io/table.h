// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace plumb {

/// A column of a table: values of one type, each of which may be absent.
struct TableColumn {
    template <class Value>
    using Values = std::vector<std::optional<Value>>;

    std::string name;  ///< in snake case, with its unit at the end: "predicted_seconds"
    std::variant<Values<std::int64_t>, Values<double>, Values<std::string>, Values<bool>> values;

    [[nodiscard]] std::size_t size() const;
};

/// Rows and named columns, as every tabular format takes them. A number that is not finite is absent.
class Table {
public:
    /// Adds a column. Pre: as many values as the columns before it have.
    void addCounts(std::string name, TableColumn::Values<std::int64_t> values);
    void addNumbers(std::string name, TableColumn::Values<double> values);
    void addTexts(std::string name, TableColumn::Values<std::string> values);
    void addFlags(std::string name, TableColumn::Values<bool> values);

    [[nodiscard]] const std::vector<TableColumn>& columns() const { return m_columns; }
    [[nodiscard]] std::size_t rows() const { return m_columns.empty() ? 0 : m_columns.front().size(); }
    /// The column of that name, or null.
    [[nodiscard]] const TableColumn* find(std::string_view name) const;

private:
    std::vector<TableColumn> m_columns;
};

/// The table as CsvWriter writes it, with a heading; flags are "true" and "false".
[[nodiscard]] std::string toCsv(const Table& table);

/// The columns of numbers as a one-dimensional array of records in a .npy file (format 1.0), which NumPy
/// opens as `array["name"]`: counts as int64, and as float64 with NaN where one is absent. Texts are left
/// out.
[[nodiscard]] std::string toNpy(const Table& table);

}  // namespace plumb
