// SPDX-License-Identifier: Apache-2.0
#include "core/base/little_endian.h"
#include "core/io/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace plumb {
namespace {

constexpr std::size_t kHeaderGrain = 64;  // the data begin at a multiple of it
constexpr std::size_t kBeforeHeader = 10;

bool hasAll(const TableColumn::Values<std::int64_t>& values) {
    return std::ranges::all_of(values, [](const auto& value) { return value.has_value(); });
}

/// Type of a field and how a value of it is appended; the type of a column that is left out is empty.
struct RecordField {
    const TableColumn* column;
    const char* type;
};

RecordField recordFieldOf(const TableColumn& column) {
    if (const auto* counts = std::get_if<TableColumn::Values<std::int64_t>>(&column.values))
        return {&column, hasAll(*counts) ? "<i8" : "<f8"};
    if (std::holds_alternative<TableColumn::Values<double>>(column.values)) return {&column, "<f8"};
    return {&column, nullptr};
}

void appendField(std::string& text, const RecordField& field, std::size_t row) {
    constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
    if (const auto* counts = std::get_if<TableColumn::Values<std::int64_t>>(&field.column->values)) {
        const auto& count = (*counts)[row];
        if (std::string_view(field.type) == "<i8")
            appendLittleEndian(text, *count);
        else
            appendLittleEndian(text, count ? static_cast<double>(*count) : kAbsent);
    } else {
        appendLittleEndian(
            text, std::get<TableColumn::Values<double>>(field.column->values)[row].value_or(kAbsent));
    }
}

}  // namespace

std::string toNpy(const Table& table) {
    std::vector<RecordField> fields;
    for (const TableColumn& column : table.columns())
        if (const RecordField field = recordFieldOf(column); field.type != nullptr) fields.push_back(field);
    std::string header = "{'descr': [";
    for (const RecordField& field : fields)
        fmt::format_to(std::back_inserter(header), "('{}', '{}'), ", field.column->name, field.type);
    fmt::format_to(std::back_inserter(header), "], 'fortran_order': False, 'shape': ({},), }}", table.rows());
    const std::size_t end = kBeforeHeader + header.size() + 1;
    header.append((kHeaderGrain - end % kHeaderGrain) % kHeaderGrain, ' ');
    header += '\n';
    std::string text("\x93NUMPY\x01\x00", 8);
    text += static_cast<char>(static_cast<unsigned char>(header.size() & 0xFFU));
    text += static_cast<char>(static_cast<unsigned char>(header.size() >> 8U));
    text += header;
    text.reserve(text.size() + table.rows() * fields.size() * 8);
    for (std::size_t row = 0; row < table.rows(); ++row)
        for (const RecordField& field : fields) appendField(text, field, row);
    return text;
}

}  // namespace plumb
