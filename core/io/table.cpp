// SPDX-License-Identifier: Apache-2.0
#include "core/io/table.h"

#include "core/io/csv_writer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <type_traits>

namespace plumb {
namespace {

void writeCell(CsvWriter& csv, const std::optional<std::int64_t>& value) { csv.cell(value); }
void writeCell(CsvWriter& csv, const std::optional<double>& value) { csv.cell(value); }
void writeCell(CsvWriter& csv, const std::optional<std::string>& value) {
    csv.cell(std::string_view(value ? *value : std::string_view()));
}
void writeCell(CsvWriter& csv, const std::optional<bool>& value) {
    csv.cell(!value ? std::string_view() : *value ? std::string_view("true") : std::string_view("false"));
}

}  // namespace

std::size_t TableColumn::size() const {
    return std::visit([](const auto& of) { return of.size(); }, values);
}

void Table::addCounts(std::string name, TableColumn::Values<std::int64_t> values) {
    assert(m_columns.empty() || values.size() == rows());
    m_columns.push_back({std::move(name), std::move(values)});
}

void Table::addNumbers(std::string name, TableColumn::Values<double> values) {
    assert(m_columns.empty() || values.size() == rows());
    for (std::optional<double>& value : values)
        if (value && !std::isfinite(*value)) value.reset();
    m_columns.push_back({std::move(name), std::move(values)});
}

void Table::addTexts(std::string name, TableColumn::Values<std::string> values) {
    assert(m_columns.empty() || values.size() == rows());
    m_columns.push_back({std::move(name), std::move(values)});
}

void Table::addFlags(std::string name, TableColumn::Values<bool> values) {
    assert(m_columns.empty() || values.size() == rows());
    m_columns.push_back({std::move(name), std::move(values)});
}

const TableColumn* Table::find(std::string_view name) const {
    const auto found = std::ranges::find(m_columns, name, &TableColumn::name);
    return found == m_columns.end() ? nullptr : &*found;
}

std::string toCsv(const Table& table) {
    CsvWriter csv;
    for (const TableColumn& column : table.columns()) csv.cell(std::string_view(column.name));
    csv.endRow();
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (const TableColumn& column : table.columns())
            std::visit([&](const auto& values) { writeCell(csv, values[row]); }, column.values);
        csv.endRow();
    }
    return csv.take();
}

}  // namespace plumb
