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
/// Of a server's few rows; its speed is own judgement, and matters only where 4-bit weights are read faster.
constexpr Tile kNarrowTile{16, 128, 0.35};
constexpr double kLeastDepth = 256;  ///< of a part of k that a tile is worth

/// Part of the best rate with one kind of tile, each taken apart `parts` times along k.
double shareOfTile(const ProductShape& shape, const ProductTiles& tiles, const Tile& tile, double parts) {
    const double count = std::ceil(shape.m / tile.rows) * std::ceil(shape.n / tile.columns);
    const double used = shape.m * shape.n / (count * tile.rows * tile.columns);
    const double waves = count * parts / static_cast<double>(tiles.multiprocessors);
    const double depth = shape.k / parts;
    return tile.speed * used * waves / std::ceil(waves) * depth / (depth + tiles.ramp);
}

}  // namespace

double shareOfBestProduct(const ProductShape& shape, const std::optional<ProductTiles>& tiles) {
    if (!tiles || tiles->multiprocessors < 1) return 1;
    double best = 0;
    for (const Tile& tile : kTileSizes) best = std::max(best, shareOfTile(shape, *tiles, tile, 1));
    if (!tiles->splits) return best;
    for (double parts = 1; parts == 1 || shape.k / parts >= kLeastDepth; parts *= 2) {
        best = std::max(best, shareOfTile(shape, *tiles, kNarrowTile, parts));
        for (const Tile& tile : kTileSizes) best = std::max(best, shareOfTile(shape, *tiles, tile, parts));
    }
    return best;
}

}  // namespace plumb::planner
