// SPDX-License-Identifier: Apache-2.0
#include "core/planner/product_time.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::planner {

namespace {

/// A tile that one multiprocessor works on, and its speed against the largest: small ones read their operands
/// more often.
struct Tile {
    double rows;
    double columns;
    double speed;
};
constexpr std::array kTileSizes{Tile{128, 256, 1},  Tile{256, 128, 1},  Tile{128, 128, 0.95},
                                Tile{64, 128, 0.8}, Tile{128, 64, 0.8}, Tile{64, 64, 0.65}};

}  // namespace

double shareOfBestProduct(const ProductShape& shape, const std::optional<ProductTiles>& tiles) {
    if (!tiles || tiles->multiprocessors < 1) return 1;
    const auto units = static_cast<double>(tiles->multiprocessors);
    double best = 0;
    for (const Tile& tile : kTileSizes) {
        const double count = std::ceil(shape.m / tile.rows) * std::ceil(shape.n / tile.columns);
        const double used = shape.m * shape.n / (count * tile.rows * tile.columns);
        const double waves = count / units;
        best = std::max(best, tile.speed * used * waves / std::ceil(waves));
    }
    return best * shape.k / (shape.k + tiles->ramp);
}

}  // namespace plumb::planner
