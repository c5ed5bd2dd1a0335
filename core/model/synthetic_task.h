// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

namespace plumb {

/// The weights of the synthetic task are w*[i, k] = ((i + k) mod D) times this, which gives targets of
/// variance 1 at every width: 1 / the norm of 0, 1, ..., D - 1. For D = 1 the weight is 1.
[[nodiscard]] inline double syntheticScale(std::int64_t dim) {
    if (dim == 1) return 1;
    const auto d = static_cast<double>(dim);
    return 1 / std::sqrt((d - 1) * d * (2 * d - 1) / 6);
}

/// w*[i, k] before that factor.
[[nodiscard]] inline double syntheticWeight(std::int64_t dim, std::int64_t row, std::int64_t output) {
    return dim == 1 ? 1 : static_cast<double>((row + output) % dim);
}

}  // namespace plumb
