// SPDX-License-Identifier: Apache-2.0
#include "core/io/npy.h"

#include "core/base/quantity.h"
#include "core/base/shape_text.h"
#include "core/io/file.h"
#include "core/io/npy_elements.h"
#include "core/io/npy_header.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace plumb {

namespace {

/// Columns that are gathered together: they fill a cache line of the target, and their pages fit the TLB.
constexpr std::int64_t kColumnBlock = 16;
/// Rows that are asked for before they are copied, so that the memory has time to answer.
constexpr std::size_t kRowsAhead = 4;
/// Gap in a column that is read rather than asked around, and the size of a piece of it.
constexpr std::int64_t kNearBytes = 4096;
constexpr std::int64_t kPieceBytes = 65536;

}  // namespace

Result<NpyShape> npyShape(const NpyHeader& header, NpyType type, std::uint64_t fileBytes,
                          const std::string& path) {
    const std::size_t rank = header.shape.size();
    const std::string found = "has the shape " + shapeText(header.shape);
    if (rank == 0)
        return badFile(path, "holds a single number (a 0-dimensional array), and rows of samples are needed",
                       "give it a row per sample: array.reshape(-1, 1)");
    if (rank > 2)
        return badFile(path, found + ", and at most 2 dimensions are read",
                       "flatten each sample: array.reshape(len(array), -1)");
    const std::int64_t rows = header.shape[0];
    const std::int64_t columns = rank == 2 ? header.shape[1] : 1;
    if (rows == 0 || columns == 0)
        return badFile(path, found + ", so there is no data in it",
                       "save an array with at least one row and column");
    const std::int64_t bytes = mulOrOverflow(mulOrOverflow(rows, columns), npyTypeSize(type));
    if (bytes < 0)
        return badFile(path, found + ", which is more than 63 bits can count", "check how it was written");
    const std::uint64_t there = fileBytes - header.dataOffset;
    if (static_cast<std::uint64_t>(bytes) > there)
        return badFile(path,
                       "is truncated: " + shapeText(header.shape) + " needs " + std::to_string(bytes) +
                           " bytes of data and " + std::to_string(there) + " are there",
                       "copy or write it again");
    // In one dimension, or with one row or column, both orders are the same bytes.
    return NpyShape{rows, columns, header.fortranOrder && rows > 1 && columns > 1};
}

Result<NpyArray> NpyArray::open(const std::string& path) {
    PLUMB_TRY(StreamedFile file, StreamedFile::open(path));
    PLUMB_TRY(const NpyHeader header, parseNpyHeader(file.start(), path));
    PLUMB_TRY(const NpyType type, npyElementType(header.descr, path));

    PLUMB_TRY(const NpyShape shape, npyShape(header, type, file.size(), path));

    NpyArray array(std::move(file), path);
    array.m_rows = shape.rows;
    array.m_columns = shape.columns;
    array.m_offset = header.dataOffset;
    array.m_type = type;
    array.m_byColumns = shape.byColumns;
    return array;
}

Result<void> NpyArray::copyRows(std::span<const std::int64_t> rows, std::span<float> target) const {
    assert(target.size() == rows.size() * static_cast<std::size_t>(m_columns));
    assert(std::all_of(rows.begin(), rows.end(), [&](auto row) { return row >= 0 && row < m_rows; }));
    if (!m_byColumns) return copyWholeRows(rows, target.data());
    std::vector<GatheredRow> gathered(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) gathered[i] = {rows[i], static_cast<std::int64_t>(i)};
    // In the order of the file, so that each page of a column is met once.
    std::sort(gathered.begin(), gathered.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
    if (m_file.isStreamed()) return streamColumns(gathered, target.data());
    gatherFromMemory(gathered, target.data());
    return {};
}

std::optional<double> NpyArray::beyondFp32(std::int64_t row) const {
    const auto each = static_cast<std::size_t>(npyTypeSize(m_type));
    std::vector<std::byte> room;
    for (std::int64_t column = 0; m_type == NpyType::Fp64 && column < m_columns; ++column) {
        const std::int64_t index = m_byColumns ? column * m_rows + row : row * m_columns + column;
        const auto element = m_file.view(m_offset + static_cast<std::size_t>(index) * each, each, room);
        if (!element.has_value()) return std::nullopt;
        if (const auto value = plumb::beyondFp32(m_type, *element, 0)) return value;
    }
    return std::nullopt;
}

Result<void> NpyArray::copyWholeRows(std::span<const std::int64_t> rows, float* target) const {
    const auto rowBytes = static_cast<std::size_t>(m_columns * npyTypeSize(m_type));
    const auto offsetOf = [&](std::int64_t row) {
        return m_offset + static_cast<std::size_t>(row) * rowBytes;
    };
    for (const std::int64_t row : rows) m_file.willRead(offsetOf(row), rowBytes);
    std::vector<std::byte> room;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!m_file.isStreamed() && i + kRowsAhead < rows.size())
            __builtin_prefetch(m_file.start().data() + offsetOf(rows[i + kRowsAhead]));
        PLUMB_TRY(const std::byte* const row, m_file.view(offsetOf(rows[i]), rowBytes, room));
        convertToFp32(m_type, row, m_columns, target);
        target += m_columns;
    }
    return {};
}

void NpyArray::gatherFromMemory(std::span<const GatheredRow> rows, float* target) const {
    const std::int64_t columnBytes = m_rows * npyTypeSize(m_type);
    const std::byte* const data = m_file.start().data() + m_offset;
    for (std::int64_t column = 0; column < m_columns; column += kColumnBlock) {
        const ColumnBlock block{m_type, data + column * columnBytes,
                                std::min(kColumnBlock, m_columns - column), m_rows};
        gatherRows(block, rows, m_columns, target + column);
    }
}

Result<void> NpyArray::streamColumns(std::span<const GatheredRow> rows, float* target) const {
    const std::int64_t each = npyTypeSize(m_type);
    std::vector<std::byte> room;
    for (std::int64_t column = 0; column < m_columns; ++column) {
        const std::size_t begin = m_offset + static_cast<std::size_t>(column * m_rows * each);
        for (std::size_t i = 0; i < rows.size();) {
            // Elements that lie near each other come in one read.
            std::size_t end = i + 1;
            while (end < rows.size() && (rows[end].row - rows[end - 1].row) * each <= kNearBytes &&
                   (rows[end].row - rows[i].row) * each < kPieceBytes)
                ++end;
            const std::int64_t first = rows[i].row;
            PLUMB_TRY(const std::byte* const piece,
                      m_file.view(begin + static_cast<std::size_t>(first * each),
                                  static_cast<std::size_t>((rows[end - 1].row - first + 1) * each), room));
            for (; i < end; ++i)
                convertToFp32(m_type, piece + (rows[i].row - first) * each, 1,
                              target + rows[i].place * m_columns + column);
        }
    }
    return {};
}

}  // namespace plumb
