// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/run_config.h"

#include <cstdint>

namespace plumb {

/// How tensor-parallel ranks divide a weight matrix. Layers go in pairs: of an odd one each rank has some
/// columns, reads the whole input and makes as many columns of the output; of an even one it has the rows
/// that read just those, and its output is a part of the sum that all of them make.
enum class MatrixSplit : std::uint8_t { None, Columns, Rows };

/// None for a head after an even number of layers, which every rank has: its input is whole.
[[nodiscard]] MatrixSplit splitOf(const RunConfig& config, std::int64_t matrix);

/// The part of a weight matrix that a rank has; all of it where ranks do not divide it.
struct MatrixPart {
    std::int64_t firstRow = 0, firstColumn = 0;
    std::int64_t rows = 0, columns = 0;
    [[nodiscard]] std::int64_t elements() const { return rows * columns; }
};
[[nodiscard]] MatrixPart partOf(const RunConfig& config, std::int64_t matrix, const Place& place = {});

/// Columns that a rank has of h_layer and of its gradient; of x with layer 0.
[[nodiscard]] std::int64_t widthOf(const RunConfig& config, std::int64_t layer);

}  // namespace plumb
