// SPDX-License-Identifier: Apache-2.0
#include "core/model/matrix_part.h"

namespace plumb {

MatrixSplit splitOf(const RunConfig& config, std::int64_t matrix) {
    if (config.parallel.tensor == 1 || matrix < 1) return MatrixSplit::None;
    if (matrix % 2 == 0) return MatrixSplit::Rows;
    return matrix > config.layers ? MatrixSplit::None : MatrixSplit::Columns;
}

MatrixPart partOf(const RunConfig& config, std::int64_t matrix, const Place& place) {
    MatrixPart part{.rows = config.dim, .columns = config.columnsOf(matrix)};
    const std::int64_t ranks = config.parallel.tensor;
    switch (splitOf(config, matrix)) {
    case MatrixSplit::None:
        break;
    case MatrixSplit::Columns:
        part.columns /= ranks;
        part.firstColumn = place.tensor * part.columns;
        break;
    case MatrixSplit::Rows:
        part.rows /= ranks;
        part.firstRow = place.tensor * part.rows;
        break;
    }
    return part;
}

std::int64_t widthOf(const RunConfig& config, std::int64_t layer) {
    const bool isPart = splitOf(config, layer) == MatrixSplit::Columns;
    return isPart ? config.dim / config.parallel.tensor : config.dim;
}

}  // namespace plumb
