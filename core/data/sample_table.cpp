// SPDX-License-Identifier: Apache-2.0
#include "core/data/sample_table.h"

#include "core/io/csv_table.h"
#include "core/io/npy.h"
#include "core/io/zip_archive.h"
#include "core/model/data_path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>
#include <utility>
#include <vector>

namespace plumb {

namespace {

/// A .npy file: of any size, read where it lies.
class NpyTable final : public SampleTable {
public:
    explicit NpyTable(NpyArray array) : m_array(std::move(array)), m_note(npyTypeNote(m_array.type())) {}
    [[nodiscard]] std::int64_t rows() const override { return m_array.rows(); }
    [[nodiscard]] std::int64_t columns() const override { return m_array.columns(); }
    [[nodiscard]] Result<void> copyRows(std::span<const std::int64_t> rows,
                                        std::span<float> target) const override {
        return m_array.copyRows(rows, target);
    }
    [[nodiscard]] std::optional<double> beyondFp32(std::int64_t row) const override {
        return m_array.beyondFp32(row);
    }
    [[nodiscard]] bool isInMemory() const override { return m_array.isInMemory(); }
    [[nodiscard]] const std::string& name() const override { return m_array.path(); }
    [[nodiscard]] const std::string& note() const override { return m_note; }

private:
    NpyArray m_array;
    std::string m_note;
};

/// What had to be unpacked or read as text: in memory.
class MemoryTable final : public SampleTable {
public:
    MemoryTable(std::string name, std::string note, std::int64_t columns, std::vector<float> values,
                std::int64_t firstRow)
        : m_name(std::move(name)),
          m_note(std::move(note)),
          m_columns(columns),
          m_values(std::move(values)),
          m_firstRow(firstRow) {}
    [[nodiscard]] std::int64_t rows() const override {
        return static_cast<std::int64_t>(m_values.size()) / m_columns;
    }
    [[nodiscard]] std::int64_t columns() const override { return m_columns; }
    [[nodiscard]] Result<void> copyRows(std::span<const std::int64_t> rows,
                                        std::span<float> target) const override {
        const auto width = static_cast<std::size_t>(m_columns);
        assert(target.size() == rows.size() * width);
        for (std::size_t i = 0; i < rows.size(); ++i)
            std::copy_n(m_values.data() + static_cast<std::size_t>(rows[i]) * width, width,
                        target.data() + i * width);
        return {};
    }
    [[nodiscard]] std::int64_t firstRow() const override { return m_firstRow; }
    [[nodiscard]] bool isInMemory() const override { return true; }
    [[nodiscard]] const std::string& name() const override { return m_name; }
    [[nodiscard]] const std::string& note() const override { return m_note; }

private:
    std::string m_name, m_note;
    std::int64_t m_columns;
    std::vector<float> m_values;
    std::int64_t m_firstRow;
};

using Table = std::unique_ptr<SampleTable>;

enum class Role { Features, Targets };

/// What people call them, in order of preference.
constexpr std::array kFeatureNames{"x", "X", "x_train", "X_train", "data", "features", "images", "inputs"};
constexpr std::array kTargetNames{"y", "Y", "y_train", "Y_train", "target", "targets", "labels", "label"};

constexpr std::string_view kNpy = ".npy";

std::string bare(const std::string& member) {
    return member.ends_with(kNpy) ? member.substr(0, member.size() - kNpy.size()) : member;
}

std::string optionOf(Role role) { return role == Role::Features ? "--data" : "--targets"; }

Result<std::string> chooseMember(const std::string& file, Role role) {
    PLUMB_TRY(const std::vector<std::string> members, zipMembers(file));
    const auto& names = role == Role::Features ? kFeatureNames : kTargetNames;
    for (const char* name : names)
        if (std::find(members.begin(), members.end(), std::string(name) + ".npy") != members.end())
            return std::string(name);
    std::vector<std::string> arrays;
    for (const std::string& member : members)
        if (member.ends_with(kNpy)) arrays.push_back(bare(member));
    if (arrays.size() == 1) return arrays.front();
    return Error{ErrorCode::BadInput,
                 fmt::format("{} does not say which of its arrays the {} are ({})", file,
                             role == Role::Features ? "features" : "targets", fmt::join(arrays, ", ")),
                 fmt::format("name it: {} {}:NAME", optionOf(role), file)};
}

Result<Table> openMember(const DataPath& path, Role role) {
    std::string member = bare(path.part);
    if (member.empty()) {
        PLUMB_TRY(member, chooseMember(path.file, role));
    }
    const std::string label = path.file + ":" + member;
    PLUMB_TRY(const std::vector<std::byte> bytes, readZipMember(path.file, member + std::string(kNpy)));
    PLUMB_TRY(const NpyHeader header, parseNpyHeader(bytes, label));
    PLUMB_TRY(const NpyType type, npyElementType(header.descr, label));
    PLUMB_TRY(const NpyShape shape, npyShape(header, type, bytes.size(), label));
    std::vector<float> values(static_cast<std::size_t>(shape.rows * shape.columns));
    const std::byte* const data = bytes.data() + header.dataOffset;
    if (shape.byColumns) {
        std::vector<GatheredRow> rows(static_cast<std::size_t>(shape.rows));
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i] = {static_cast<std::int64_t>(i), static_cast<std::int64_t>(i)};
        gatherRows({type, data, shape.columns, shape.rows}, rows, shape.columns, values.data());
    } else {
        convertToFp32(type, data, shape.rows * shape.columns, values.data());
    }
    for (std::int64_t i = 0; type == NpyType::Fp64 && i < shape.rows * shape.columns; ++i)
        if (const auto value = beyondFp32(type, data, i)) {
            const std::int64_t row = shape.byColumns ? i % shape.rows : i / shape.columns;
            return Error{ErrorCode::BadInput,
                         fmt::format("{} has {} in row {}, which fp32 cannot hold", label, *value, row),
                         "scale its column, or leave the row out"};
        }
    return Table(new MemoryTable(label, npyTypeNote(type), shape.columns, std::move(values), 0));
}

// ---- tables of text

/// As csvCells() reads them.
std::string joinedNames(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + csvCell(name);
    return text;
}

Result<std::vector<std::size_t>> columnsNamed(const CsvTable& table, const DataPath& path) {
    std::vector<std::size_t> columns;
    for (const std::string& name : csvCells(path.part)) {
        const auto found = std::find(table.names.begin(), table.names.end(), name);
        if (found == table.names.end())
            return Error{ErrorCode::BadInput, fmt::format("{} has no such column ({})", path.file, name),
                         fmt::format("its columns are {:s}", joinedNames(table.names))};
        if (std::find(found + 1, table.names.end(), name) != table.names.end())
            return Error{ErrorCode::BadInput,
                         fmt::format("{} has several columns of one name ({})", path.file, name),
                         "give each column of the file a name of its own"};
        const auto column = static_cast<std::size_t>(found - table.names.begin());
        if (std::find(columns.begin(), columns.end(), column) != columns.end())
            return Error{ErrorCode::BadInput, fmt::format("column {} of {} is named twice", name, path.file),
                         "name each column once"};
        columns.push_back(column);
    }
    return columns;
}

Table takeColumns(const CsvTable& table, const std::string& file, const std::vector<std::size_t>& columns) {
    const std::size_t width = table.names.size();
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(table.rows) * columns.size());
    for (std::size_t row = 0; row < static_cast<std::size_t>(table.rows); ++row)
        for (const std::size_t column : columns) values.push_back(table.values[row * width + column]);
    const std::string note = columns.size() == 1 ? "column " + table.names[columns.front()]
                                                 : fmt::format("{} columns", columns.size());
    return Table(new MemoryTable(file, note, static_cast<std::int64_t>(columns.size()), std::move(values),
                                 table.firstRow));
}

