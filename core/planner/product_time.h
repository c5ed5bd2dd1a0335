// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/op_work.h"

#include <cstdint>
#include <optional>

namespace plumb::planner {

/// How a device's units take a product apart; a device that is no GPU of NVIDIA takes it as a whole.
struct ProductTiles {
    std::int64_t multiprocessors = 0;
    double ramp = 0;  ///< steps along k that filling and draining a tile's pipeline costs
    /// A server's few rows have tiles of their own, and k is taken apart where tiles are too few for all
    /// units.
    bool splits = false;
};

/// Part of the rate of the best product that this shape reaches, at most 1: tiles that reach beyond the edge
/// are computed and thrown away, and the last wave leaves multiprocessors idle. Of the tile sizes that
/// libraries have, the best one counts.
[[nodiscard]] double shareOfBestProduct(const ProductShape& shape, const std::optional<ProductTiles>& tiles);

}  // namespace plumb::planner
