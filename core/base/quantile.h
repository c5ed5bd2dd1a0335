// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace plumb {

/// The value that this share (0 to 1) of the values does not exceed, between two neighbours where it falls
/// between them. Pre: there are some.
[[nodiscard]] inline double quantileOf(std::vector<double> values, double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(values.begin(), at, values.end());
    if (below + 1 == values.size()) return *at;
    const double next = *std::min_element(at + 1, values.end());
    return *at + (next - *at) * (place - static_cast<double>(below));
}

/// Standard deviations from the mean of a normal distribution beyond which a tenth of it lies, on one side.
inline constexpr double kNormalTenth = 1.2816;

/// The middle one, and of an even number the mean of both. Pre: there are some.
[[nodiscard]] inline double medianOf(std::vector<double> values) {
    return quantileOf(std::move(values), 0.5);
}

}  // namespace plumb
