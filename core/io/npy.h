// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file.h"

#include <cstdint>
#include <span>
#include <string>

namespace plumb {

/// A two-dimensional little-endian fp32 or fp64 array in C order inside a .npy file (format 1.0 to 3.0),
/// mapped. A one-dimensional array of n is read as [n, 1].
class NpyArray {
public:
    /// Errors: BadInput for a wrong magic, header, dtype, byte order, Fortran order, rank or a file that is
    /// shorter than its header says; each names the file, what was found and what would do. Io as readFile().
    [[nodiscard]] static Result<NpyArray> open(const std::string& path);

    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t columns() const { return m_columns; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    /// Copies row `row` as fp32 into `target` (size columns()). Pre: 0 <= row < rows().
    void copyRow(std::int64_t row, std::span<float> target) const;

private:
    NpyArray(MappedFile file, std::string path) : m_file(std::move(file)), m_path(std::move(path)) {}
    MappedFile m_file;
    std::string m_path;
    std::int64_t m_rows = 0;
    std::int64_t m_columns = 0;
    std::size_t m_offset = 0;
    bool m_isFp64 = false;
};

}  // namespace plumb
