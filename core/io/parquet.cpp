// SPDX-License-Identifier: Apache-2.0
#include "core/io/parquet.h"

#include "core/base/little_endian.h"
#include "core/base/plain_text.h"
#include "core/io/thrift.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace plumb {
namespace {

constexpr std::string_view kParquetMagic = "PAR1";
constexpr std::size_t kRowsPerPage = 65'536;

// Numbers of the format's enumerations.
constexpr std::int32_t kBoolean = 0, kInt64 = 2, kDouble = 5, kByteArray = 6;
constexpr std::int32_t kOptional = 1;
constexpr std::int32_t kPlain = 0, kRle = 3;
constexpr std::int32_t kUncompressed = 0;
constexpr std::int32_t kDataPage = 0;
constexpr std::int32_t kUtf8 = 0;

template <class Value>
constexpr std::int32_t kTypeOf = std::is_same_v<Value, bool>           ? kBoolean
                                 : std::is_same_v<Value, std::int64_t> ? kInt64
                                 : std::is_same_v<Value, double>       ? kDouble
                                                                       : kByteArray;

std::int32_t typeOf(const TableColumn& column) {
    return std::visit(
        [](const auto& values) {
            return kTypeOf<typename std::decay_t<decltype(values)>::value_type::value_type>;
        },
        column.values);
}

/// Which of the rows have a value, as runs of the same answer: RLE of one bit.
template <class Value>
std::string levelsOf(const TableColumn::Values<Value>& values, std::size_t begin, std::size_t end) {
    std::string runs;
    for (std::size_t i = begin; i < end;) {
        const bool isThere = values[i].has_value();
        std::size_t next = i;
        while (next < end && values[next].has_value() == isThere) ++next;
        for (std::uint64_t length = (next - i) << 1U;; length >>= 7U) {
            const bool isLast = length < 0x80U;
            runs += static_cast<char>(static_cast<std::uint8_t>((length & 0x7FU) | (isLast ? 0U : 0x80U)));
            if (isLast) break;
        }
        runs += static_cast<char>(isThere ? 1 : 0);
        i = next;
    }
    return runs;
}

void appendValue(std::string& data, std::int64_t value) { appendLittleEndian(data, value); }
void appendValue(std::string& data, double value) { appendLittleEndian(data, value); }
void appendValue(std::string& data, const std::string& value) {
    const std::string text = validText(value);
    appendLittleEndian(data, static_cast<std::uint32_t>(text.size()));
    data += text;
}

template <class Value>
std::string plainValues(const TableColumn::Values<Value>& values, std::size_t begin, std::size_t end) {
    std::string data;
    if constexpr (std::is_same_v<Value, bool>) {  // eight to a byte, the lowest bit first
        std::size_t count = 0;
        for (std::size_t i = begin; i < end; ++i) {
            if (!values[i]) continue;
            if (count % 8 == 0) data += '\0';
            if (*values[i])
                data.back() = static_cast<char>(static_cast<std::uint8_t>(data.back()) | (1U << (count % 8)));
            ++count;
        }
    } else {
        for (std::size_t i = begin; i < end; ++i)
            if (values[i]) appendValue(data, *values[i]);
    }
    return data;
}

/// Where a column lies in the file.
struct Chunk {
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
};

template <class Value>
Result<void> appendPages(std::string& file, const TableColumn& column,
                         const TableColumn::Values<Value>& values) {
    for (std::size_t begin = 0; begin < values.size(); begin += kRowsPerPage) {
        const std::size_t end = std::min(begin + kRowsPerPage, values.size());
        const std::string levels = levelsOf(values, begin, end);
        const std::string data = plainValues(values, begin, end);
        const std::size_t bytes = sizeof(std::uint32_t) + levels.size() + data.size();
        if (bytes > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
            return badInput("the texts of the column " + column.name + " are longer than Parquet takes",
                            "export this table as CSV");
        ThriftWriter header;
        header.i32(1, kDataPage);
        header.i32(2, static_cast<std::int32_t>(bytes));
        header.i32(3, static_cast<std::int32_t>(bytes));
        header.structure(5);
        header.i32(1, static_cast<std::int32_t>(end - begin));
        header.i32(2, kPlain);
        header.i32(3, kRle);
        header.i32(4, kRle);
        header.end();
        file += header.take();
        appendLittleEndian(file, static_cast<std::uint32_t>(levels.size()));
        file += levels;
        file += data;
    }
    return {};
}

void describeColumn(ThriftWriter& footer, const TableColumn& column) {
    const std::int32_t type = typeOf(column);
    footer.element();
    footer.i32(1, type);
    footer.i32(3, kOptional);
    footer.text(4, column.name);
    if (type == kByteArray) {
        footer.i32(6, kUtf8);
        footer.structure(10);  // the logical type
        footer.structure(1);   // STRING
        footer.end();
        footer.end();
    }
    footer.end();
}

void describeChunk(ThriftWriter& footer, const TableColumn& column, const Chunk& chunk) {
    footer.element();
    footer.i64(2, chunk.offset);
    footer.structure(3);
    footer.i32(1, typeOf(column));
    footer.i32s(2, {kPlain, kRle});
    footer.texts(3, {column.name});
    footer.i32(4, kUncompressed);
    footer.i64(5, static_cast<std::int64_t>(column.size()));
    footer.i64(6, chunk.bytes);
    footer.i64(7, chunk.bytes);
    footer.i64(9, chunk.offset);
    footer.end();
    footer.end();
}

}  // namespace

Result<std::string> toParquet(const Table& table,
                              const std::vector<std::pair<std::string_view, std::string>>& notes) {
    std::string file(kParquetMagic);
    std::vector<Chunk> chunks;
    std::int64_t bytes = 0;
    for (const TableColumn& column : table.columns()) {
        Chunk chunk{static_cast<std::int64_t>(file.size()), 0};
        PLUMB_CHECK(
            std::visit([&](const auto& values) { return appendPages(file, column, values); }, column.values));
        chunk.bytes = static_cast<std::int64_t>(file.size()) - chunk.offset;
        bytes += chunk.bytes;
        chunks.push_back(chunk);
    }
    const auto rows = static_cast<std::int64_t>(table.rows());
    ThriftWriter footer;
    footer.i32(1, 1);
    footer.structures(2, table.columns().size() + 1);
    footer.element();  // the root of the schema
    footer.text(4, "schema");
    footer.i32(5, static_cast<std::int32_t>(table.columns().size()));
    footer.end();
    for (const TableColumn& column : table.columns()) describeColumn(footer, column);
    footer.i64(3, rows);
    footer.structures(4, rows > 0 ? 1 : 0);
    if (rows > 0) {
        footer.element();
        footer.structures(1, chunks.size());
        for (std::size_t i = 0; i < chunks.size(); ++i) describeChunk(footer, table.columns()[i], chunks[i]);
        footer.i64(2, bytes);
        footer.i64(3, rows);
        footer.end();
    }
    footer.structures(5, notes.size());
    for (const auto& [key, value] : notes) {
        footer.element();
        footer.text(1, key);
        footer.text(2, validText(value));
        footer.end();
    }
    footer.text(6, "plumbline");
    const std::string end = footer.take();
    file += end;
    appendLittleEndian(file, static_cast<std::uint32_t>(end.size()));
    file += kParquetMagic;
    return file;
}

}  // namespace plumb
