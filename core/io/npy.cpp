// SPDX-License-Identifier: Apache-2.0
#include "core/io/npy.h"

#include "core/base/quantity.h"
#include "core/io/npy_header.h"

#include <bit>
#include <cassert>
#include <cstring>
#include <vector>

namespace plumb {

static_assert(std::endian::native == std::endian::little, "rows are copied as they lie in the file");

namespace {

Error badArray(const std::string& path, const std::string& what, const std::string& remedy) {
    return Error{ErrorCode::BadInput, path + " " + what, remedy};
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text = "[";
    for (const std::int64_t size : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    return text + "]";
}

/// 4 for '<f4', 8 for '<f8'.
Result<std::int64_t> elementBytes(const std::string& descr, const std::string& path) {
    const std::string remedy = "convert it with array.astype('float32') and save it again";
    if (descr == "<f4") return 4;
    if (descr == "<f8") return 8;
    const std::string found = "holds elements of dtype '" + descr + "'";
    if (descr == "structured")
        return badArray(path,
                        "holds records with named fields (a structured dtype), and plain float32 is needed",
                        "take one field: numpy.save(path, array['field'].astype('float32'))");
    if (descr == ">f4" || descr == ">f8")
        return badArray(path, found + ", which is big-endian",
                        "convert it with array.astype('<f4') and save it again");
    const char kind = descr.size() > 1 ? descr[1] : '?';
    switch (kind) {
    case 'i':
    case 'u':
        return badArray(path, found + ", which are integers, and float32 or float64 is needed", remedy);
    case 'b':
        return badArray(path, found + ", which are booleans, and float32 or float64 is needed", remedy);
    case 'c':
        return badArray(path, found + ", which are complex, and float32 or float64 is needed",
                        "take array.real.astype('float32') and save it again");
    case 'O':
        return badArray(path, found + ", which are Python objects, and float32 or float64 is needed",
                        "rows of equal length become an array with numpy.array(rows, dtype='float32')");
    default:
        return badArray(path, found + ", and float32 or float64 is needed", remedy);
    }
}

}  // namespace

Result<NpyArray> NpyArray::open(const std::string& path) {
    PLUMB_TRY(MappedFile file, MappedFile::open(path));
    PLUMB_TRY(const NpyHeader header, parseNpyHeader(file.bytes(), path));
    PLUMB_TRY(const std::int64_t size, elementBytes(header.descr, path));

    const std::size_t rank = header.shape.size();
    const std::string found = "has the shape " + shapeText(header.shape);
    if (rank == 0)
        return badArray(path, "holds a single number (a 0-dimensional array), and rows of samples are needed",
                        "give it a row per sample: array.reshape(-1, 1)");
    if (rank > 2)
        return badArray(path, found + ", and at most 2 dimensions are read",
                        "flatten each sample: array.reshape(len(array), -1)");
    const std::int64_t rows = header.shape[0];
    const std::int64_t columns = rank == 2 ? header.shape[1] : 1;
    if (rows == 0 || columns == 0)
        return badArray(path, found + ", so there is no data in it",
                        "save an array with at least one row and column");
    // In one dimension, or with one row or column, both orders are the same bytes.
    if (header.fortranOrder && rows > 1 && columns > 1)
        return badArray(path, "is stored column by column (fortran_order), and rows are needed",
                        "convert it with numpy.ascontiguousarray(array) and save it again");

    const std::int64_t bytes = mulOrOverflow(mulOrOverflow(rows, columns), size);
    if (bytes < 0)
        return badArray(path, found + ", which is more than 63 bits can count", "check how it was written");
    const std::size_t there = file.bytes().size() - header.dataOffset;
    if (static_cast<std::size_t>(bytes) > there)
        return badArray(path,
                        "is truncated: " + shapeText(header.shape) + " needs " + std::to_string(bytes) +
                            " bytes of data and " + std::to_string(there) + " are there",
                        "copy or write it again");

    NpyArray array(std::move(file), path);
    array.m_rows = rows;
    array.m_columns = columns;
    array.m_offset = header.dataOffset;
    array.m_isFp64 = size == 8;
    return array;
}

void NpyArray::copyRow(std::int64_t row, std::span<float> target) const {
    assert(row >= 0 && row < m_rows && target.size() == static_cast<std::size_t>(m_columns));
    const auto columns = static_cast<std::size_t>(m_columns);
    const std::byte* const data = m_file.bytes().data() + m_offset;
    // memcpy throughout: nothing guarantees that the header's length keeps elements aligned.
    if (!m_isFp64) {
        std::memcpy(target.data(), data + static_cast<std::size_t>(row) * columns * sizeof(float),
                    columns * sizeof(float));
        return;
    }
    const std::byte* const source = data + static_cast<std::size_t>(row) * columns * sizeof(double);
    for (std::size_t column = 0; column < columns; ++column) {
        double value = 0;
        std::memcpy(&value, source + column * sizeof(double), sizeof(double));
        target[column] = static_cast<float>(value);
    }
}

}  // namespace plumb
