// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/npy_elements.h"
#include "core/io/npy_header.h"
#include "core/io/streamed_file.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace plumb {

/// How an array lies in its file.
struct NpyShape {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    bool byColumns = false;  ///< in Fortran order
};
/// Shape of rows of samples. Errors: BadInput for a rank other than 1 and 2, for no rows or columns, and for
/// a file of `fileBytes` that is shorter than its header says.
[[nodiscard]] Result<NpyShape> npyShape(const NpyHeader& header, NpyType type, std::uint64_t fileBytes,
                                        const std::string& path);

/// A two-dimensional little-endian array of numbers inside a .npy file (format 1.0 to 3.0), in C or Fortran
/// order. A one-dimensional array of n is read as [n, 1].
class NpyArray {
public:
    /// Errors: BadInput for a wrong magic, header, dtype, byte order, rank or a file that is shorter than its
    /// header says; each names the file, what was found and what would do. Io as readFile().
    [[nodiscard]] static Result<NpyArray> open(const std::string& path);

    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t columns() const { return m_columns; }
    [[nodiscard]] NpyType type() const { return m_type; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    /// Whether copyRows() only reads memory.
    [[nodiscard]] bool isInMemory() const { return !m_file.isStreamed(); }

    /// Copies these rows as fp32, in this order, into `target` of [rows.size(), columns()]. Each row of a
    /// file in C order is one run of bytes. In Fortran order a row is spread over the whole file, so that one
    /// of a large file costs a page per column: such a file is better converted once. Any thread.
    /// Pre: 0 <= row < rows(). Errors: Io as StreamedFile::view().
    [[nodiscard]] Result<void> copyRows(std::span<const std::int64_t> rows, std::span<float> target) const;

    /// A finite number of this row that fp32 cannot hold, if the row can be read. Any thread.
    [[nodiscard]] std::optional<double> beyondFp32(std::int64_t row) const;

private:
    NpyArray(StreamedFile file, std::string path) : m_file(std::move(file)), m_path(std::move(path)) {}
    [[nodiscard]] Result<void> copyWholeRows(std::span<const std::int64_t> rows, float* target) const;
    void gatherFromMemory(std::span<const GatheredRow> rows, float* target) const;
    [[nodiscard]] Result<void> streamColumns(std::span<const GatheredRow> rows, float* target) const;

    StreamedFile m_file;
    std::string m_path;
    std::int64_t m_rows = 0;
    std::int64_t m_columns = 0;
    std::size_t m_offset = 0;
    NpyType m_type = NpyType::Fp32;
    bool m_byColumns = false;  ///< in Fortran order
};

}  // namespace plumb
