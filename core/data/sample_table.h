// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace plumb {

/// Rows of numbers from a file, whatever its format. All members may be called from any thread.
class SampleTable {
public:
    virtual ~SampleTable() = default;
    [[nodiscard]] virtual std::int64_t rows() const = 0;
    [[nodiscard]] virtual std::int64_t columns() const = 0;
    /// Copies these rows as fp32, in this order, into `target` of [rows.size(), columns()].
    /// Pre: 0 <= row < rows(). Errors: those of reading.
    [[nodiscard]] virtual Result<void> copyRows(std::span<const std::int64_t> rows,
                                                std::span<float> target) const = 0;
    /// A finite number of this row, as it is stored, that fp32 cannot hold. Any thread. Pre: as copyRows().
    [[nodiscard]] virtual std::optional<double> beyondFp32(std::int64_t row) const {
        (void)row;
        return std::nullopt;
    }
    /// What people call the first row: 0 of an array, 1 of a table of text, 2 below its header.
    [[nodiscard]] virtual std::int64_t firstRow() const { return 0; }
    /// Whether copyRows() only reads memory.
    [[nodiscard]] virtual bool isInMemory() const = 0;
    /// The file and the part of it that it is.
    [[nodiscard]] virtual const std::string& name() const = 0;
    /// How it is stored: "fp32", "int64, read as fp32", "price".
    [[nodiscard]] virtual const std::string& note() const = 0;
};

struct SampleTables {
    std::unique_ptr<SampleTable> features;
    std::unique_ptr<SampleTable> targets;
};

/// Opens what data and targets name: .npy, a member of .npz, columns of .csv, in any combination. What is not
/// named is found by what people call it, in an archive, or is the last column of a table; where that is
/// not clear the error lists what there is. Widths are the files' own; the row counts agree and are not 0.
/// Pre: validate(config); readsFiles() and not readsTokens(). Errors: BadInput, Io.
[[nodiscard]] Result<SampleTables> openSampleTables(const RunConfig& config);

}  // namespace plumb
