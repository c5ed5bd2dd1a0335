// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace plumb::planner {

/// A matrix product (m x k) times (k x n).
struct ProductShape {
    double m = 0;
    double k = 0;
    double n = 0;
    [[nodiscard]] double flops() const { return 2 * m * k * n; }
    /// The gradient of the first operand: (m x n) times (n x k).
    [[nodiscard]] ProductShape ofInput() const { return {m, n, k}; }
    /// The gradient of the second: (k x m) times (m x n).
    [[nodiscard]] ProductShape ofWeight() const { return {k, m, n}; }
};

/// How a device's units take a product apart; a device that is no GPU of NVIDIA takes it as a whole.
struct ProductTiles {
    std::int64_t multiprocessors = 0;
    double ramp = 0;  ///< steps along k that filling and draining a tile's pipeline costs
};

/// Part of the rate of the best product that this shape reaches, at most 1: tiles that reach beyond the edge
/// are computed and thrown away, and the last wave leaves multiprocessors idle. Of the tile sizes that
/// libraries have, the best one counts.
[[nodiscard]] double shareOfBestProduct(const ProductShape& shape, const std::optional<ProductTiles>& tiles);

}  // namespace plumb::planner
