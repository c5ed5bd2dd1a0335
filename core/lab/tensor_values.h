// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/layout_steps.h"

#include <optional>
#include <string>
#include <vector>

namespace plumb::lab {

/// What stands in the tensors of a chain whose first one is filled with 0, 1, 2, ... as torch.arange() does.
/// Each tensor's numbers are in row-major order of its shape.
struct ChainValues {
    std::vector<double> start;               ///< before any step
    std::vector<std::vector<double>> steps;  ///< values of each step's result as it was made
    std::vector<double> startAfter;          ///< values of the first tensor once all steps are done
};
inline constexpr std::int64_t kMostValues = 1024;  ///< elements of any tensor of the chain

/// Reckoned in `dtype` as torch does it on a processor. Absent when a tensor has more than kMostValues
/// elements.
[[nodiscard]] std::optional<ChainValues> valuesOf(const LayoutChain& chain, Dtype dtype);

/// "[[0, 1, 2], [3, 4, 5]]", six digits of each number; a tensor without dimensions is its number alone.
[[nodiscard]] std::string valuesText(std::span<const std::int64_t> shape, std::span<const double> values);

}  // namespace plumb::lab