std::vector<std::size_t> allBut(std::size_t count, const std::vector<std::size_t>& taken) {
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < count; ++column)
        if (std::find(taken.begin(), taken.end(), column) == taken.end()) columns.push_back(column);
    return columns;
}

/// Features and targets of one table: what is not named is the rest, and of a table of which nothing is named
/// the last column is the target.
Result<SampleTables> splitTable(const DataPath& data, const DataPath& targets) {
    PLUMB_TRY(const CsvTable table, readCsvTable(data.file));
    const std::size_t count = table.names.size();
    std::vector<std::size_t> features, wanted{count - 1};
    if (!targets.part.empty()) {
        PLUMB_TRY(wanted, columnsNamed(table, targets));
    }
    if (!data.part.empty()) {
        PLUMB_TRY(features, columnsNamed(table, data));
        if (targets.part.empty()) wanted = allBut(count, features);
    } else {
        features = allBut(count, wanted);
    }
    if (features.empty() || wanted.empty())
        return Error{ErrorCode::BadInput,
                     fmt::format("{} has no columns left for {}", data.file,
                                 features.empty() ? "the features" : "the targets"),
                     fmt::format("its columns are {:s}: name some as --data {}:A,B --targets {}:C",
                                 joinedNames(table.names), data.file, data.file)};
    return SampleTables{takeColumns(table, data.file, features), takeColumns(table, data.file, wanted)};
}

Result<Table> openTable(const DataPath& path, DataFormat format, Role role) {
    if (format == DataFormat::Npz) return openMember(path, role);
    if (format == DataFormat::Csv) {
        PLUMB_TRY(const CsvTable table, readCsvTable(path.file));
        std::vector<std::size_t> columns = allBut(table.names.size(), {});
        if (!path.part.empty()) {
            PLUMB_TRY(columns, columnsNamed(table, path));
        }
        return takeColumns(table, path.file, columns);
    }
    PLUMB_TRY(NpyArray array, NpyArray::open(path.file));
    return Table(new NpyTable(std::move(array)));
}

}  // namespace

Result<SampleTables> openSampleTables(const RunConfig& config) {
    const DataPath data = parseDataPath(config.data);
    const DataPath targets = config.targets.empty() ? DataPath{data.file, {}} : parseDataPath(config.targets);
    const DataFormat format = config.effectiveDataFormat();
    DataFormat other = config.targets.empty() ? format : formatOfName(config.targets);
    if (targets.file == data.file) other = format;
    SampleTables tables;
    if (format == DataFormat::Csv && targets.file == data.file) {
        PLUMB_TRY(tables, splitTable(data, targets));
    } else {
        PLUMB_TRY(tables.features, openTable(data, format, Role::Features));
        PLUMB_TRY(tables.targets, openTable(targets, other, Role::Targets));
    }
    if (tables.features->rows() != tables.targets->rows())
        return Error{ErrorCode::BadInput,
                     fmt::format("{} has {} rows and {} has {}", tables.features->name(),
                                 tables.features->rows(), tables.targets->name(), tables.targets->rows()),
                     "give one target row for each feature row"};
    return tables;
}

}  // namespace plumb
