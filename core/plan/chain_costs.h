// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace plumb {

// What the searches for a schedule of the chain share.

/// Cost of what no schedule can do; a sum of three of them still fits in 32 bits.
inline constexpr std::int32_t kNever = 1 << 29;

/// Returns the place of a layer in an array by layer.
constexpr std::size_t at(std::int32_t layer) { return static_cast<std::size_t>(layer); }

}  // namespace plumb
